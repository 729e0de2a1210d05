"""Sentences in German stand for the same calls as those in English; with a word that is not known they are refused."""

import re

import pytest

from muster_grammar import PHRASES, PhraseError, parse_action, parse_expectation
from muster_grammar.languages import LANGUAGES
from muster_grammar.tokens import scan

ACTIONS = {
    'Klicke auf die Spalte "Preis"': 'Click the "Preis" column',
    'Klicke auf den Button "Speichern"': 'Click the button "Speichern"',
    'Gib "tester" in das Feld "Benutzername" ein und klicke auf "Anmelden"': (
        'Type "tester" into the "Benutzername" field and click "Anmelden"'
    ),
    'Öffne "${base_url}/login"': 'Open "${base_url}/login"',
    'Rufe "https://shop.test" auf': 'Open "https://shop.test"',
    'Wähle "Rot" in der Liste "Farbe" aus': 'Select "Rot" in the list "Farbe"',
    'Wähle "Rot" aus der Liste "Farbe"': 'Select "Rot" in the list "Farbe"',
    'Setze das Häkchen bei "AGB" und entferne das Häkchen bei "Werbung"': 'Check "AGB" and uncheck "Werbung"',
    "Drücke Enter": "Press Enter",
    "Warte 3 Sekunden": "Wait 3 seconds",
    'Warte, bis "Fertig" sichtbar ist': 'Wait until "Fertig" is visible',
    "Lade die Seite neu und gehe zurück": "Reload the page and go back",
    'Doppelklicke auf die Zeile "Becher"': 'Double-click the row "Becher"',
    'Leere das Feld "Suche"': 'Clear the field "Suche"',
    'Führe "ls" aus': 'Run "ls"',
    'Ziehe "A" auf "B"': 'Drag "A" onto "B"',
    "Scrolle nach unten": "Scroll down",
    'Klicke auf "Löschen" in der Zeile mit "Becher"': 'Click "Löschen" in the row with "Becher"',
    'Fahre mit der Maus über "Konto"': 'Hover over "Konto"',
    'Prüfe, dass "A" angezeigt wird': 'Verify that "A" is displayed',
    'Ruf "/konto" auf': 'Open "/konto"',
    'Gib im Feld "Betrag" 25,50 ein': 'Type "25,50" into the "Betrag" field',
    'Trag bei "Name" "Ada" ein und klicke auf "Weiter"': 'Type "Ada" into "Name" and click "Weiter"',
    'Wähle im Dropdown "Land" den Eintrag "Norwegen" aus': 'Select the option "Norwegen" in the dropdown "Land"',
    'Wähle in "Land" "Norwegen" aus': 'Select "Norwegen" in "Land"',
    'Lass das Feld "Telefon" leer': 'Leave the "Telefon" field empty',
    'Klicke doppelt auf "Bericht"': 'Double-click "Bericht"',
    "Klicke auf den dritten Link": "Click the third link",
    'Wechsle zum Tab "Details"': 'Switch to the "Details" tab',
    'Ziehe die Karte "A" in die Spalte "B"': 'Drag the "A" card to the "B" column',
    "Gehe eine Seite zurück": "Go back",
    'Öffne den Link "A" in einem neuen Tab': 'Open the "A" link in a new tab',
    'Lösche den Text im Feld "A"': 'Clear the field "A"',
    "Scrolle ganz nach unten": "Scroll to the end",
    "Scrolle ganz nach oben": "Scroll to the top",
}
CLAIMS = {
    'Die Tabelle ist nach "Name" aufsteigend sortiert': 'The table is sorted by "Name" ascending',
    'Die Tabelle "A" ist absteigend nach "B" sortiert': 'The "A" table is sorted by "B" descending',
    'Der Dialog "Sicher?" öffnet sich': 'The "Sicher?" dialog opens',
    "Der Dialog ist geschlossen": "The dialog is closed",
    "Der Dialog schließt sich": "The dialog is closed",
    'Nach spätestens 10 Sekunden erscheint "Fertig"': '"Fertig" is visible within 10 seconds',
    'Die zweite Zeile enthält "Ada"': 'The second row contains "Ada"',
    "Es gibt mindestens 3 Datensätze in der Tabelle": "There are at least 3 records in the table",
    'Der Benutzer ist auf dem Schritt "Zahlung"': 'I am on the "Zahlung" step',
    'Das Kontrollkästchen "AGB" ist abgewählt': 'The "AGB" checkbox is deselected',
    "Der Statuscode ist 200": "The status code is 200",
    '"Willkommen" wird angezeigt': '"Willkommen" is displayed',
    'Der Text "Fehler" ist nicht sichtbar': 'The text "Fehler" is not visible',
    'Der Titel lautet "Shop" und die URL endet mit "/cart"': 'The title is "Shop" and the URL ends with "/cart"',
    'Das Feld "Name" enthält "Ada"': 'The field "Name" contains "Ada"',
    'Das Feld "Name" ist leer und der Button "Weiter" ist deaktiviert': (
        'The field "Name" is empty and the button "Weiter" is disabled'
    ),
    'Ich sehe "A" und "B"': 'I see "A" and "B"',
    'Ich sehe keinen Button "Löschen"': 'I see no button "Löschen"',
    'Es gibt mindestens 3 Zeilen in der Tabelle "Korb"': 'There are at least 3 rows in the table "Korb"',
    '"Summe" ist größer als 10': '"Summe" is greater than 10',
    'Jede Zeile enthält "A"': 'Each row contains "A"',
    'Die Checkbox "AGB" ist angehakt': 'The checkbox "AGB" is checked',
    'Die Ausgabe enthält "ok"': 'The output contains "ok"',
    'Der Button "A" ist aktiviert, aber der Link "B" ist nicht sichtbar': (
        'The button "A" is enabled, but the link "B" is not visible'
    ),
}
REFUSED_ACTIONS = (
    'Klicke nicht auf "A"',
    'Hake "A" ab',  # to tick it, or to take the tick away
    'Gib in "A" "B" und in "C" "D" ein',
    'Klicke auf "A" oder "B"',
    'Klicke auf den roten Button "A"',
    "Klicke auf den Speichern Button",
    'Wähle "Rot" in der Liste "Farbe" nicht aus',
    'Gib "A" in das Feld "B"',
    'Wenn "A" sichtbar ist, klicke auf "B"',
)
REFUSED_CLAIMS = (
    "Es gibt keine kaputten Bilder",
    '"A" oder "B" ist sichtbar',
    '"A" wird korrekt angezeigt',
    '"A" ist kaum sichtbar',
    'Nur "A" ist sichtbar',
)


