"""A fail of a model blames the product only with evidence for that."""

from typing import Any

import pytest
from msgspec.structs import replace

from muster_evidence.blame import Written, find_unfounded
from muster_protocol.causes import Failure
from muster_protocol.facts import Act, Evidence
from muster_protocol.kinds import StepOutput

ACTION, EXPECTED = 'As usual, click "Add to cart" next to "Mug"', '"Total" is "$59.98"'
WRITTEN = Written(ACTION, EXPECTED, covered=True, values={})
ADDED = Act(call=1, tool="click", does="point", status="ok", target=("Add to cart",), place=("Mug",), confirmed=True)
FALSE = Evidence(clause=EXPECTED, check="expect_value", call=3, passed=False, by="phrase", about="element")


def unfounded(
    *facts: Act | Evidence, failure: Failure = Failure.EXPECTATION_FALSE, written: Written = WRITTEN, last_act: int = 1
) -> str:
    acts = tuple(it for it in facts if isinstance(it, Act))
    checks = tuple(it for it in facts if isinstance(it, Evidence))
    return find_unfounded(written, failure, StepOutput(acts=acts, evidence=checks), last_act)


def missing(*target: str, **more: Any) -> Act:
    status: Any = {"call": 1, "does": "point", "status": "error", "failure": Failure.ELEMENT_MISSING}
    return Act(tool="click", target=target, **(status | more))


def test_an_expectation_that_is_false_after_the_acts_of_the_step_blames_the_product():
    assert unfounded(ADDED, FALSE) == ""


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ((), "no check"),
        ((ADDED,), "no check"),
        ((FALSE,), "nothing was done"),
        ((ADDED, replace(FALSE, call=0)), "no check after the last action"),
        ((ADDED, replace(FALSE, unmade=True)), "no check"),
        ((ADDED, replace(FALSE, clause="Anything else")), "no check"),
        ((replace(ADDED, status="error"), FALSE), "nothing was done"),
        ((replace(ADDED, target=("Wrap",)), FALSE), "nothing was done so on it"),
        ((ADDED, replace(ADDED, target=("Remove",)), FALSE), "does not say to remove"),
        ((ADDED, replace(ADDED, target=("Empty cart",), place=()), FALSE), "'Empty cart', which the step does not"),
        ((ADDED, ADDED, FALSE), "more often"),
        ((ADDED, replace(FALSE, by="model", target=("Subtotal",), relation="is")), "did not look at what"),
    ],
)
def test_without_a_false_check_on_the_right_subject_after_the_steps_own_acts_it_does_not(
    facts: tuple[Act | Evidence, ...], why: str
):
    assert why in unfounded(*facts)


def test_a_step_that_says_to_repeat_may_be_repeated():
    assert unfounded(ADDED, ADDED, FALSE, written=WRITTEN._replace(action=f"Twice, {ACTION}")) == ""


def test_an_observation_needs_no_acts():
    assert unfounded(FALSE, written=WRITTEN._replace(action="Look at the cart"), last_act=-1) == ""


def test_an_error_of_the_server_is_the_products():
    assert unfounded(failure=Failure.SERVER_ERROR) == ""


def test_an_element_that_the_case_names_and_the_page_lacks_is_the_products():
    assert unfounded(missing("Add to cart", place=("Mug",)), failure=Failure.ELEMENT_MISSING) == ""


def test_a_missing_element_is_so_too_where_the_expectation_is_checked_afterwards():
    assert unfounded(missing("Add to cart"), FALSE) == ""


def test_a_subject_that_the_checks_of_the_case_do_not_find_is_missing():
    unmade = replace(FALSE, unmade=True)
    assert unfounded(ADDED, unmade, failure=Failure.ELEMENT_MISSING) == ""
    assert unfounded(ADDED, replace(unmade, by="model"), failure=Failure.ELEMENT_MISSING)
    assert unfounded(unmade, failure=Failure.ELEMENT_MISSING)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (missing("button"), "'button'"),
        (missing("Add"), "'Add'"),
        (missing("Add to cart", place=("Sidebar",)), "'Sidebar'"),
        (missing("Add to cart", role="link"), "a link"),
        (missing(), "no element"),
        (missing("Add to cart", does="choose", entered=("Blue",)), "'Blue'"),
        (missing("Add to cart", failure=Failure.INVALID_CALL), "nothing was looked for"),
    ],
)
def test_an_element_of_the_models_own_words_is_not(act: Act, why: str):
    assert why in unfounded(act, failure=Failure.ELEMENT_MISSING)


def test_a_phrase_looks_for_what_the_case_names_in_any_words():
    assert unfounded(missing("button", by="phrase"), failure=Failure.ELEMENT_MISSING) == ""


def test_an_element_missing_after_the_model_went_astray_is_not_the_products():
    away = Act(call=0, tool="open", does="go", status="ok", address="http://shop/help")
    assert "http://shop/help" in unfounded(away, missing("Add to cart"), failure=Failure.ELEMENT_MISSING)


def test_what_was_found_later_was_not_missing():
    assert "found later" in unfounded(missing("Add to cart"), ADDED, failure=Failure.ELEMENT_MISSING)


def test_a_value_of_the_run_is_a_name_of_the_case():
    written = Written('Please click "${button}"', "", covered=True, values={"button": "Save"})
    assert unfounded(missing("Save"), failure=Failure.ELEMENT_MISSING, written=written) == ""


