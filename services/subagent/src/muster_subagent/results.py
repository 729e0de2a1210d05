"""Builds the result of a script from its calls and outcomes. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from msgspec.structs import replace

from muster_evidence.proof import combine_acts
from muster_protocol.causes import Failure
from muster_protocol.facts import Act, Evidence
from muster_protocol.kinds import StepOutput
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import CHANGING, Effect, Obstacle, ToolCall, ToolOutcome, Touched, Usage
from muster_subagent.tools.intents import intended_act, intended_capture, intended_check
from muster_subagent.tools.tool import Tool
from muster_subagent.tools.traits import Argument
from muster_text.text_match import both_ends, squash
from muster_text.values import UnknownValue, fill_arguments, fill_known

_FILLING = ("enter", "choose", "key")
REFUSALS = 10
"""Refused calls that a result tells of."""
LONGEST = 2_000
"""Characters of what was expected or seen that go into a result: all results of a run go into its verdict, which
must fit into one message."""


@dataclass(frozen=True)
class Made:
    """A call that was made: its index in the journal, the tool's declaration, and what came of it."""

    index: int
    call: ToolCall
    tool: Tool
    outcome: ToolOutcome
    by_model: bool = False
    """A model chose the call; else the case's own words did."""

    @property
    def effect(self) -> Effect:
        """What repeating it would do."""
        return self.tool.effect

    @property
    def clause(self) -> str:
        """The clause it speaks of: the one it was made for, or the very statement that a look was asked about."""
        if self.call.clause or self.tool.relation != "judged":
            return self.call.clause
        return next(
            (str(it) for name, it in self.call.arguments.items() if Argument.WANTED in self.tool.marks[name]), ""
        )

    @property
    def changes(self) -> bool:
        """Whether it may have changed something; what was refused has not."""
        return self.effect in CHANGING and self.outcome.failure != Failure.NOT_PERMITTED


def concluded(task: SubTask, made: Sequence[Made], *, complete: bool, seconds: float) -> SubTaskResult:
    """Return the result of a script; `complete` says that every call was made and none stopped it."""
    facts = facts_of(task, made, seconds)
    stopper = next((step for step in made if step.outcome.status != "ok"), None)
    if stopper is not None:
        return _stopped(facts, stopper)
    if not complete:
        return failed(facts, Failure.NO_EVIDENCE, "not every call was made")
    doubtful = next((step for step in made if not step.outcome.confirmed), None)
    if task.step.expected_result.strip():
        values = {**task.step.values, **facts.step.captured}
        return replace(facts, status="pass", summary=fill_known(_proof(facts.step.evidence), values))
    if doubtful is not None:
        usual = Failure.COMMAND_FAILED if doubtful.tool.does == "run" else Failure.NO_EVIDENCE
        return failed(
            facts,
            doubtful.outcome.failure or usual,
            f"{doubtful.call.tool} did not show its effect: {explanation(doubtful.outcome.text)}",
        )
    last = first_line(made[-1].outcome.text) if made else "nothing to do"
    return replace(facts, status="pass", unverified=True, summary=last)


def failed(facts: SubTaskResult, failure: Failure, summary: str) -> SubTaskResult:
    """Return a result as a fail of the given kind."""
    return replace(facts, status="fail", failure=failure, cause=failure.cause, summary=summary)


def blank(task: SubTask) -> SubTaskResult:
    """Return a failed result with nothing in it yet."""
    return SubTaskResult(task=task.id, node=task.node, attempt=task.attempt, status="fail", summary="", source="phrase")


def first_line(text: str) -> str:
    """Return the first line of a text, shortened."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 200 else line[:199] + "…"


def explanation(text: str) -> str:
    """Return the first line of an outcome's text, and in short what is below it, where a program says why it failed."""
    below = both_ends(squash(text.strip().partition("\n")[2]), 300)
    return f"{first_line(text)} {below}".strip()


def shortened(text: str) -> str:
    """Return at most `LONGEST` characters of a text, from both its ends."""
    return both_ends(text, LONGEST)


def facts_of(task: SubTask, made: Sequence[Made], seconds: float) -> SubTaskResult:
    """Return a failed result with all that the calls show: evidence, captured values, what was changed and spent."""
    changes = [step.index for step in made if step.changes]
    captured = {name: value for step in made for name, value in step.outcome.captured.items()}
    return replace(
        blank(task),
        output=StepOutput(
            captured=captured,
            evidence=tuple(evidence_of(task, step, captured) for step in made if step.clause),
            acts=acts_of(task, made, captured),
            captures=tuple(
                intended_capture(step.tool, step.call, name, by="model" if step.by_model else "phrase")
                for step in made
                for name in step.outcome.captured
            ),
            place=_place_of(made),
        ),
        refusals=refusals_of(made),
        last_act=max(changes, default=-1),
        acted=any(step.effect == "act" and step.changes for step in made),
        obstacle=_only_obstacle(made),
        usage=_spent(made, seconds),
        artifacts=tuple(artifact for step in made for artifact in step.outcome.artifacts),
    )


