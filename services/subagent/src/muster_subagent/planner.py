"""Planning without a model: the steps as written, every sentence parsed before anything is touched. Pure."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from muster_grammar import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_grammar.unread_sentences import unread_in
from muster_protocol.causes import Failure
from muster_protocol.kinds import PlanInput, PlanOutput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import TestCase
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolCall
from muster_subagent.results import blank, failed
from muster_subagent.tools.regular_expressions import RegularExpression
from muster_subagent.tools.tool import ToolError
from muster_subagent.tools.tool_catalogue import TOOLS, declared
from muster_text.values import placeholder_names, secret_names


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
    if refused := patterns_refused(case):
        return failed(blank(task), Failure.INVALID_CALL, "; ".join(refused))
    if unread := unread_in(case):
        return failed(blank(task), Failure.UNKNOWN_PHRASE, "; ".join(unread))
    return replace(blank(task), status="pass", summary="the steps as written", output=PlanOutput(plan=as_written(case)))


def patterns_refused(case: TestCase) -> list[str]:
    """Return why regular expressions in a case cannot be run; those with values in them are seen to when these are."""
    problems: list[str] = []
    for number, step in enumerate(case.steps, 1):
        for call in (*_calls_of(parse_action, step.action), *_calls_of(parse_expectation, step.expected)):
            for pattern in declared(TOOLS, call.tool).patterns(call.arguments):
                if not (placeholder_names(pattern) or secret_names(pattern)) and (wrong := _refusal_of(pattern)):
                    problems.append(f"step {number}: {wrong}")
    return problems


def _calls_of(parse: Callable[[str], tuple[ToolCall, ...]], text: str) -> tuple[ToolCall, ...]:
    try:
        return parse(text)
    except PhraseError:
        return ()


def _refusal_of(pattern: str) -> str:
    try:
        RegularExpression(pattern)
    except ToolError as error:
        return str(error)
    return ""


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
        used = set(placeholder_names(f"{node.description} {node.expected_result}")) - case.variables.keys()
        before = [*last.values()] if used else [last.get(node.session, ready)]
        made.append(replace(node, needs=tuple(id for id in before if id)))
        last[node.session] = node.id
        ready = node.id if node.precondition else ready
    return Plan(nodes=tuple(made))
