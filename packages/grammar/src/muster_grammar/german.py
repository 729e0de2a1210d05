"""German: words as testers write them, and the words of the patterns that they stand for. Data.

Names stand in quotes: a sentence with any word that is not in here is no German sentence.
"""

GRAMMAR = {
    "": "der, die, das, den, dem, des, ein, eine, einen, einem, einer, bitte, jetzt, nun, auch, wieder, soll, sowohl, "
    "sollte, sollten, sollen, muss, müssen, darf, dürfen, wird, werden, sie, dir, dass, daß",
    "is": "ist, sind, lautet, lauten, beträgt, betragen, gleich, bleibt, bleiben, steht, stehen, sein",
    "neither": "weder",
    "nor": "noch",
    "not": "nicht",
    "no": "kein, keine, keinen, keinem, keiner, null",
    "or": "oder",
    "if": "wenn, falls",
    "without": "ohne",
    "never": "nie, niemals",
    "only": "nur",
    "each": "jede, jeder, jedes, jeden",
    "all": "alle, allen, sämtliche",
    "in": "im, ins, in, aus",
    "on": "auf, an, am",
    "to": "zu, zum, zur, nach",
    "of": "von, vom",
    "for": "für, bei",
    "with": "mit",
    "as": "als",
    "by": "gemäß",
    "within": "innerhalb von, binnen, nach spätestens, spätestens nach",
    "before": "vor",
    "after": "hinter",
    "above": "über, oberhalb von",
    "below": "unter, unterhalb von",
    "i": "ich, wir, man, benutzer, nutzer, anwender, tester",
    ",": "und, dann, und dann, anschließend, danach, sowie, als auch",
    "but": "aber",
}

VERBS = {
    "click": "klicke, klick, klickt, klicken, klicke auf, klick auf, klickt auf, klicken auf, klicke zuerst auf, "
    "betätige, betätigt, betätigen, tippe auf, tippt auf, drücke auf, "
    "berühre, berührt",
    "double-click": "doppelklicke, doppelklicke auf, doppelklickt auf, doppelklick auf, mache einen doppelklick auf, "
    "klicke doppelt auf, klickt doppelt auf",
    "right-click": "rechtsklicke, rechtsklicke auf, rechtsklick auf, mache einen rechtsklick auf, "
    "klicke mit der rechten maustaste auf",
    "hover": "fahre mit der maus über, bewege die maus über, bewege den mauszeiger über",
    "open": "öffne, öffnet, öffnen, gehe zu, geht zu, gehe auf, navigiere zu, besuche, gehen zu, gehen auf, "
    "navigieren zu, besuchen, öffnet sich, wird geöffnet",
    "go back": "gehe zurück, geht zurück, gehen zurück, zurück, gehe zurück zur vorherigen seite, "
    "gehe eine seite zurück, geht eine seite zurück, eine seite zurück",
    "reload": "aktualisiere, aktualisiert",
    "fill": "fülle, füllt, füllen",
    "scroll to end": "scrolle zum ende der seite, scrolle ans ende der seite, scrolle nach unten zum ende der seite, "
    "scrolle ganz nach unten, "
    "scrolle bis ganz nach unten, scrolle bis zum ende der seite",
    "scroll to top": "scrolle zum anfang der seite, scrolle ganz nach oben, scrolle bis ganz nach oben",
    "leave": "lass, lasse, lässt, lassen",
    "switch to": "wechsle zu, wechsle zum, wechsle zur, wechsle auf, wechsle in, wechselt zu, wechselt zum, "
    "wechselt auf",
    "press": "drücke, drückt, drücken",
    "type": "tippe, tippt, schreibe, schreibt",
    "clear": "leere, leert, leeren, lösche den inhalt von, lösche den inhalt vom, lösche den inhalt des, "
    "lösche den inhalt der, lösche den inhalt aus dem, "
    "lösche den inhalt im, lösche den text im, lösche den text aus dem",
    "check": "setze das häkchen bei, setze den haken bei, setze einen haken bei, setze ein häkchen bei, "
    "setze den haken in, setze das häkchen in, markiere, markiert, aktivieren, aktiviere, aktiviert",
    "uncheck": "deaktivieren, entferne das häkchen bei, entferne den haken bei, deaktiviere, deaktiviert",
    "select": "wähle, wählt, wählen, selektiere, selektiert",
    "wait": "warte, wartet, warten",
    "wait for": "warte auf, warte bis, warten auf, warten bis, wartet auf, wartet bis",
    "verify": "prüfe, prüfe ob, prüfe dass, überprüfe, überprüfe ob, überprüfe dass, stelle sicher dass",
    "scroll": "scrolle, scrollt",
    "run": "starte den befehl",
    "remember": "merke, merke dir, speichere",
    "upload": "lade",
    "accept": "bestätige, bestätigt, bestätigen",
    "drag": "ziehe, zieht, ziehen",
}
"""Verbs of actions."""

