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
}
CLAIMS = {
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
