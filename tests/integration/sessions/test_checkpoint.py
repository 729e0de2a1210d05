"""A lost session is opened anew from its checkpoint, on any host."""

import signal

from session_stage import MakeStage, Stage, eventually

from muster_protocol import codec
from muster_protocol.bus.artifacts import get_artifact
from muster_subagent.sessions.checkpoint import Saved

STORE = "localStorage.setItem('cart', '2'); sessionStorage.setItem('step', 'pay'); document.cookie = 'user=ada; path=/'"
READ = "[localStorage.getItem('cart'), sessionStorage.getItem('step'), document.cookie.split('; ').sort().join()]"


async def stored(stage: Stage) -> Saved | None:
    data = await get_artifact(stage.bus, f"{stage.run}/checkpoint/main.json")
    return codec.decode(data, Saved) if data else None


async def test_a_session_of_a_host_that_stopped_goes_on_at_another(
    own: Stage, make_stage: MakeStage, site: str
) -> None:
    async with make_stage() as elsewhere:  # only its host goes with it: it is connected to this test's server
        elsewhere.server = own.server
        first = await elsewhere.start_host()
        await own.open()
        async with own.attach() as session:
            page = await session.page()
            await page.goto(f"{site}/second")
            await page.evaluate(STORE)
            popup = await page.context.new_page()
            await popup.goto(site)

        async def is_stored() -> bool:
            saved = await stored(own)
            return saved is not None and [page.url for page in saved.pages] == [f"{site}/second", f"{site}/"]

        await eventually(is_stored, "a checkpoint with both pages")
    second = await own.start_host()
    assert second != first
    opened = await own.open(checkpoint=True)
    assert (opened.fresh, opened.session.host) == (True, second)
    async with own.attach(dispatch=2, worker="worker-b") as session:
        assert await (await session.page()).title() == "Start"
        page = session.pages[0]
        assert page.url == f"{site}/second"
        assert await page.evaluate(READ) == ["2", "pay", "user=ada,visited=yes"]
        await page.reload()
        await page.evaluate("sessionStorage.setItem('step', 'done')")
        await page.reload()
        assert await page.evaluate("sessionStorage.getItem('step')") == "done"  # restored once, not at each load
    names = [ref.name for ref in (await own.close()).artifacts]
    assert names == [f"{own.run}/session/main-1-trace.zip", f"{own.run}/session/main-1-har.zip"]


async def test_a_session_opened_anew_without_a_checkpoint_is_blank(stage: Stage) -> None:
    opened = await stage.open(checkpoint=True)
    assert opened.fresh
    async with stage.attach() as session:
        assert (await session.page()).url == "about:blank"


async def test_no_checkpoint_is_made_while_a_dialog_blocks_the_page(stage: Stage, site: str) -> None:
    await stage.open()
    worker = await stage.start_worker()
    await worker.do("goto", site)
    worker.begin("click", "#ask")
    await worker.do("dialog")
    worker.signal(signal.SIGKILL)
    async with stage.attach(delivery=2):
        pass  # leaving asks for one
    async with stage.attach(delivery=3, worker="worker-b") as session:
        assert await stored(stage) is None
        await session.answer_dialog(call="t:1", accept=True)
        assert await (await session.page()).title() == "true"

    async def is_stored() -> bool:
        return await stored(stage) is not None

    await eventually(is_stored, "a checkpoint")
