"""A claimed pass is accepted only with evidence for every clause, made after the last act."""

from typing import Any

import pytest
from driven import EXPECTED
from envelopes import result_of
from msgspec.structs import replace

from muster_orchestrator.machine import Node, Run
from muster_orchestrator.machine.core.kind_rules import accept_claim
from muster_orchestrator.machine.jobs.test_case.judge import judge_step
from muster_protocol.causes import Cause, Failure
from muster_protocol.facts import Act, Capture, Evidence
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult
from muster_text.clauses import literals, split_clauses

TWO = 'The page title is "Demo shop" and the text "Basket" is visible'
FIRST, SECOND = 'The page title is "Demo shop"', 'the text "Basket" is visible'


def saw(clause: str, *literals: str, call: int = 3, passed: bool = True) -> Evidence:
    return Evidence(
        clause=clause,
        check="check_text",
        arguments=repr(literals),
        call=call,
        passed=passed,
        by="phrase",
        about="page",
        relation="contains",
        wanted=literals,
    )


def judge(expected: str, *evidence: Evidence, values: dict[str, str] | None = None, **more: Any) -> SubTaskResult:
    kind = more.pop("kind", "step")
    made: dict[str, Any] = {"status": "pass", "summary": "all well", "evidence": evidence, "last_act": 2}
    node = PlanNode(id="n", description="Do it", expected_result=expected, kind=kind)
    claimed = result_of("r.n.1", kind=kind, **(made | more))
    return judge_step(node, claimed, values or {}) if kind == "step" else accept_claim(Run(), Node(plan=node), claimed)


def refused(result: SubTaskResult) -> str:
    assert (result.status, result.failure, result.cause) == ("fail", Failure.NO_EVIDENCE, Cause.AGENT)
    return result.summary


def test_a_pass_with_evidence_for_every_clause_after_the_last_act_stands():
    result = judge(TWO, saw(FIRST, "Demo shop"), saw(SECOND, "Basket"))

    assert (result.status, result.failure, result.cause, result.summary) == ("pass", None, None, "all well")


def test_a_pass_without_any_evidence_is_refused():
    assert "nothing was checked for 'The page title is" in refused(judge(EXPECTED))


def test_a_pass_with_evidence_of_another_clause_alone_is_refused():
    assert f"nothing was checked for {SECOND!r}" in refused(judge(TWO, saw(FIRST, "Demo shop", "Basket")))


def test_evidence_must_name_the_clause_verbatim():
    refused(judge(EXPECTED, saw(EXPECTED.lower(), "Demo shop")))


@pytest.mark.parametrize("call", [0, 2])
def test_a_check_made_before_the_last_act_or_by_it_proves_nothing(call: int):
    assert "before the last action" in refused(judge(EXPECTED, saw(EXPECTED, "Demo shop", call=call)))


def test_a_check_that_did_not_hold_refutes_the_pass_that_claims_it():
    said = refused(judge(TWO, saw(FIRST, "Demo shop"), saw(SECOND, "Basket", passed=False)))
    assert "did not hold" in said


def test_one_check_that_holds_does_not_outweigh_one_that_does_not():
    refused(judge(EXPECTED, saw(EXPECTED, "Demo shop"), saw(EXPECTED, "Demo shop", passed=False)))


def test_a_check_that_did_not_look_for_the_quoted_literal_proves_nothing():
    assert "did not look for 'Demo shop'" in refused(judge(EXPECTED, saw(EXPECTED, "Another shop")))


def test_only_stated_facts_say_what_was_looked_for():
    named = replace(saw(EXPECTED, "anything"), arguments='{"text":"Demo shop"}', expected="Demo shop", seen="Demo shop")
    assert "did not look for 'Demo shop'" in refused(judge(EXPECTED, named))


def test_a_number_in_quotes_may_be_a_number_in_the_check():
    clause = 'The exit code is "0"'
    check = replace(saw(clause), check="check_exit_code", about="exit", relation="is")

    assert judge(clause, replace(check, wanted=(0,))).status == "pass"
    refused(judge(clause, replace(check, wanted=(10,))))


@pytest.mark.parametrize("expected", [EXPECTED, "The page is in order"])
def test_a_check_of_which_nothing_is_known_proves_nothing(expected: str):
    check = Evidence(clause=expected, check="check_title", call=3, passed=True)
    assert "is not a check" in refused(judge(expected, check))
    assert "is not a check" in refused(judge(expected, replace(saw(expected, *literals(expected)), about="unknown")))


def test_all_literals_of_a_clause_must_be_looked_for_but_not_by_one_check():
    clause = 'The list shows "A", "B" and "C"'

    assert judge(clause, saw(clause, "A"), saw(clause, "B", "C")).status == "pass"
    assert "did not look for 'B'" in refused(judge(clause, saw(clause, "A", "C")))


