"""How well a text on the screen says what a tester wants. Pure."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_END = re.compile(r"\s*(\((required|optional)\)|[:*…]|\.\.\.)+$")
_PARTED = re.compile(r"\d\.\d+$")
"""It has its decimals: a further point makes it a version, or a million."""
_RUNS_INTO = re.compile(r"\d[.,']?$")
_RUNS_ON = re.compile(r"[.,']?\d")
_PARTED_RUNS_ON = re.compile(r"[,']?\d|\.\d{3}(?!\d)")


def squash(text: str) -> str:
    """Return the text with runs of white space as one blank, and typographic quotes made plain."""
    return " ".join(text.translate(_PLAIN).split())


def plain(text: str) -> str:
    """Return the text as names are compared: squashed and in lower case."""
    return squash(text).lower()


def bare(text: str) -> str:
    """Return the text without the marks that labels end in, such as `:` or `(required)`."""
    return _END.sub("", plain(text))


def has_whole(have: str, want: str) -> bool:
    """Return whether a text has another in it with whole numbers: "6" is not in "16", "$59" not in "$59.98"."""
    at = have.find(want)
    while at >= 0:
        if _whole_at(have, want, at):
            return True
        at = have.find(want, at + 1) if want else -1
    return False


def _whole_at(have: str, want: str, at: int) -> bool:
    if want[:1].isdecimal() and _RUNS_INTO.search(have[max(0, at - 3) : at]):
        return False
    after = have[at + len(want) :][:9]
    return not want[-1:].isdecimal() or not (_PARTED_RUNS_ON if _PARTED.search(want) else _RUNS_ON).match(after)


def match_tier(text: str, want: str) -> int | None:
    """Return how well a text says what is wanted: 0 the same, 1 begins with it, 2 has it as words, 3 as part of a word.

    None: it does not. Part of a number never counts.
    """
    have, wanted = plain(text), plain(want)
    if not have or not wanted:
        return None
    if have == wanted or bare(have) == bare(wanted):
        return 0
    at = have.find(wanted)
    while at >= 0:
        edges = have[at - 1 : at] + have[at + len(wanted) : at + len(wanted) + 1]
        if not any(edge.isalnum() for edge in edges) and _whole_at(have, wanted, at):
            return 1 if at == 0 else 2
        at = have.find(wanted, at + 1)
    return 3 if has_whole(have, wanted) else None


def closest(want: str, names: Iterable[str], limit: int = 4, least: float = 0.45) -> list[str]:
    """Return the names that are most like the wanted one, best first."""
    wanted = plain(want)
    scored = [(_likeness(wanted, plain(name)[:200]), name) for name in dict.fromkeys(names)]
    return [name for score, name in sorted(scored, key=lambda pair: -pair[0]) if score >= least][:limit]


def _likeness(want: str, have: str) -> float:
    if not have or not want:
        return 0.0
    if want in have or have in want:
        return 0.9 * min(len(want), len(have)) / max(len(want), len(have)) + 0.4
    return SequenceMatcher(None, want, have).ratio()
