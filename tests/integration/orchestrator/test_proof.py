"""What a worker's phrases check is what the orchestrator's judge wants checked: the two were never introduced."""

from envelopes import a_task, with_output

from muster_grammar import PHRASES, parse_expectation
from muster_orchestrator.machine.jobs.test_case.judge import judge_step
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.results import Made, concluded
from muster_subagent.tools import TOOLS
from muster_text.clauses import split_clauses

EXAMPLES = sorted({example for phrase in PHRASES if phrase.kind == "expectation" for example in phrase.examples})
MORE = (
    'The title is "A and B", and the text "C" is visible; the URL ends with "/done"',
    'The page shows "A", "B" and "C"',
    "The text 'it is \"5\" o’clock' is visible",
    r'The text "C:\temp\new" is visible',
    'The text "Order ${order} of ${user}" is visible',
    'The "Password" field contains "${secret:PIN}"',
    'The page title is "Shop".\nThe text "Basket (3)" is visible.',
)
VALUES = {
    "order": '4711 "quoted"',
    "user": "Füße",
    "base_url": "http://127.0.0.1:8000",
    "base": "http://127.0.0.1:8000",
}


def passed(expected: str) -> SubTaskResult:
    """Return the result of a script whose checks all hold, as the orchestrator judges it."""
    names = {name: VALUES.get(name, name) for name in (*VALUES, "total", "file", "count", "value", "name", "text")}
    task = a_task(id="r.n.1", run="r", node="n", attempt=1, dispatch=1, expected_result=expected, values=names)
    made = [
        Made(at, call, TOOLS[call.tool], ToolOutcome(status="ok"))
        for at, call in enumerate(parse_expectation(expected))
    ]
    result = concluded(task, made, complete=True, seconds=1.0)
    assert result.status == "pass"
    return judge_step(PlanNode(id="n", description="d", expected_result=expected), result, names)


def test_checks_made_of_a_known_phrase_prove_it():
    for expected in (*EXAMPLES, *MORE):
        result = passed(expected)

        assert result.status == "pass", (expected, result.summary)
        assert {evidence.clause for evidence in result.step.evidence} == set(split_clauses(expected))


def test_leaving_out_any_clause_proves_nothing():
    for expected in (*EXAMPLES, *MORE):
        result = passed(expected)
        node = PlanNode(id="n", description="d", expected_result=expected)
        for clause in split_clauses(expected):
            rest = tuple(evidence for evidence in result.step.evidence if evidence.clause != clause)
            claimed = with_output(result, evidence=rest)
            assert judge_step(node, claimed, VALUES).status == "fail", (expected, clause)
