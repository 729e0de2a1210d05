"""Tokens of a 12-step case: a plain flat loop (one conversation that grows) beside Muster, same tools, model and page.

Both are really run against the demo shop; the model is scripted behind real HTTP and equally able on both sides. The
flat loop is given every advantage: one reply a step does the step's calls, its checks and the look at the page for the
next; once with all tools, as such loops are built, and once with none but those it will use. Four characters of a
request count as a token on both sides.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
from driving import User, user_of
from local_session import launched, opened
from oracle import Answer, Asked, Script, does, freely, model_server, oracle
from steps import PASSWORD, by_model, case, fleet, on_fleet, shop

from muster_grammar import parse_action, parse_expectation
from muster_model import Assistant, Message, ModelSettings, System, ToolResult, connected_models
from muster_model import User as Said
from muster_protocol.requests import Step, TestCase
from muster_protocol.tool_calls import ToolCall
from muster_subagent import tools
from muster_subagent.secrets import Secrets
from muster_text.values import fill_known

FIRST, LAST = 1, 13
"""The steps of the purchase that are taken: from opening the shop, 12 of them."""
PROMPT = "You are a software tester. Carry out the test case with the tools, look before you act, then report."
GOAL_CALL, GOAL_SHARE, LIMIT = 8_192, 0.35, 32_768


class Sizes(NamedTuple):
    """Tokens of the requests of one way."""

    name: str
    calls: tuple[int, ...]

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(self.calls)

    def row(self) -> str:
        """Return a line of the table."""
        beyond = next((str(number) for number, size in enumerate(self.calls, 1) if size > LIMIT), "-")
        return f"{self.name:<28}{len(self.calls):>6}{self.total:>10}{max(self.calls):>9}   {beyond}"


def twelve(base_url: str) -> TestCase:
    """Return the 12-step case with its variables filled in."""
    whole = case(base_url).job
    assert isinstance(whole, TestCase)
    steps = tuple(
        Step(action=fill_known(step.action, whole.variables), expected=fill_known(step.expected, whole.variables))
        for step in whole.steps[FIRST:LAST]
    )
    return msgspec.structs.replace(whole, steps=steps)


def sizes(name: str, asked: Sequence[Asked]) -> Sizes:
    """Return the sizes of requests."""
    return Sizes(name, tuple(len(json.dumps(it.body, separators=(",", ":"))) // 4 for it in asked))


def flat_script(test: TestCase) -> Script:
    """Return the flat loop's model: it knows each step, as the oracle does, and goes on whatever comes back."""

    def script(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("snapshot", {}))
        if asked.turn > len(test.steps):
            return does(("finish", {"status": "pass", "summary": "All steps passed."}))
        step = test.steps[asked.turn - 1]
        return does(*((call.tool, dict(call.arguments)) for call in calls_of(step)), ("snapshot", {}))

    return script


async def flat(url: str, test: TestCase, user: User, schemas: Sequence[dict[str, Any]]) -> None:
    """Run the flat loop to its end."""
    settings = ModelSettings(openai_base_url=url, sub_agent_model="oracle", sub_agent_context_tokens=1_000_000)
    case_text = "\n".join(f"{n}. {step.action}\n   Expected: {step.expected}" for n, step in enumerate(test.steps, 1))
    messages: list[Message] = [System(PROMPT), Said(case_text)]
    async with connected_models(settings) as models:
        assert models is not None
        tier = models.tier("sub_agent")
        assert tier is not None
        while True:
            reply = await models.ask(tier, tuple(messages), tools=schemas)
            messages.append(Assistant(content=reply.text or None, tool_calls=reply.calls))
            for call in reply.calls:
                if call.function.name == "finish":
                    return
                outcome = await user(call.function.name, **json.loads(call.function.arguments))
                assert outcome.status == "ok", outcome.text
                messages.append(ToolResult(call.id, outcome.text))


async def by_flat_loop(name: str, base_url: str, schemas: Sequence[dict[str, Any]]) -> Sizes:
    """Run the flat loop in a browser of its own."""
    test = twelve(base_url)
    with model_server(flat_script(test)) as model, tempfile.TemporaryDirectory() as folder:
        async with launched() as host, httpx.AsyncClient() as http, opened(host, Path(folder)) as session:
            user = user_of(session, http)
            user.ctx.secrets = Secrets({"SHOP_PASSWORD": PASSWORD})
            user.ctx.action_timeout = 5.0
            (Path(folder) / "delivery-note.txt").write_text("Leave it with the neighbour")
            await flat(model.url, test, user, schemas)
        return sizes(name, model.asked)


async def by_muster(base_url: str) -> tuple[Sizes, Sizes]:
    """Run the same case on a fleet; return all that was asked, and what sub-agents in a session asked."""
    with model_server(oracle) as model:
        settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "oracle"}
        async with fleet(**settings) as bus:
            request = msgspec.structs.replace(by_model(base_url), job=freely(twelve(base_url)))
            await on_fleet(bus, request)
        executors = [asked for asked in model.asked if asked.role == "executor"]
        return sizes("Muster", model.asked), sizes("  of it sub-agents", executors)


def calls_of(step: Step) -> list[ToolCall]:
    """Return what the flat loop does for a step; what a dialog said it takes from the answer to the dialog."""
    calls = (*parse_action(step.action), *parse_expectation(step.expected))
    return [call for call in calls if call.tool != "check_dialog"]


def used(test: TestCase) -> set[str]:
    """Return the tools that the flat loop will use."""
    calls = [call for step in test.steps for call in calls_of(step)]
    return {call.tool for call in calls} | {"snapshot", "finish"}


async def measure() -> list[Sizes]:
    """Run all ways, one after another."""
    async with shop() as base_url:
        needed = used(twelve(base_url))
        every = [tool.schema for tool in tools.TOOLS.values()]
        few = [tool.schema for tool in tools.TOOLS.values() if tool.name in needed]
        found = [
            await by_flat_loop(f"flat, all {len(every)} tools", base_url, every),
            await by_flat_loop(f"flat, only the {len(few)} it uses", base_url, few),
        ]
        return [*found, *await by_muster(base_url)]


def main() -> None:
    """Measure and print the table; exit 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    os.environ.setdefault("SECRET_SHOP_PASSWORD", PASSWORD)
    found = asyncio.run(measure())
    whole, lean, muster, agents = found
    if options.json:
        print(json.dumps([it._asdict() for it in found]))
    else:
        print(f"{'12 steps':<28}{'calls':>6}{'tokens':>10}{'largest':>9}   first call above 32k")
        print("\n".join(it.row() for it in found))
        print(f"Muster / flat: {muster.total / whole.total:.2f} with all tools (goal {GOAL_SHARE}), ", end="")
        share = f"{muster.total / lean.total:.2f}"
        print(f"{share} with only those it uses; largest sub-agent call {max(agents.calls)} (goal 8k)")
    if max(agents.calls) > GOAL_CALL or muster.total > GOAL_SHARE * whole.total:
        sys.exit("a goal is missed")


if __name__ == "__main__":
    main()
