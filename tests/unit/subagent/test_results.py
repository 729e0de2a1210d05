"""What comes of a script: a result made of its calls and their outcomes."""

from typing import Any

import pytest
from envelopes import a_task

from muster_protocol import codec
from muster_protocol.causes import Cause, Failure
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, ToolCall, ToolOutcome
from muster_subagent.results import Made, blank, concluded, failed, first_line
from muster_subagent.tools import TOOLS

TITLE = 'The page title is "Shop"'
TEXT = 'The text "Order ${order}" is visible'


def task(expected: str = "", **more: Any) -> SubTask:
    return a_task(id="r.n.2", run="r", node="n", attempt=2, dispatch=5, expected_result=expected, **more)


def made(
    index: int,
    tool: str = "click",
    *,
    clause: str = "",
    status: Any = "ok",
    **outcome: Any,
) -> Made:
    arguments = outcome.pop("arguments", {"text": "Shop"})
    call = ToolCall(tool=tool, arguments=arguments, clause=clause)
    return Made(index, call, TOOLS[tool], ToolOutcome(status=status, **outcome))


def check(index: int, clause: str = TITLE, **more: Any) -> Made:
    return made(index, "check_title", clause=clause, **more)


def conclude(wanted: SubTask, *steps: Made, complete: bool = True) -> SubTaskResult:
    return concluded(wanted, steps, complete=complete, seconds=1.5)


def test_a_script_whose_checks_all_hold_passes_with_its_evidence():
    result = conclude(task(TITLE), made(0), check(1, expected="Shop", seen="Shop", where="http://shop/"))

    assert (result.status, result.failure, result.cause) == ("pass", None, None)
    assert (result.task, result.node, result.attempt, result.summary) == ("r.n.2", "n", 2, TITLE)
    [evidence] = result.step.evidence
    assert (evidence.clause, evidence.check, evidence.call, evidence.passed) == (TITLE, "check_title", 1, True)
    assert (evidence.expected, evidence.seen, evidence.where) == ("Shop", "Shop", "http://shop/")
    assert (result.usage.calls, result.usage.seconds, result.source) == (2, 1.5, "phrase")


def test_a_check_that_is_false_fails_it_as_the_products_and_says_what_was_expected_and_seen():
    result = conclude(task(TITLE), made(0), check(1, status="failed", expected='"Shop"', seen="Sorry\nand more"))

    assert (result.status, result.failure, result.cause) == ("fail", Failure.EXPECTATION_FALSE, Cause.PRODUCT)
    assert result.summary == 'expected "Shop"; seen: Sorry'
    assert (result.expected, result.seen) == ('"Shop"', "Sorry\nand more")
    assert not result.step.evidence[0].passed


def test_a_check_that_met_an_alert_of_the_product_says_no_and_one_that_found_nothing_says_neither():
    failures = (Failure.EXPECTATION_FALSE, Failure.ELEMENT_MISSING)
    results = [conclude(task(TITLE), made(0), check(1, status="error", failure=failure)) for failure in failures]
    assert [result.step.evidence[0].unmade for result in results] == [False, True]


def test_a_check_that_says_nothing_of_what_it_wanted_is_told_by_its_clause():
    result = conclude(task(TITLE), check(0, status="failed", seen="Sorry"))

    assert (result.summary, result.expected) == (f"expected {TITLE}; seen: Sorry", TITLE)


def test_where_nothing_was_expected_the_call_says_what_went_wrong():
    told = "http://127.0.0.1:9/ cannot be reached: connection refused"
    result = conclude(task(TITLE), made(0, status="error", text=told, seen="connection refused"), check(1))

    assert (result.summary, result.expected, result.seen) == (told, "", "connection refused")


@pytest.mark.parametrize(
    ("failure", "cause"),
    [
        (Failure.SERVER_ERROR, Cause.PRODUCT),
        (Failure.UNREACHABLE, Cause.ENVIRONMENT),
        (Failure.TARGET_UNCLEAR, Cause.AGENT),
    ],
)
def test_a_call_that_could_not_be_done_fails_it_by_its_own_kind(failure: Failure, cause: Cause):
    result = conclude(task(TITLE), made(0, status="error", failure=failure, text="no such button\n(details)"))

    assert (result.status, result.failure, result.cause) == ("fail", failure, cause)
    assert result.summary == "no such button"


def test_an_error_of_no_kind_is_the_agents():
    assert conclude(task(TITLE), made(0, status="error", text="?")).cause == Cause.AGENT


def test_the_first_that_went_wrong_is_told():
    result = conclude(task(), made(0, status="error", text="first"), made(1, status="error", text="second"))
    assert result.summary == "first"


def test_a_script_that_was_not_carried_through_never_passes():
    result = conclude(task(TITLE), made(0), complete=False)

    assert (result.status, result.failure) == ("fail", Failure.NO_EVIDENCE)


