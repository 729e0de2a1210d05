"""A lost session is opened anew from its checkpoint, on any host."""

import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from checkpoints import pages_of, stored
from sampling import mostly_slow
from session_stage import MakeStage, Stage
from waiting import eventually

from muster_bus import Rows
from muster_protocol.session_requests import Recall
from muster_protocol.session_responses import Opened, SessionError
from muster_protocol.sessions import Holder, SessionRow
from muster_sessionhost.checkpoint import UNSAVED, SavedSession
from muster_subagent.attachment import Attachment

STORE = "localStorage.setItem('cart', '2'); sessionStorage.setItem('step', 'pay'); document.cookie = 'user=ada; path=/'"
READ = "[localStorage.getItem('cart'), sessionStorage.getItem('step'), document.cookie.split('; ').sort().join()]"

Use = Callable[[Attachment], Awaitable[object]]


@pytest.mark.slow
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
            return saved is not None and [page.url for page in pages_of(saved)] == [f"{site}/second", f"{site}/"]

        await eventually(is_stored, "a checkpoint with both pages")
    second = await own.start_host()
    assert second != first
    opened = await own.open(checkpoint=True)
    assert (opened.fresh, opened.session.host) == (True, second)
    assert (opened.restored, opened.after, opened.missing) == ("same", 1, "")
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
    assert names == [f"{own.run}/session/main-1-trace.zip", f"{own.run}/session/main-1-network.har"]


@pytest.mark.slow
async def test_a_session_opened_anew_without_a_checkpoint_is_blank(stage: Stage) -> None:
    opened = await stage.open(checkpoint=True)
    assert opened.fresh
    assert (opened.restored, opened.after, opened.missing) == ("different", 0, "there is no checkpoint of it")
    async with stage.attach() as session:
        assert (await session.page()).url == "about:blank"


@pytest.mark.slow
async def test_a_session_left_with_a_dialog_open_has_a_checkpoint_that_says_so(stage: Stage, site: str) -> None:
    await stage.open()
    worker = await stage.start_worker()
    await worker.do("goto", site)
    worker.begin("click", "#ask")
    await worker.do("dialog")
    worker.signal(signal.SIGKILL)
    async with stage.attach(delivery=2):
        pass  # leaving asks for one

    async def says_so() -> bool:
        return await stored(stage) == SavedSession(missing=UNSAVED)

    async with stage.attach(delivery=3, worker="worker-b") as session:
        await eventually(says_so, "it is said that there is none")
        await session.answer_dialog(call="t:1", accept=True)
        assert await (await session.page()).title() == "true"

    async def is_stored() -> bool:
        saved = await stored(stage)
        return saved is not None and (saved.missing, saved.after, len(pages_of(saved))) == ("", 1, 1)

    await eventually(is_stored, "a checkpoint")


@pytest.mark.slow
async def test_a_checkpoint_that_could_not_be_renewed_does_not_pass_for_the_newest(lost: "Lost", site: str) -> None:
    stage = lost.stage
    await stage.open()
    async with stage.attach() as session:
        await (await session.page()).goto(site)

    async def is_whole() -> bool:
        saved = await stored(stage)
        return saved is not None and saved.after == 1

    await eventually(is_whole, "a checkpoint")
    worker = await stage.start_worker(dispatch=2)
    worker.begin("click", "#ask")
    await worker.do("dialog")
    worker.signal(signal.SIGKILL)
    async with stage.attach(dispatch=2, delivery=2):
        pass  # left in order, with the dialog open

    async def says_so() -> bool:
        return await stored(stage) == SavedSession(missing=UNSAVED)

    await eventually(says_so, "it is said that there is none")
    opened = await lost.anew()
    assert (opened.restored, opened.after, opened.missing) == ("different", 0, UNSAVED)


@dataclass
class Lost:
    """A session that is used once, lost, and opened anew."""

    stage: Stage
    url: str

    async def after(self, use: Use, **attach: Any) -> Opened:
        """Use the session, lose it once its checkpoint is stored, and return what comes of opening it anew."""
        await self.stage.open()
        async with self.stage.attach(**attach) as session:
            await (await session.page()).goto(self.url)
            await use(session)
        await eventually(self._stored, "a checkpoint")
        return await self.anew()

    async def anew(self) -> Opened:
        """Lose the session and return what comes of opening it anew."""
        await Rows(self.stage.bus, "SESSIONS", SessionRow).put(
            f"{self.stage.run}.main", SessionRow(run=self.stage.run, name="main", host="host-gone", opened_at=1.0)
        )
        await eventually(self._given_up, "the host has given its session up")
        return await self.stage.open(checkpoint=True)

    async def _stored(self) -> bool:
        return await stored(self.stage) is not None

    async def _given_up(self) -> bool:
        holder = Holder(dispatch=99, delivery=1, worker="nobody")
        reply = await self.stage.of(Recall, holder, key="page")
        return isinstance(reply, SessionError) and reply.reason == "no_session"


@pytest_asyncio.fixture(loop_scope="session")
async def lost(stage: Stage, site: str) -> Lost:
    return Lost(stage, site)


