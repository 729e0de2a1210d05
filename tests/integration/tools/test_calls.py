"""Calling tools by name: unknown names and values, and the end of a session."""

import asyncio
from pathlib import Path

import httpx
import pytest
from driving import User, user_of
from local_session import launched, opened
from served import Site

from muster_protocol.causes import Failure
from muster_subagent.tool_context import SessionLost


async def test_an_unknown_tool_names_the_nearest(do: User) -> None:
    outcome = await do.bad("klick", element="x")
    assert outcome.failure == Failure.INVALID_CALL
    assert "there is no tool 'klick'; the nearest: click" in outcome.text


async def test_wrong_arguments_say_which_there_are(do: User) -> None:
    outcome = await do.bad("click", elment="x")
    assert outcome.failure == Failure.INVALID_CALL
    assert "It takes: element, role, within, ref" in outcome.text


async def test_an_unknown_value_says_how_to_make_it_known(do: User) -> None:
    outcome = await do.bad("type", element="Name", text="${nobody}")
    assert outcome.failure == Failure.INVALID_CALL
    assert "${nobody}" in outcome.text


async def test_the_time_a_call_took_is_measured(do: User) -> None:
    assert (await do.ok("execute_command", command="sleep 0.2")).duration_ms > 200


async def test_a_worker_that_is_shut_out_loses_the_session_even_in_the_middle_of_a_call(
    site: Site, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    async with launched() as host, opened(host, tmp_path) as session:
        do = user_of(session, http)
        await do.open(site.page("<p>x</p>"))
        do.ctx.action_timeout = 20.0
        waiting = asyncio.create_task(do("click", element="Never there"))
        await asyncio.wait({waiting}, timeout=0.3)
        await host.shut_out()
        with pytest.raises(SessionLost):
            await waiting
        with pytest.raises(SessionLost):
            await do("check_text", text="x")


@pytest.mark.slow
async def test_a_page_whose_script_is_stuck_does_not_hang_the_worker(do: User, site: Site) -> None:
    await do.open(site.page("<p>x</p>"))
    await do.script("void setTimeout(() => { const end = Date.now() + 6500; while (Date.now() < end); })")
    outcome = await do.bad("check_text", text="y")
    assert (outcome.status, outcome.failure) == ("error", Failure.TIMED_OUT)
    assert "did not answer within" in outcome.text
