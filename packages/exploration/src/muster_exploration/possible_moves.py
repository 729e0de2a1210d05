"""What can be done on a screen. Pure."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from msgspec.structs import replace

from muster_exploration.abstraction import abstract_address, abstract_text
from muster_exploration.move_phrases import sayable
from muster_exploration.risky_words import risk_in
from muster_exploration.screen_shape import CONTROLS, Part, Tree, alike_groups, trees_of
from muster_protocol.explorations import Blank, EarlierMove, Move
from muster_text.element_roles import FIELDS, LISTS, TOGGLES, TYPED

MOST = 400
"""Moves of one screen."""
MOST_LEFT_OUT = 50
SAMPLES = 2
"""Items of a list that are tried before anything else; of the others only the links, at the end."""
MOST_TICKS = 3
"""The most boxes that are ticked before a form is submitted."""
OPTIONS = 3
"""Options of a list that are tried."""
_TAPPED = frozenset({"button", "link", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem"})
_FILES = (".pdf", ".zip", ".gz", ".exe", ".dmg", ".csv", ".xlsx", ".docx", ".mp4", ".mp3", ".apk", ".tar")


class Possible(NamedTuple):
    """The moves of a screen, and those that are left out, each with its reason."""

    moves: tuple[Move, ...]
    left_out: tuple[str, ...]
    unnamed: tuple[str, ...]
    """Roles of controls that have no name, so that nobody can say which is meant."""


class Control(NamedTuple):
    """A control that can be named."""

    at: int
    """Index of the part."""
    part: Part
    ordinal: int
    """Which of its role and name, from 1; 0: the only one."""


class Form(NamedTuple):
    """What stands before the button that ends a form."""

    fields: tuple[Control, ...]
    boxes: tuple[Control, ...]
    """What can be ticked or chosen."""
    whole: "Form | None" = None
    """The same with what stands before the buttons in between, which may be those of single fields."""


def _controls_of(parts: Sequence[Part]) -> list[Control]:
    """Return the controls that have a name, with their numbers among those of the same role and name."""
    named = [(index, part) for index, part in enumerate(parts) if part.role in CONTROLS and sayable(part.name)]
    total, met, found = (
        Counter((part.role, part.name) for _, part in named),
        Counter[tuple[str, str]](),
        list[Control](),
    )
    for index, part in named:
        key = (part.role, part.name)
        met[key] += 1
        found.append(Control(index, part, met[key] if total[key] > 1 else 0))
    return found


def find_control(parts: Sequence[Part], role: str, name: str, ordinal: int) -> Control | None:
    """Return the control that is meant: by its name, else by its name without numbers if that is one control."""
    controls = [one for one in _controls_of(parts) if one.part.role == role]
    exact = [one for one in controls if one.part.name == name]
    if exact:
        return exact[min(max(ordinal, 1), len(exact)) - 1]
    wanted = abstract_text(name)
    like = [one for one in controls if abstract_text(one.part.name) == wanted]
    return like[0] if len(like) == 1 else None


def possible_moves(
    parts: Sequence[Part], visitable: Callable[[str], bool] = lambda _address: True, allow: Sequence[str] = ()
) -> Possible:
    """Return what can be done on a screen, in reading order.

    `visitable` says whether an address may be visited. `allow` lists destructive words that may be tapped.
    """
    trees, controls = trees_of(parts), _controls_of(parts)
    by_index, ranks, options = {one.at: one for one in controls}, _ranks(trees), _options(trees)
    entered = _within_forms(trees)
    forms = _forms(trees, by_index, options)
    filled = {field.at for form in forms.values() for field in form.fields}
    moves, left_out, known = list[Move](), list[str](), set[tuple[str, str]]()
    for control in controls:
        part, late = control.part, ranks.get(control.at, 0) >= SAMPLES
        address = abstract_address(part.address) if part.address else ""
        same = (part.role + part.name, part.address or address)
        usable = part.enabled or control.at in forms  # a form's button may wait for its fields
        if not usable or part.role in ("option", "listbox") or (late and not part.address) or same in known:
            continue
        if why := _refused(part, visitable, allow, in_form=control.at in entered):
            left_out.append(f"{part.role} “{part.name}”: {why}")
            continue
        if part.role == "link" and part.address:
            known.add(same)  # the same address by the same name need not be followed twice
        moves += _sendings(control, forms.get(control.at), options, allow, late=late)
        moves += _moves_of(control, filled, options, late=late)
    unnamed = tuple(
        part.role for part in parts if part.role in CONTROLS - {"option"} and part.enabled and not part.name.strip()
    )
    ordered = sorted(moves, key=lambda move: move.late)
    return Possible(tuple(ordered[:MOST]), tuple(dict.fromkeys(left_out))[:MOST_LEFT_OUT], unnamed)


def _sendings(
    button: Control, form: Form | None, options: dict[int, tuple[str, ...]], allow: Sequence[str], *, late: bool
) -> Iterator[Move]:
    """Yield the ways to submit a form: with all fields before its button, with the nearest; each with boxes ticked,
    then without."""
    if form is None:
        return
    if form.whole:
        yield from _sendings(button, form.whole, options, allow, late=late)
    ticks, blanks = _ticks(form.boxes, allow), tuple(_blank(field, options) for field in form.fields)
    part = button.part
    send = Move(do="tap", role=part.role, name=part.name, ordinal=button.ordinal, late=late)
    if blanks:
        send = replace(send, do="fill", blanks=blanks)
    if ticks:
        yield replace(send, first=ticks)
    if blanks:
        yield send


def _moves_of(control: Control, filled: set[int], options: dict[int, tuple[str, ...]], *, late: bool) -> Iterator[Move]:
    part, ordinal = control.part, control.ordinal
    if part.role in _TAPPED:
        if part.enabled:
            yield Move(do="tap", role=part.role, name=part.name, ordinal=ordinal, address=part.address, late=late)
    elif part.role in TOGGLES and not (part.role == "radio" and part.checked):
        option = "off" if part.checked else ""
        yield Move(do="toggle", role=part.role, name=part.name, ordinal=ordinal, option=option, late=late)
    elif part.role == "combobox" and options.get(control.at):
        others = [one for one in options[control.at] if one != part.value]
        for option in others[:OPTIONS]:
            yield Move(do="choose", role=part.role, name=part.name, ordinal=ordinal, option=option, late=late)
    elif part.role in TYPED and control.at not in filled:
        yield Move(do="enter", role=part.role, name=part.name, ordinal=ordinal, late=late)


def _ticks(boxes: Sequence[Control], allow: Sequence[str]) -> tuple[EarlierMove, ...]:
    """Return what agrees to all that a form asks for: its boxes ticked, and a choice where none is made."""
    chosen = any(one.part.checked for one in boxes if one.part.role == "radio")
    radios = [] if chosen else [one for one in boxes if one.part.role == "radio"][:1]
    open_boxes = [one for one in boxes if one.part.role != "radio" and not one.part.checked]
    return tuple(
        EarlierMove(do="toggle", role=one.part.role, name=one.part.name, ordinal=one.ordinal)
        for one in sorted((*radios, *open_boxes))[:MOST_TICKS]
        if not risk_in(one.part.name, allow, in_form=True)
    )


def _blank(field: Control, options: dict[int, tuple[str, ...]]) -> Blank:
    part = field.part
    return Blank(role=part.role, name=part.name, ordinal=field.ordinal, options=options.get(field.at, ()))


def _within_forms(trees: Sequence[Tree]) -> frozenset[int]:
    """Return the parts that stand in a form with fields of its own."""
    found: frozenset[int] = frozenset()
    for tree in trees:
        inside = list(_flat(tree.children))
        if tree.part.role in ("form", "search") and any(one.part.role in FIELDS for one in inside):
            found |= {one.at for one in inside}
        else:
            found |= _within_forms(tree.children)
    return found


def _refused(part: Part, visitable: Callable[[str], bool], allow: Sequence[str], *, in_form: bool) -> str:
    leads = part.role == "link" and part.address.startswith(("http://", "https://"))
    if part.role in _TAPPED | TOGGLES and (word := risk_in(part.name, allow, leads=leads, in_form=in_form)):
        return f"{word!r} may destroy, spend, send or end something"
    if not part.address:
        return ""
    parts = urlsplit(part.address)
    if parts.scheme in ("mailto", "tel", "sms", "data", "blob", "file", "ftp"):
        return f"{parts.scheme}: is no page"
    if parts.path.lower().endswith(_FILES):
        return "it is a file, not a page"
    outside = parts.scheme in ("http", "https") and not visitable(part.address)
    return f"{parts.netloc} is outside of the domains" if outside else ""


def _ranks(trees: Sequence[Tree], role: str = "", rank: int = 0) -> dict[int, int]:
    """Return for each part its place among items alike, the highest of those around it; 0 outside of lists."""
    found: dict[int, int] = {}
    places = {tree.at: place for group in alike_groups(trees, role) for place, tree in enumerate(group)}
    for tree in trees:
        own = max(rank, places.get(tree.at, 0))
        found[tree.at] = own
        found |= _ranks(tree.children, tree.part.role, own)
    return found


def _options(trees: Sequence[Tree]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for tree in trees:
        if tree.part.role in LISTS:
            found[tree.at] = tuple(one.part.name for one in tree.children if one.part.role == "option")
        found |= _options(tree.children)
    return found


def _forms(trees: Sequence[Tree], controls: dict[int, Control], options: dict[int, tuple[str, ...]]) -> dict[int, Form]:
    """Map each button that submits a form to it: the first button after the fields in their smallest part."""
    found: dict[int, Form] = {}

    def visit(siblings: Sequence[Tree]) -> None:
        for tree in siblings:
            visit(tree.children)
        waiting, ended = list[Control](), list[int]()
        taken = {one.at for form in found.values() for one in (*form.fields, *form.boxes)}
        for tree in _flat(siblings):
            control = controls.get(tree.at)
            if control is None or control.at in taken:
                continue
            role = control.part.role
            if control.part.enabled and (role in TYPED | TOGGLES or (role in FIELDS and options.get(control.at))):
                waiting.append(control)
            elif role == "button" and waiting and control.at not in found:
                found[control.at], waiting = _form_of(waiting), []
                ended.append(control.at)
        if len(ended) > 1:
            parts = [one for at in ended for one in (*found[at].fields, *found[at].boxes)]
            found[ended[-1]] = found[ended[-1]]._replace(whole=_form_of(sorted(parts)))

    visit(trees)
    return found


def _form_of(controls: Sequence[Control]) -> Form:
    boxes = tuple(one for one in controls if one.part.role in TOGGLES)
    return Form(tuple(one for one in controls if one.part.role in FIELDS), boxes)


def _flat(trees: Sequence[Tree]) -> Iterator[Tree]:
    for tree in trees:
        yield tree
        yield from _flat(tree.children)