CLAIMS = {
    "is visible": "sichtbar sein, angezeigt werden, zu sehen sein, vorhanden sein, bleibt sichtbar, bleiben sichtbar, "
    "sichtbar, erscheint, erscheinen, wird angezeigt, werden angezeigt, "
    "angezeigt, angezeigt wird, ist sichtbar, "
    "sind sichtbar, sichtbar ist, sichtbar sind, ist zu sehen, zu sehen ist, existiert, ist vorhanden",
    "is not visible": "nicht sichtbar sein, nicht angezeigt werden, nicht zu sehen sein, nicht vorhanden sein, "
    "nicht angezeigt wird, nicht angezeigt werden, ist nicht sichtbar, sind nicht sichtbar, nicht sichtbar ist, "
    "wird nicht angezeigt, "
    "werden nicht angezeigt, erscheint nicht, verschwindet, verschwunden ist, ist verschwunden, existiert nicht, "
    "ist nicht vorhanden, ist nicht zu sehen",
    "page show": "sehe, sieht, sehen, es gibt, seite zeigt, seite enthält, die seite zeigt, die seite enthält",
    "page not show": "sehe nicht, sieht nicht, sehe kein, sehe keine, sehe keinen, es gibt kein, es gibt keine, "
    "es gibt keinen, die seite zeigt nicht, die seite enthält nicht, seite zeigt nicht, seite enthält nicht, "
    "die seite enthält kein, die seite enthält keine, die seite enthält keinen, die seite zeigt kein, "
    "die seite zeigt keine, die seite zeigt keinen",
    "show": "zeigt, zeigen",
    "contain": "enthält, enthalten",
    "not contain": "enthält nicht, enthalten nicht",
    "start with": "beginnt mit",
    "end with": "endet mit, endet auf",
    "have focus": "hat den fokus",
    "focus is on": "der fokus liegt auf, der fokus ist auf, fokus liegt auf",
    "have": "hat, haben",
    "is not": "ist nicht, sind nicht, lautet nicht",
    "i is on": "ich bin auf, benutzer ist auf, der benutzer ist auf, ich lande auf, ich werde weitergeleitet auf, "
    "wird weitergeleitet auf, wird weitergeleitet zu, wird weitergeleitet zur, werde weitergeleitet auf, "
    "benutzer wird weitergeleitet auf, der benutzer wird weitergeleitet auf, benutzer landet auf, "
    "der benutzer landet auf",
    "more than": "größer als, mehr als",
    "less than": "kleiner als, weniger als",
    "at least": "mindestens",
    "at most": "höchstens, maximal",
    "exactly": "genau",
    "is closed": "ist geschlossen, wird geschlossen, schließt sich",
    "is sorted ascending": "ist aufsteigend sortiert",
    "is sorted descending": "ist absteigend sortiert",
}
"""Verbs of expectations, and how they compare."""

