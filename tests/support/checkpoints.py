"""Checkpoints of sessions, as tests read them."""

import msgspec
from session_stage import Stage

from muster_bus.artifact_store import Replaced, get_artifact
from muster_devices.web.page_state import PageState, WebState
from muster_protocol import codec
from muster_sessionhost.checkpoint import SavedSession


async def stored(stage: Stage) -> SavedSession | None:
    try:
        data = await get_artifact(stage.bus, f"{stage.run}/checkpoint/main.json")
    except Replaced:  # by the next one, as it was read
        return await stored(stage)
    return codec.decode(data, SavedSession) if data else None


def pages_of(saved: SavedSession) -> tuple[PageState, ...]:
    return msgspec.json.decode(saved.device, type=WebState).pages if saved.device else ()
