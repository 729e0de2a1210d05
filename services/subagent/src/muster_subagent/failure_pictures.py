"""Pictures of pages on which a sub-task failed."""

import asyncio
from collections.abc import Callable

from muster_devices.errors import DeviceError
from muster_devices.web.browser_link import BrowserError
from muster_protocol.tool_calls import ArtifactRef
from muster_subagent.tool_context import SessionLost, ToolContext
from muster_subagent.tools.page_tools import picture_of

PICTURE_SECONDS = 5.0
"""Time for the picture of a page on which something failed."""


async def picture_if_any(context: ToolContext, keep: Callable[[bytes], ArtifactRef]) -> tuple[ArtifactRef, ...]:
    """Take a picture (PNG) of the page on which a sub-task failed, if there is one that can be taken, and keep it."""
    if not context.session.device_used:
        return ()
    try:
        image = await asyncio.wait_for(picture_of(context), PICTURE_SECONDS)
    except (TimeoutError, DeviceError, BrowserError, SessionLost):
        return ()
    return (keep(image),)
