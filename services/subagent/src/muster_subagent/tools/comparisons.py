"""Comparing a text with what a check expects. Pure."""

import re
import unicodedata
from typing import Annotated, Literal

from muster_protocol.causes import Failure
from muster_subagent.fleet_time import today
from muster_subagent.tools.regular_expressions import RegularExpression
from muster_subagent.tools.tool import ToolError
from muster_subagent.tools.traits import Argument
from muster_text.amounts import RELATIONS, amount_of, relates
from muster_text.days import day_of
from muster_text.text_match import has_whole, quote, squash, whole_at

_GAPS = re.compile(r"(?<=\d) (?=[%€$£¥°](?!\w))|(?<=[€$£¥]) (?=[-+]?\d)")
_WHOLE = re.compile(r"(?P<number>[$€£¥]?[-+]?\d+)[.,]0{1,2}(?P<unit>[%°$€£¥]?)")
_NUMBER = re.compile(r"[$€£¥]?[-+]?\d+[%°$€£¥]?")
_ENTRY = r"(?:^|[,;|·•])\s*{}\s*(?:$|[,;|·•])"
"""One entry of a list that a field shows on one line."""
_SUMMED = re.compile(
    r"(?:^|, ?|\s)(?:\+\s?\d+\b.*|(?:all|\d+)\b[^,]*\b(?:selected|chosen|checked|picked)"
    r"|(?:and )?\d+ (?:more|others?)\b.*)$",
    re.IGNORECASE,
)
"""What a field shows in place of the names of what is chosen in it: "2 selected", "Ada, +3", "Ada and 2 others"."""
_SIGN_FORMS = "\ufe0e\ufe0f\u200d"
"""Variation selectors and joiners, which only change how the sign before them is drawn."""
Match = Annotated[Literal["is", "contains", "starts", "ends", "matches"], Argument.RELATION]
"""How a text is compared with what is expected; `matches` takes a regular expression."""


Relating = Annotated[
    Literal["is", "includes", "contains", "starts", "ends", "matches", "above", "at_least", "below", "at_most", "same"],
    Argument.RELATION,
]
"""The same, and how numbers, sums or dates are compared; `includes`: it is among what is chosen in a list."""

BEGINNINGS = ("contains", "starts", "matches")
"""Comparisons that the beginning of a text can show to hold of all of it."""
ENDS = ("contains", "ends", "matches")
"""Comparisons that the end of a text alone can prove."""
PRECEDINGS = ("", "0", "a", "0.", "0\n")
"""What may come before a text of which only the end was kept."""
CONTINUATIONS = ("", "0", "a", ".0", "\n0")
"""What may follow a text that was cut: a number or word goes on, or a line ends."""


def _close_set(text: str) -> str:
    """Return a text without the blank between a number and its sign: "72 %" and "72%" are the same."""
    return _GAPS.sub("", text)


def _in_short(text: str, like: str) -> str:
    """Return an amount without the zeros behind its point, where the other one is written without: "0.0" is 0."""
    amount = _WHOLE.fullmatch(text) if _NUMBER.fullmatch(like) else None
    return f"{amount['number']}{amount['unit']}" if amount else text


def compares(seen: str, expected: str, match: Relating, *, denied: bool = False) -> bool:
    """Return whether a text is as expected; white space counts as one blank, upper and lower case differ. A number that
    the expected text begins or ends with must not be part of a longer one. A part that is `denied` in small letters is
    denied in capitals, too.

    Raises:
        ToolError: `expected` is no usable regular expression, though `match` says so, or an empty part of a text.
    """
    have, want = squash(seen), squash(expected)
    if match in RELATIONS:
        return relates(have, _amount(want), match)
    if match != "is":
        refuse_empty(expected)
    if denied and want.islower() and match in ("contains", "starts", "ends"):
        have = have.lower()
    match match:
        case "is":
            return have == want or _in_short(_close_set(have), _close_set(want)) == _close_set(want)
        case "includes":
            return f", {want}, " in f", {have}, " or bool(re.search(_ENTRY.format(re.escape(want)), have))
        case "contains":
            return has_whole(have, want)
        case "starts":
            return have.startswith(want) and whole_at(have, want, 0)
        case "ends":
            return have.endswith(want) and whole_at(have, want, len(have) - len(want))
        case _:
            return RegularExpression(expected).is_in(seen)


def hides_choice(seen: str, expected: str) -> bool:
    """Return whether what a field shows does not tell if something is among what is chosen in it.

    It says how many are chosen and not which, or not all of them, or the expected words stand among others without any
    comma: "CSS JS" may be one choice or two.
    """
    have, want = squash(seen), squash(expected)
    unclear = _SUMMED.search(have) or ("," not in have and has_whole(have, want))
    return bool(unclear) and not compares(seen, expected, "includes")


def is_told_by_signs(seen: str, expected: str) -> bool:
    """Return whether a text is drawn by signs alone, such as stars or ticks, and words or a number are expected of it.

    What signs stand for, and which of them are filled or coloured, the text does not tell.
    """
    signs = [unicodedata.category(char) for char in seen if not char.isspace() and char not in _SIGN_FORMS]
    return bool(signs) and set(signs) == {"So"} and any(char.isalnum() for char in expected)


def begins_to(beginning: str, expected: str, match: Match) -> bool:
    """Return whether a text is as expected whatever comes after the beginning of it.

    Raises:
        ToolError: as `compares`.
    """
    return match in BEGINNINGS and all(compares(beginning + more, expected, match) for more in CONTINUATIONS)


def ends_to(end: str, expected: str, match: Match) -> bool:
    """Return whether a text is as expected whatever comes before the end of it.

    Raises:
        ToolError: as `compares`.
    """
    return match in ENDS and all(compares(before + end, expected, match) for before in PRECEDINGS)


def undecided(told: str, where: str) -> ToolError:
    """Return the error of who judges on a text that was cut: what is not in it is not known to be missing."""
    return ToolError(told, failure=Failure.NO_EVIDENCE, where=where)


def _amount(text: str) -> str:
    """Return a text that is compared as an amount; a day that is said, such as `tomorrow`, as a date.

    Raises:
        ToolError: it is none.
    """
    if (day := day_of(text, today())) is not None:
        return day.isoformat()
    if amount_of(text) is None:
        words = f"{quote(text)} is neither a number nor a date, which one could compare"
        raise ToolError(words, failure=Failure.INVALID_CALL)
    return text


def refuse_empty(text: str) -> None:
    """Refuse to look for a text that is part of any other.

    Raises:
        ToolError: it is empty.
    """
    if not squash(text):
        raise ToolError("an empty text is part of any text: finding it proves nothing", failure=Failure.NO_EVIDENCE)


def says(match: Relating, expected: str, *, negate: bool = False) -> str:
    """Return a comparison in words, as in `contains "Login"`."""
    verbs = {
        "contains": "contains",
        "includes": "has chosen",
        "starts": "starts with",
        "ends": "ends with",
        "above": "is more than",
    }
    verbs |= {"same": "amounts to", "below": "is less than", "at_least": "is at least", "at_most": "is at most"}
    if not negate:
        return f"{verbs.get(match, match)} {quote(expected)}"
    return f"{'is not' if match == 'is' else 'does not have: ' + verbs.get(match, match)} {quote(expected)}"
