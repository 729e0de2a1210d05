"""Creates a recording of an attempt: the calls that acted, kept a value or proved something, without mere tries.
Pure."""

import hashlib
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from muster_evidence.action_demands import find_unbound, is_called
from muster_evidence.proof import is_observation
from muster_protocol.causes import Failure
from muster_protocol.step_recordings import Described, RecordedCall, StepRecording, shape_of
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import CHANGING, ArgumentValue, Consequence, Touched
from muster_subagent.recordings.value_placeholders import (
    Ineligible,
    app_of,
    arguments_with,
    consequence_with,
    target_with,
    values_used,
)
from muster_subagent.results import Made, acts_of
from muster_subagent.tools.page_changes import without_numbers
from muster_subagent.tools.traits import Argument
from muster_text.clauses import literals
from muster_text.text_match import place_without
from muster_text.values import PLACEHOLDER, fill_known, placeholder_names
from muster_text.wording import PLAIN, stems, words

NAMING = (Argument.ELEMENT, Argument.KIND, Argument.PLACE, Argument.REF)
"""What arguments name the target of a call."""


def words_of(task: SubTask) -> str:
    """Return all words of a step that a person or a planner wrote."""
    return "\n".join((task.description, task.step.expected_result, *task.step.written))


def identity_of(task: SubTask, address: str) -> StepRecording:
    """Return what the key of a step's recording is made of; `address` is where the step begins."""
    step = task.step
    return StepRecording(
        action=task.description,
        expected=step.expected_result,
        precondition=step.precondition,
        device=step.device,
        app=app_of(address, step.values),
        shape=shape_of(placeholder_names(words_of(task)), step.values),
    )


def is_recordable(task: SubTask) -> bool:
    """Return whether an attempt at a sub-task can speak for the step: it began afresh and mends no other one."""
    fresh = task.attempt == 1 and not (task.answers or task.notice)
    return fresh and task.step.mended is None and not task.about


def recording_of(task: SubTask, identity: StepRecording, made: Sequence[Made], tokens: int) -> StepRecording:
    """Return the recording of an attempt that passed.

    Raises:
        Ineligible: it cannot be repeated as it was.
    """
    calls = recorded_calls(task, identity, made)
    if not calls and not is_observation(task.description):
        raise Ineligible("the model did nothing and checked nothing")
    screens = [_digest_of_screen(step.outcome.text) for step in made if step.tool.outline == "whole"]
    last = calls[-1].after.texts if calls else ()
    after = _digest_of_screen("\n".join(last)) if last else (screens or [""])[-1]
    return replace(identity, calls=calls, tokens=tokens, before=(screens or [""])[0], after=after)


def recorded_calls(task: SubTask, identity: StepRecording, made: Sequence[Made]) -> tuple[RecordedCall, ...]:
    """Return the calls of a model that count, as they are recorded; raises as `recording_of`."""
    own = [step for step in made if step.by_model]
    if any(step.outcome.failure == Failure.IN_FLIGHT_LOST for step in own):
        raise Ineligible("what one of its calls did is not known")
    if any("people" in step.tool.needs and step.tool.needs <= {"people"} for step in own):
        raise Ineligible("it asked a person")
    last = max((step.index for step in made if step.changes), default=-1)
    kept: list[RecordedCall] = []
    values, observes = _values_of(task, identity), is_observation(task.description)
    for step in own:
        ok = step.outcome.status == "ok"
        if (ok and step.effect in CHANGING) or (ok and step.outcome.captured):
            kept.append(recorded(task, step, values, optional=_is_optional(task, made, step)))
        elif ok and step.tool.waits and observes:  # the step asks for it: other waits only made up for a slow page
            kept.append(recorded(task, step, values))
        elif ok and step.effect == "check" and step.clause and step.index > last and not _by_ref_alone(step):
            check = recorded(task, step, values)
            kept += [check] if check not in kept else []
    refuse_namesakes(kept)
    return tuple(kept)


def refuse_namesakes(calls: Sequence[RecordedCall]) -> None:
    """Refuse calls that enter a value and press a button of that name: another value would look for another button.

    Raises:
        Ineligible: two of them do.
    """
    entered = {it for call in calls if call.does == "enter" for it in call.arguments.values() if isinstance(it, str)}
    for call in calls:
        name = call.target.name if call.target and call.target.role == "button" else ""
        if PLACEHOLDER.fullmatch(name) and name in entered:
            raise Ineligible(f"a button is called as {name}, which is entered as well, perhaps by accident")


