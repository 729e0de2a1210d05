"""Rules for the validator: clauses that rest on a look alone are looked at again, by someone who has not acted.

It can doubt a clause or deny it, which makes the step's pass unproven. It proves nothing.
"""

from msgspec.structs import replace

from muster_evidence.looks import clauses_by_look
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim, with_cause
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.fails import pass_over
from muster_orchestrator.machine.jobs.test_case.knowledge import is_checked_by, state_of, values_for
from muster_protocol.causes import Failure
from muster_protocol.examiner_work import Screens, ValidateInput, ValidateOutput
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult
from muster_text.values import fill_known

DESCRIPTION = "Look again at what the step has shown"


def brief(run: Run, node: Node) -> ValidateInput:
    """Return the clauses that rest on a look alone, and the screens."""
    about = run.graph[node.about]
    assert about.result is not None, "what is validated has passed"
    step, values = about.result.step, values_for(run, about)
    known = {**values, **step.captured}
    clauses = tuple(fill_known(clause, known) for clause in clauses_by_look(about.result, values))
    return ValidateInput(clauses=clauses, screens=step.screens or Screens())


def absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Let the step pass for good, or fail it as unproven: without an opinion, too."""
    state, about = state_of(run), run.graph.get(node.about)
    run = replace(run, job=replace(state, unvalidated=tuple(id for id in state.unvalidated if id != node.about)))
    if about is None or about.result is None or about.status != "passed":
        return run
    kept = without_screens(about.result)
    doubt = _find_doubt(run, node, result)
    if not doubt:
        return run.with_node(replace(about, result=kept))
    failed = replace(kept, status="fail", failure=Failure.NO_EVIDENCE, summary=doubt, cause=None)
    failed = with_cause(replace(failed, expected=failed.expected or about.plan.expected_result))
    results = tuple(failed if it.task == failed.task else it for it in run.results)
    about = replace(about, status="failed", result=failed)
    return pass_over(replace(run, results=results).with_node(about), about)


RULES = KindRules(brief, accept_claim, absorb)


def _find_doubt(run: Run, node: Node, result: SubTaskResult) -> str:
    """Return why a step is unproven after all, or ""."""
    if result.status != "pass" or not isinstance(result.output, ValidateOutput):
        return f"nobody could look again at what a look alone has shown: {result.summary}"
    opinions = {opinion.clause: opinion for opinion in result.output.opinions}
    for clause in brief(run, node).clauses:
        opinion = opinions.get(clause)
        if opinion is None or opinion.holds != "yes":
            reason = opinion.reason if opinion else "it says nothing of it"
            verb = "denies" if opinion and opinion.holds == "no" else "doubts"
            return f"the validator {verb} {clause!r}, which rests on a look alone: {reason}"
    return ""


def wants_validation(run: Run, node: Node, result: SubTaskResult) -> bool:
    """Return whether the validator has to look at a step that has passed."""
    looked = not node.backtrack_to and is_checked_by(run, "validator")
    return looked and bool(clauses_by_look(result, values_for(run, node)))


def await_validation(run: Run, node: Node) -> Run:
    """Return the run with a step that waits for the validator; steps after it go on meanwhile."""
    state = state_of(run)
    return replace(run, job=replace(state, unvalidated=(*state.unvalidated, node.plan.id)))


def validations_due(run: Run) -> tuple[Node, ...]:
    """Return the validations that are not dispatched yet."""
    return tuple(
        Node(plan=PlanNode(id=_id(run, id), description=DESCRIPTION, kind="validate", session=""), about=id)
        for id in state_of(run).unvalidated
        if _id(run, id) not in run.graph
    )


def without_screens(result: SubTaskResult) -> SubTaskResult:
    """Return a step's result without the screens, which only the validator reads."""
    return replace(result, output=replace(result.step, screens=None)) if result.step.screens else result


def _id(run: Run, node: str) -> str:
    return f"{node}-v{run.graph[node].attempt}"
