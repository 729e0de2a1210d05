"""How Playwright finds what a call of a tool names. Pure."""

from muster_authoring.exporting.given_arguments import CannotSay, Given
from muster_authoring.exporting.script_parts import PAGE, Chain, Whole, helper
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of
from muster_protocol.tool_calls import ArgumentValue

_ROLES = {"image": "img"}
"""Roles that ARIA calls otherwise."""
_MARKUP = {"test id": "get_by_test_id", "css": "locator"}


def target_of(given: Given, *, field: bool = False, denied: bool = False) -> Chain:
    """Return the locator of the element that a call names.

    `field`: it is a field, found by its label; `denied`: it must not be there, so the name counts as part of names.

    Raises:
        CannotSay: there is none for that.
    """
    name, role = given.text("element"), given.text("role")
    narrowing = narrowing_from(given.take("within"))
    found = _named(name, role, field=field, exact=not denied)
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
    if role:
        known = _ROLES.get(role, role)
        return PAGE.then("get_by_role", known, name=name, **whole) if name else PAGE.then("get_by_role", known)
    if not name:
        raise CannotSay("it names no element")
    if field:
        return PAGE.then("get_by_label", name)
    return PAGE.then("get_by_text", name, **whole)


def _narrowed(found: Chain, narrowing: Narrowing) -> Chain:
    if narrowing.trait and narrowing.trait != "icon":
        raise CannotSay(f"the kind {narrowing.trait!r} of a field or button has no locator")
    for relation in narrowing.relations:
        found = _inside(found, relation)
    return _in_line(found, narrowing.ordinal)


def _inside(found: Chain, relation: Relation) -> Chain:
    if relation.how != "in":
        raise CannotSay(f"there is no locator for {relation.words()!r}")
    if not relation.role:
        return helper("inside", PAGE, relation.anchor, found)
    part = PAGE.then("get_by_role", _ROLES.get(relation.role, relation.role))
    if relation.anchor:
        part = part.then("filter", has_text=Whole(relation.anchor))
    return _in_line(part, relation.ordinal).then("locator", found)


def _in_line(found: Chain, ordinal: int) -> Chain:
    if ordinal == -1:
        return found.part("last")
    if ordinal == 1:
        return found.part("first")
    return found.then("nth", ordinal - 1) if ordinal else found