def _place_of(made: Sequence[Made]) -> str | None:
    """Return the address that the newest call on the device tells of; a change that tells none makes it unknown."""
    used = [step for step in made if "device" in step.tool.needs]
    newest = next((step for step in reversed(used) if step.outcome.where or step.changes), None)
    return newest.outcome.where if newest is not None else "" if used else None


def _only_obstacle(made: Sequence[Made]) -> Obstacle | None:
    """Return what was in the way of the last call, if that is the only one that was to change something."""
    acts = [step for step in made if step.changes]
    return acts[0].outcome.obstacle if len(acts) == 1 and acts[0] is made[-1] else None


def refusals_of(made: Sequence[Made]) -> tuple[str, ...]:
    """Return the calls that were not permitted, each in a line with the reason."""
    refused = (step for step in made if step.outcome.failure == Failure.NOT_PERMITTED)
    return tuple(f"{step.call.tool}: {first_line(step.outcome.text)}" for step in islice(refused, REFUSALS))


def _spent(made: Sequence[Made], seconds: float) -> Usage:
    spent = Usage(calls=len(made), seconds=seconds)
    for step in made:
        spent = spent.plus(step.outcome.usage) if step.outcome.usage else spent
    return spent


def _filled(task: SubTask, call: ToolCall, captured: Mapping[str, str]) -> ToolCall:
    try:
        return replace(call, arguments=fill_arguments(call.arguments, {**task.step.values, **captured}))
    except UnknownValue:  # the call said so itself, as its outcome
        return call


def acts_of(task: SubTask, made: Sequence[Made], captured: Mapping[str, str]) -> tuple[Act, ...]:
    """Return all state-changing calls where a model chose one of them, or one could not be made; refused ones too. A
    script's are the case's own words."""
    acts = [step for step in made if step.effect in CHANGING]
    if not any(step.by_model or step.outcome.status == "error" for step in acts):
        return ()
    return tuple(act_of(task, step, captured) for step in acts)


def entered_by(task: SubTask, made: Sequence[Made], captured: Mapping[str, str]) -> tuple[str, ...]:
    """Return the texts that calls have put into fields of the device, keys that were pressed as one text."""
    acts = combine_acts([act_of(task, step, captured) for step in made if step.tool.does in _FILLING])
    return tuple(text for act in acts for text in act.entered if text)


def act_of(task: SubTask, step: Made, captured: Mapping[str, str]) -> Act:
    """Return a state-changing call as the result lists it: with the element as the device knew it."""
    act, outcome = intended_act(step.tool, _filled(task, step.call, captured)), step.outcome
    touched = outcome.touched or Touched()
    return replace(
        act,
        call=step.index,
        by="model" if step.by_model else "phrase",
        status="ok" if outcome.status == "ok" else "refused" if outcome.failure == Failure.NOT_PERMITTED else "error",
        failure=outcome.failure,
        target=tuple(dict.fromkeys((*act.target, *touched.names))),
        place=tuple(dict.fromkeys((*act.place, *((touched.place,) if touched.place else ())))),
        role=touched.role or act.role,
        confirmed=outcome.confirmed,
        pictured=outcome.strategy == "picture" and touched.unnamed,
    )


def evidence_of(task: SubTask, step: Made, captured: Mapping[str, str]) -> Evidence:
    """Return what a check shows of its clause; an alert of the product in its way says no."""
    return replace(
        intended_check(step.tool, _filled(task, step.call, captured)),
        call=step.index,
        clause=step.clause,
        passed=step.outcome.status == "ok",
        unmade=step.outcome.status == "error" and step.outcome.failure != Failure.EXPECTATION_FALSE,
        grounded=step.tool.relation == "judged" and step.outcome.failure == Failure.EXPECTATION_FALSE,
        by="model" if step.by_model else "phrase",
        expected=shortened(step.outcome.expected),
        seen=shortened(step.outcome.seen),
        where=step.outcome.where,
        artifacts=step.outcome.artifacts,
    )


def _stopped(facts: SubTaskResult, stopper: Made) -> SubTaskResult:
    outcome = stopper.outcome
    failure = outcome.failure or (Failure.EXPECTATION_FALSE if outcome.status == "failed" else Failure.INVALID_CALL)
    wanted = outcome.expected or stopper.call.clause
    if wanted and (outcome.expected or outcome.seen):
        summary = f"expected {first_line(wanted)}; seen: {first_line(outcome.seen) or 'nothing'}"
    else:  # it was to do something, not to show something
        summary = first_line(outcome.text or outcome.seen)
    result = failed(facts, failure, summary)
    expected = shortened(wanted)
    return replace(result, expected=expected, seen=shortened(outcome.seen), where=outcome.where)


def _proof(evidence: Sequence[Evidence]) -> str:
    clauses = list(dict.fromkeys(item.clause for item in evidence))
    return first_line("; ".join(clauses))
