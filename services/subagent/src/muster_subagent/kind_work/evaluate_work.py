"""Evaluates a failed step and decides what the run does next."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol.causes import Cause
from muster_protocol.kinds import Decision, EvaluateInput, EvaluateOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.question_messages import titled
from muster_subagent.kind_work.thought import Answer, answer_to, think
from muster_subagent.results import blank
from muster_subagent.task_context import TaskContext


class Evaluation(Struct, frozen=True, forbid_unknown_fields=True):
    """What an evaluator answers."""

    action: Literal["continue", "recover", "replan", "retry", "stop", "wait"]
    reason: str
    cause: Literal["product", "environment", "agent"]
    recovery: str
    recovery_expected: str
    hint: str = ""


async def work(context: TaskContext) -> SubTaskResult:
    """Return what to do about a failed step; without a model, or an answer of it, the run stops."""
    failed_step, asker = context.task.input, context.asker()
    assert isinstance(failed_step, EvaluateInput)
    if asker is None:
        return _stop(replace(blank(context.task), source="script"), "no model is set")

    async def answer(asker: Asker) -> Answer:
        return _answer(await answer_to(asker, question(failed_step), Evaluation))

    result = await think(context, asker, answer)
    return result if result.status == "pass" else _stop(result, f"no evaluation: {result.summary}")


def question(failed: EvaluateInput) -> str:
    """Return the failed step as an evaluator reads it. Pure."""
    told = (
        ("Failed", f"{failed.action}: {failed.summary}"),
        ("Kind of failure", str(failed.failure or "")),
        ("Expected", failed.expected),
        ("Seen", failed.seen),
        ("Where", failed.where),
        ("Recoveries before", str(failed.recoveries or "")),
    )
    happened = [failed.state, *(f"{name}: {text[:600]}" for name, text in told if text)]
    return titled(
        ("The sub-task that failed", failed.action),
        ("What it expects; a recovery must not bring this about", failed.expected_result),
        ("Whether you may have the rest planned again", "yes" if failed.may_replan else "no"),
        ("What else you may decide", " ".join(_allowed(failed))),
        ("What happened, the failure last", "\n".join(filter(None, happened))),
    )


def _allowed(failed: EvaluateInput) -> tuple[str, ...]:
    return (*(("wait",) if failed.may_wait else ()), *(("retry",) if failed.may_retry else ()))


def _answer(found: Evaluation) -> Answer:
    recovers = found.action == "recover"
    decision = Decision(
        action=found.action,
        reason=found.reason,
        cause=Cause(found.cause),
        recovery=found.recovery if recovers else "",
        recovery_expected=found.recovery_expected if recovers else "",
        hint=found.hint if found.action == "retry" else "",
    )
    return Answer(f"{found.action}: {found.reason}", EvaluateOutput(decision=decision))


def _stop(result: SubTaskResult, reason: str) -> SubTaskResult:
    output = EvaluateOutput(decision=Decision(action="stop", reason=reason))
    return replace(result, status="pass", failure=None, cause=None, summary=reason, output=output)
