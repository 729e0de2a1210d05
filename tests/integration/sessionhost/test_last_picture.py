"""The last picture of a session's page: while the run goes on and after, never with a secret, removed if so wanted."""

import struct

import pytest
from session_stage import Stage
from waiting import eventually

from muster_bus import replay
from muster_bus.artifact_store import get_artifact, list_artifacts
from muster_gateway.artifact_routes import StoredObject, find_artifact
from muster_protocol import codec
from muster_protocol.logs import LogRecord
from muster_protocol.session_requests import CloseSession
from muster_protocol.tool_calls import Box
from muster_sessionhost import screenshots

SECRET = "tr0ub4dor"
NAME = "session/main-last.jpg"
BOX = Box(x=10, y=20.5, width=30, height=40)
PAGE = "<title>Page</title><body style='background: {}'><p>Here</p><input id=code>"


def size_of(jpeg: bytes) -> tuple[int, int]:
    """Return the width and height that the frame header of a JPEG tells."""
    assert jpeg[:2] == b"\xff\xd8"
    at = 2
    while jpeg[at + 1] not in (0xC0, 0xC2):
        at += 2 + struct.unpack(">H", jpeg[at + 2 : at + 4])[0]
    height, width = struct.unpack(">HH", jpeg[at + 5 : at + 9])
    return width, height


async def told(stage: Stage) -> list[LogRecord]:
    lines = replay(stage.bus, "LOGS", stage.bus.names.log(stage.run, "*"))
    records = [codec.decode(line.data, LogRecord) async for line in lines]
    return [record for record in records if record.artifacts == (f"{stage.run}/{NAME}",)]


async def pictured(stage: Stage, lines: int) -> StoredObject:
    """Return the picture once the log has told of so many."""

    async def there() -> bool:
        return len(await told(stage)) >= lines

    await eventually(there, f"picture {lines}")
    found = await find_artifact(stage.bus, f"{stage.run}/{NAME}")
    assert found is not None
    return found


async def show(
    stage: Stage, dispatch: int, colour: str, *, touched: Box | None = None, typed: str = "", secret: str = ""
) -> None:
    """Perform a sub-task that leaves a page of a colour, where something may have been typed."""
    async with stage.attach(dispatch=dispatch, secrets={"CODE": secret}) as session:
        page = await session.page()
        await page.goto("data:text/html," + PAGE.format(colour))
        await page.fill("#code", typed)
        session.touched = touched


async def close(stage: Stage, *, passed: bool) -> tuple[str, ...]:
    await stage.ask(stage.bus.names.session_host(stage.host), CloseSession(run=stage.run, passed=passed))
    return tuple(name.partition("/")[2] for name in await list_artifacts(stage.bus, f"{stage.run}/"))


async def test_the_page_is_pictured_while_the_run_goes_on_and_at_its_end(own: Stage) -> None:
    await own.start_host(record_picture="on")
    await own.open()
    await show(own, 1, "red", touched=BOX)
    first = await pictured(own, 1)
    assert (first.content_type, first.element) == ("image/jpeg", BOX)
    assert size_of(await get_artifact(own.bus, first.key) or b"") == (1280, 800)
    await show(own, 2, "blue")
    assert await close(own, passed=True) == (NAME,)
    last = await pictured(own, 2)
    assert last.sha256 != first.sha256 and last.element is None
    assert {line.level for line in await told(own)} == {"debug"}


@pytest.mark.slow
@pytest.mark.slow
async def test_what_is_pictured_while_a_sub_task_acts_is_not_taken_for_what_it_leaves(
    own: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screenshots, "SHARE", 1)
    await own.start_host(record_picture="on")
    await own.open()
    await show(own, 1, "red")
    await pictured(own, 1)
    await show(own, 2, "green")
    async with own.attach(dispatch=3, secrets={"CODE": ""}) as session:
        green = await pictured(own, 2)
        page = await session.page()
        await page.goto("data:text/html," + PAGE.format("blue"))
    await close(own, passed=False)
    assert (await pictured(own, 3)).sha256 != green.sha256


async def test_a_page_that_shows_a_secret_is_not_pictured(own: Stage) -> None:
    await own.start_host(record_picture="on", record_trace="off", record_har="off", record_console="off")
    for typed, kept in ((SECRET, ()), ("nothing secret", (NAME,))):
        own.run = f"run-typed-{len(kept)}"
        await own.open()
        await show(own, 1, "red", typed=typed, secret=SECRET)
        assert await close(own, passed=False) == kept, typed


@pytest.mark.slow
async def test_pictures_are_kept_as_it_is_set(own: Stage) -> None:
    await own.start_host(record_picture="on-failure", record_trace="off", record_har="off", record_console="off")
    wanted = {("", True): (), ("", False): (NAME,), ("off", False): (), ("on", True): (NAME,)}
    for number, ((record, passed), kept) in enumerate(wanted.items()):
        own.run = f"run-kept-{number}"
        await own.open(record=record)
        await show(own, 1, "red")
        left = await close(own, passed=passed)
        assert tuple(name for name in left if name == NAME) == kept, (record, passed)


@pytest.mark.slow
async def test_a_session_whose_browser_nobody_used_has_no_picture(own: Stage) -> None:
    await own.start_host(record_picture="on", record_trace="off", record_har="off")
    await own.open()
    async with own.attach():
        pass
    assert await close(own, passed=False) == ()
