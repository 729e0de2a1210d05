"""Tools of conversations and triggers: what an agent can see of the fleet and have done by it, with others' rights.

A call that starts something names itself as its idempotency key, so that a worker that takes over starts nothing twice.
"""

import asyncio
import time
from collections.abc import Awaitable
from typing import Annotated, Literal, TypeVar

from msgspec import Meta

from muster_api import FleetApi, FleetRefusal, run_texts
from muster_api.fleet_api import Explored
from muster_devices.screens.bundled_apps import BundledApp, bundled_device
from muster_grammar import find_phrases as phrases_with
from muster_protocol.causes import Failure
from muster_protocol.device_control import LONGEST_MINUTES
from muster_protocol.explorations import REMOTE_KEYS
from muster_protocol.graphs import NewEdge, NewNode
from muster_protocol.logs import RunStatus
from muster_protocol.requests import DeviceSpec
from muster_protocol.stored_cases import CaseFormat
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import NOTHING, Argument

T = TypeVar("T")
LONGEST_WAIT = 30
"""Seconds that an answer may wait for a run, and so hold its slot."""
POLL_SECONDS = 1.0
Text = Annotated[str, Argument.OPTION]
CaseText = Annotated[str, Meta(description="The case file as text"), Argument.OPTION]
Form = Annotated[CaseFormat, Argument.OPTION]
StateId = Annotated[str, Meta(description="Id of a state of the map"), Argument.OPTION]
PhoneName = Annotated[
    str, Meta(max_length=100, description="A phone by its name, as show_fleet tells"), Argument.OPTION
]
RunId = Annotated[str, Meta(description="Id of a run, such as run-3f9c0a1b"), Argument.OPTION]


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def show_runs(
    ctx: ToolContext,
    text: Annotated[str, Meta(description="Part of a name, id or summary"), Argument.OPTION] = "",
    suite: Text = "",
    status: Annotated[Literal[""] | RunStatus, Argument.OPTION] = "",
    limit: Annotated[int, Meta(ge=1, le=50), Argument.OPTION] = 10,
) -> ToolOutcome:
    """List the newest runs, with their ids."""
    rows = await _ask(_fleet(ctx).rows(status=status, suite=suite, text=text, limit=limit))
    return _told(run_texts.describe_rows(rows))


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def show_run(
    ctx: ToolContext, run: RunId, wait_seconds: Annotated[int, Meta(ge=0, le=LONGEST_WAIT), Argument.OPTION] = 0
) -> ToolOutcome:
    """Show a run: its verdict or state, why it failed, what it asks, its sub-tasks; wait for its end up to 30 s."""
    fleet, ends = _fleet(ctx), time.monotonic() + wait_seconds
    while True:
        view = await _ask(fleet.show(run))
        left = ends - time.monotonic()
        if view.verdict is not None or view.questions or left <= 0:
            return _told(run_texts.describe_run(view))
        await asyncio.sleep(min(POLL_SECONDS, left))


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def lead_to(ctx: ToolContext, run: RunId) -> ToolOutcome:
    """Lead the person's console to the page of a run."""
    if not ctx.leads:
        raise ToolError(
            "this conversation cannot open pages for a person: name the run instead", failure=Failure.INVALID_CALL
        )
    return _told((await _ask(_fleet(ctx).show(run))).run.run)


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def show_step(ctx: ToolContext, run: RunId, step: Text) -> ToolOutcome:
    """Show one sub-task of a run: the evidence of each clause, and every call it made."""
    return _told(run_texts.describe_step(await _ask(_fleet(ctx).node(run, step))))


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def show_cases(
    ctx: ToolContext, text: Annotated[str, Meta(description="Part of an id or name"), Argument.OPTION] = ""
) -> ToolOutcome:
    """List the cases that the fleet keeps, by the ids with which start_stored_case starts them."""
    return _told(run_texts.describe_cases(await _ask(_fleet(ctx).cases()), text))


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def show_health(ctx: ToolContext, suite: Text = "") -> ToolOutcome:
    """Show which tests are broken, flaky or healthy over their newest runs, and which fails are alike."""
    return _told(run_texts.describe_health(await _ask(_fleet(ctx).health(suite))))


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def show_fleet(ctx: ToolContext) -> ToolOutcome:
    """Show the processes of the fleet, the devices they have, and the sessions that are open."""
    fleet = _fleet(ctx)
    return _told(run_texts.describe_fleet(await _ask(fleet.workers()), await _ask(fleet.sessions())))


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def look_up_phrases(
    _ctx: ToolContext,
    words: Annotated[list[str], Meta(description="Words that a sentence must have"), Argument.OPTION],
) -> ToolOutcome:
    """Find sentences for cases that run without a model, with an example of each."""
    return _told(run_texts.describe_phrases(phrases_with(words)[:25]))


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def examine_case(ctx: ToolContext, text: CaseText, form: Form = "yaml") -> ToolOutcome:
    """Check cases without running them: what is wrong and where, and which sentences need a model."""
    return _told(run_texts.describe_check(await _ask(_fleet(ctx).check(text, form))))


