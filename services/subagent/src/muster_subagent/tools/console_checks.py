"""Checks of what the browser's console says."""

from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from muster_devices.observations import ReadPlace, Wait
from muster_devices.screen import KEPT_RECORDS, Place, Record
from muster_protocol.sessions import REPLY_LIMIT
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import compares, undecided
from muster_subagent.tools.device_calls import repeat_look
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import DEVICE, FEEDS, Argument, Denied
from muster_text.text_match import quote

_READ = REPLY_LIMIT // 4
"""Characters of messages up to which surely all of them are in the session host's answer."""


class _Heard(NamedTuple):
    version: int
    place: Place
    feed: tuple[Record, ...]


@tool(
    effect="check",
    group="checks",
    needs=DEVICE | FEEDS,
    page=False,
    about="console",
    relation="contains",
    partial=True,
    offer=offers.CONSOLE,
)
async def check_console(
    ctx: ToolContext,
    level: Annotated[str, Argument.OPTION] = "",
    text: Annotated[str, Argument.WANTED] = "",
    absent: Denied = False,
) -> ToolOutcome:
    """Check that the browser's console has had a message: of a level (error, warning), with a text; or none (`absent`).

    Uncaught errors of the page and what it could not load are errors.
    """
    device = await ctx.session.device()

    async def listen(wait: Wait) -> _Heard:
        seen = await device.look(ReadPlace(), wait)
        return _Heard(seen.version, seen.place, await device.feed("console"))

    def meant(heard: _Heard) -> list[Record]:
        return [one for one in heard.feed if _is_meant(one, level, text, denied=absent)]

    heard = await repeat_look(ctx, listen, lambda heard: bool(meant(heard)) != absent, denied=absent)
    place, feed, found = heard.place, heard.feed, meant(heard)
    what = f"{level or 'message'}{f' with the text {quote(text)}' if text else ''}"
    if not found and (len(feed) >= KEPT_RECORDS or sum(len(one.text) for one in feed) > _READ):
        raise undecided(f"only the last {len(feed)} messages of the console were kept, none of them so", "the console")
    told = (f"{one.text[:100]}{f' ({one.address})' if one.address else ''}" for one in found[:3])
    seen = ", ".join(map(quote, told)) or f"{len(feed)} messages, none of them"
    seen = "the page shows nothing" if absent and not found and place.empty else seen
    expected = f"the console has {'no' if absent else 'a message:'} {what}"
    return verdict(bool(found) != absent and not place.empty, expected, seen, place.address)


def _is_meant(message: Record, level: str, text: str, *, denied: bool) -> bool:
    """Return whether it is asked for; the icon that a browser asks each site for is no business of the page."""
    of_level = not level or message.level.startswith(level.lower())
    if urlsplit(message.address).path == "/favicon.ico":
        return False
    said = f"{message.text} {message.address}"
    return of_level and (not text or compares(said, text, "contains", denied=denied))
