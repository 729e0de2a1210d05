"""The structure of a checkout, and the files that a task probably concerns."""

import re
from collections import Counter
from pathlib import Path, PurePosixPath

from muster_sessionhost.workspace_tools.checkout import (
    FILE_LIMIT,
    Answer,
    Checkout,
    Refused,
    listed,
    searched,
)
from muster_sessionhost.workspace_tools.code_symbols import symbols_of

_README = re.compile(r"readme(\.\w+)?", re.IGNORECASE)
_TEST = re.compile(r"(^|/)(tests?|specs?|__tests__)(/|$)|(^|/)test_[^/]*$|[._-](test|spec)\.[^/.]+$", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_COMMON = frozenset(
    {"the", "and", "for", "with", "that", "this", "from", "into", "add", "should", "must", "when", "all"}
)
"""Words of a goal that say nothing of what it is about."""


def overview(checkout: Checkout, path: str = ".") -> Answer:
    """Return how many files there are of each kind and in each folder, and how the README begins.

    Raises:
        Refused: the folder may not be read.
    """
    places, remark = searched(checkout, path)
    if not places:
        return Answer(f"there are no files in {path!r}")
    names = [checkout.name(place) for place in places]
    kinds = Counter(PurePosixPath(name).suffix or PurePosixPath(name).name for name in names)
    folders = Counter(
        str(PurePosixPath(*PurePosixPath(name).parts[:2][: max(1, len(PurePosixPath(name).parts) - 1)]))
        for name in names
        if "/" in name
    )
    top = [name for name in names if "/" not in name]
    tests = sum(1 for name in names if _TEST.search(name))
    lines = [
        f"{len(names)} files, {sum(place.stat().st_size for place in places)} bytes; {tests} of them look like tests.",
        "Kinds: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common(12)),
        "At the top: " + (", ".join(top[:40]) or "no file"),
        "Folders: " + ", ".join(f"{folder}/ {count}" for folder, count in sorted(folders.items())[:60]),
    ]
    readme = next((place for place in places if _README.fullmatch(place.name)), None)
    if readme is not None and readme.stat().st_size <= FILE_LIMIT:
        beginning = readme.read_bytes()[:3000].decode("utf-8", "replace")
        lines += [f"{checkout.name(readme)} begins:", beginning]
    return Answer("\n".join(lines) + remark)


def plan_files(checkout: Checkout, goal: str, path: str = ".") -> Answer:
    """Return the files that a goal, in words, is likely to be about, the likeliest first, and why.

    A name that the goal spells out counts most, then definitions of that name, then how often its words occur.

    Raises:
        Refused: the folder may not be read, or the goal has no words to go by.
    """
    words = {word.casefold() for word in _WORD.findall(goal)} - _COMMON
    if not words:
        raise Refused("say in words what is to be done, with names from the code where you know them")
    places, remark = searched(checkout, path)
    ranked = sorted(((*_relevance(checkout, place, words), checkout.name(place)) for place in places), reverse=True)
    lines = [f"{name}  ({why})" for points, why, name in ranked if points]
    return Answer((listed(lines, 25, "files") or f"no file of {len(places)} has a word of this goal") + remark)


def _relevance(checkout: Checkout, place: Path, words: set[str]) -> tuple[int, str]:
    name = checkout.name(place).casefold()
    named = sorted(word for word in words if word in name)
    defined = sorted({symbol.name for symbol in symbols_of(checkout, place) if words & _parts(symbol.name)})
    said = _said(place, words)
    points = 20 * len(named) + 10 * min(len(defined), 5) + min(sum(said.values()), 20)
    why = [
        f"its path has {', '.join(named)}" if named else "",
        f"defines {', '.join(defined[:4])}" if defined else "",
        f"says {', '.join(word for word, _ in said.most_common(4))}" if said else "",
    ]
    return points, "; ".join(filter(None, why))


def _parts(name: str) -> set[str]:
    last = name.rpartition(".")[2]
    return {last.casefold(), *(part.casefold() for part in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", last))}


def _said(place: Path, words: set[str]) -> Counter[str]:
    if place.stat().st_size > FILE_LIMIT // 10:
        return Counter()
    data = place.read_bytes()
    if b"\0" in data[:8192]:
        return Counter()
    text = data.decode("utf-8", "replace").casefold()
    return Counter({word: min(text.count(word), 5) for word in words if word in text})