@tool(effect="read", group="fleet", needs=NOTHING, page=False)
async def show_draft(ctx: ToolContext, run: RunId) -> ToolOutcome:
    """Show the case that a run of ask_for_draft has written."""
    return _told(run_texts.describe_draft(await _ask(_fleet(ctx).drafted(run))))


@tool(effect="act", group="fleet", needs=NOTHING, page=False, does="request", rejoinable=True)
async def ask_for_draft(ctx: ToolContext, instructions: Text, url: Text = "") -> ToolOutcome:
    """Have a case drafted from instructions, with a look at the product at the url; it does not run by itself."""
    return _begun((await _ask(_fleet(ctx).draft(instructions, url, ctx.call))).run)


@tool(effect="act", group="fleet", needs=NOTHING, page=False, does="request", rejoinable=True, unattended=True)
async def repeat_run(ctx: ToolContext, run: RunId) -> ToolOutcome:
    """Start a test that has run before, exactly as it was submitted; the result is a new run."""
    return _begun((await _ask(_fleet(ctx).steer(run, "rerun", key=ctx.call))).run)


@tool(effect="act", group="fleet", needs=NOTHING, page=False, does="request", rejoinable=True, unattended=True)
async def start_stored_case(
    ctx: ToolContext, case: Annotated[str, Meta(description="Its id, such as TC_AUTH_01"), Argument.OPTION]
) -> ToolOutcome:
    """Start a case that the fleet keeps, in its newest version."""
    started = await _ask(_fleet(ctx).start_stored(case, ctx.call))
    return _begun(*(it.run for it in started))


@tool(effect="act", group="fleet", needs=NOTHING, page=False, does="request", rejoinable=True)
async def start_case(ctx: ToolContext, text: CaseText, form: Form = "yaml") -> ToolOutcome:
    """Start new cases against the real product; examine_case them first."""
    started = await _ask(_fleet(ctx).start(text, form, ctx.call))
    return _begun(*(it.run for it in started))


@tool(effect="act", group="fleet", needs=NOTHING, page=False, does="request", rejoinable=True)
async def start_exploration(
    ctx: ToolContext,
    url: Annotated[str, Meta(description="Where a web app begins"), Argument.OPTION] = "",
    app: Annotated[
        Literal[""] | BundledApp, Meta(description="A simulated device in place of an address"), Argument.OPTION
    ] = "",
    phone: Annotated[
        str,
        Meta(max_length=100, description="A phone of the fleet by its name, or `any`: the app that its host opens"),
        Argument.OPTION,
    ] = "",
    max_steps: Annotated[int, Meta(ge=1, le=5_000), Argument.OPTION] = 200,
) -> ToolOutcome:
    """Explore a web app, a phone or a simulated device: its states, what can be done in each, and what goes wrong."""
    if sum(map(bool, (url, app, phone))) != 1:
        raise ToolError("give either url, app or phone, and only one of them", failure=Failure.INVALID_CALL)
    device = bundled_device(app) if app else None
    if phone:
        device = DeviceSpec(kind="appium", name="" if phone == "any" else phone)
    keys = REMOTE_KEYS if app == "set-top-box" else ()
    explored = Explored(url=url, device=device, max_steps=max_steps, keys=keys)
    return _begun((await _ask(_fleet(ctx).explore(explored, ctx.call))).run)


