"""Checks the references in a screens file: unknown screens, elements, data and keys. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from muster_devices.screens.app import App, Condition, Dialog, Fault, Part, Reaction, Reactions, SwipeTo, holds_value
from muster_devices.screens.templates import names_in
from muster_devices.screens.typed_yaml import Path, nearest

SHORTEST = 0.05
"""Seconds a screen is shown that leads on by itself."""
Found = Iterator[tuple[Path, str]]


class _Known(NamedTuple):
    screens: Sequence[str]
    elements: Sequence[str]
    data: Sequence[str]


class Placed(NamedTuple):
    """An element and where it stands in the file."""

    path: Path
    part: Part


def broken_references(app: App) -> Found:
    """Yield all that refers to what is not there, with the path of the value in the file."""
    parts = [placed for name, plan in app.screens.items() for placed in _placed(plan.elements, ("screens", name))]
    ids = [placed.part.id for placed in parts if placed.part.id]
    known = _Known(
        list(app.screens), ids, [*app.data, *_filled(app), *(p.part.id for p in parts if holds_value(p.part))]
    )
    yield from _unknown(("start",), app.start, known.screens, "screen")
    for name, plan in app.screens.items():
        yield from _templates(("screens", name, "title"), plan.title, known)
        yield from _reactions(("screens", name, "opened"), plan.opened, known)
        yield from _endless(("screens", name, "opened"), plan.opened)
        yield from _by_name(("screens", name, "keys"), plan.keys, known)
        yield from _by_name(("screens", name, "swipe"), plan.swipe, known)
    for placed in parts:
        yield from _part(placed, ids, known)
    yield from _faults(app, known)


def _placed(parts: tuple[Part, ...], outer: Path) -> Iterator[Placed]:
    for at, part in enumerate(parts):
        path = (*outer, "elements", at)
        yield Placed(path, part)
        yield from _placed(part.elements, path)


def _filled(app: App) -> Iterator[str]:
    """Yield the names of data that only reactions fill; the file need not say what it holds at first."""
    for plan in app.screens.values():
        groups = [plan.opened, *plan.keys.values(), *plan.swipe.values()]
        for _, part in _placed(plan.elements, ()):
            groups += [part.tap, part.double_tap, part.long_press, part.hover, part.type]
            groups += [*part.keys.values(), *part.swipe.values()]
        for reaction in (one for group in groups for one in _all(group)):
            yield from (*reaction.set, *reaction.add)
            if reaction.dialog is not None and reaction.dialog.into:
                yield reaction.dialog.into


def _all(reactions: Reactions) -> Iterator[Reaction]:
    for _, reaction in _numbered((), reactions):
        yield reaction
        if reaction.dialog is not None:
            yield from _all(reaction.dialog.accept)
            yield from _all(reaction.dialog.dismiss)


def _numbered(path: Path, reactions: Reactions) -> Iterator[tuple[Path, Reaction]]:
    match reactions:
        case str():
            return
        case Reaction():
            yield path, reactions
        case tuple():
            yield from (((*path, at), reaction) for at, reaction in enumerate(reactions))


def _part(placed: Placed, ids: Sequence[str], known: _Known) -> Found:
    path, part = placed
    if part.id and ids.count(part.id) > 1:
        yield (*path, "id"), f"the id {part.id!r} is there more than once"
    if holds_value(part) and not part.id:
        yield path, f"a {part.role} needs an id, which names what it holds"
    for key in ("name", "text"):
        yield from _templates((*path, key), getattr(part, key), known)
    yield from _condition((*path, "when"), part.when, known)
    for name, state in part.states.items():
        yield from _condition((*path, "states", name), {} if isinstance(state, bool) else state, known)
    for key in ("tap", "double_tap", "long_press", "hover", "type"):
        yield from _reactions((*path, key), getattr(part, key), known)
    yield from _by_name((*path, "keys"), part.keys, known)
    yield from _by_name((*path, "swipe"), part.swipe, known)


def _faults(app: App, known: _Known) -> Found:
    for name, fault in app.faults.items():
        path: Path = ("faults", name)
        yield from _fault_alone(path, fault)
        if fault.screen:
            yield from _unknown((*path, "screen"), fault.screen, known.screens, "screen")
        if fault.element:
            yield from _unknown((*path, "element"), fault.element, known.elements, "id of an element")
        if fault.dialog is not None:
            yield from _dialog((*path, "dialog"), fault.dialog, known)
        yield from _reactions((*path, "instead"), fault.instead or (), known)


def _fault_alone(path: Path, fault: Fault) -> Found:
    """Yield what of a fault does not go together."""
    given = [fault.absent, fault.slow > 0, bool(fault.crash), fault.hangs]
    given += [one is not None for one in (fault.trouble, fault.dialog, fault.instead)]
    if sum(given) != 1:
        yield path, "a fault has one of absent, slow, crash, hangs, trouble, dialog and instead"
    if fault.absent and fault.times:
        yield (*path, "times"), "what is absent is absent always"
    if (fault.absent or fault.instead is not None) and not fault.element:
        yield path, "this fault needs an element"
    if fault.acts and (fault.screen or fault.element or fault.times):
        yield (*path, "acts"), "what strikes once after so many acts has no screen, element or times"
    if fault.acts and (fault.absent or fault.slow or fault.instead is not None):
        yield (*path, "acts"), "only crash, hangs, trouble and dialog strike after so many acts"
    if fault.lasts and fault.trouble not in ("away", "locked"):
        yield (*path, "lasts"), "only the troubles away and locked end by themselves"


def _endless(path: Path, opened: Reactions) -> Found:
    """Yield what would lead from screen to screen without an end, should these lead back."""
    leads = isinstance(opened, str) or any((one.go or one.back) and one.after < SHORTEST for one in _all(opened))
    if leads:
        yield path, f"'opened' may lead to another screen only 'after' {SHORTEST} seconds or more"


def _by_name(path: Path, named: Mapping[str, Reactions] | Mapping[SwipeTo, Reactions], known: _Known) -> Found:
    for name, reactions in named.items():
        yield from _reactions((*path, name), reactions, known)


def _reactions(path: Path, reactions: Reactions, known: _Known) -> Found:
    if isinstance(reactions, str):
        yield from _unknown(path, reactions, known.screens, "screen")
    for at, reaction in _numbered(path, reactions):
        yield from _reaction(at, reaction, known)


def _reaction(path: Path, reaction: Reaction, known: _Known) -> Found:
    yield from _condition((*path, "when"), reaction.when, known)
    if reaction.go:
        yield from _unknown((*path, "go"), reaction.go, known.screens, "screen")
    for name, value in reaction.set.items():
        yield from _templates((*path, "set", name), str(value), known)
    yield from _templates((*path, "crash"), reaction.crash, known)
    if reaction.dialog is not None:
        yield from _dialog((*path, "dialog"), reaction.dialog, known)


def _dialog(path: Path, dialog: Dialog, known: _Known) -> Found:
    yield from _templates((*path, "text"), dialog.text, known)
    if dialog.into and dialog.kind != "prompt":
        yield (*path, "into"), "only a prompt takes a text"
    yield from _reactions((*path, "accept"), dialog.accept, known)
    yield from _reactions((*path, "dismiss"), dialog.dismiss, known)


def _condition(path: Path, condition: Condition, known: _Known) -> Found:
    for name in condition:
        yield from _unknown((*path, name), name, known.data, "piece of data")


def _templates(path: Path, text: str, known: _Known) -> Found:
    for name in names_in(text):
        yield from _unknown(path, name, known.data, "piece of data")


def _unknown(path: Path, name: str, names: Iterable[str], what: str) -> Found:
    if name not in names:
        yield path, f"there is no {what} {name!r}{nearest(name, dict.fromkeys(names))}"
