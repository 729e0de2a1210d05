"""Reviews what a step has shown, given nothing but the expectation and the screens."""

from difflib import unified_diff
from typing import Literal

from msgspec import Struct

from muster_protocol.examiner_work import ClauseOpinion, ValidateInput, ValidateOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.question_messages import titled
from muster_subagent.kind_work.thought import Answer, answer_to, think_alone
from muster_subagent.task_context import TaskContext

LONGEST = 500
"""Characters of a reason."""


class NumberedOpinion(Struct, frozen=True, forbid_unknown_fields=True):
    """What a validator answers of one clause, by its number."""

    number: int
    holds: Literal["yes", "no", "unsure"]
    reason: str


class Opinions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a validator answers."""

    opinions: list[NumberedOpinion]


async def work(context: TaskContext) -> SubTaskResult:
    """Return whether each clause holds on the screen after the step."""
    asked = context.task.input
    assert isinstance(asked, ValidateInput)

    async def answer(asker: Asker) -> Answer:
        return _read_opinions(asked.clauses, await answer_to(asker, question(asked), Opinions))

    return await think_alone(context, answer)


def question(asked: ValidateInput) -> str:
    """Return the clauses and the screens as a validator reads them. Pure."""
    before, after = asked.screens.before, asked.screens.after
    changed = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    lines = [line for line in changed if line[:1] in "+-" and not line.startswith(("+++", "---"))]
    return titled(
        ("Expected", "\n".join(f"{number}. {clause}" for number, clause in enumerate(asked.clauses, 1))),
        ("Screen before (data)", before),
        ("Screen after (data)", after or "(nothing could be seen)"),
        ("Changed lines (data)", "\n".join(lines)[:2_000]),
    )


def _read_opinions(clauses: tuple[str, ...], found: Opinions) -> Answer:
    """Return an answer as the result holds it; of two opinions of one clause the worse counts. Pure."""
    worst = {"yes": 0, "unsure": 1, "no": 2}
    held: list[ClauseOpinion] = []
    for number, clause in enumerate(clauses, 1):
        mine = [it for it in found.opinions if it.number == number]
        said = max(mine, key=lambda it: worst[it.holds], default=None)
        opinion = ClauseOpinion(clause=clause)
        held.append(ClauseOpinion(clause=clause, holds=said.holds, reason=said.reason[:LONGEST]) if said else opinion)
    told = "; ".join(f"{it.holds}: {it.clause}" + (f" ({it.reason})" if it.holds != "yes" else "") for it in held)
    return Answer(told[:LONGEST], ValidateOutput(opinions=tuple(held)))