@tool(effect="idempotent", group="fleet", needs=NOTHING, page=False, does="request")
async def take_control(
    ctx: ToolContext,
    phone: PhoneName,
    minutes: Annotated[int, Meta(ge=1, le=LONGEST_MINUTES), Argument.OPTION] = 30,
) -> ToolOutcome:
    """Keep a phone for the runs of this conversation, for so many minutes; asking again prolongs that."""
    lease = await _ask(_fleet(ctx).take_control(phone, minutes))
    return _told(f"phone {lease.phone} is kept for the runs of this conversation for {minutes} minutes")


@tool(effect="idempotent", group="fleet", needs=NOTHING, page=False, does="request")
async def give_control_back(ctx: ToolContext, phone: PhoneName) -> ToolOutcome:
    """Give back a phone that take_control has kept for this conversation."""
    await _ask(_fleet(ctx).give_control_back(phone))
    return _told(f"phone {phone} is free for others")


@tool(effect="idempotent", group="fleet", needs=NOTHING, page=False, does="request")
async def create_node(
    ctx: ToolContext,
    run: RunId,
    id: Annotated[str, Meta(description="New id of the state"), Argument.OPTION],
    title: Annotated[str, Argument.OPTION],
    address: Annotated[str, Argument.OPTION] = "",
) -> ToolOutcome:
    """Add a state to the map that an exploration (its run) has made."""
    made = await _ask(_fleet(ctx).create_node(run, NewNode(id=id, title=title, address=address)))
    return _told(f"added: state {made.id}")


@tool(effect="idempotent", group="fleet", needs=NOTHING, page=False, does="request")
async def create_edge(
    ctx: ToolContext,
    run: RunId,
    source: StateId,
    target: StateId,
    tapped: Annotated[str, Meta(description="Name of what is tapped in the source"), Argument.OPTION],
    *,
    role: Annotated[Literal["button", "link", "tab", "menuitem"], Argument.OPTION] = "button",
) -> ToolOutcome:
    """Add a way between two states to the map that an exploration (its run) has made."""
    edge = NewEdge(source=source, target=target, role=role, name=tapped)
    made = await _ask(_fleet(ctx).create_edge(run, edge))
    return _told(f"added: {made.role} {made.name!r} leads from {made.source} to {made.target}")


@tool(effect="idempotent", group="fleet", needs=NOTHING, page=False, does="request", unattended=True)
async def pause_run(ctx: ToolContext, run: RunId) -> ToolOutcome:
    """Pause a run: what is under way finishes, nothing new begins until a person resumes it."""
    return _told(f"pause: {(await _ask(_fleet(ctx).steer(run, 'pause'))).run}")


@tool(effect="idempotent", group="fleet", needs=NOTHING, page=False, does="request")
async def control_run(
    ctx: ToolContext,
    run: RunId,
    action: Annotated[Literal["cancel", "pause", "resume", "answer"], Argument.OPTION],
    text: Annotated[str, Meta(description="The answer, or the reason to cancel"), Argument.OPTION] = "",
) -> ToolOutcome:
    """Cancel, pause or resume a run, or answer what it asks."""
    return _told(f"{action}: {(await _ask(_fleet(ctx).steer(run, action, text))).run}")


def _fleet(ctx: ToolContext) -> FleetApi:
    if ctx.fleet is None:
        raise ToolError("only agents of conversations and of triggers can ask the fleet", failure=Failure.INVALID_CALL)
    return ctx.fleet


async def _ask(answer: Awaitable[T]) -> T:
    """Return what the fleet answers.

    Raises:
        ToolError: it refuses, or cannot be reached.
    """
    try:
        return await answer
    except FleetRefusal as error:
        told = run_texts.name_tools(str(error), show_run.name, show_runs.name)
        raise ToolError(told, failure=Failure.INVALID_CALL) from error


def _told(text: str) -> ToolOutcome:
    return ToolOutcome(status="ok", text=text)


def _begun(*runs: str) -> ToolOutcome:
    return _told(f"started: {', '.join(runs)}; show_run shows how it goes")
