"""A tool that is added in one place is guarded, announced, offered and counted, without being named anywhere else."""

import sys
from collections.abc import AsyncGenerator
from typing import Annotated, Any, NamedTuple, cast

import httpx
import pytest
from envelopes import a_task
from lone_agent import no_file
from model_server import Answer, Asked, does, model_server, passes
from msgspec.structs import replace
from taken_journal import taken_journal

from muster_bus import Bus, replay
from muster_bus.testing import connected, provisioned_server
from muster_devices.web.page_access import BrowserSession
from muster_devices.web.web_device import WebDevice
from muster_model import ModelSettings, connected_models
from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.journal import CallStarted, JournalBatch, JournalEntry
from muster_protocol.logs import LogRecord
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.step_executor import carry_out
from muster_subagent.agent_catalogue import worker_definitions
from muster_subagent.secrets import Secrets
from muster_subagent.step_permissions import permission_of
from muster_subagent.task_journal import Journal
from muster_subagent.task_log import Lines
from muster_subagent.tool_context import Session, ToolContext
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools import tool
from muster_subagent.tools.tool_catalogue import MODULES, tools_in
from muster_subagent.tools.traits import WORKSPACE, Argument, Entered

WRITTEN: list[tuple[str, str, bool]] = []
"""What the tools of this test wrote, and whether the journal had said so before."""


@tool(effect="act", group="shell", needs=WORKSPACE, page=False, does="write")
async def note_down(ctx: ToolContext, title: Annotated[str, Argument.OBJECT], words: Entered) -> ToolOutcome:
    """Write a note."""
    return await _write(ctx, title, words)


@tool(effect="act", group="shell", page=False)
async def scribble(ctx: ToolContext, title: str = "", words: str = "") -> ToolOutcome:
    """Write a note, and say of oneself no more than one must."""
    return await _write(ctx, title, words)


async def _write(ctx: ToolContext, title: str, words: str) -> ToolOutcome:
    bench = cast("Any", ctx.session)
    index = int(ctx.call.rpartition(":")[2])
    announced = [entry for entry in await bench.journal() if isinstance(entry, CallStarted) and entry.index == index]
    WRITTEN.append((title, words, bool(announced)))
    return ToolOutcome(status="ok", text="written")


TOOLS = tools_in((*MODULES, sys.modules[__name__]))
INSTRUCTIONS = worker_definitions("").agents.by_id["step-runner"].instructions
TASK = a_task(
    id="r.n.1",
    run="r",
    node="n",
    attempt=1,
    dispatch=1,
    description="Have the script leave a note in the folder",
    covers=(0,),
    guarded=("ready",),
)


class Bench(NamedTuple):
    """A sub-task that was just taken; also the session, of which the tools of this test want its journal alone."""

    has_workspace = False
    surroundings = ""
    kind = "web"
    bus: Bus
    own: Journal

    async def device(self) -> WebDevice:
        """Return a device that nothing is asked of but what it can do."""
        return WebDevice(cast("BrowserSession", self))

    async def journal(self) -> list[JournalEntry]:
        """Return what the journal's stream holds."""
        stored = replay(self.bus, "JOURNAL", self.bus.names.journal(TASK.id))
        return [entry async for it in stored for entry in codec.decode(it.data, JournalBatch).entries]

    async def performs(self, *replies: Answer, task: SubTask = TASK) -> tuple[SubTaskResult, list[Asked]]:
        """Let a model reply so, and return the result and what it was asked."""
        WRITTEN.clear()
        async with httpx.AsyncClient() as http:
            with model_server(lambda asked: replies[min(asked.turn, len(replies) - 1)]) as server:
                settings = ModelSettings(openai_base_url=server.url, openai_api_key="key", sub_agent_model="small")
                async with connected_models(settings) as models:
                    assert models is not None
                    tier = models.tier("sub_agent")
                    assert tier is not None
                    session = cast("Session", self)
                    may = permission_of(task)
                    context = ToolContext(
                        session=session, secrets=Secrets({}), http=http, call="", store=no_file, permission=may
                    )
                    lines = Lines(self.bus, task, "worker-1")
                    executor = ToolExecutor(task, context, self.own, lines, TOOLS)
                    asker = Asker(task, self.own, lines, models, tier, instructions=INSTRUCTIONS)
                    result = await carry_out(executor, asker, lines, ("device", "shell"))
                    await lines.flush()
                    return result, server.asked


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    async with provisioned_server() as server, connected(server) as bus, taken_journal(bus, TASK.id) as journal:
        yield Bench(bus, journal)


def writes(name: str, words: str) -> Answer:
    return does((name, {"title": "a.txt", "words": words}))


@pytest.mark.parametrize("name", ["note_down", "scribble"])
async def test_what_only_the_product_may_say_is_refused_before_it_is_written(bench: Bench, name: str):
    hidden = "cmVhZHkgbm93"  # base64 of "ready now"
    result, asked = await bench.performs(writes(name, "all ready"), writes(name, hidden), does(passes()))

    assert "this would bring about 'ready' by itself" in asked[1].last
    assert "this would bring about 'ready' by itself" in asked[2].last
    assert result.failure == Failure.NO_EVIDENCE
    assert WRITTEN == []
    assert result.step.acts == ()
    assert not [entry for entry in await bench.journal() if isinstance(entry, CallStarted)]


async def test_what_is_written_is_announced_first_and_counts_as_a_change(bench: Bench):
    result, asked = await bench.performs(writes("note_down", "hello"), does(passes()))

    assert result.status == "pass", result.summary
    assert WRITTEN == [("a.txt", "hello", True)]
    assert (result.acted, result.last_act) == (True, 0)
    [act] = result.step.acts
    assert (act.does, act.target, act.entered, act.on_device) == ("write", ("a.txt",), ("hello",), False)
    offered = [it["function"]["name"] for it in asked[0].body["tools"]]
    assert {"note_down", "scribble", "write_file"} <= set(offered)


async def test_a_tool_that_declares_nothing_is_open_to_no_step(bench: Bench):
    result, _ = await bench.performs(writes("scribble", "hello"), does(passes()))

    assert WRITTEN == []
    assert (result.acted, result.last_act) == (False, -1)
    assert [(act.does, act.status) for act in result.step.acts] == [("unknown", "refused")]
    assert (result.status, result.failure) == ("fail", Failure.NO_EVIDENCE)
    assert "nothing was done" in result.summary


async def test_a_model_that_claims_what_it_has_not_done_is_told_so_once_and_the_log_says_it(bench: Bench):
    result, asked = await bench.performs(does(passes()))

    assert (result.status, result.failure, len(asked)) == ("fail", Failure.NO_EVIDENCE, 2)
    stored = replay(bench.bus, "LOGS", bench.bus.names.log(TASK.run, "worker-1"))
    lines = [codec.decode(it.data, LogRecord) async for it in stored]
    [told] = [line.text for line in lines if "sent back" in line.text]
    assert "the claimed result is sent back: not accepted: the model claims to have carried out the step" in told


@pytest.mark.parametrize(("guarded", "why"), [(("ready",), "would bring about"), ((), "its words do not open it")])
async def test_a_call_that_says_nothing_of_what_it_writes_may_write_nothing(
    bench: Bench, guarded: tuple[str, ...], why: str
):
    _, asked = await bench.performs(
        does(("scribble", {})), does(passes()), task=replace(TASK, input=replace(TASK.step, guarded=guarded))
    )
    assert WRITTEN == []
    assert why in asked[1].last
