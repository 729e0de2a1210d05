"""Repeats the calls of a recording: each finds its target anew, acts once, and must do what it did; else it misses."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from muster_devices.actions import Target
from muster_devices.errors import DeviceRefused
from muster_devices.observations import FindElements, ReadPlace, Wait
from muster_protocol.narrowing import Narrowing, Relation
from muster_protocol.step_recordings import Described, RecordedCall, StepRecording
from muster_protocol.tool_calls import CHANGING, ArgumentValue, ToolCall
from muster_subagent.recordings.call_recorder import naming_parameters
from muster_subagent.recordings.target_match import Found, Missed, find_target, use_of
from muster_subagent.recordings.value_placeholders import filled_path, filled_target
from muster_subagent.results import Made
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools import declared
from muster_subagent.tools.device_calls import look_until
from muster_subagent.tools.page_changes import path_of
from muster_subagent.tools.tool import Tool
from muster_subagent.tools.traits import Argument
from muster_text.text_match import squash
from muster_text.values import UnknownValue, fill_known


class Replayed(NamedTuple):
    """How far a replay came."""

    made: int
    """Recorded calls that are done, those left out as optional included."""
    miss: Missed | None = None
    refuted: Made | None = None
    """The check that does not hold, or the capture that got nothing: nothing of that kind is ever healed."""
    other: bool = False
    """The last call was an act that did something else than it did: no model can undo that, so none takes over."""
    skipped: int = 0
    """Optional calls whose target was not there."""


async def replay(executor: ToolExecutor, recording: StepRecording, *, fresh: bool) -> Replayed:
    """Repeat the calls of a recording, in order, up to the first that misses or does not hold.

    `fresh`: no model was asked yet; else what a holder before has begun is taken over, and nothing more is looked for.

    Raises:
        SessionLost, Fenced, ClaimLost: the sub-task is not this worker's any more.
    """
    skipped = 0
    for number, recorded in enumerate(recording.calls):
        call = await _next_call(executor, recorded, fresh=fresh)
        if isinstance(call, Missed):
            if recorded.optional and call.reason == "none":
                skipped += 1
                continue
            return Replayed(number, call, skipped=skipped)
        made = await executor.make(call, by_model=True, replayed=True)
        if made.outcome.status != "ok":
            if recorded.effect in CHANGING:
                return Replayed(number, Missed("not_eligible", made.outcome.text), skipped=skipped)
            return Replayed(number, refuted=made, skipped=skipped)
        if (other := await _differs(executor, recorded, made)) is not None:
            return Replayed(number + 1, other, skipped=skipped, other=True)
    return Replayed(len(recording.calls), skipped=skipped)


async def _next_call(executor: ToolExecutor, recorded: RecordedCall, *, fresh: bool) -> ToolCall | Missed:
    """Return the call to make now: the one that a holder before has begun, or one with its target found anew."""
    tool = declared(executor.tools, recorded.tool)
    if tool.effect != recorded.effect:
        return Missed(
            "changed",
            f"the effect of {recorded.tool} was {recorded.effect!r} when it was recorded, and is {tool.effect!r} now",
        )
    begun = executor.announced()
    if begun is not None:
        if _is_the_same(tool, recorded, begun, executor):
            return begun
        return Missed("none" if recorded.optional else "changed", "a worker that held it before went on differently")
    if not fresh:
        return Missed("changed", "a worker that held it before has asked the model")
    plain = ToolCall(tool=recorded.tool, arguments=dict(recorded.arguments), clause=recorded.clause)
    if recorded.target is None:
        return plain
    try:
        target = filled_target(recorded.target, executor.values)
    except UnknownValue as error:
        return Missed("changed", str(error))
    try:
        place = await _narrowed(executor, recorded, target)
    except DeviceRefused as error:
        return Missed("not_eligible", error.text)
    if isinstance(place, Missed):
        return place
    return replace(plain, arguments={**plain.arguments, **_naming(tool, place)})


async def _narrowed(executor: ToolExecutor, recorded: RecordedCall, target: Described) -> Target | Missed:
    """Return words that mean the recorded target alone, once it is on the screen and can be used."""
    context = executor.context
    device, use = await context.session.device(), use_of(recorded.does, target)
    named = Target(name=target.name or next(iter(target.aliases), ""), role=target.role)
    limit = 0.0 if recorded.optional else context.action_timeout
    seen = await look_until(
        context,
        FindElements(target=named, use=use),
        lambda seen: isinstance(find_target(target, seen), Found),
        limit,
    )
    found = find_target(target, seen)
    if isinstance(found, Missed):
        return found
    if "${" in found.element.name:
        return Missed("not_eligible", f"the name of {target.words()} looks like a placeholder")
    if found.total == 1:
        return named
    if any(element.box is None for element in seen.matches):  # of several frames, where numbers say nothing
        return Missed("ambiguous", f"{found.total} elements are called {target.words()}, some in other frames")
    inside = replace(named, relations=(Relation("in", target.place),))
    if target.place:
        part = await device.look(FindElements(target=inside, use=use), Wait())
        if part.total == 1 and part.matches[0].box == found.element.box:
            return inside
    return replace(named, ordinal=found.number)


def _naming(tool: Tool, target: Target) -> dict[str, ArgumentValue]:
    """Return a target as the arguments of a tool."""
    narrowing = Narrowing(ordinal=target.ordinal, relations=target.relations).argument()
    given = {Argument.ELEMENT: target.name, Argument.KIND: target.role, Argument.PLACE: narrowing}
    naming = naming_parameters(tool.marks)
    return {naming[kind]: value for kind, value in given.items() if value and kind in naming}


def _is_the_same(tool: Tool, recorded: RecordedCall, begun: ToolCall, executor: ToolExecutor) -> bool:
    """Return whether a call that was begun is the recorded one."""
    naming = naming_parameters(tool.marks)
    rest = {name: value for name, value in begun.arguments.items() if name not in naming.values()}
    if (begun.tool, begun.clause) != (recorded.tool, recorded.clause):
        return False
    if recorded.target is None:
        return begun.arguments == recorded.arguments
    name = squash(fill_known(recorded.target.name or next(iter(recorded.target.aliases), ""), executor.values))
    return rest == recorded.arguments and squash(str(begun.arguments.get(naming[Argument.ELEMENT], ""))) == name


async def _differs(executor: ToolExecutor, recorded: RecordedCall, made: Made) -> Missed | None:
    """Return in what a repeated act did other than it did: another element, another page, a dialog more or less."""
    now, was = made.outcome.consequence, recorded.after
    touched, target = made.outcome.touched, recorded.target
    if touched is not None and target is not None and touched.role != target.role and not touched.names:
        return Missed("changed", f"it acted on a {touched.role}, not on {target.words()}")
    if now is None or not (was.path or was.dialog):
        return None
    if now.dialog != was.dialog:
        return Missed("changed", f"{recorded.words()} {'opened a' if now.dialog else 'opened no'} dialog")
    wanted = squash(filled_path(recorded, executor.values))
    if not was.path or squash(now.path) == wanted:
        return None
    path = await _late_path(executor, wanted)
    return None if path == wanted else Missed("changed", f"{recorded.words()} led to {path}, not to {wanted}")


async def _late_path(executor: ToolExecutor, wanted: str) -> str:
    """Return the path of the page, once it is the wanted one or as it is in the end: some redirects take long."""
    there = await look_until(
        executor.context,
        ReadPlace(),
        lambda at: squash(path_of(at.place.address)) == wanted,
        executor.context.action_timeout,
    )
    return squash(path_of(there.place.address))


def note_of(recording: StepRecording, replayed: Replayed, made: Sequence[Made]) -> str:
    """Return what the model that takes over is told."""
    assert replayed.miss is not None
    done = [f"- {step.call.tool}: {step.outcome.text[:200]}" for step in made if step.changes and _worked(step)]
    before = "\n".join(["Done already, not to be done again:", *done, ""]) if done else ""
    missed = recording.calls[min(replayed.made, len(recording.calls) - 1)]
    return f"{before}What was done next when this step last passed: {missed.words()}. Now: {replayed.miss.why}."


def _worked(step: Made) -> bool:
    return step.outcome.status == "ok"
