"""Rules for the element detector: where a step did not find its element and has sent nothing, a picture is looked at.

What it finds goes to the next attempt, which acts on it only if names still find nothing. It proves nothing, and is
asked once a step.
"""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.fails import needs_evaluation
from muster_orchestrator.machine.jobs.test_case.knowledge import case_of, values_for
from muster_protocol.detector_work import LocateInput, LocateOutput
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult
from muster_text.text_match import both_ends

DESCRIPTION = "Find the element in a picture"
LONGEST = 300
"""Characters of why nothing was found, as the step's fail tells it."""


def brief(run: Run, node: Node) -> LocateInput:
    """Return the step and what it has looked for."""
    about, case = run.graph[node.about], case_of(run)
    assert about.result is not None, "what is looked for was not found"
    return LocateInput(
        action=about.plan.description,
        sought=about.result.step.sought,
        values=values_for(run, about),
        domains=case.domains,
        secrets=case.secrets,
    )


def absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Have the step tried again with what was found; else its fail stands, and says what the picture showed."""
    about = run.graph.get(node.about)
    if result.status != "pass":
        run = run.with_result(result)
    if about is None or about.status != "failing" or about.result is None:
        return run
    found = result.output if isinstance(result.output, LocateOutput) else LocateOutput(why=result.summary)
    if result.status == "pass" and found.located is not None:
        return run.with_node(replace(about, status="waiting", located=found.located))
    summary = f"{about.result.summary} (by picture: {both_ends(found.why or result.summary, LONGEST)})"
    return run.with_node(replace(about, result=replace(about.result, summary=summary)))


RULES = KindRules(brief, accept_claim, absorb)


def detections_due(run: Run) -> tuple[Node, ...]:
    """Return the detection for a step that has failed for want of its element."""
    for node in run.graph.with_status("failing"):
        if _is_sought(run, node) and _id(node) not in run.graph:
            plan = PlanNode(id=_id(node), description=DESCRIPTION, kind="locate", session=node.plan.session)
            return (Node(plan=plan, about=node.plan.id),)
    return ()


def awaits_detection(run: Run, node: Node) -> bool:
    """Return whether the detection for a failed step is due or in progress."""
    detection = run.graph.get(_id(node))
    return _is_sought(run, node) and (detection is None or detection.status not in ("passed", "failing", "failed"))


def _is_sought(run: Run, node: Node) -> bool:
    """Return whether a picture may show what a failed step did not find; its session must be as it was."""
    if not needs_evaluation(node) or node.located is not None or node.result is None:
        return False
    return bool(node.result.step.sought) and node.plan.session in run.sessions.open


def _id(node: Node) -> str:
    return f"{node.plan.id}-d"