def _values_of(task: SubTask, identity: StepRecording) -> dict[str, str]:
    used = values_used(f"{words_of(task)} {identity.app}", task.step.values)
    return {name: value.rstrip("/") if "://" in value else value for name, value in used.items()}


def recorded(task: SubTask, step: Made, values: Mapping[str, str], *, optional: bool = False) -> RecordedCall:
    """Return one call as it is recorded; raises as `recording_of`."""
    touched = step.outcome.touched if step.effect in CHANGING else None
    own = task.step.expected_result if step.effect == "check" else "\n".join((task.description, *task.step.written))
    target = target_with(described(touched, task), values, own) if touched is not None else None
    arguments = _without_target(step) if target is not None else _without_ref(step)
    after = step.outcome.consequence or Consequence()
    return RecordedCall(
        tool=step.call.tool,
        effect=step.effect,
        does=step.tool.does,
        arguments=arguments_with(arguments, values, own),
        target=target,
        clause=step.clause if step.effect == "check" else "",
        optional=optional,
        after=consequence_with(after, values),
    )


def described(touched: Touched, task: SubTask) -> Described:
    """Return the element that a call of a step touched as a recording describes it."""
    said = stems(words(fill_known(words_of(task), task.step.values)) - PLAIN)
    name = "" if touched.unnamed or not touched.names else touched.names[0]
    return Described(
        role=touched.role,
        name=name,
        aliases=tuple(one for one in touched.names if one != name),
        native=touched.native,
        place=place_without(touched.place, name),
        beside=tuple(without_numbers(one) for one in touched.beside) if any(touched.beside) else (),
        floating=touched.floating,
        framed=touched.framed,
        sole=touched.sole and not stems(words(touched.place) - PLAIN) & said,
    )


def naming_parameters(step_tool_marks: Mapping[str, tuple[object, ...]]) -> dict[Argument, str]:
    """Return the parameters with which a tool is told its target: the first of each kind."""
    return {kind: name for kind in NAMING if (name := next((it for it, m in step_tool_marks.items() if kind in m), ""))}


def _without_target(step: Made) -> dict[str, ArgumentValue]:
    naming = set(naming_parameters(step.tool.marks).values())
    return {name: value for name, value in step.call.arguments.items() if name not in naming and value is not None}


def _without_ref(step: Made) -> dict[str, ArgumentValue]:
    ref = naming_parameters(step.tool.marks).get(Argument.REF, "")
    if step.effect in CHANGING and step.call.arguments.get(ref):
        raise Ineligible(f"{step.call.tool} used a ref, and the device did not tell what that is")
    return {name: value for name, value in step.call.arguments.items() if name != ref and value is not None}


def _by_ref_alone(step: Made) -> bool:
    naming = naming_parameters(step.tool.marks)
    given = step.call.arguments
    return bool(given.get(naming.get(Argument.REF, ""))) and not given.get(naming.get(Argument.ELEMENT, ""))


def _is_optional(task: SubTask, made: Sequence[Made], act: Made) -> bool:
    """Return whether an act only cleared away what lay over the screen: it was there before anything was done, it went
    away, the screen stayed, and the step neither names it nor lacks anything without it."""
    touched, after = act.outcome.touched, act.outcome.consequence
    if touched is None or after is None or act.tool.does != "point" or not touched.floating:
        return False
    acts = [step for step in made if step.effect in CHANGING and step.outcome.status == "ok"]
    others = [step for step in acts if step is not act]
    if not after.closed or after.moved or not others or not _is_first(acts, act):
        return False
    names = [fill_known(name, task.step.values) for name in literals(words_of(task))]
    if any(is_called(own, name) for own in touched.names for name in names):
        return False
    captured = {name: value for step in made for name, value in step.outcome.captured.items()}
    return not find_unbound(task.description, acts_of(task, others, captured), {**task.step.values, **captured})


def _is_first(acts: Sequence[Made], act: Made) -> bool:
    """Return whether nothing was done on this screen before, except for clearing away others of its kind."""
    for before in reversed([step for step in acts if step.index < act.index]):
        after, touched = before.outcome.consequence, before.outcome.touched
        if after is not None and after.moved:
            return True
        if touched is None or not touched.floating or after is None or not after.closed:
            return False
    return True


def _digest_of_screen(text: str) -> str:
    """Return a short digest of a screen as models read it, without refs and numbers."""
    return hashlib.sha256(without_numbers(text).encode(errors="surrogatepass")).hexdigest()[:12]
