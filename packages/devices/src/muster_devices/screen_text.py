"""What can be read on a screen: its lines, the values that labels name, and what an action changed. Pure."""

import re
from collections.abc import Iterator, Sequence

from muster_devices.actions import Changes
from muster_devices.element_search import names_of
from muster_devices.observations import NamedValue, PlacedText, ReadText, ReadValue, TextSeen, ValuesSeen
from muster_devices.relations import Area, area_of, inner
from muster_devices.screen import Element, Screen
from muster_protocol.narrowing import Relation
from muster_text.element_roles import FIELDS
from muster_text.text_match import bare, has_whole, match_tier, plain, squash

MOST_LINES = 8
"""New or lost lines that are told of a change."""


def lines_of(elements: Sequence[Element]) -> list[str]:
    """Return what is shown, an element a line; of fields what they hold, of passwords nothing."""
    shown: list[str] = []
    for at, element in enumerate(elements):
        if element.hidden or len(inner(elements, at)):
            continue
        held = "" if element.secret else element.value or ""
        shown += [element.name, held] if element.value is not None else [element.text]
    return [line for line in map(squash, shown) if line]


def read_text(screen: Screen, question: ReadText) -> TextSeen:
    """Return what can be read on a screen or a part of it."""
    area = area_of(screen.elements, question.within)
    elements = _of(screen, area)
    lines = tuple(lines_of(elements))
    want = plain(question.text)
    return TextSeen(
        version=screen.version,
        place=screen.place,
        lines=lines,
        sources=tuple(line for line in lines if want and has_whole(plain(line), want)),
        bearers=tuple(_bearers(elements, want)) if question.bearers and want else (),
        places=tuple(_places(elements, question.placed)),
        near=names_of(screen) if area.missing else (),
        unknown_part=area.missing is not None,
        unclear_part=tuple(screen.elements[at] for at in area.unclear),
    )


def _places(elements: Sequence[Element], texts: Sequence[str]) -> Iterator[PlacedText]:
    for at, element in enumerate(elements):
        if element.hidden or element.box is None or len(inner(elements, at)):
            continue
        said = plain("" if element.secret else element.content or element.name)
        yield from (PlacedText(number=i, box=element.box) for i, one in enumerate(texts) if has_whole(said, plain(one)))


def _bearers(elements: Sequence[Element], want: str) -> Iterator[str]:
    for at, element in enumerate(elements):
        alone = not element.hidden and not len(inner(elements, at))
        if alone and bare(element.name) == bare(want) and not has_whole(plain(element.text), want):
            yield element.words()


def read_value(screen: Screen, question: ReadValue) -> ValuesSeen:
    """Return all values that a label may mean: those of the first way that finds any, or of every way."""
    area = area_of(screen.elements, question.within)
    elements = _of(screen, area)
    ways = (_cells,) if question.column else (_fields, _cells, _written, _next_to)
    found = [values for way in ways if (values := way(elements, question.name))]
    values = [value for way in found[: None if question.every_way else 1] for value in way]
    return ValuesSeen(
        version=screen.version,
        place=screen.place,
        values=tuple(values),
        near=() if values else names_of(screen),
        unknown_part=area.missing is not None,
        unclear_part=tuple(screen.elements[at] for at in area.unclear),
    )


def _of(screen: Screen, area: Area) -> list[Element]:
    return [screen.elements[at] for at in sorted(area.places)]


def _fields(elements: Sequence[Element], name: str) -> list[NamedValue]:
    found = [one for one in elements if one.value is not None and one.role in FIELDS]
    return [
        NamedValue(value=one.value or "", how="field", secret=one.secret, box=one.box)
        for one in found
        if match_tier(one.name, name) == 0
    ]


def _cells(elements: Sequence[Element], name: str) -> list[NamedValue]:
    """Return the cells that a heading heads: a column's below it, a row's beside it."""
    heads = [one for one in elements if one.role in ("columnheader", "rowheader") and match_tier(one.text, name) == 0]
    if not heads:
        return []
    how = "in_column" if heads[0].role == "columnheader" else "next_to"
    places = area_of(elements, (Relation(how, heads[0].text),)).places
    cells = [elements[at] for at in sorted(places) if elements[at].role == "cell"]
    return [NamedValue(value=squash(one.text), how="cell", box=one.box) for one in cells]


def _written(elements: Sequence[Element], name: str) -> list[NamedValue]:
    """Return what follows the label in its own line, as in `Total: 12.00`."""
    after = re.compile(rf"(?:^|\W){re.escape(bare(name))}\s*(?:[:=#–]|\bis\b:?)\s*(\S.*)$", re.IGNORECASE)
    found = ((one, after.search(squash(one.text))) for at, one in enumerate(elements) if not len(inner(elements, at)))
    return [NamedValue(value=match.group(1), how="text", box=one.box) for one, match in found if match]


def _next_to(elements: Sequence[Element], name: str) -> list[NamedValue]:
    places = area_of(elements, (Relation("next_to", name),)).places
    near = [at for at, far in places.items() if far == min(places.values()) and bare(elements[at].text) != bare(name)]
    told = [elements[at] for at in sorted(near) if elements[at].role not in ("button", "link")]
    return [NamedValue(value=squash(one.content), how="next to it", box=one.box) for one in told if one.content]


def changes_between(before: Screen, after: Screen, target: Element | None) -> Changes:
    """Return what is different on a screen that is still the same one; `target` is the element that was acted on."""
    was, now = lines_of(before.elements), lines_of(after.elements)
    ref = target.ref if target else ""
    own = next((one for one in after.elements if ref and one.ref == ref), None)
    return Changes(
        address=before.place.address != after.place.address,
        title=before.place.title != after.place.title,
        scrolled=_tops(before) != _tops(after) and [e.ref for e in before.elements] == [e.ref for e in after.elements],
        dialogs=_fresh(before, after, ("dialog", "alertdialog")),
        closed=bool(_fresh(after, before, ("dialog", "alertdialog"))),
        alerts=_fresh(before, after, ("alert", "status")),
        headings=_fresh(before, after, ("heading",)),
        lines=tuple(line for line in now if line not in was)[:MOST_LINES],
        gone=tuple(line for line in was if line not in now)[:MOST_LINES],
        touched=_controls(before) != _controls(after),
        detached=target is not None and own is None,
        focused=bool(own and target and own.states.focused and not target.states.focused),
    )


def texts_of(screen: Screen, roles: Sequence[str], limit: int = 3) -> tuple[str, ...]:
    """Return what the elements of some roles say."""
    return tuple(one.text for one in screen.elements if one.role in roles and one.text and not one.hidden)[:limit]


def _fresh(before: Screen, after: Screen, roles: Sequence[str]) -> tuple[str, ...]:
    was = [plain(text) for text in texts_of(before, roles, limit=20)]
    return tuple(text for text in texts_of(after, roles, limit=20) if plain(text) not in was)


def _controls(screen: Screen) -> list[object]:
    """Return value and state of every element, without the focus, which says nothing of an effect."""
    return [
        (one.ref, one.value, one.states.enabled, one.states.checked, one.states.selected, one.states.expanded)
        for one in screen.elements
    ]


def _tops(screen: Screen) -> list[float | None]:
    return [one.box.y if one.box else None for one in screen.elements]