def _shape(calls: object) -> list[tuple[str, object]]:
    return [(call.tool, call.arguments) for call in calls]  # pyright: ignore


@pytest.mark.parametrize("sentence", ACTIONS)
def test_an_action_in_german_stands_for_the_calls_of_the_english_one(sentence: str):
    assert _shape(parse_action(sentence)) == _shape(parse_action(ACTIONS[sentence]))


@pytest.mark.parametrize("sentence", CLAIMS)
def test_an_expectation_in_german_stands_for_the_checks_of_the_english_one(sentence: str):
    assert _shape(parse_expectation(sentence)) == _shape(parse_expectation(CLAIMS[sentence]))


@pytest.mark.parametrize("sentence", REFUSED_ACTIONS)
def test_an_action_with_a_word_that_changes_it_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize("sentence", REFUSED_CLAIMS)
def test_an_expectation_with_a_word_that_changes_it_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize("word", ["nicht", "kein", "nie", "oder", "ohne", "wenn", "nur", "irgendein"])
def test_a_word_that_turns_the_meaning_round_is_never_overlooked_in_german(word: str):
    for sentence, parse in [*((one, parse_action) for one in ACTIONS), *((one, parse_expectation) for one in CLAIMS)]:
        meant = _shape(parse(sentence))
        for gap in [0, *(found.start() for found in re.finditer(r"\s", sentence)), len(sentence)]:
            changed = f"{sentence[:gap]} {word} {sentence[gap:]}".strip()
            if changed.count('"', 0, gap) % 2:
                continue  # inside of a literal
            try:
                assert _shape(parse(changed)) != meant, changed
            except PhraseError:
                continue


def test_no_english_sentence_is_taken_for_a_german_one():
    for phrase in PHRASES:
        for example in phrase.examples:
            assert all(language.read(scan(example)) is None for language in LANGUAGES), example


def test_advice_on_a_german_sentence_asks_for_quotes():
    with pytest.raises(PhraseError, match="is not known in German"):
        parse_action("Trage die Nummer in das Feld IBAN ein")
