"""Pictures and sources of pages on which a sub-task failed."""

import asyncio
from collections.abc import Callable

from muster_devices.errors import DeviceError
from muster_devices.web.browser_link import BrowserError
from muster_protocol.tool_calls import ArtifactRef
from muster_subagent.tool_context import SessionLost, ToolContext
from muster_subagent.tools.page_tools import picture_of

PICTURE_SECONDS = 5.0
"""Time for the picture of a page on which something failed, and for its source."""
SOURCE_LIMIT = 1_000_000
"""Characters of a page's source that are kept."""


async def picture_if_any(context: ToolContext, keep: Callable[[bytes], ArtifactRef]) -> tuple[ArtifactRef, ...]:
    """Take a picture (PNG) of the page on which a sub-task failed, if there is one that can be taken, and keep it."""
    if not context.session.device_used:
        return ()
    try:
        image = await asyncio.wait_for(picture_of(context), PICTURE_SECONDS)
    except (TimeoutError, DeviceError, BrowserError, SessionLost):
        return ()
    return (keep(image),)


async def source_if_any(context: ToolContext, keep: Callable[[bytes], ArtifactRef]) -> tuple[ArtifactRef, ...]:
    """Keep the source of the page on which a sub-task failed, if there is one, without secrets."""
    if not context.session.device_used:
        return ()
    try:
        source = await asyncio.wait_for(_source(context), PICTURE_SECONDS)
    except (TimeoutError, DeviceError, BrowserError, SessionLost):
        return ()
    masked = context.secrets.mask(source)[:SOURCE_LIMIT]
    return (keep(masked.encode(errors="replace")),) if masked else ()


async def _source(context: ToolContext) -> str:
    return await (await context.session.device()).source()
