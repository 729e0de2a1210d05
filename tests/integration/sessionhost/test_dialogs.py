"""Dialogs: the host holds them, so nobody answers silently and none is lost with its worker."""

import asyncio
import signal

import pytest
from session_stage import Stage
from waiting import eventually

from muster_protocol.session_requests import AnswerDialog, Attach
from muster_protocol.session_responses import Done
from muster_protocol.sessions import Holder
from muster_subagent.session_client import SessionRefused


async def test_a_click_that_opens_a_dialog_waits_until_the_holder_answers_it(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach() as session:
        page = await session.page()
        await page.goto(site)
        assert session.dialog is None
        click = asyncio.create_task(page.click("#ask"))
        dialog = await asyncio.wait_for(session.dialog_opened(), 10)
        assert (dialog.kind, dialog.message, dialog.url) == ("confirm", "Sure?", f"{site}/")
        assert session.dialog == dialog
        assert not click.done()

        await session.answer_dialog(call="t:1", accept=True)
        await click
        assert session.dialog is None
        assert await page.title() == "true"


async def test_a_dismissed_dialog_is_dismissed(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach() as session:
        page = await session.page()
        await page.goto(site)
        click = asyncio.create_task(page.click("#ask"))
        await asyncio.wait_for(session.dialog_opened(), 10)
        await session.answer_dialog(call="t:1", accept=False)
        await click
        assert await page.title() == "false"


async def test_a_dialog_outlives_its_worker_and_the_next_one_answers_it(stage: Stage, site: str) -> None:
    await stage.open()
    worker = await stage.start_worker()
    await worker.do("goto", site)
    worker.begin("click", "#prompt")
    assert await worker.do("dialog") == "Your name?"
    worker.signal(signal.SIGKILL)

    async with stage.attach(delivery=2) as session:
        assert session.dialog is not None
        assert (session.dialog.kind, session.dialog.default) == ("prompt", "nobody")
        await session.answer_dialog(call="t:1", accept=True, text="Grace")
        page = await session.page()
        assert await page.title() == "Grace"


async def test_a_dialog_is_answered_once_for_a_call(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach() as session:
        page = await session.page()
        await page.goto(site)
        for call in ("t:1", "t:2"):
            click = asyncio.create_task(page.click("#ask"))
            await asyncio.wait_for(session.dialog_opened(), 10)
            if call == "t:2":  # the reply to t:1 was lost, and it is asked again while the second dialog is open
                again = await stage.of(
                    AnswerDialog, Holder(dispatch=1, delivery=1, worker="worker-a"), call="t:1", accept=True
                )
                assert isinstance(again, Done)
                assert not click.done()
            await session.answer_dialog(call=call, accept=call == "t:1")
            await click
        assert await page.title() == "false"


async def test_answering_when_no_dialog_is_open_is_refused(stage: Stage) -> None:
    await stage.open()
    async with stage.attach() as session:
        with pytest.raises(SessionRefused) as raised:
            await session.answer_dialog(call="t:1", accept=True)
        assert raised.value.reason == "no_dialog"


async def test_a_dialog_of_a_page_that_is_closed_is_gone(stage: Stage, site: str) -> None:
    await stage.open()
    holder = Holder(dispatch=1, delivery=1, worker="worker-a")
    async with stage.attach() as session:
        page = await session.page()
        await page.goto(site)
        click = asyncio.create_task(page.click("#ask"))
        await asyncio.wait_for(session.dialog_opened(), 10)
        await page.close()
        await asyncio.wait({click})
        assert click.exception() is not None

        async def none_is_open() -> bool:
            return not (await stage.of(Attach, holder)).dialogs

        await eventually(none_is_open, "no dialog left")
        assert (await session.page()).url == "about:blank"
