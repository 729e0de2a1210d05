"""Attaching: the page outlives its workers, and nobody but the holder can touch it."""

import asyncio
import gc
import signal
import weakref
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, BrowserType, Page
from playwright.async_api import Error as PlaywrightError
from proxy import Proxy
from session_stage import NO_DEVICE, Stage
from waiting import eventually

from muster_devices.web.untraced import evaluate
from muster_protocol.requests import DeviceSpec
from muster_protocol.session_requests import AnswerDialog, Checkpoint, Exec, FileList, FileRead, FileWrite, Keep, Recall
from muster_protocol.session_requests import Attach as AttachRequest
from muster_protocol.session_responses import Attached, SessionError
from muster_protocol.sessions import Holder
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import SessionLost


async def test_a_page_survives_a_worker_that_is_killed(stage: Stage, site: str) -> None:
    await stage.open()
    worker = await stage.start_worker()
    await worker.do("goto", site)
    await worker.do("fill", "#name", "Ada")
    worker.signal(signal.SIGKILL)

    async with stage.attach(delivery=2) as session:
        page = await session.page()
        assert await page.title() == "Start"
        assert await page.input_value("#name") == "Ada"


async def test_an_attach_shuts_out_the_holder_before_in_the_middle_of_a_waiting_click(stage: Stage, site: str) -> None:
    await stage.open()
    worker = await stage.start_worker()
    await worker.do("goto", site)
    waiting = worker.begin("click", "#not-there")
    command = worker.begin("exec", "call-1", "sleep 20")

    async with stage.attach(delivery=2) as session:
        assert (await worker.outcome(waiting))["fenced"] is True
        assert await (await session.page()).title() == "Start"
        assert (await worker.outcome(worker.begin("keep", "k", "v")))["fenced"] is True
        assert (await session.execute("echo mine", call="call-2", timeout_seconds=5, secrets={})).stdout == "mine\n"
    assert command


async def test_a_stopped_worker_can_do_nothing_once_it_goes_on(stage: Stage, site: str) -> None:
    await stage.open()
    worker = await stage.start_worker()
    await worker.do("goto", site)
    worker.signal(signal.SIGSTOP)
    click, command = worker.begin("click", "#count"), worker.begin("exec", "call-1", "touch acted")

    async with stage.attach(delivery=2) as session:
        worker.signal(signal.SIGCONT)
        assert (await worker.outcome(click))["fenced"] is True
        assert (await worker.outcome(command))["fenced"] is True
        assert await (await session.page()).title() == "Start"
        assert "acted" not in [entry.name for entry in await session.list_files(".")]


async def test_an_older_holder_is_refused(stage: Stage) -> None:
    await stage.open()
    async with stage.attach(dispatch=2, delivery=2):
        for dispatch, delivery in ((1, 9), (2, 1)):
            with pytest.raises(SessionLost) as raised:
                async with stage.attach(dispatch=dispatch, delivery=delivery, worker="worker-b"):
                    pass
            assert raised.value.fenced


async def test_only_the_holder_is_answered(stage: Stage) -> None:
    await stage.open(device=NO_DEVICE)
    holder, other = Holder(dispatch=2, delivery=1, worker="a"), Holder(dispatch=1, delivery=1, worker="b")
    await stage.of(AttachRequest, holder)
    requests: list[tuple[type[Any], dict[str, object]]] = [
        (Exec, {"call": "c", "command": "touch acted"}),
        (FileRead, {"path": "x"}),
        (FileWrite, {"path": "x", "content": b""}),
        (FileList, {}),
        (AnswerDialog, {"call": "c", "accept": True}),
        (Checkpoint, {}),
        (Keep, {"key": "k", "value": "v"}),
        (Recall, {"key": "k"}),
    ]
    for kind, fields in requests:
        reply = await stage.of(kind, other, **fields)
        assert isinstance(reply, SessionError)
        assert reply.reason == "fenced", kind
    listed = await stage.of(FileList, holder)
    assert [entry.name for entry in listed.entries] == ["home"]


