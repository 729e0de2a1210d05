"""Was the right one of several alike used, where a step names it without quotes? Pure.

Delete the milk todo
-> of the "Delete" buttons, the one in the row that has most of the words by which the rows differ
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from muster_evidence.action_demands import TICKED, demands
from muster_protocol.facts import Act
from muster_subagent.tools.page_view import Part, tree
from muster_text.clauses import literals
from muster_text.text_match import plain
from muster_text.wording import stems, subject_stems, words

_OTHERS = re.compile(
    r"\b(?:except|but|other|others|all|every|each|any|without|not|no|until|random|some)\b", re.IGNORECASE
)
"""Words after which a row need not be the one that a step speaks of."""
_USED = frozenset({"button", "link", "menuitem"})
_Alike = Callable[[Part], bool]


class _Group(NamedTuple):
    """Controls of the same use, and the acts on one of them."""

    alike: _Alike
    acts: tuple[Act, ...]


def find_wrong_row(action: str, acts: Sequence[Act], view: str) -> str:
    """Return why acts are not on the row that an action speaks of without quotes, or "".

    `view` is a snapshot from before the acts. Where the words tell no row from another, no row is wrong.
    """
    if literals(action) or _OTHERS.search(action):
        return ""
    verbs = stems(word for demand in demands(action) for word in words(demand.said))
    said = subject_stems(action) - verbs
    parts = tree(view.splitlines())
    used = [act for act in acts if act.status == "ok" and act.by == "model" and act.on_device and act.target]
    found = (_find_wrong(group, said, parts, used) for group in _groups(used, verbs))
    return next(filter(None, found), "")


def _groups(used: Sequence[Act], verbs: frozenset[str]) -> Iterator[_Group]:
    """Yield what may be alike: controls with role or name of one that was used, or that are called like the verb."""
    for act in used:
        names = frozenset(map(plain, act.target))
        if act.role in TICKED:
            yield _Group(lambda part, role=act.role: part.role == role, (act,))
        else:
            yield _Group(lambda part, names=names: plain(part.name) in names and part.role in _USED, (act,))
    named = {stems(words(name)) for act in used for name in act.target}
    for verb in (it for it in verbs if frozenset({it}) not in named):
        yield _Group(lambda part, verb=verb: part.role in _USED and stems(words(part.name)) == {verb}, ())


def _find_wrong(group: _Group, said: frozenset[str], parts: Sequence[Part], used: Sequence[Act]) -> str:
    rows = list(_rows(parts, group.alike))
    telling = {word for word in said if 0 < sum(word in row for row in rows) < len(rows)}
    if not telling:
        return ""
    best = max(len(telling & row) for row in rows)
    asked = " ".join(sorted(telling))
    if not group.acts:
        if any(telling & _texts(act) for act in used):
            return ""
        return f"the step speaks of {asked!r}, and nothing was done in that row"
    for act in group.acts:
        own = stems(word for text in (*act.target, *act.place) for word in words(text))
        score = max((len(telling & row) for row in rows if own <= row), default=len(telling & own))
        if score < best:
            return f"the step speaks of {asked!r}, and {act.target[0]!r} was used in another row"
    return ""


def _texts(act: Act) -> frozenset[str]:
    return stems(word for text in (*act.target, *act.place, *act.entered) for word in words(text))


def _rows(parts: Sequence[Part], alike: _Alike) -> Iterator[frozenset[str]]:
    """Yield the words of the largest parts that hold one of these controls each."""
    counts = [_count(part, alike) for part in parts]
    for part, number in zip(parts, counts, strict=True):
        if number == 1:
            yield stems(_words(part))
        elif number > 1:
            yield from _rows(part.parts, alike)


def _count(part: Part, alike: _Alike) -> int:
    return alike(part) + sum(_count(it, alike) for it in part.parts)


def _words(part: Part) -> Iterator[str]:
    yield from words(f"{part.name} {part.text}")
    for it in part.parts:
        yield from _words(it)
