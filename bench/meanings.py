"""What a sentence of a test case means, in words that no grammar knows, and whether two such meanings are one. Pure.

A label (in `sentences/`) is a list of clauses that a person wrote. `call_meanings.py` turns tool calls into
clauses, too: each must say what the label says, and no more.
"""

from msgspec import Struct, structs

SELECTOR = "selector"
"""Kind of what is named by a CSS selector or an XPath; such a name is no text of the page."""


class Clause(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that a sentence asks for; what it leaves open is empty."""

    does: str
    """What is done ("click", "type" …) or must be so ("see text", "state" …)."""
    kind: str = ""
    """Kind of element, in the sentence's own noun; with `?` one that its verb suggests, which may be left out."""
    name: str = ""
    value: str = ""
    """What is typed, selected, compared with, counted …"""
    match: str = ""
    """How a value is compared: "is", "contains", "starts", "ends", "matches", "at least", "at most"."""
    place: str = ""
    """Name of what the element is in; empty with a `place_kind` where there is one such place."""
    place_kind: str = ""
    part: str = ""
    """What of it: the attribute, the stream, the key."""
    column: str = ""
    ordinal: str = ""
    """Which of several, from 1; "last", or "every"."""
    denied: bool = False


_ROLES = {
    "radio button": "radio",
    "hyperlink": "link",
    "toggle": "switch",
    "modal": "dialog",
    "dropdown": "combobox",
    "item": "listitem",
    "menu item": "menuitem",
    "column": "columnheader",
    "textarea": "textbox",
    "select box": "combobox",
    **dict.fromkeys(("field", "input", "box", "control", "element", "icon", "menu", "section", "label"), ""),
}
"""ARIA roles of the kinds that are not called by theirs; none where a kind has many or no role."""

_ROLED = frozenset(
    (
        *(
            "button",
            "link",
            "checkbox",
            "radio",
            "switch",
            "slider",
            "tab",
            "heading",
            "image",
            "row",
            "cell",
            "listitem",
        ),
        *("menuitem", "option", "dialog", "table", "list", "textbox", "combobox", "columnheader"),
    )
)
_FIELDS = frozenset(("textbox", "combobox", "list"))
"""Roles that a verb for fields says already."""
_FIELD_VERBS = frozenset(("type", "clear", "select", "compare", "state", "upload", "attribute"))
_CHECKABLE = frozenset(("checkbox", "radio", "switch"))

_HELD = {"table": "row", "grid": "row", "list": "listitem"}
"""What the records of a table or the events of a list are."""

_REALISED: dict[str, frozenset[str]] = {
    "choose": frozenset(("click", "check")),
    "expand": frozenset(("click",)),
    "locate": frozenset(("see element", "see text")),
    "see thing": frozenset(("see text",)),
}
"""How else a thing that testers ask for is done: to choose a thing is a click on it, or a mark in its box; a thing that
is no kind of element, such as a breadcrumb, is seen by its text."""

_PAIRS = {"enabled": "disabled", "checked": "unchecked", "expanded": "collapsed", "editable": "readonly"}
_OPPOSITES = _PAIRS | {after: before for before, after in _PAIRS.items()}


def is_same(label: Clause, read: Clause) -> bool:
    """Return whether a clause that was read says what a labelled one says."""
    label, read = _plain(label), _plain(read)
    if (label.does, read.does) == ("choose", "select") and label.kind == _folded(read.name):  # `my role: "Parent"`
        label = structs.replace(label, does="select", kind="", name=label.kind, value=label.name)
    return (
        _is_done_so(label, read)
        and _is_named_so(label, read)
        and _is_kind(label, read)
        and _is_placed_so(label, read)
        and _is_valued_so(label, read)
        and (label.column, label.ordinal, label.denied) == (read.column, read.ordinal, read.denied)
    )


def _plain(clause: Clause) -> Clause:
    """Return a clause in the form that all wordings of one meaning have."""
    if clause.does == "count" and (clause.value, clause.match) == ("0", "is"):
        return structs.replace(clause, does="see element", value="", match="", denied=True)
    if clause.does == "state" and clause.denied and clause.value in _OPPOSITES:
        return structs.replace(clause, value=_OPPOSITES[clause.value], denied=False)
    if clause.does == "state" and clause.value == "selected" and _role_of(clause) == "checkbox":
        return structs.replace(clause, value="checked")
    if (clause.does, clause.name, clause.match, clause.place_kind) == ("compare", "title", "is", "dialog"):
        return structs.replace(
            clause, does="see element", kind="dialog", name=clause.value, value="", match="", place_kind=""
        )
    if clause.does == "compare" and not clause.value and clause.match == "is":
        return structs.replace(clause, does="state", value="empty", match="")
    return clause


def _is_done_so(label: Clause, read: Clause) -> bool:
    if label.does == "page":
        return read.does == "title" or (read.does == "see element" and read.kind == "heading")
    unknown = label.kind not in {"", SELECTOR} and _role_of(label) not in _ROLED | {""}
    thing = label.does == "see element" and (unknown or label.kind == "label")
    return read.does == label.does or read.does in _REALISED.get("see thing" if thing else label.does, ())


def _is_named_so(label: Clause, read: Clause) -> bool:
    name = read.value if (label.does, read.does) == ("page", "title") else read.name
    if label.kind == SELECTOR:
        return name == f"css={label.name}"
    return _folded(name) == _folded(label.name)


def _role_of(label: Clause) -> str:
    kind = label.kind.removesuffix("?")
    return _ROLES.get(kind, kind)


def _is_kind(label: Clause, read: Clause) -> bool:
    if label.does == "page":
        return True
    kind = label.kind.removesuffix("?")
    role = _role_of(label)
    if read.does == "count" and read.kind == _HELD.get(label.place_kind) and role not in _ROLED:
        return True
    if read.kind:  # an "answer value link" is a link
        noun = kind.rpartition(" ")[2]
        return read.kind in (kind, role, _ROLES.get(noun, noun))
    implied = kind != label.kind or (label.does in _FIELD_VERBS and role in _FIELDS | _CHECKABLE)
    implied = implied or (label.does, role) == ("choose", "option")  # a radio button or a card is called one, too
    return implied or role not in _ROLED


def _is_placed_so(label: Clause, read: Clause) -> bool:
    if label.place_kind == SELECTOR:
        return read.place == f"css={label.place}"
    if label.place_kind and not label.place:
        return _folded(read.place) in {label.place_kind, "table" if label.place_kind == "grid" else label.place_kind}
    place = _folded(read.place)
    return _folded(label.place) in {place, place.removesuffix(f" {label.place_kind}")}


def _is_valued_so(label: Clause, read: Clause) -> bool:
    if label.does == "page":
        return True
    if label.match and label.match != read.match:
        return False
    return label.value.strip() == read.value.strip() and (not label.part or label.part == read.part)


def _folded(text: str) -> str:
    """Return a name as people compare it: without case, article and doubled spaces."""
    words = text.casefold().split()
    return " ".join(words[1:] if words[:1] in (["the"], ["a"], ["an"]) and len(words) > 1 else words)