def test_literals_with_placeholders_are_compared_as_what_they_stand_for():
    clause = 'The text "Order ${order}" is visible'

    assert judge(clause, saw(clause, "Order 4711"), values={"order": "4711"}).status == "pass"
    refused(judge(clause, saw(clause, "Order ${order}"), values={"order": "4711"}))


def test_a_literal_with_an_unknown_placeholder_is_never_proven():
    clause = 'The text "${order}" is visible'
    refused(judge(clause, saw(clause, "${order}")))


def test_a_secret_in_a_literal_stays_a_placeholder_on_both_sides():
    clause = 'The field holds "${secret:PIN}"'

    assert judge(clause, saw(clause, "${secret:PIN}")).status == "pass"


@pytest.mark.parametrize("literal", ["tab\tstop", 'a "quoted" word', "Füße — 数", "back\\slash"])
def test_literals_are_compared_as_text_whatever_json_makes_of_them(literal: str):
    clause = f"The text “{literal}” is visible"

    assert judge(clause, saw(clause, literal)).status == "pass"


def test_a_step_that_expects_nothing_passes_only_if_it_says_that_it_is_unverified():
    assert judge("", unverified=True).status == "pass"
    assert "expects nothing" in refused(judge("", unverified=False))


@pytest.mark.parametrize("expected", [".", " \n ", "- "])
def test_an_expectation_of_no_words_is_not_proven_by_claiming_so(expected: str):
    refused(judge(expected))


def test_claiming_to_be_unverified_does_not_pass_a_step_that_expects_something():
    refused(judge(EXPECTED, unverified=True))


def test_a_refused_pass_says_what_was_expected():
    assert judge(EXPECTED).expected == EXPECTED


@pytest.mark.parametrize("kind", ["summarise", "noop"])
def test_kinds_that_prove_nothing_are_not_asked_for_evidence(kind: str):
    assert judge("", kind=kind).status == "pass"


def test_an_evaluation_without_a_decision_cannot_be_used():
    result = judge("", kind="evaluate")

    assert (result.status, result.failure, result.cause) == ("fail", Failure.UNPARSABLE, Cause.AGENT)


def test_a_fail_keeps_its_kind_and_gets_the_cause_of_that_kind_whatever_it_claims():
    result = judge(EXPECTED, status="fail", failure=Failure.UNREACHABLE, cause=Cause.PRODUCT)

    assert (result.status, result.failure, result.cause) == ("fail", Failure.UNREACHABLE, Cause.ENVIRONMENT)


def test_a_fail_of_no_kind_is_the_agents():
    assert judge(EXPECTED, status="fail").cause == Cause.AGENT


def test_a_cancelled_sub_task_has_the_cause_cancelled_even_if_it_names_no_kind():
    assert judge(EXPECTED, status="cancelled").cause == Cause.CANCELLED


def precondition(**more: Any) -> SubTaskResult:
    node = PlanNode(id="n", description="The shop is open", precondition=True)
    return judge_step(node, result_of("r.n.1", **({"summary": "", "status": "fail"} | more)), {})


@pytest.mark.parametrize("failure", [Failure.EXPECTATION_FALSE, Failure.ELEMENT_MISSING, Failure.TIMED_OUT, None])
def test_a_precondition_that_fails_is_the_environments(failure: Failure | None):
    result = precondition(failure=failure)

    assert (result.failure, result.cause) == (Failure.PRECONDITION_FAILED, Cause.ENVIRONMENT)


def test_a_precondition_without_evidence_is_still_the_agents():
    result = precondition(status="pass", unverified=False)

    assert (result.status, result.failure, result.cause) == ("fail", Failure.NO_EVIDENCE, Cause.AGENT)


def by_model(expected: str = "", description: str = "Buy the backpack", **more: Any) -> SubTaskResult:
    """Return a model's claimed pass of a written step as it is accepted."""
    evidence = tuple(saw(clause, *literals(clause)) for clause in split_clauses(expected))
    made: dict[str, Any] = {"status": "pass", "summary": "", "source": "model", "evidence": evidence, "last_act": 2}
    node = PlanNode(id="n", description=description, expected_result=expected, covers=(0,))
    guarded = more.pop("guarded", ())
    given: dict[str, Any] = {**made, "unverified": not expected, **more}
    claimed = result_of("r.n.1", **given)
    return judge_step(node, claimed, more.get("captured", {}), guarded)


CLICK = Act(call=1, tool="click", does="point", status="ok", target=("Buy",), confirmed=True)
THERE = replace(CLICK, tool="browser_navigate", does="go", target=(), address="http://s/done")


