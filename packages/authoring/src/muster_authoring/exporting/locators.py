"""Playwright locators for the targets of tool calls. Pure."""

from msgspec.structs import replace

from muster_authoring.exporting.given_arguments import CannotSay, Given
from muster_authoring.exporting.script_parts import PAGE, Chain, Phrase, helper
from muster_grammar.element_kinds import FOLDED_BY_PART
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of
from muster_protocol.tool_calls import ArgumentValue
from muster_text.wording import word_set

_ROLES = {"image": "img"}
"""Roles that ARIA calls otherwise."""
_BY_CONTENT = frozenset({"row", "listitem", "article"})
"""Roles that have a text rather than a name: ARIA gives most of them none."""
_NAMED_BY_CONTENT = word_set(
    "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio "
    "rowheader switch tab tooltip treeitem"
)
"""Roles whose names are what is in them; others may show a text and have no name, or another one."""
_MARKUP = {"test id": "get_by_test_id", "css": "locator", "xpath": "locator"}


def target_of(given: Given, *, field: bool = False, denied: bool = False) -> Chain:
    """Return the locator of the element that a call names.

    `field`: it is a field, found by its label; `denied`: it must not be there, so the name counts as part of names.

    Raises:
        CannotSay: there is none for that.
    """
    name, role = given.text("element"), given.text("role")
    narrowing = narrowing_from(given.take("within"))
    found = _named(name, role, field=field, exact=not denied)
    if narrowing.trait == "foldable" and role not in FOLDED_BY_PART:  # no locator finds the part
        narrowing = replace(narrowing, trait="")
    return _narrowed(found, narrowing)


def value_target_of(given: Given) -> Chain:
    """Return the locator of what has a value: a field, or what stands beside a label; raises as `target_of`."""
    if given.peek("role"):
        return target_of(given)
    name = given.text("element")
    return _narrowed(helper("labelled", PAGE, name), narrowing_from(given.take("within")))


def narrowing_from(argument: ArgumentValue) -> Narrowing:
    """Return what tells the element beside its name.

    Raises:
        CannotSay: it has words that no one knows.
    """
    try:
        return narrowing_of(argument if isinstance(argument, list) else str(argument or ""))
    except ValueError as error:
        raise CannotSay(str(error)) from error


def _named(name: str, role: str, *, field: bool, exact: bool) -> Chain:
    whole: dict[str, bool] = {"exact": True} if exact else {}
    if role in _MARKUP:
        return PAGE.then(_MARKUP[role], name)
    if role == "icon":
        raise CannotSay("a picture has no locator by what it shows")
    if role:
        known = _ROLES.get(role, role)
        if name and role in _BY_CONTENT:
            found = PAGE.then("get_by_role", known)
            return _having(found, name) if exact else found.then("filter", has_text=name)
        if name and not exact and role not in _NAMED_BY_CONTENT:
            by_name = PAGE.then("get_by_role", known, name=name)
            return by_name.then("or_", PAGE.then("get_by_role", known).then("filter", has_text=name))
        return PAGE.then("get_by_role", known, name=name, **whole) if name else PAGE.then("get_by_role", known)
    if not name:
        raise CannotSay("it names no element")
    if field:
        return PAGE.then("get_by_label", Phrase(name))
    return PAGE.then("get_by_text", name, **whole)


def _having(found: Chain, text: str) -> Chain:
    return helper("having", found, PAGE.then("get_by_text", Phrase(text)))


def _narrowed(found: Chain, narrowing: Narrowing) -> Chain:
    if narrowing.trait:
        raise CannotSay(f"the kind {narrowing.trait!r} of a field or button has no locator")
    for relation in narrowing.relations:
        found = _inside(found, relation)
    return _in_line(found, narrowing.ordinal)


def _inside(found: Chain, relation: Relation) -> Chain:
    if relation.how != "in":
        raise CannotSay(f"there is no locator for {relation.words()!r}")
    if not relation.role or _is_titled(relation):
        return helper("inside", PAGE, relation.anchor, found)
    return _of_kind(relation).then("locator", found)


def _is_titled(relation: Relation) -> bool:
    """Return whether a part may bear its name in a heading beside it, where no locator finds it by its role."""
    return relation.role == "table" and bool(relation.anchor) and not relation.ordinal


def part_of(narrowing: Narrowing) -> Chain | None:
    """Return the locator of the one part that a claim is about, None if it is about the whole page.

    Raises:
        CannotSay: the part has none.
    """
    match narrowing:
        case Narrowing(relations=()) if narrowing == Narrowing():
            return None
        case Narrowing(relations=(Relation(how="in") as part,)) if narrowing == Narrowing(relations=(part,)):
            plain = not part.ordinal and (not part.role or _is_titled(part))
            found = helper("part_of", PAGE, part.anchor) if plain else _of_kind(part)
            return found.then("filter", visible=True)
        case _:
            raise CannotSay("the part of the page has no locator")


def _of_kind(relation: Relation) -> Chain:
    """Return the locator of a part of a kind, such as the second row, or the table of a name."""
    if not relation.role:
        raise CannotSay(f"there is no locator for {relation.words()!r}")
    found = PAGE.then("get_by_role", _ROLES.get(relation.role, relation.role))
    if relation.anchor:
        named = PAGE.then("get_by_role", _ROLES.get(relation.role, relation.role), name=relation.anchor, exact=True)
        held = _having(found, relation.anchor)
        found = held if relation.role in _BY_CONTENT else named.then("or_", held)
    return _in_line(found, relation.ordinal)


def _in_line(found: Chain, ordinal: int) -> Chain:
    if ordinal == -1:
        return found.part("last")
    if ordinal == 1:
        return found.part("first")
    return found.then("nth", ordinal - 1) if ordinal else found
