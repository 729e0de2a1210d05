"""Comparing, quoting and finding texts: how well one says what a tester wants, and which are most like it. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
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
    """Return whether a text has another in it whose numbers are whole there: "6" is not in "16", "$59" not in "$59.98".

    The script in the page has the same helper (`hasWhole`).
    """
    return next(whole_hits(have, want), None) is not None


def count_whole(have: str, want: str) -> int:
    """Return how often a text has another in it whose numbers are whole there."""
    return sum(1 for _ in whole_hits(have, want))


def whole_hits(have: str, want: str) -> Iterator[int]:
    """Yield where a text has another in it whose numbers are whole there."""
    at = have.find(want)
    while at >= 0:
        if whole_at(have, want, at):
            yield at
        at = have.find(want, at + 1) if want else -1


def whole_at(have: str, want: str, at: int) -> bool:
    """Return whether no number runs on beyond either end of what stands at a place."""
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
        if not any(edge.isalnum() for edge in edges) and whole_at(have, wanted, at):
            return 1 if at == 0 else 2
        at = have.find(wanted, at + 1)
    return 3 if has_whole(have, wanted) else None


def nearest(want: str, names: Iterable[str], limit: int = 4, least: float = 0.45) -> list[str]:
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


def lines_like(want: str, lines: Sequence[str], limit: int = 3) -> list[str]:
    """Return the lines of a page that are closest to a text that is not there."""
    return nearest(want, (line for line in lines if len(line) <= 300), limit, least=0.4)


def quote(text: str, limit: int = 200) -> str:
    """Return the text in quotes on one line, cut at `limit` characters."""
    flat = squash(text)
    return f'"{flat if len(flat) <= limit else flat[: limit - 1] + "…"}"'


def listed(names: Iterable[str], limit: int = 8) -> str:
    """Return names in quotes with commas between, and how many more there are."""
    items = list(dict.fromkeys(names))
    more = f" and {len(items) - limit} more" if len(items) > limit else ""
    return ", ".join(quote(item, 60) for item in items[:limit]) + more


def shorten(text: str, limit: int = 4000) -> str:
    """Return head and tail of a long text, with a note of how much was left out between them."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 2 // 3], text[len(text) - limit // 3 :]
    left = text[len(head) : len(text) - len(tail)]
    return f"{head}\n… {len(left)} characters ({left.count(chr(10))} lines) left out …\n{tail}"