async def test_a_worker_keeps_its_connection_from_sub_task_to_sub_task(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach(dispatch=1) as session:
        first = await session.page()
        await first.goto(site)
    async with stage.attach(dispatch=2) as session:
        assert await session.page() is first
        assert await first.title() == "Start"


async def test_a_worker_that_gets_the_same_sub_task_again_is_cut_off_from_what_it_was_doing(stage: Stage) -> None:
    await stage.open()
    async with stage.attach(delivery=1) as session:
        page = await session.page()
        waiting = asyncio.create_task(page.click("#not-there"))
        await asyncio.sleep(0)
        async with stage.attach(delivery=2) as again:
            with pytest.raises(PlaywrightError):
                await waiting
            assert await again.page() is not page
            with pytest.raises(SessionLost):
                await session.keep("k", "v")


async def test_a_connection_that_has_ended_is_kept_nowhere_in_memory(stage: Stage) -> None:
    await stage.open()
    pages: list[weakref.ref[Page]] = []
    for delivery in (1, 2, 3):
        async with stage.attach(delivery=delivery) as session:
            page = await session.page()
            assert await evaluate(page, "6 * 7") == 42
            pages.append(weakref.ref(page))
    del page, session

    def alive() -> int:
        gc.collect()
        return sum(page() is not None for page in pages)

    await eventually(lambda: alive() == 1, "the newest connection is the only one that is left")


async def test_asking_to_attach_again_gives_the_same_endpoint(own: Stage) -> None:
    await own.start_host(advertise_host="localhost")
    await own.open(device=DeviceSpec(kind="web"))
    holder = Holder(dispatch=1, delivery=1, worker="a")
    first, again = await own.of(AttachRequest, holder), await own.of(AttachRequest, holder)
    assert isinstance(first, Attached)
    assert first == again
    assert first.endpoint.startswith("ws://localhost:")


async def test_a_playwright_error_of_a_lost_session_is_told_as_a_lost_session(stage: Stage) -> None:
    await stage.open()
    with pytest.raises(SessionLost) as raised:
        async with stage.attach() as session:
            page = await session.page()
            async with stage.attach(dispatch=2, worker="worker-b"):
                await page.click("#not-there")
    assert raised.value.fenced


async def test_the_newest_page_is_current_and_so_is_one_that_was_chosen_also_for_the_next_worker(
    stage: Stage, site: str
) -> None:
    await stage.open()
    async with stage.attach() as session:
        first = await session.page()
        await first.goto(site)
        async with first.context.expect_page() as opened:
            await first.click("#popup")
        popup = await opened.value
        assert await session.page() is popup
        session.use(first)
        assert await session.page() is first
    async with stage.attach(dispatch=2, worker="worker-b") as session:
        page = await session.page()
        assert await page.title() == "Start"
        assert len(session.pages) == 2
        await page.close()
        assert await (await session.page()).title() == "Second"
    async with stage.attach(dispatch=3, worker="worker-c") as session:
        assert await (await session.page()).title() == "Second"


async def test_a_session_without_a_browser_says_how_to_get_one(own: Stage) -> None:
    await own.start_host(browser_executable="/nowhere")
    opened = await own.open()
    assert "web" not in opened.session.capabilities
    async with own.attach() as session:
        with pytest.raises(SessionRefused, match="BROWSER_EXECUTABLE names /nowhere") as raised:
            await session.page()
        assert raised.value.reason == "no_device"
        assert (await session.execute("echo shell", call="c", timeout_seconds=5, secrets={})).stdout == "shell\n"


async def test_an_error_that_an_ended_connection_left_behind_fails_no_later_call(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach() as session:
        page = await session.page()
        await page.goto(site)
        driver: Any = await session._link._driver.started()
        driver._impl_obj._connection._on_event_listener_error(AttributeError("'NoneType' object has no attribute"))
        assert await (await session.page()).title() == "Start"


async def test_a_connection_that_breaks_while_it_is_made_is_made_again(
    stage: Stage, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = BrowserType.connect
    broken: list[str] = []

    async def breaks_once(self: BrowserType, endpoint: str, **options: Any) -> Browser:
        if broken:
            return await connect(self, endpoint, **options)
        broken.append(endpoint)
        port = urlsplit(endpoint).port or 0
        proxy = Proxy(port)
        await proxy.start()
        proxy.to_client.drop()
        connecting = asyncio.ensure_future(
            connect(self, endpoint.replace(str(port), str(urlsplit(proxy.url).port)), **options)
        )
        await eventually(lambda: proxy.connections, "it connects")
        await proxy.stop()
        return await connecting

    monkeypatch.setattr(BrowserType, "connect", breaks_once)
    await stage.open()
    async with stage.attach() as session:
        await (await session.page()).goto(site)
        assert len(broken) == 1
