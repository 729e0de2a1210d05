"""Checks of how many elements there are, and of what a list offers."""

from typing import Annotated, Literal

from muster_devices.observations import ElementsSeen
from muster_devices.refusals import missing_part
from muster_devices.screen import MOST_OPTIONS
from muster_devices.screen import Element as SeenElement
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import undecided
from muster_subagent.tools.device_calls import look_for
from muster_subagent.tools.element_checks import is_clear, must_be_sure, the_one, with_article
from muster_subagent.tools.targets import Element, Ref, Role, Within, target_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, Argument, Denied, Denies
from muster_text.text_match import listed, quote, squash

Comparison = Annotated[Literal["is", "at_least", "at_most"], Argument.RELATION]
Count = Annotated[int, Argument.WANTED, Denies((0,))]


@tool(effect="check", group="checks", needs=DEVICE, about="count", partial=True, offer=offers.COUNTS)
async def check_count(
    ctx: ToolContext,
    element: Element,
    count: Count,
    *,
    role: Role = "",
    within: Within = "",
    comparison: Comparison = "is",
) -> ToolOutcome:
    """Count the visible elements of a name or role (rows without the heading row) and compare with a number."""
    target = target_of(element, role, within)

    def holds(found: ElementsSeen, blank: int = 0) -> bool:
        return not (found.more and comparison != "at_least") and _compares(_visible(found) - blank, count, comparison)

    def hangs_on_blanks(found: ElementsSeen) -> bool:
        return holds(found) != holds(found, found.blank)

    few = count == 0 or comparison == "at_most"

    def decided(found: ElementsSeen) -> bool:
        return holds(found) and is_clear(found) and not (few and found.any_kind) and not hangs_on_blanks(found)

    seen = await look_for(ctx, target, "read", decided, denied=few)
    if no_part := missing_part(target.relations, seen):
        raise no_part
    if few or not holds(seen):
        must_be_sure(target, seen)
    if seen.looks > 1 or (seen.looks and not holds(seen)):
        told = f"nothing says what is {with_article(target)}; {_visible(seen)} look like it, such as {_first(seen)}"
        raise undecided(f"{told}: name what is meant, or where it is", seen.place.address)
    if hangs_on_blanks(seen):
        told = f"{seen.blank} of the {_visible(seen)} show nothing: check what the first and the last of them show"
        raise undecided(told, seen.place.address)
    if seen.more and not holds(seen):
        told = f"the page holds only some of them, {_visible(seen)} now: check the number that it shows"
        raise undecided(told, seen.place.address)
    lead = {"is": "", "at_least": "at least ", "at_most": "at most "}[comparison]
    return verdict(holds(seen), f"{lead}{count} × {target.words()}", str(_visible(seen)), seen.place.address)


def _compares(number: int, count: int, comparison: str) -> bool:
    return {"is": number == count, "at_least": number >= count, "at_most": number <= count}[comparison]


def _visible(found: ElementsSeen) -> int:
    """Return how many are visible: of the best matches, either all are or none is."""
    return found.total if found.shown else 0


@tool(
    effect="check",
    group="checks",
    needs=DEVICE,
    about="element",
    relation="includes",
    partial=True,
    offer=offers.STATES,
)
async def check_options(
    ctx: ToolContext,
    element: Element,
    options: Annotated[list[str], Argument.WANTED] = [],  # noqa: B006 - never changed
    *,
    count: Annotated[int | None, Argument.WANTED] = None,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
    absent: Denied = False,
) -> ToolOutcome:
    """Check that a list offers all of the given options, or how many it offers; or, with `absent`, none of them."""
    if not options and count is None:
        raise ToolError("say which options or how many there must be", failure=Failure.INVALID_CALL)
    target = target_of(element, role, within, ref)

    def offers_them(control: SeenElement) -> bool:
        there = {squash(option) for option in control.options}
        fit = all((squash(option) in there) != absent for option in options)
        return fit and count in {None, len(control.options)}

    control, where = await the_one(ctx, target, offers_them)
    if not control.options and control.native != "select":
        text = f"{control.words()} is not a list whose options can be read"
        raise ToolError(text, failure=Failure.TARGET_UNCLEAR, where=where)
    if (absent or count is not None) and len(control.options) >= MOST_OPTIONS:
        raise undecided(f"only the first {MOST_OPTIONS} options of {control.words()} were read", where)
    told = f"the options {listed(options)}" if count is None else f"{count} options"
    seen = listed(control.options, 15) if count is None else f"{len(control.options)}: {listed(control.options, 15)}"
    has = "has none of" if absent else "has"
    return verdict(offers_them(control), f"{target.words()} {has} {told}", seen, where)


def _first(seen: ElementsSeen) -> str:
    return quote(seen.shown[0].content[:80]) if seen.shown else ""
