"""Examining a plan: is it complete, in order, without needless or risky steps?"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from muster_protocol.examiner_work import CritiqueInput, CritiqueOutput, PlanIssue
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.question_messages import titled
from muster_subagent.kind_work.thought import Answer, answer_to, think_alone
from muster_subagent.task_context import TaskContext

MOST, LONGEST = 20, 500
"""Issues and suggestions that are kept, and characters of each."""


class Issue(Struct, frozen=True, forbid_unknown_fields=True):
    """An issue as a critic answers it; step 0: none in particular."""

    kind: Literal["incomplete", "order", "needless", "risky"]
    step: int
    text: str


class PlanCritique(Struct, frozen=True, forbid_unknown_fields=True):
    """What a critic answers."""

    verdict: Literal["approve", "revise"]
    issues: list[Issue]
    suggestions: list[str]
    confidence: Annotated[float, Meta(ge=0, le=1)]


async def work(context: TaskContext) -> SubTaskResult:
    """Return what is wrong with a plan."""
    asked = context.task.input
    assert isinstance(asked, CritiqueInput)

    async def answer(asker: Asker) -> Answer:
        return _read_critique(await answer_to(asker, question(asked), PlanCritique))

    return await think_alone(context, answer)


def question(asked: CritiqueInput) -> str:
    """Return the case and its plan as a critic reads them. Pure."""
    case = asked.case
    written = "\n".join(
        f"{number}. {step.action}" + (f" (expected: {step.expected})" if step.expected else "")
        for number, step in enumerate(case.steps, 1)
    )
    planned = "\n".join(f"- {_covered(node.covers)}{node.description}" for node in asked.plan.nodes)
    return titled(
        ("Test case", case.name),
        ("Already true before step 1", "\n".join(f"- {text}" for text in case.preconditions)),
        ("Steps as written", written),
        ("Plan", planned),
    )


def _read_critique(found: PlanCritique) -> Answer:
    """Return an answer as the result holds it. Pure."""
    issues = tuple(PlanIssue(kind=it.kind, step=max(0, it.step), text=it.text[:LONGEST]) for it in found.issues[:MOST])
    output = CritiqueOutput(
        issues=issues,
        suggestions=tuple(text[:LONGEST] for text in found.suggestions[:MOST]),
        confidence=found.confidence,
        revise=found.verdict == "revise",
    )
    told = "; ".join(f"{it.kind}: {it.text}" for it in issues) or "no issues"
    return Answer(f"{found.verdict} ({found.confidence:.0%} sure): {told}"[:LONGEST], output)


def _covered(steps: tuple[int, ...]) -> str:
    return f"step {', '.join(str(index + 1) for index in steps)}: " if steps else "added: "
