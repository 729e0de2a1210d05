"""What a report shows of a step that a sentence of one's own stands for."""

import pytest

from muster_protocol.causes import Cause
from muster_protocol.events import PlanMade, RunOpened, VerdictReached
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase, Written
from muster_protocol.verdicts import Verdict
from muster_views.history import History, fold_events
from muster_views.html.written_plan import build_groups
from muster_views.outcome import build_outcome
from muster_views.own_sentences import describe_written
from muster_views.summaries import describe_failure

STEPS = (
    Step(action="Press Tab"),
    Step(action='Open "u"', written=Written(action='Log in as "a"', expected="The cart is empty", steps=2)),
    Step(action='Click "Log in"', expected="The page shows it"),
    Step(action="Press Enter", expected='The text "x" is visible'),
)


@pytest.mark.parametrize(
    ("index", "said"),
    [
        (0, ""),
        (1, 'Log in as "a" → The cart is empty (part 1 of 2)'),
        (2, 'Log in as "a" → The cart is empty (part 2 of 2)'),
        (3, ""),
    ],
)
def test_a_step_tells_the_sentence_it_is_part_of(index: int, said: str):
    assert describe_written(STEPS, index) == said


def failed_run() -> History:
    nodes = tuple(
        PlanNode(id=f"s{number}", description=step.action, expected_result=step.expected, covers=(number,))
        for number, step in enumerate(STEPS)
    )
    verdict = Verdict(run="r", name="A", status="fail", cause=Cause.PRODUCT, failed_node="s2", expected="it", seen="no")
    opened = RunOpened(
        request=RunRequest(id="r", job=TestCase(name="A", steps=STEPS)), owner="o", message=1, delivery=1
    )
    return fold_events(
        [(1.0, opened), (2.0, PlanMade(plan=Plan(nodes=nodes))), (3.0, VerdictReached(verdict=verdict))], "r"
    )


def test_a_fail_and_the_page_of_a_run_show_what_was_written():
    history = failed_run()
    details = dict(describe_failure(build_outcome(history)))
    assert details["as written"] == 'Log in as "a" → The cart is empty (part 2 of 2)'
    assert details["failed"] == 'step 3: Click "Log in"'
    shown = [group.written[0].own for group in build_groups(history, {})]
    assert [bool(own) for own in shown] == [False, True, True, False]
