"""Planning without a model: the steps as written, every sentence parsed before anything is touched. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_grammar import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_protocol.causes import Failure
from muster_protocol.kinds import PlanInput, PlanOutput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Step, TestCase
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolCall
from muster_subagent.results import blank, failed
from muster_text.values import names


def calls_for(task: SubTask) -> tuple[ToolCall, ...]:
    """Return the script of a sub-task: its actions, then its checks.

    Raises:
        PhraseError: a sentence is no known phrase, or can be read in more than one way.
    """
    actions = parse_precondition(task.description) if task.step.precondition else parse_action(task.description)
    return (*actions, *parse_expectation(task.step.expected_result)) if task.step.expected_result.strip() else actions


def planned(task: SubTask) -> SubTaskResult:
    """Return the plan of a test case as a result, or a fail that names every sentence that cannot be read."""
    assert isinstance(task.input, PlanInput), "only test cases are planned"
    case = task.input.case
    unread = unread_in(case)
    if unread:
        return failed(blank(task), Failure.UNKNOWN_PHRASE, "; ".join(unread))
    return replace(blank(task), status="pass", summary="the steps as written", output=PlanOutput(plan=as_written(case)))


def unread_in(case: TestCase) -> list[str]:
    """Return what is wrong with each sentence of a case that is no known phrase."""
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


def as_written(case: TestCase) -> Plan:
    """Return the plan of a case as it is written: preconditions, then a sub-task for each step."""
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
            session=step.session,
        )
        for index, step in enumerate(case.steps)
    ]
    return chained(case, nodes)


def chained(case: TestCase, nodes: Sequence[PlanNode]) -> Plan:
    """Return a plan in which each sub-task waits for what it builds upon: the one before it in its session, the last
    precondition, and, if it uses a value that no variable of the case gives, the last one of each other session."""
    last: dict[str, str] = {}
    made: list[PlanNode] = []
    ready = ""
    for node in nodes:
        used = set(names(f"{node.description} {node.expected_result}")) - case.variables.keys()
        before = [*last.values()] if used else [last.get(node.session, ready)]
        made.append(replace(node, needs=tuple(id for id in before if id)))
        last[node.session] = node.id
        ready = node.id if node.precondition else ready
    return Plan(nodes=tuple(made))
