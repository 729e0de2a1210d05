"""German: words as testers write them, and the words of the patterns that they stand for. Data.

Names stand in quotes: a sentence with any word that is not in here is no German sentence.
"""

GRAMMAR = {
    "": "der, die, das, den, dem, des, ein, eine, einen, einem, einer, bitte, jetzt, nun, noch, auch, wieder, soll, "
    "sollte, sollen, muss, müssen, wird, werden, sie, dir, dass, daß",
    "is": "ist, sind, lautet, lauten, gleich",
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
    "within": "innerhalb von, binnen",
    "before": "vor",
    "after": "hinter",
    "above": "über, oberhalb von",
    "below": "unter, unterhalb von",
    "i": "ich, wir, man, benutzer, nutzer, anwender, tester",
    ",": "und, dann, und dann, anschließend, danach, sowie",
    "but": "aber",
}

VERBS = {
    "click": "klicke, klick, klickt, klicken, klicke auf, klickt auf, klicken auf, tippe auf, tippt auf, drücke auf",
    "double-click": "doppelklicke, doppelklicke auf, doppelklickt auf",
    "right-click": "rechtsklicke, rechtsklicke auf, klicke mit der rechten maustaste auf",
    "hover": "fahre mit der maus über, bewege die maus über",
    "open": "öffne, öffnet, öffnen, gehe zu, geht zu, gehe auf, navigiere zu, besuche",
    "go back": "gehe zurück, geht zurück, zurück",
    "press": "drücke, drückt, drücken",
    "type": "tippe, tippt, schreibe, schreibt",
    "clear": "leere, leert, lösche den inhalt von",
    "check": "setze das häkchen bei, setze den haken bei, aktiviere, aktiviert",
    "uncheck": "entferne das häkchen bei, entferne den haken bei, deaktiviere, deaktiviert",
    "select": "wähle, wählt, wählen",
    "wait": "warte, wartet, warten",
    "wait for": "warte auf, warte bis, wartet auf, wartet bis",
    "verify": "prüfe, prüfe ob, prüfe dass, überprüfe, überprüfe ob, überprüfe dass, stelle sicher dass",
    "scroll": "scrolle, scrollt",
    "run": "starte den befehl",
    "remember": "merke, merke dir, speichere",
    "upload": "lade",
    "drag": "ziehe, zieht",
}
"""Verbs of actions."""

CLAIMS = {
    "is visible": "sichtbar, erscheint, erscheinen, wird angezeigt, werden angezeigt, angezeigt wird, ist sichtbar, "
    "sind sichtbar, sichtbar ist, sichtbar sind, ist zu sehen, zu sehen ist, existiert, ist vorhanden",
    "is not visible": "ist nicht sichtbar, sind nicht sichtbar, nicht sichtbar ist, wird nicht angezeigt, "
    "werden nicht angezeigt, erscheint nicht, verschwindet, verschwunden ist, ist verschwunden, existiert nicht, "
    "ist nicht vorhanden, ist nicht zu sehen",
    "page show": "sehe, sieht, sehen, es gibt, seite zeigt, seite enthält, die seite zeigt, die seite enthält",
    "page not show": "sehe nicht, sieht nicht, sehe kein, sehe keine, sehe keinen, es gibt kein, es gibt keine, "
    "es gibt keinen, die seite zeigt nicht, die seite enthält nicht, seite zeigt nicht, seite enthält nicht, "
    "die seite enthält kein, die seite enthält keine, die seite enthält keinen",
    "show": "zeigt, zeigen",
    "contain": "enthält, enthalten",
    "not contain": "enthält nicht, enthalten nicht",
    "start with": "beginnt mit",
    "end with": "endet mit",
    "have": "hat, haben",
    "is not": "ist nicht, sind nicht, lautet nicht",
    "i is on": "ich bin auf, benutzer ist auf, der benutzer ist auf, ich lande auf, ich werde weitergeleitet auf",
    "more than": "größer als, mehr als",
    "less than": "kleiner als, weniger als",
    "at least": "mindestens",
    "at most": "höchstens, maximal",
    "exactly": "genau",
    "is sorted ascending": "ist aufsteigend sortiert",
    "is sorted descending": "ist absteigend sortiert",
}
"""Verbs of expectations, and how they compare."""

THINGS = {
    "button": "button, knopf, schaltfläche",
    "buttons": "buttons, knöpfe, schaltflächen",
    "link": "link, verweis",
    "links": "links, verweise",
    "field": "feld, eingabefeld, textfeld",
    "checkbox": "checkbox, kontrollkästchen",
    "checkboxes": "checkboxen",
    "radio": "optionsfeld, radiobutton",
    "dropdown": "auswahlliste, dropdown, auswahlfeld",
    "list": "liste",
    "table": "tabelle",
    "row": "zeile",
    "rows": "zeilen",
    "column": "spalte",
    "listitem": "eintrag, listeneintrag",
    "listitems": "einträge",
    "heading": "überschrift",
    "image": "bild",
    "images": "bilder",
    "tab": "reiter",
    "section": "abschnitt, bereich",
    "form": "formular",
    "menu": "menü",
    "dialog": "dialog",
    "text": "text, meldung, fehlermeldung, nachricht, hinweis",
    "value": "wert",
    "page title": "titel, seitentitel, titel der seite",
    "page": "seite",
    "url": "url, adresse",
    "output": "ausgabe",
    "exit code": "exit-code, rückgabewert",
    "command": "befehl",
    "file": "datei",
    "second": "sekunde, sekunden",
    "minute": "minute, minuten",
    "times": "mal",
    "down": "unten, nach unten",
    "up": "oben, nach oben",
    "enabled": "aktiviert, aktiv",
    "disabled": "deaktiviert, inaktiv, ausgegraut",
    "checked": "angehakt, angekreuzt",
    "unchecked": "nicht angehakt",
    "selected": "ausgewählt",
    "empty": "leer",
    "required": "erforderlich",
    "first": "erste, ersten, erstes",
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

SEPARABLE = {
    ("gib", "ein"): "type",
    ("gebe", "ein"): "type",
    ("gibt", "ein"): "type",
    ("trage", "ein"): "type",
    ("wähle", "aus"): "select",
    ("hake", "an"): "check",
    ("hake", "ab"): "uncheck",
    ("lade", "neu"): "reload",
    ("lade", "hoch"): "upload",
    ("führe", "aus"): "run",
    ("rufe", "auf"): "open",
    ("klappe", "auf"): "expand",
}
"""Verbs whose second half stands at the end: `gib "x" in das Feld "Name" ein`."""

SUBORDINATE = frozenset(("dass", "daß", "ob", "bis"))
"""Words before which a comma joins nothing."""
