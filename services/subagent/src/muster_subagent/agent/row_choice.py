"""Was the right one of several alike used? Pure.

Delete the milk todo
-> of the "Delete" buttons, the one in the row that has most of the words by which the rows differ
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple

from muster_evidence.action_demands import TICKED, demands
from muster_protocol.facts import Act
from muster_subagent.tools.page_view import Part, tree
from muster_text.clauses import literals
from muster_text.text_match import plain
from muster_text.wording import stems, strip_literals, word_set, words

_OTHERS = re.compile(
    r"\b(?:except|but|other|others|all|every|each|any|without|not|no|until|random|some)\b", re.IGNORECASE
)
"""Words after which a row need not be the one that a step speaks of."""
_USED = frozenset({"button", "link", "menuitem"})
_FUNCTION = word_set(
    "a an the this that these those there it its and or of on in at to for with by from as is are was were be been i "
    "you we your our my then now also only just please up out off have has do does"
)
_Alike = Callable[[Part], bool]
_Said = frozenset[str]
"""The words of a quoted name, or one word."""


class _Group(NamedTuple):
    """Controls of the same use, and the acts on one of them."""

    alike: _Alike
    acts: tuple[Act, ...]


def find_wrong_row(action: str, acts: Sequence[Act], view: str) -> str:
    """Return why acts are not on the row that an action speaks of, in quotes or without, or "".

    `view` is a snapshot from before the acts. Where the words tell no row from another, no row is wrong.
    """
    if _OTHERS.search(strip_literals(action)):
        return ""
    verbs = stems(word for demand in demands(action) for word in words(demand.said))
    plain_words = stems(words(strip_literals(action)) - _FUNCTION) - verbs
    said = {frozenset({word}) for word in plain_words} | {stems(words(name)) for name in literals(action)}
    parts = tree(view.splitlines())
    used = [act for act in acts if act.status == "ok" and act.by == "model" and act.on_device and act.target]
    found = (_find_wrong(group, said - {frozenset[str]()}, parts, used) for group in _groups(used, verbs))
    return next(filter(None, found), "")


def _groups(used: Sequence[Act], verbs: frozenset[str]) -> Iterator[_Group]:
    """Yield what may be alike: controls with role or name of one that was used, or that are called like the verb."""
    for act in used:
        yield _Group(_of_role(act.role) if act.role in TICKED else _named(frozenset(map(plain, act.target))), (act,))
    named = {stems(words(name)) for act in used for name in act.target}
    for verb in (it for it in verbs if frozenset({it}) not in named):
        yield _Group(_called(verb), ())


def _of_role(role: str) -> _Alike:
    return lambda part: part.role == role


def _named(names: frozenset[str]) -> _Alike:
    return lambda part: part.role in _USED and plain(part.name) in names


def _called(verb: str) -> _Alike:
    return lambda part: part.role in _USED and stems(words(part.name)) == frozenset({verb})


def _find_wrong(group: _Group, said: Set[_Said], parts: Sequence[Part], used: Sequence[Act]) -> str:
    rows = list(_rows(parts, group.alike))
    telling = {it for it in said if 0 < sum(it <= row for row in rows) < len(rows)}
    if not telling:
        return ""
    best = max(_score(row, telling) for row in rows)
    asked = ", ".join(sorted(" ".join(sorted(it)) for it in telling))
    if not group.acts:
        if any(_score(_texts(act), telling) for act in used):
            return ""
        return f"the step speaks of {asked!r}, and nothing was done in that row"
    for act in group.acts:
        own = stems(word for text in (*act.target, *act.place) for word in words(text))
        score = max((_score(row, telling) for row in rows if own <= row), default=_score(own, telling))
        if score < best:
            return f"the step speaks of {asked!r}, and {act.target[0]!r} was used in another row"
    return ""


def _score(row: frozenset[str], telling: Set[_Said]) -> int:
    return sum(it <= row for it in telling)


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
