"""Checks of several things at once: all of a kind, whether they are sorted, one value against another."""

from itertools import takewhile
from typing import Annotated, Literal

from muster_devices.observations import ElementsSeen, FindElements, ReadValue, ValuesSeen
from muster_devices.refusals import closest_name, missing_part, refusal_of
from muster_devices.screen import Element as SeenElement
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import compares, says, undecided
from muster_subagent.tools.device_calls import explained, look_until
from muster_subagent.tools.targets import Element, Role, Within, part, target_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, NOTHING, Argument, Denied, Denies, Wanted
from muster_text.amounts import is_sorted
from muster_text.text_match import has_words, listed, quote, squash

MOST = 500
"""Elements of a kind that are looked at; of more, nobody can say that all are so."""
EveryState = Annotated[
    Literal["", "checked", "unchecked", "enabled", "disabled", "selected", "empty", "filled"],
    Argument.WANTED,
    Denies(("unchecked", "disabled", "empty")),
]


@tool(
    effect="check", group="checks", needs=DEVICE, about="element", relation="every", partial=True, offer=offers.SEVERAL
)
async def check_each(
    ctx: ToolContext,
    role: Role,
    *,
    element: Element = "",
    within: Within = "",
    text: Wanted = "",
    state: EveryState = "",
    exact: Annotated[bool, Argument.OPTION] = False,
    absent: Denied = False,
) -> ToolOutcome:
    """Check that every visible element of a role has a text (or, with `absent`, none has it) or is in a state.

    With `exact` it has this text and no more.
    """
    if bool(squash(text)) == bool(state):
        raise ToolError("say either which text or which state each must have", failure=Failure.INVALID_CALL)
    target = target_of(element, role, within)

    def fails(found: ElementsSeen) -> list[SeenElement]:
        return [one for one in found.shown if not _has(one, text, state, exact=exact, absent=absent)]

    def holds(found: ElementsSeen) -> bool:
        return bool(found.shown) and found.total == len(found.matches) and not fails(found)

    seen = await look_until(ctx, FindElements(target=target, use="read", most=MOST), holds, denied=absent)
    if not seen.shown:
        raise refusal_of(target, "read", seen)
    if seen.total > len(seen.matches):
        said = f"there are {seen.total} × {target.words()}, too many to look at each"
        raise ToolError(said, failure=Failure.NO_EVIDENCE, where=seen.place.address)
    what = f"is {state}" if state else f"has the text {quote(text)}"
    wrong = [quote(one.content[:80]) for one in fails(seen)]
    told = f"all {seen.total}" if not wrong else f"{len(wrong)} of {seen.total} not: {', '.join(wrong[:3])}"
    expected = f"{'no' if absent else 'every'} {target.words()} {what}"
    return verdict(holds(seen), expected, told, seen.place.address)


def _has(one: SeenElement, text: str, state: str, *, exact: bool, absent: bool) -> bool:
    if text and exact:
        return (squash(one.content) == squash(text)) != absent
    if text:
        return has_words(squash(one.content), squash(text)) != absent
    match state:
        case "empty" | "filled":
            return one.value is not None and bool(squash(one.value)) == (state == "filled")
        case "unchecked":
            return "checked" in one.states.known and not one.states.checked
        case "disabled":
            return "enabled" in one.states.known and not one.states.enabled
        case _:
            return state in one.states.known and bool(getattr(one.states, state))


@tool(effect="check", group="checks", needs=DEVICE, about="element", relation="ordered", offer=offers.SEVERAL)
async def check_sorted(
    ctx: ToolContext, element: Element, *, within: Within = "", descending: Annotated[bool, Argument.OPTION] = False
) -> ToolOutcome:
    """Check that the values of a column are sorted: numbers, sums and dates by size, all else by letters.

    Without a column, the items of a list.
    """
    if not element:
        return await _items_sorted(ctx, within, descending=descending)

    def values(seen: ValuesSeen) -> list[str]:
        return [one.value for one in seen.values if one.how in ("cell", "definition")]

    def holds(seen: ValuesSeen) -> bool:
        return len(values(seen)) > 1 and is_sorted(values(seen), descending=descending) is True

    question = ReadValue(name=element, within=part(within), column=True)
    seen = await look_until(ctx, question, holds)
    where, found = seen.place.address, values(seen)
    if no_part := missing_part(question.within, seen):
        raise no_part
    if len(found) < 2:
        text = f"there are no two values below {quote(element)} to compare{closest_name(element, seen.near)}"
        raise ToolError(text, failure=Failure.NAME_UNKNOWN, expected=f"values below {quote(element)}", where=where)
    order = "descending" if descending else "ascending"
    _refuse_unclear_order(found, where, descending=descending)
    return verdict(holds(seen), f"the values of {quote(element)} are {order}", listed(found, 20), where)


