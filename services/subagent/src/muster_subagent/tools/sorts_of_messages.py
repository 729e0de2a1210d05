"""Of what sort a sentence says that a message is, and whether a page marks it as one that cannot be meant. Pure."""

import re
from collections.abc import Collection

from muster_text.clauses import QUOTED

_MESSAGE = r"(?:message|text|notification|notice|toast|snackbar|alert|banner|pop-?up)s?"
_FORM = r"(?:(?:flash|toast|alert|status|validation|pop-?up|snackbar) )*"
_SAID = {
    "success": re.compile(rf"\b(?:success(?:ful)? {_FORM}{_MESSAGE})\b|\berfolgs(?:meldung|nachricht)", re.IGNORECASE),
    "error": re.compile(
        rf"\b(?:(?:errors?|failure) {_FORM}{_MESSAGE})\b|\berror «|\bfehler(?:meldung|nachricht)", re.IGNORECASE
    ),
}
_CONTRARY = {"success": frozenset(("error", "warning")), "error": frozenset(("success",))}


def sort_said(clause: str) -> str:
    """Return the sort that a clause says a message is of, outside of its quotes: `success`, `error`, or nothing."""
    bare = QUOTED.sub("«»", clause)
    said = [sort for sort, words in _SAID.items() if words.search(bare)]
    return said[0] if len(said) == 1 else ""


def are_otherwise(said: str, marked: Collection[str]) -> bool:
    """Return whether all messages with a text are marked as of a sort that what was said rules out."""
    return bool(marked) and set(marked) <= _CONTRARY.get(said, frozenset())