def test_a_command_of_the_case_that_fails_is_the_products_and_one_of_the_model_is_not():
    written = Written('Use "tool --check" on the file', "", covered=True, values={})
    ran = Act(call=0, tool="run", does="run", status="error", failure=Failure.COMMAND_FAILED, program="tool --check x")
    assert unfounded(ran, failure=Failure.COMMAND_FAILED, written=written) == ""
    own = replace(ran, program="cat nothing")
    assert "cat nothing" in unfounded(own, failure=Failure.COMMAND_FAILED, written=written)


def test_an_alert_in_the_way_is_the_products():
    assert unfounded(missing("Add to cart", failure=Failure.EXPECTATION_FALSE)) == ""


@pytest.mark.parametrize("failure", [None, Failure.GAVE_UP, Failure.TARGET_UNCLEAR])
def test_no_other_failure_blames_it(failure: Failure):
    assert unfounded(ADDED, FALSE, failure=failure)


def free(action: str, *facts: Act | Evidence, **more: Any) -> str:
    written = Written(action, 'The text "Order confirmed" is visible', covered=True, values={})
    seen = replace(FALSE, clause=written.expected, call=9)
    return unfounded(*facts, seen, written=written, **more)


def did(*target: str, does: Any = "point", **more: Any) -> Act:
    return replace(ADDED, target=target, place=(), does=does, **more)


@pytest.mark.parametrize(
    ("action", "acts"),
    [
        ("Buy the backpack", (did("Buy"),)),
        ("Open the cart", (did("Cart"),)),
        ('As a careful visitor would, take care of this: click "Buy"', (did("Buy"),)),
        ('Kindly click "Buy" for me, please', (did("Buy"),)),
        ('Sign in as "tester"', (did("User", does="enter", entered=("tester",)), did("Sign in"))),
        (
            'Submit the form with "Ann" for a name',
            (did("Name", does="enter", entered=("Ann",)), did("Submit the form")),
        ),
    ],
)
def test_a_free_action_is_carried_out_where_its_verb_was_used_with_all_that_it_gives(
    action: str, acts: tuple[Act, ...]
):
    assert free(action, *acts) == ""


@pytest.mark.parametrize(
    ("action", "acts"),
    [
        ("Buy the backpack", (did("Backpack"),)),
        ("Buy two backpacks", (did("Buy"),)),
        ("Buy every backpack", (did("Buy"),)),
        ("Sign in with the password", (did("Sign in"),)),
        ("Sign in as the tester", (did("Sign in"),)),
        ("Fill in the form", (did("Form", does="enter", entered=("form",)),)),
        ("Have the backpack wrapped", (did("Backpack"),)),
        ("Take a backpack home", (did("Backpack"),)),
        ("Buy the backpack and have it wrapped", (did("Buy"),)),
        ('Have the cart emptied, then click "Buy"', (did("Buy"),)),
    ],
)
def test_an_action_of_which_a_part_may_be_left_does_not_blame_the_product(action: str, acts: tuple[Act, ...]):
    assert free(action, *acts)


TYPING = 'Now please type "Ann" into "Name", and click "Send"'


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (missing("Order confirmed"), "which the step does not name"),
        (missing("Ann"), "does not say to do that"),
        (missing("Ann", does="enter", entered=("Name",)), "does not say to do that"),
        (missing("Send"), "the step says to type"),
        (missing("Name"), "does not say to do that"),
    ],
)
def test_a_name_that_is_no_element_of_the_action_or_not_due_yet_is_not_missing(act: Act, why: str):
    written = Written(TYPING, 'The text "Order confirmed" is visible', covered=True, values={})
    assert why in unfounded(act, failure=Failure.ELEMENT_MISSING, written=written)


def test_a_name_that_is_due_is_missing():
    written = Written(TYPING, "", covered=True, values={})
    field = missing("Name", does="enter", entered=("Ann",))
    assert unfounded(field, failure=Failure.ELEMENT_MISSING, written=written) == ""
    typed = did("Name", does="enter", entered=("Ann",))
    assert unfounded(typed, missing("Send"), failure=Failure.ELEMENT_MISSING, written=written) == ""


def test_a_part_that_is_not_quoted_comes_before_as_well():
    written = Written('Open the menu and choose "Delete"', "", covered=True, values={})
    assert "before" in unfounded(missing("Delete"), failure=Failure.ELEMENT_MISSING, written=written)
    assert unfounded(did("the menu"), missing("Delete"), failure=Failure.ELEMENT_MISSING, written=written) == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"wanted": ("$59.89",), "seen": "$59.98"},
        {"wanted": ("$59.98",), "seen": "$59.98 in all"},
        {"wanted": (), "seen": "$59.98"},
        {"wanted": ("$59.98",), "target": ("Total", "button"), "seen": "nothing"},
    ],
)
def test_a_false_check_of_another_value_or_too_strict_does_not_blame_the_product(wrong: dict[str, Any]):
    by_model = replace(FALSE, by="model", target=("Total",), relation="is", wanted=("$59.98",), seen="$10.00")
    assert unfounded(ADDED, by_model) == ""
    assert unfounded(ADDED, replace(by_model, **wrong))


def test_a_no_of_a_model_that_looked_blames_the_product_only_if_the_page_bears_it_out():
    look = replace(FALSE, by="model", about="page", relation="judged", wanted=(EXPECTED,))
    assert "bears that out" in unfounded(ADDED, look)
    assert unfounded(ADDED, replace(look, grounded=True)) == ""