def test_a_step_that_expects_nothing_passes_unverified_if_each_act_showed_its_effect():
    result = conclude(task(), made(0, text="Clicked; the URL changed"), made(1, text="Typed"))

    assert (result.status, result.unverified, result.summary) == ("pass", True, "Typed")


@pytest.mark.parametrize(
    ("tool", "failure"), [("click", Failure.NO_EVIDENCE), ("execute_command", Failure.COMMAND_FAILED)]
)
def test_a_step_that_expects_nothing_fails_if_an_act_did_not_show_its_effect(tool: str, failure: Failure):
    result = conclude(task(), made(0, tool, confirmed=False, text="nothing changed"))

    assert (result.status, result.failure) == ("fail", failure)
    assert result.summary == f"{tool} did not show its effect: nothing changed"


def test_a_command_that_failed_is_summed_up_with_what_it_said():
    text = "Exit code 2 after 0.1 s.\n" + "built a part\n" * 500 + "stderr:\nno rule to make target 'shop'"
    result = conclude(task(), made(0, "execute_command", confirmed=False, text=text))

    assert result.summary.startswith("execute_command did not show its effect: Exit code 2 after 0.1 s. built a part")
    assert result.summary.endswith("no rule to make target 'shop'")
    assert len(result.summary) < 600


def test_with_an_expectation_the_expectation_decides_about_a_doubtful_act():
    assert conclude(task(TITLE), made(0, confirmed=False), check(1)).status == "pass"


@pytest.mark.parametrize(
    ("tools", "last", "acted"),
    [
        (("remember", "check_title"), -1, False),
        (("type", "check_title"), 0, False),
        (("click", "remember", "type", "check_title"), 2, True),
        (("click", "check_title"), 0, True),
    ],
)
def test_what_changed_anything_last_and_whether_anything_cannot_be_repeated(
    tools: tuple[str, ...], last: int, *, acted: bool
):
    steps = [made(index, tool) for index, tool in enumerate(tools)]
    result = conclude(task(), *steps)

    assert (result.last_act, result.acted) == (last, acted)


def test_what_was_captured_is_handed_on_and_stands_in_evidence_and_summary():
    remember = made(0, "remember", captured={"order": "4711"})
    result = conclude(task(TEXT), remember, check(1, TEXT, arguments={"text": "Order ${order}"}))

    assert result.step.captured == {"order": "4711"}
    assert result.step.evidence[0].arguments == '{"text":"Order 4711"}'
    assert result.step.evidence[0].clause == TEXT
    assert result.summary == 'The text "Order 4711" is visible'


def test_values_from_before_and_secrets_in_arguments_are_filled_and_kept():
    arguments = {"texts": ["${user}", "${secret:PIN}"], "count": 3}
    result = conclude(task(TITLE, values={"user": "Ada"}), check(0, arguments=arguments))

    assert codec.decode(result.step.evidence[0].arguments, dict) == {"texts": ["Ada", "${secret:PIN}"], "count": 3}


def test_a_check_for_a_value_nobody_knows_fails_the_sub_task_and_not_the_worker():
    wrong = check(
        0, TEXT, status="error", failure=Failure.INVALID_CALL, arguments={"text": "Order ${order}"}, text="no ${order}"
    )
    result = conclude(task(TEXT), wrong)

    assert (result.status, result.cause, result.summary) == ("fail", Cause.AGENT, "no ${order}")
    assert result.step.evidence[0].arguments == '{"text":"Order ${order}"}'


def test_several_clauses_are_all_told_of_each_once():
    result = conclude(task(f"{TITLE} and {TEXT}"), check(0), check(1, TEXT), check(2, TEXT), check(3))
    assert result.summary == f"{TITLE}; {TEXT}"


def test_artifacts_of_all_calls_go_with_the_result():
    refs = [ArtifactRef(name=f"r/n/{index}.png", sha256="0", size=1) for index in range(2)]
    result = conclude(task(TITLE), made(0, artifacts=(refs[0],)), check(1, artifacts=(refs[1],)))

    assert result.artifacts == tuple(refs)
    assert result.step.evidence[0].artifacts == (refs[1],)


def test_a_result_stays_small_whatever_was_seen():
    huge = "x" * 300_000
    wrong = check(1, status="failed", expected=huge, seen=f"begin {huge} end", text=huge)
    result = conclude(task(TITLE), *(check(index, seen=huge) for index in range(30)), wrong)

    assert len(codec.encode(result)) < 100_000
    assert result.seen.startswith("begin x")
    assert result.seen.endswith("x end")


def test_a_first_line_is_short_and_one_line():
    assert first_line("  one\ntwo") == "one"
    assert first_line("") == ""
    assert len(first_line("x" * 500)) == 200


def test_a_blank_result_fails_until_somebody_says_otherwise():
    result = failed(blank(task()), Failure.TIMED_OUT, "too slow")

    assert blank(task()).status == "fail"
    assert (result.status, result.cause, result.summary) == ("fail", Cause.AGENT, "too slow")