def test_a_models_pass_of_a_step_needs_an_act():
    assert by_model(EXPECTED, acts=(CLICK,)).status == "pass"
    assert "nothing was done" in refused(by_model(EXPECTED))
    assert by_model(EXPECTED, "Verify the title").status == "pass"


def test_opening_an_address_is_no_way_to_carry_out_a_step():
    assert "nothing was done to the product" in refused(by_model(EXPECTED, acts=(THERE,)))
    assert "by its address" in refused(by_model(EXPECTED, acts=(CLICK, THERE)))
    assert by_model(EXPECTED, "Open the cart", acts=(THERE,)).status == "pass"


def test_a_step_that_asks_for_a_value_is_carried_out_by_remembering_it():
    assert by_model("", "Remember the price as ${price}", captured={"price": "$8"}).status == "pass"
    assert by_model("", "Look up the mug's ${price}", captured={"price": "$8"}).step.captured == {"price": "$8"}
    assert by_model("", "Buy the mug at ${price}", acts=(CLICK,), captured={"price": "$8"}).step.captured == {}
    refused(by_model("", "Keep the price as ${price}", captured={"total": "$8"}))


def test_a_model_does_not_set_the_value_an_expectation_is_compared_with():
    result = by_model('The text "${sum}" is visible', acts=(CLICK,), captured={"sum": "$10.00"})
    assert (result.status, result.failure, result.cause) == ("fail", Failure.TAMPERED, Cause.AGENT)
    assert "it set ${sum} itself" in result.summary
    used = by_model('The text "${sum}" is visible', "Buy it at ${sum}", acts=(CLICK,), captured={"sum": "Demo"})
    assert used.failure == Failure.TAMPERED


def test_what_a_person_said_is_no_value_of_the_product():
    asked = Capture(name="order", source="person")
    more = {"captured": {"order": "A-1"}, "captures": (asked,)}
    taken = by_model("", "Remember the order number as ${order}", **more)
    assert (taken.status, taken.failure) == ("fail", Failure.TAMPERED)
    assert "a person's answer" in taken.summary
    assert by_model("", "Ask the tester for the order number and remember it as ${order}", **more).status == "pass"
    pays = "Ask the tester for the order number, remember it as ${order} and pay it"
    assert "nothing was done" in refused(by_model("", pays, **more))
    assert by_model("", pays, acts=(CLICK,), **more).status == "pass"
    compared = by_model('The text "${order}" is visible', "Ask the tester how the page looks", **more)
    assert compared.failure == Failure.TAMPERED


def test_an_answer_is_no_evidence():
    said = Evidence(clause=EXPECTED, check="ask_person", call=3, passed=True, wanted=("Demo shop",))
    result = by_model(EXPECTED, "Ask the tester whether all is well", evidence=(replace(said, seen="Demo shop"),))
    assert "is not a check" in refused(result)


def test_a_value_from_an_unknown_source_is_refused():
    taken = by_model("", "Remember the price as ${price}", captured={"price": "$8"}, captures=(Capture(name="price"),))
    assert (taken.status, taken.failure) == ("fail", Failure.TAMPERED)
    assert "is unknown" in taken.summary


def test_an_act_of_which_nothing_is_known_carries_out_no_step_and_is_guarded_as_the_worst():
    unknown = Act(call=1, tool="new_tool")
    assert "nothing was done" in refused(by_model(EXPECTED, acts=(unknown,)))
    assert "nothing was done to the product" in refused(by_model(EXPECTED, acts=(replace(unknown, status="ok"),)))
    assert by_model(EXPECTED, acts=(CLICK, unknown)).failure == Failure.NO_EVIDENCE
    planted = by_model(EXPECTED, "Open the page", acts=(CLICK, unknown), guarded=("Demo shop",))
    assert planted.failure == Failure.TAMPERED


def test_values_that_nobody_asked_for_are_not_taken_over():
    kept = by_model(
        EXPECTED, "Buy it and note the order number", acts=(CLICK,), captured={"order_number": "7", "x": "1"}
    )
    assert (kept.status, kept.step.captured) == ("pass", {"order_number": "7"})


def test_a_call_that_brings_the_result_about_by_itself_is_tampering():
    command = "echo 'Demo shop' > title"
    plants = replace(CLICK, tool="execute_command", does="run", target=(), program=command, on_device=False)
    result = by_model(EXPECTED, acts=(CLICK, plants), guarded=("Demo shop",))
    assert (result.status, result.failure) == ("fail", Failure.TAMPERED)
    assert "execute_command was called with 'Demo shop'" in result.summary
