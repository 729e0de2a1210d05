"""Rules for plans that a person must approve before they are carried out. Pure."""

from muster_orchestrator.machine.core.job import Fail
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.knowledge import state_of
from muster_protocol.causes import Cause
from muster_protocol.events import Asked
from muster_protocol.plans import Plan
from muster_text.text_match import both_ends

YES = frozenset({"yes", "y", "ok", "approve", "approved", "ja"})
LONGEST = 4_000
"""Characters of a plan in a question."""


def ask_approval(run: Run) -> tuple[Asked, ...]:
    """Return the question whether a plan may be carried out, once it is there and if it has to be asked."""
    plan, id = state_of(run).plan, _question_id(run)
    known = {*run.people.answers, *(question.id for question in run.people.asks)}
    if plan is None or not (run.request and run.request.approve_plan) or id in known:
        return ()
    risks = [f"- {risk.text}" for risk in state_of(run).risks]
    risky = "\n".join(("Cannot be taken back:", *risks)) if risks else ""
    told = both_ends("\n".join(filter(None, (describe(plan), risky))), LONGEST)
    return (Asked(question=id, text=f"Carry out this plan? Answer yes or no.\n{told}"),)


def check_approval(run: Run) -> Fail | None:
    """Return why the run ends, if a person has said no."""
    said = run.people.answers.get(_question_id(run)) if run.request and run.request.approve_plan else None
    if said is None or said.strip().rstrip(".!").casefold() in YES:
        return None
    return Fail(Cause.CANCELLED, f"the plan was not approved: {both_ends(said, 500)}")


def describe(plan: Plan) -> str:
    """Return a plan in plain words, a line for each sub-task."""
    several = len({node.session for node in plan.nodes}) > 1
    lines: list[str] = []
    for number, node in enumerate(plan.nodes, 1):
        first = "Precondition: " if node.precondition else "Added: " if not node.covers else ""
        by = f" [{node.session}]" if several else ""
        expects = f" (expects: {' '.join(node.expected_result.split())})" if node.expected_result else ""
        lines.append(f"{number}. {first}{' '.join(node.description.split())}{by}{expects}")
    return both_ends("\n".join(lines), LONGEST)


def _question_id(run: Run) -> str:
    return f"{run.request.id if run.request else ''}:plan"