async def test_a_page_that_is_only_looked_at_reads_the_same_again(lost: Lost) -> None:
    async def look(session: Attachment) -> None:
        await (await session.page()).click("#name")  # focus is nothing a page reads

    opened = await lost.after(look, dispatch=7)
    assert (opened.restored, opened.after) == ("same", 7)
    again = await lost.stage.open(checkpoint=True)
    assert (again.fresh, again.restored, again.after, again.session) == (False, "same", 7, opened.session)


async def test_a_session_opened_anew_that_nobody_held_leaves_nothing_as_nothing_could_be_masked(lost: Lost) -> None:
    async def look(session: Attachment) -> None:
        await (await session.page()).wait_for_load_state()

    assert (await lost.after(look)).restored == "same"
    assert (await lost.stage.close()).artifacts == ()


@pytest.mark.slow
async def test_text_in_a_field_that_is_gone_is_seen(lost: Lost) -> None:
    async def fill(session: Attachment) -> None:
        await (await session.page()).fill("#name", "Ada")

    opened = await lost.after(fill)
    assert (opened.restored, opened.after) == ("different", 1)
    assert "do not read as they did" in opened.missing


@pytest.mark.slow
async def test_a_file_chosen_that_is_gone_is_seen(lost: Lost) -> None:
    async def choose(session: Attachment) -> None:
        page = await session.page()
        await page.evaluate("document.body.append(Object.assign(document.createElement('input'), {type: 'file'}))")
        await page.set_input_files("input[type=file]", {"name": "a", "mimeType": "text/plain", "buffer": b"a"})

    assert (await lost.after(choose)).restored == "different"


@pytest.mark.slow
async def test_the_title_is_read_too(lost: Lost) -> None:
    async def count(session: Attachment) -> None:
        await (await session.page()).click("#count")

    assert (await lost.after(count)).restored == "different"


def following(target: str, blank: str = "") -> Use:
    """Return a use of a session that follows a link."""

    async def follow(session: Attachment) -> None:
        page = await session.page()
        await page.evaluate(
            f"document.body.append(Object.assign(document.createElement('a'),"
            f" {{href: '{target}', id: 'go', target: '{blank}', textContent: 'Go'}}))"
        )
        if blank:
            async with page.expect_popup() as popup:
                await page.click("#go")
            page = await popup.value
        else:
            await page.click("#go")
        await page.wait_for_url(f"**{target}")

    return follow


async def send_a_form(session: Attachment) -> None:
    page = await session.page()
    await page.goto(page.url + "login")
    await page.click("#send")
    await page.wait_for_url("**/echo")


async def push_an_address(session: Attachment) -> None:
    await (await session.page()).evaluate("history.pushState(null, '', '/?confirm=1')")


@pytest.mark.parametrize(
    "use",
    mostly_slow([following("/second?add=3"), following("/second?add=3", "_blank"), send_a_form, push_an_address]),
)
async def test_an_address_that_may_act_is_not_asked_for_again(lost: Lost, use: Use) -> None:
    opened = await lost.after(use)
    assert opened.restored == "different"
    assert "the answer to an action" in opened.missing
    async with lost.stage.attach(dispatch=2, worker="worker-b") as session:
        await session.page()
        assert "about:blank" in [page.url for page in session.pages]
        assert not any("?" in page.url or "echo" in page.url for page in session.pages)


async def open_a_popup(session: Attachment) -> None:
    page = await session.page()
    async with page.expect_popup() as popup:
        await page.click("#popup")
    await (await popup.value).wait_for_load_state()


async def go_to_a_query(session: Attachment) -> None:
    page = await session.page()
    await page.goto(page.url + "second?page=2")


@pytest.mark.parametrize("use", mostly_slow([go_to_a_query, following("/second"), open_a_popup]))
async def test_an_address_that_was_gone_to_or_has_no_query_is_asked_for_again(lost: Lost, use: Use) -> None:
    assert (await lost.after(use)).restored == "same"


async def run_a_command(session: Attachment) -> None:
    await session.execute("true", call="t:1", timeout_seconds=5, secrets={})


async def write_a_file(session: Attachment) -> None:
    await session.write_file("a", b"a")


async def keep_an_answer(session: Attachment) -> None:
    await session.keep("http", "answer")


@pytest.mark.parametrize(
    ("use", "why"),
    [
        (run_a_command, "commands had been run in it"),
        (write_a_file, "files had been written in it"),
        (keep_an_answer, "it kept a value for the next sub-task"),
    ],
)
async def test_what_no_checkpoint_has_is_named(lost: Lost, use: Use, why: str) -> None:
    opened = await lost.after(use)
    assert opened.restored == "different"
    assert why in opened.missing


@pytest.mark.slow
async def test_the_tab_that_was_chosen_is_chosen_again(lost: Lost) -> None:
    async def two_tabs(session: Attachment) -> None:
        first = await session.page()
        second = await first.context.new_page()
        await second.goto(f"{lost.url}/second")
        session.use(first)

    assert (await lost.after(two_tabs)).restored == "same"
    async with lost.stage.attach(dispatch=2, worker="worker-b") as session:
        assert await (await session.page()).title() == "Start"


async def test_a_page_that_shows_a_secret_is_never_said_to_read_the_same(lost: Lost) -> None:
    async def show(session: Attachment) -> None:
        await (await session.page()).goto(f"{lost.url}/second")

    opened = await lost.after(show, secrets={"WORD": "Second page"})
    assert opened.restored == "different"
