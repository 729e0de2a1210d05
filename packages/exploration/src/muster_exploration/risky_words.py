"""Words of actions that destroy, spend, send or end something; an exploration leaves them out unless they are allowed.

The words are those of `lasting_effects`. Of some of them the object decides: to reset a filter costs nothing, to reset
a database does.
"""

import re
from collections.abc import Sequence

from muster_text.lasting_effects import EFFECTS, spoken

RISKY_WORDS = tuple(word for words in EFFECTS.values() for word in words)
OBJECT_DECIDES = frozenset(
    {"reset", "restart", "format", "discard", "zurücksetzen", "neu starten", "neustart", "formatieren", "verwerfen"}
)
"""Risky words that are harmless where what they are done to is nothing but a view, or what was just entered."""
KEPT = frozenset(
    [
        "account",
        "accounts",
        "all",
        "data",
        "database",
        "device",
        "disk",
        "drive",
        "everything",
        "factory",
        "history",
        "progress",
        "project",
        "server",
        "settings",
        "system",
        "workspace",
        "alle",
        "alles",
        "daten",
        "datenbank",
        "gerät",
        "konto",
        "einstellungen",
        "festplatte",
        "fortschritt",
        "projekt",
        "system",
        "verlauf",
        "werkseinstellungen",
    ]
)
"""Objects that last: what is done to them lasts, too."""
VIEWED = frozenset(
    [
        "columns",
        "dates",
        "entries",
        "field",
        "fields",
        "filter",
        "filters",
        "form",
        "game",
        "input",
        "inputs",
        "layout",
        "map",
        "quiz",
        "range",
        "search",
        "selection",
        "sort",
        "sorting",
        "text",
        "tour",
        "video",
        "view",
        "zoom",
        "ansicht",
        "auswahl",
        "eingabe",
        "eingaben",
        "felder",
        "formular",
        "karte",
        "sortierung",
        "spalten",
        "spiel",
        "suche",
    ]
)
"""Objects that are gone with the page anyway."""
_SMALL = frozenset(
    ["a", "an", "and", "my", "of", "the", "this", "to", "your", "das", "den", "der", "deine", "die", "ihre", "und"]
)
_ANY = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, RISKY_WORDS))})(?![^\W_])")
"""Most names have none of them, and one search tells."""


def risk_in(name: str, allow: Sequence[str] = (), *, leads: bool = False, in_form: bool = False) -> str:
    """Return the destructive word in the name of a control, or "" if there is none, or it is allowed.

    `leads`: it is a link that only leads to another page; `in_form`: it stands among the fields of a form.
    """
    if "*" in allow:
        return ""
    said = spoken(name)
    if not _ANY.search(said):
        return ""
    allowed = {spoken(word) for word in allow}
    found = [word for word in RISKY_WORDS if _says(word, said)]
    if OBJECT_DECIDES.issuperset(found) and _spares(said, found, leads=leads, in_form=in_form):
        return ""
    left = [word for word in found if word not in allowed and said not in allowed]
    return max(left, key=len, default="") if left and not _covered(left, found, allowed) else ""


def _spares(said: str, found: Sequence[str], *, leads: bool, in_form: bool) -> bool:
    """Return whether what is named so touches nothing that lasts; where its object is unknown, it may."""
    for word in found:
        said = said.replace(word, " ")
    objects = set(re.findall(r"\w+", said)) - _SMALL
    if objects & KEPT:
        return False
    return leads or (objects <= VIEWED and (bool(objects) or in_form))


def _covered(left: Sequence[str], found: Sequence[str], allowed: set[str]) -> bool:
    """Return whether each word lies within a longer one that is allowed: `order now` allows its `order`."""
    longer = [word for word in found if word in allowed]
    return all(any(word in other for other in longer) for word in left)


def _says(word: str, text: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text) is not None