async def _items_sorted(ctx: ToolContext, within: str | list[str], *, descending: bool) -> ToolOutcome:
    target = target_of("", "listitem", within)

    def holds(seen: ElementsSeen) -> bool:
        return len(seen.shown) > 1 and not seen.more and is_sorted(_told_apart(seen), descending=descending) is True

    seen = await look_until(ctx, FindElements(target=target, use="read", most=MOST), holds)
    where = seen.place.address
    if not seen.shown:
        raise refusal_of(target, "read", seen)
    if len(seen.shown) < 2 or seen.more or seen.total > len(seen.matches):
        raise undecided(f"an order needs two items at least, and all of them: {len(seen.shown)} were read", where)
    order = "descending" if descending else "ascending"
    _refuse_unclear_order(_told_apart(seen), where, descending=descending)
    return verdict(holds(seen), f"the items are {order}", listed(_told_apart(seen), 20), where)


def _refuse_unclear_order(values: list[str], where: str, *, descending: bool) -> None:
    if is_sorted(values, descending=descending) is None:
        raise undecided(f"their order depends on how these are read: {listed(values, 5)}", where)


def _told_apart(seen: ElementsSeen) -> list[str]:
    """Return the texts of items without the words that all of them end with, such as those of their buttons."""
    texts = [squash(one.content).split() for one in seen.shown]
    endings = zip(*(text[::-1] for text in texts), strict=False)
    shared = sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, endings))
    return [" ".join(text[: len(text) - shared]) for text in texts]


@tool(effect="check", group="checks", needs=NOTHING, page=False, about="value", partial=True, offer=offers.AMOUNTS)
async def check_amount(
    ctx: ToolContext,
    value: Annotated[str, Argument.OBJECT],
    than: Wanted,
    match: Annotated[Literal["is", "above", "at_least", "below", "at_most"], Argument.RELATION] = "is",
) -> ToolOutcome:
    """Compare two values that are known, such as remembered ones; numbers, sums and dates by what they amount to."""
    return verdict(compares(value, than, match), f"{quote(value)} {says(match, than)}", quote(value))


@tool(effect="check", group="checks", needs=DEVICE, about="element", partial=True, offer=offers.ATTRIBUTES)
async def check_attribute(
    ctx: ToolContext,
    element: Element,
    attribute: Annotated[str, Argument.OBJECT],
    value: Wanted,
    *,
    role: Role = "",
    within: Within = "",
    match: Annotated[Literal["is", "contains", "starts", "ends", "matches"], Argument.RELATION] = "is",
) -> ToolOutcome:
    """Check an attribute of an element, such as `href` of a link (its address in full), `placeholder` or `alt`."""
    target = target_of(element, role, within)

    def holds(found: ElementsSeen) -> bool:
        text = _only(found).attribute if _is_one(found) else None
        return text is not None and compares(text, value, match)

    seen = await look_until(ctx, FindElements(target=target, use="value", attribute=attribute), holds)
    if not _is_one(seen):
        raise refusal_of(target, "value", await explained(ctx, target, "value"))
    found = _only(seen).attribute
    expected = f"the {attribute} of {target.words()} {says(match, value)}"
    return verdict(holds(seen), expected, quote(found) if found is not None else "it has none", seen.place.address)


def _is_one(found: ElementsSeen) -> bool:
    return found.total == 1 and not found.matches[0].hidden


def _only(found: ElementsSeen) -> SeenElement:
    return found.matches[0]
