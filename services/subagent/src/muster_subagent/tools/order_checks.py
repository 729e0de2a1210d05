"""Checks of the order of texts: in reading order, from top to bottom, from left to right."""

from itertools import product
from typing import Annotated, Literal

from muster_devices.observations import ReadText, TextSeen
from muster_devices.refusals import missing_part
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box, ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import undecided
from muster_subagent.tools.device_calls import look_until
from muster_subagent.tools.targets import Within, part
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, Argument
from muster_text.text_match import has_words, listed, quote, squash, word_hits

SLACK = 2
"""Pixels by which boxes that touch may overlap."""
Way = Annotated[Literal["before", "above", "left of"], Argument.DETAIL]


@tool(effect="check", group="checks", needs=DEVICE, about="page", relation="ordered", offer=offers.SEVERAL)
async def check_order(
    ctx: ToolContext, texts: Annotated[list[str], Argument.WANTED], *, within: Within = "", way: Way = "before"
) -> ToolOutcome:
    """Check that texts stand on the page in this order: each before the next as one reads, above it or left of it."""
    wanted = tuple(map(squash, texts))
    if len(wanted) < 2 or not all(wanted):
        raise ToolError("an order needs at least two texts", failure=Failure.INVALID_CALL)

    def holds(seen: TextSeen) -> bool:
        return not seen.unknown_part and ordered(seen, wanted, way) is True

    question = ReadText(within=part(within), placed=wanted)
    seen = await look_until(ctx, question, holds)
    where = seen.place.address
    if no_part := missing_part(question.within, seen):
        raise no_part
    drawn = _said(seen)
    expected = f" {way} ".join(map(quote, wanted))
    if holds(seen):
        return verdict(True, expected, _there(seen, wanted), where)
    if seen.cut:
        told = f"only the first {len(seen.lines):,} lines of the page were read: they do not show the order"
        raise undecided(told, where)
    if missing := [text for text in wanted if not has_words(drawn, text)]:
        return verdict(False, expected, f"no such text: {listed(missing)}", where)
    often = [text for text in wanted if len(_in_lines(drawn, text, wanted)) > 1]
    if often:
        text = f"{listed(often)} stands more than once: say with `within` in which part the order counts"
        seen_often = f"more than once: {listed(often)}"
        raise ToolError(text, failure=Failure.TARGET_UNCLEAR, expected=expected, seen=seen_often, where=where)
    if ordered(seen, wanted, way) is None:
        raise undecided(
            f"nothing shows whether {expected}: the texts stand neither in one line nor in one column", where
        )
    return verdict(False, expected, _there(seen, wanted), where)


def _there(seen: TextSeen, wanted: tuple[str, ...]) -> str:
    """Return the lines that have the texts."""
    return listed([line for line in map(squash, seen.lines) if any(has_words(line, text) for text in wanted)], 10)


def ordered(seen: TextSeen, wanted: tuple[str, ...], way: Way) -> bool | None:
    """Return whether texts stand in an order, as they are drawn; None: that cannot be told.

    Where it is not known where they are drawn, as in frames, or one stands neither in line with the other nor in its
    column, one reads in the order of the document. Of two in columns side by side, none is below the other.
    """
    drawn = _said(seen)
    told = [
        _stands(_boxes(seen, wanted, number), _boxes(seen, wanted, number + 1), way)
        if way != "before"
        else _reads(seen, wanted, number, drawn)
        for number in range(len(wanted) - 1)
    ]
    if way == "above":
        told = [None if stands and number in seen.aside else stands for number, stands in enumerate(told)]
    return False if False in told else None if None in told else True


def _said(seen: TextSeen) -> str:
    """Return the lines as one text, without what stands only where this run has typed it."""
    lines = [squash(line) for line in seen.lines]
    for text in map(squash, seen.typed):
        if text in lines:
            lines.remove(text)
    return " ".join(lines)


def _boxes(seen: TextSeen, wanted: tuple[str, ...], number: int) -> list[Box]:
    """Return where a text is drawn by itself, and not as a part of another one that is looked for."""
    longer = {at for at, other in enumerate(wanted) if wanted[number] in other != wanted[number]}
    others = [one.box for one in seen.places if one.number in longer]
    own = (one.box for one in seen.places if one.number == number)
    return [box for box in own if not any(_holds(other, box) for other in others)]


def _holds(outer: Box, box: Box) -> bool:
    across = outer.x - SLACK <= box.x and box.x + box.width <= outer.x + outer.width + SLACK
    return across and outer.y - SLACK <= box.y and box.y + box.height <= outer.y + outer.height + SLACK


def _stands(ones: list[Box], others: list[Box], way: Way) -> bool | None:
    """Return whether all boxes of one text stand so to all of the other one; None: some do, or none is known."""
    told = {_is_so(one, other, way) for one, other in product(ones, others)}
    return told.pop() if len(told) == 1 else None


def _is_so(one: Box, other: Box, way: Way) -> bool | None:
    if way == "above":
        return one.y + one.height <= other.y + SLACK
    if way == "left of":
        return one.x + one.width <= other.x + SLACK
    height, across = (
        _overlap(one.y, one.height, other.y, other.height),
        _overlap(one.x, one.width, other.x, other.width),
    )
    if height > min(one.height, other.height) / 2:
        return one.x < other.x
    return one.y < other.y if across > 0 else None


def _overlap(one: float, length: float, other: float, width: float) -> float:
    return min(one + length, other + width) - max(one, other)


def _reads(seen: TextSeen, wanted: tuple[str, ...], number: int, drawn: str) -> bool | None:
    """Return whether one reads a text before the next one."""
    ones, others = _boxes(seen, wanted, number), _boxes(seen, wanted, number + 1)
    told = {_is_so(one, other, "before") for one, other in product(ones, others)}
    if told - {None}:
        return told.pop() if len(told) == 1 else None
    first, second = (_in_lines(drawn, text, wanted) for text in wanted[number : number + 2])
    return max(first) < min(second) if first and second else None


def _in_lines(drawn: str, text: str, others: tuple[str, ...]) -> list[int]:
    """Return where a text stands by itself, and not as a part of another one that is looked for."""
    longer = [(at, at + len(other)) for other in others if text in other != text for at in word_hits(drawn, other)]
    return [at for at in word_hits(drawn, text) if not any(start <= at < end for start, end in longer)]
