"""What a new holder makes of the journal of the one before: its outcomes are taken over, but not for another call."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx
import pytest
from envelopes import a_task
from lone_agent import no_file
from msgspec.structs import replace
from taken_journal import taken_journal

from muster_bus import Bus
from muster_bus.testing import connected, provisioned_server
from muster_devices.web.page_access import BrowserSession
from muster_devices.web.web_device import WebDevice
from muster_model import Models, Reply, connected_models
from muster_model.chat_messages import AskedCall, Function
from muster_model.settings import ModelSettings
from muster_protocol import codec
from muster_protocol.causes import Cause, Failure
from muster_protocol.journal import CallFinished, CallStarted, ModelReplied
from muster_protocol.tasks import Budget, SubTask, SubTaskResult
from muster_protocol.tool_calls import ArgumentValue, Effect, ToolCall, ToolOutcome, Usage
from muster_subagent.agent_catalogue import worker_definitions
from muster_subagent.kind_work import RUNNERS
from muster_subagent.secrets import Secrets
from muster_subagent.task_context import TaskContext
from muster_subagent.task_journal import Journal
from muster_subagent.task_log import Lines
from muster_subagent.tool_context import Session, ToolContext

NOWHERE = "http://127.0.0.1:9"
SEEN = 'The output contains "ready"'


def step(description: str, expected: str = "") -> SubTask:
    return a_task(
        id="r.n.1", run="r", node="n", attempt=1, dispatch=1, description=description, expected_result=expected
    )


def started(index: int, tool: str, effect: Effect, clause: str = "", **arguments: ArgumentValue) -> CallStarted:
    return CallStarted(index=index, call=ToolCall(tool=tool, arguments=arguments, clause=clause), effect=effect)


def came_back(index: int) -> CallFinished:
    return CallFinished(index=index, outcome=ToolOutcome(status="ok", text="ready", seen="ready"))


def replied(index: int, tool: str, **arguments: object) -> ModelReplied:
    call = AskedCall(f"call-{index}", Function(tool, codec.encode(arguments).decode()))
    return ModelReplied(index=index, reply=codec.encode(Reply(text="", calls=(call,))).decode())


class Untouched:
    """A session whose device is asked for no more than what it can do."""

    has_workspace = False
    surroundings = ""
    kind = "web"

    async def device(self) -> WebDevice:
        return WebDevice(cast("BrowserSession", self))


class Bench:
    """A sub-task that was just taken, with a journal on a real server and no session."""

    def __init__(self, bus: Bus, journal: Journal, http: httpx.AsyncClient) -> None:
        self.bus, self.journal, self.http = bus, journal, http

    async def performs(self, task: SubTask, models: Models | None = None) -> SubTaskResult:
        context = ToolContext(
            session=cast("Session", Untouched()), secrets=Secrets({}), http=self.http, call="", store=no_file
        )
        lines = Lines(self.bus, task, "worker-1")
        try:
            agent = worker_definitions("").agents.by_id["step-runner"]
            return await RUNNERS["step"](TaskContext(task, self.journal, lines, models, agent, context))
        finally:
            await lines.flush()


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    async with (
        provisioned_server() as server,
        connected(server) as bus,
        httpx.AsyncClient() as http,
        taken_journal(bus, "r.n.1") as journal,
    ):
        yield Bench(bus, journal, http)


@asynccontextmanager
async def a_model() -> AsyncGenerator[Models]:
    """Models whose server is not there: only recorded replies can be had."""
    settings = ModelSettings(
        openai_base_url=NOWHERE, openai_api_key="key", sub_agent_model="small", model_prices="small=1/1"
    )
    async with connected_models(settings) as models:
        assert models is not None
        yield models


COMMAND: dict[str, Any] = {"command": "./start"}
CHECK: dict[str, Any] = {"text": "ready"}


async def test_what_the_journal_holds_of_the_same_calls_is_taken_over(bench: Bench):
    await bench.journal.append(started(0, "execute_command", "act", **COMMAND), came_back(0))
    await bench.journal.append(started(1, "check_output", "check", SEEN, **CHECK), came_back(1))

    result = await bench.performs(step('Run the command "./start"', SEEN))

    assert result.status == "pass", result.summary


@pytest.mark.parametrize(
    "other",
    [
        started(1, "check_output", "check", 'The output contains "read"', **CHECK),
        started(1, "check_output", "check", SEEN, text="read"),
        started(1, "check_exit_code", "check", SEEN, code=0),
    ],
)
async def test_an_outcome_of_another_call_is_not_credited_and_what_was_done_is_not_done_again(
    bench: Bench, other: CallStarted
):
    await bench.journal.append(started(0, "execute_command", "act", **COMMAND), came_back(0), other, came_back(1))

    result = await bench.performs(step('Run the command "./start"', SEEN))

    assert (result.status, result.failure, result.cause) == ("fail", Failure.IN_FLIGHT_LOST, Cause.ENVIRONMENT)
    assert (result.acted, result.last_act, result.step.evidence) == (True, 0, ())
    assert "call 1 was check_" in result.summary


async def test_where_nothing_was_done_yet_it_is_an_error_that_may_be_tried_again(bench: Bench):
    await bench.journal.append(started(0, "snapshot", "read"), came_back(0))

    result = await bench.performs(step('Run the command "./start"', SEEN))

    assert (result.status, result.failure, result.acted) == ("error", Failure.INFRASTRUCTURE, False)
    assert set(bench.journal.progress.started) == {0}


async def test_a_model_that_gives_up_after_an_act_of_unknown_effect_blames_the_takeover(bench: Bench):
    request: dict[str, Any] = {"method": "POST", "url": f"{NOWHERE}/orders"}
    end: dict[str, Any] = {"status": "fail", "summary": "there is no order"}
    await bench.journal.append(replied(0, "http_request", **request), started(0, "http_request", "act", **request))
    await bench.journal.append(replied(1, "finish", **end))

    async with a_model() as models:
        result = await bench.performs(step("In the terminal, order something"), models)

    assert (result.status, result.failure, result.cause) == ("fail", Failure.IN_FLIGHT_LOST, Cause.ENVIRONMENT)
    assert "there is no order" in result.summary


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(tokens=50_000), f"{Failure.LIMIT}: 60000 of 50000 tokens are used up"),
        (Budget(cost=0.5), f"{Failure.MONEY_SPENT}: 0.6 of 0.5 are spent"),
    ],
)
async def test_what_tools_spent_on_models_is_not_left_for_questions(bench: Bench, budget: Budget, said: str):
    request: dict[str, Any] = {"method": "GET", "url": f"{NOWHERE}/orders"}
    looks = Usage(model_calls=1, input_tokens=59_000, output_tokens=1_000, cost=0.6)
    outcome = ToolOutcome(status="ok", text="(summed up by a model)", usage=looks)
    await bench.journal.append(replied(0, "http_request", **request), started(0, "http_request", "act", **request))
    await bench.journal.append(CallFinished(index=0, outcome=outcome))

    async with a_model() as models:
        result = await bench.performs(replace(step("In the terminal, get the orders"), budget=budget), models)

    assert result.status == "fail"
    assert said in f"{result.failure}: {result.summary}"
