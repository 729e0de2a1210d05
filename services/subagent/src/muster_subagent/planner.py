"""Planning without a model: the steps as written, every sentence parsed before anything is touched. Pure."""

from msgspec.structs import replace

from muster_protocol.causes import Failure
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Step, TestCase
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tools import ToolCall
from muster_subagent.phrases import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_subagent.results import blank, failed


def calls_for(task: SubTask) -> tuple[ToolCall, ...]:
    """Return the script of a sub-task: its actions, then its checks.

    Raises:
        PhraseError: a sentence is no known phrase, or can be read in more than one way.
    """
    actions = parse_precondition(task.description) if task.precondition else parse_action(task.description)
    return (*actions, *parse_expectation(task.expected_result)) if task.expected_result.strip() else actions


def planned(task: SubTask) -> SubTaskResult:
    """Return the plan of a test case as a result, or a fail that names every sentence that cannot be read."""
    case = task.job
    assert isinstance(case, TestCase), "only test cases are planned"
    unread = _unread(case)
    if unread:
        return failed(blank(task), Failure.UNKNOWN_PHRASE, "; ".join(unread))
    return replace(blank(task), status="pass", summary="the steps as written", plan=Plan(nodes=_nodes(case)))


def _unread(case: TestCase) -> list[str]:
    problems: list[str] = []
    for number, text in enumerate(case.preconditions, 1):
        try:
            parse_precondition(text)
        except PhraseError as error:
            problems.append(f"precondition {number}: {error}")
    for number, step in enumerate(case.steps, 1):
        problems += [f"step {number}: {error}" for error in _errors(step)]
    return problems


def _errors(step: Step) -> list[str]:
    found: list[str] = []
    for parse, text in ((parse_action, step.action), (parse_expectation, step.expected)):
        try:
            if text.strip():
                parse(text)
        except PhraseError as error:
            found.append(str(error))
    return found


def _nodes(case: TestCase) -> tuple[PlanNode, ...]:
    width = len(str(max(len(case.steps), len(case.preconditions))))
    nodes = [
        PlanNode(id=f"pre-{number:0{width}d}", description=text, precondition=True)
        for number, text in enumerate(case.preconditions, 1)
    ]
    nodes += [
        PlanNode(
            id=f"step-{index + 1:0{width}d}",
            covers=(index,),
            description=step.action,
            expected_result=step.expected,
        )
        for index, step in enumerate(case.steps)
    ]
    chain = ["", *(node.id for node in nodes)]
    return tuple(replace(node, needs=(before,) if before else ()) for before, node in zip(chain, nodes, strict=False))