THINGS = {
    "button": "button, knopf, schaltfläche",
    "buttons": "buttons, knöpfe, schaltflächen",
    "link": "link, verweis",
    "links": "links, verweise",
    "field": "feld, feldes, eingabefeld, textfeld",
    "option": "option",
    "focused": "fokussiert",
    "checkbox": "checkbox, kontrollkästchen",
    "checkboxes": "checkboxen",
    "radio": "optionsfeld, radiobutton",
    "dropdown": "auswahlliste, dropdown, auswahlfeld, auswahl",
    "list": "liste",
    "table": "tabelle",
    "row": "zeile",
    "record": "datensatz",
    "records": "datensätze",
    "result": "treffer, ergebnis",
    "results": "ergebnisse",
    "step": "schritt",
    "response": "antwort",
    "response status": "statuscode",
    "rows": "zeilen",
    "column": "spalte",
    "listitem": "eintrag, listeneintrag",
    "listitems": "einträge",
    "heading": "überschrift",
    "image": "bild",
    "images": "bilder",
    "tab": "reiter, registerkarte, tab",
    "switch": "schalter",
    "cell": "zelle",
    "section": "abschnitt, bereich",
    "form": "formular",
    "menu": "menü",
    "dialog": "dialog",
    "current": "aktuell, aktuelle, aktueller, aktuelles, aktuellen",
    "last": "letzte, letzten, letzter, letztes",
    "status": "status",
    "folder": "ordner",
    "task": "aufgabe",
    "card": "karte",
    "event": "termin",
    "page header": "seitenkopf",
    "text": "fehler, text, texte, meldungen, meldung, fehlermeldung, nachricht, hinweis",
    "value": "wert",
    "value of": "wert des, wert der, wert vom",
    "page title": "titel, seitentitel, titel der seite",
    "page": "seite",
    "url": "url, adresse, url der seite, adresse der seite",
    "output": "ausgabe",
    "exit code": "exit-code, rückgabewert",
    "command": "befehl",
    "file": "datei",
    "second": "sekunde, sekunden, zweite, zweiten, zweites, zweiter",
    "minute": "minute, minuten",
    "times": "mal",
    "down": "unten, nach unten",
    "up": "oben, nach oben",
    "enabled": "aktiviert, aktiv, klickbar",
    "disabled": "deaktiviert, inaktiv, ausgegraut",
    "checked": "angehakt, angekreuzt, eingeschaltet",
    "unchecked": "nicht angehakt, abgewählt, ausgeschaltet",
    "selected": "ausgewählt",
    "empty": "leer",
    "required": "erforderlich",
    "first": "erste, ersten, erstes, erster",
    "third": "dritte, dritten, drittes, dritter",
    "fourth": "vierte, vierten, viertes, vierter",
    "new": "neuen, neuem, neuer, neues",
    "sorted": "sortiert",
    "ascending": "aufsteigend",
    "descending": "absteigend",
    "one": "eins",
    "two": "zwei",
    "three": "drei",
    "four": "vier",
    "five": "fünf",
    "six": "sechs",
    "twice": "zweimal",
    "key": "taste",
}
"""Kinds of elements, and what else sentences are about."""

_HALVES = {
    ("gib gebe gibt geben trag trage trägt tragen tipp tippe tippt", "ein"): "type",
    ("wähl wähle wählt wählen", "aus"): "select",
    ("hak hake hakt haken kreuze kreuzt kreuzen", "an"): "check",
    ("klicke klickt klicken", "an"): "click",
    ("lad lade lädt laden", "neu"): "reload",
    ("lad lade lädt laden", "hoch"): "upload",
    ("füll fülle füllt füllen", "aus"): "fill",
    ("führe führt führen", "aus"): "run",
    ("ruf rufe ruft rufen", "auf"): "open",
    ("klappe klappt klappen", "auf"): "expand",
}
SEPARABLE = {(one, end): verb for (first, end), verb in _HALVES.items() for one in first.split()}
"""Verbs whose second half stands at the end: `gib "x" in das Feld "Name" ein`."""

SUBORDINATE = frozenset(("dass", "daß", "ob", "bis"))
"""Words before which a comma joins nothing."""

INFINITIVES = {
    **dict.fromkeys(("klicken", "anklicken", "betätigen"), "klicke"),
    **dict.fromkeys(("eingeben", "eintragen", "eintippen"), "gib … ein"),
    **dict.fromkeys(("auswählen", "selektieren"), "wähle … aus"),
    **{"anhaken": "hake … an", "ankreuzen": "kreuze … an", "drücken": "drücke", "öffnen": "öffne", "leeren": "leere"},
    **{
        "aufrufen": "rufe … auf",
        "hochladen": "lade … hoch",
        "doppelklicken": "doppelklicke",
        "ausfüllen": "fülle … aus",
    },
}
"""Verbs at the end of an act, and how the act begins otherwise."""

FINITE = frozenset(["wird", "werden", "ist", "sind", "erscheint", "erscheinen", "steht", "stehen", "gibt"])
FRONTED = frozenset(["es", "in", "im", "auf", "an", "am", "bei", "unter", "über", "innerhalb", "nach"])
"""What may stand before the verb of a claim in place of its subject."""

SEEING = frozenset(["sehe", "sieht", "sehen", "enthält", "enthalten", "zeigt", "zeigen"])
IDLE = frozenset(["jetzt", "nun", "bitte", "weiterhin", "nochmals", "erneut"])
"""Words that change nothing, and may stand within what belongs together."""
