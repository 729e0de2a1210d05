"""Checks of the page as a whole: its texts, title and address, and the browser's dialog."""

from typing import Annotated
from urllib.parse import urlsplit

from muster_devices.observations import ElementsSeen, FindElements, PlaceSeen, ReadPlace, ReadText, TextSeen
from muster_devices.refusals import missing_part
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import Match, compares, refuse_empty, says
from muster_subagent.tools.device_calls import look_until
from muster_subagent.tools.page_tools import shows
from muster_subagent.tools.targets import Within, target_of
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import DEVICE, DIALOGS, Argument, Denied, Wanted
from muster_text.text_match import has_whole, lines_like, listed, quote, squash


@tool(effect="check", group="checks", needs=DEVICE, about="page", relation="contains")
async def check_text(
    ctx: ToolContext,
    text: Wanted,
    *,
    within: Within = "",
    absent: Denied = False,
    exact: Annotated[bool, Argument.OPTION] = False,
) -> ToolOutcome:
    """Check that a text is visible on the page or in one part of it; with `exact`, as the whole text of something."""
    refuse_empty(text)

    def there(seen: TextSeen) -> bool:
        passed = not absent and _in_passing(seen, text)
        return bool(passed) or (_alone if exact else shows)(seen, text, typed=absent)

    def holds(seen: TextSeen) -> bool:
        return there(seen) != absent and not seen.unknown_part

    device, question = await ctx.session.device(), ReadText(text=text, within=within)
    seen = await look_until(ctx, lambda wait: device.look(question, wait), holds, denied=absent)
    if seen.unknown_part:
        raise missing_part(within, seen.near, seen.place.address)
    place = f" in {quote(within)}" if within else ""
    expected = f"the {'exact ' if exact else ''}text {quote(text)} is {'not ' if absent else ''}visible{place}"
    return verdict(holds(seen), expected, _seen(seen, text, there=there(seen)), seen.place.address)


def _alone(seen: TextSeen, text: str, *, typed: bool) -> bool:
    want = squash(text)
    besides = seen.unseen if typed else (*seen.unseen, *seen.typed)
    lines, others = ([squash(text) for text in texts].count(want) for texts in (seen.lines, besides))
    return lines > others or any(squash(source) == want for source in seen.sources)


def _in_passing(seen: TextSeen, text: str) -> str:
    """Return the message with a text that was shown since the last action; a person would have read it."""
    return next((message for message in seen.passing if has_whole(squash(message), squash(text))), "")


def _seen(seen: TextSeen, text: str, *, there: bool) -> str:
    """Return what there is: the lines with the text, else those that are most like it."""
    if not there and any(has_whole(squash(one), squash(text)) for one in seen.unseen):
        return f"{quote(text)} is on the page, but cannot be seen: transparent, cut off or out of reach"
    if not there and any(has_whole(squash(one), squash(text)) for one in seen.typed):
        return f"{quote(text)} stands only in the field that it was typed into"
    want = squash(text)
    lines = [line for line in seen.lines if has_whole(squash(line), want)] if there else lines_like(text, seen.lines)
    if lines:
        return listed(lines, 3)
    if there and (message := _in_passing(seen, text)):
        return f"{quote(message)}, for a moment"
    return quote(text) if there else f"no such text on the page {quote(seen.place.title)}"


@tool(effect="check", group="checks", needs=DEVICE, about="title", relation="contains", offer=offers.SEVERAL)
async def check_page(ctx: ToolContext, name: Wanted) -> ToolOutcome:
    """Check that the page has this name: in its title, or as the text of a heading."""
    refuse_empty(name)
    want = squash(name).casefold()

    def named(seen: ElementsSeen) -> bool:
        headings = (squash(text).casefold() for one in seen.shown for text in (one.name, one.text))
        return has_whole(squash(seen.place.title).casefold(), want) or want in headings

    device, question = await ctx.session.device(), FindElements(target=target_of(name, "heading"))
    seen = await look_until(ctx, lambda wait: device.look(question, wait), named)
    there = listed((seen.place.title, *(one.text for one in seen.shown)))
    return verdict(named(seen), f"the page is named {quote(name)}", there, seen.place.address)


@tool(effect="check", group="checks", needs=DEVICE, about="title", partial=True)
async def check_title(ctx: ToolContext, title: Wanted, match: Match = "is", negate: Denied = False) -> ToolOutcome:
    """Check the title of the page."""

    def holds(at: PlaceSeen) -> bool:
        return compares(at.place.title, title, match) != negate

    device = await ctx.session.device()
    seen = await look_until(ctx, lambda wait: device.look(ReadPlace(), wait), holds, denied=negate)
    expected = f"the page title {says(match, title, negate=negate)}"
    return verdict(holds(seen), expected, quote(seen.place.title), seen.place.address)


@tool(effect="check", group="checks", needs=DEVICE, about="address", partial=True)
async def check_url(ctx: ToolContext, url: Wanted, match: Match = "is", negate: Denied = False) -> ToolOutcome:
    """Check the address of the page."""

    def holds(at: PlaceSeen) -> bool:
        return _same_address(at.place.address, url, match) != negate

    device = await ctx.session.device()
    seen = await look_until(ctx, lambda wait: device.look(ReadPlace(), wait), holds, denied=negate)
    address = seen.place.address
    return verdict(holds(seen), f"the URL {says(match, url, negate=negate)}", quote(address), address)


def _same_address(seen: str, url: str, match: Match) -> bool:
    """Compare addresses; the slash of an empty path makes no difference."""
    bare = urlsplit(seen)
    shorter = seen.removesuffix("/") if bare.path == "/" and not bare.query and not bare.fragment else seen
    return compares(seen, url, match) or (match in ("is", "ends") and compares(shorter, url, match))


@tool(effect="check", group="checks", needs=DEVICE | DIALOGS, page=False, about="dialog", partial=True)
async def check_dialog(ctx: ToolContext, text: Wanted, match: Match = "is") -> ToolOutcome:
    """Check what the dialog (alert, confirm, prompt) says that is open now, or was answered in this sub-task."""
    expected = f"a dialog whose text {says(match, text)}"
    dialog = await _dialog(ctx)
    if dialog is None:
        return verdict(False, expected, "no dialog has opened")
    said = f"{dialog.kind}: {quote(dialog.message)}"
    return verdict(compares(dialog.message, text, match), expected, said, dialog.url)


async def _dialog(ctx: ToolContext) -> OpenDialog | None:
    """Return the dialog that is open, else the newest of this sub-task, else one that opens in time; a dialog of an
    earlier sub-task proves nothing."""
    device = await ctx.session.device()
    if (dialog := await device.dialog()) is not None:
        return dialog
    if answered := await device.feed("dialog"):
        newest = answered[-1]
        return OpenDialog(kind=newest.level, message=newest.text, url=newest.address)
    return await device.dialog(ctx.patience or ctx.action_timeout)
