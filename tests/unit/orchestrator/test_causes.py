"""Why a run failed: one row for each kind of failure, and what precondition, session and budget make of it."""

import pytest
from driven import Driven, a_case, fails, faults

from muster_protocol.causes import Cause, Failure, cause_of
from muster_protocol.events import SessionFailed

PRODUCT, ENVIRONMENT, AGENT = Cause.PRODUCT, Cause.ENVIRONMENT, Cause.AGENT
ROWS = {
    # what the product did wrong
    Failure.EXPECTATION_FALSE: PRODUCT,
    Failure.SERVER_ERROR: PRODUCT,
    Failure.ELEMENT_MISSING: PRODUCT,
    Failure.NAME_UNKNOWN: PRODUCT,
    Failure.COMMAND_FAILED: PRODUCT,
    # what was missing around it
    Failure.UNREACHABLE: ENVIRONMENT,
    Failure.SESSION_LOST: ENVIRONMENT,
    Failure.COMMAND_MISSING: ENVIRONMENT,
    Failure.PRECONDITION_FAILED: ENVIRONMENT,
    Failure.SECRET_MISSING: ENVIRONMENT,
    Failure.INFRASTRUCTURE: ENVIRONMENT,
    Failure.IN_FLIGHT_LOST: ENVIRONMENT,
    Failure.NO_WORKER: ENVIRONMENT,
    Failure.MODEL_UNAVAILABLE: ENVIRONMENT,
    # what the test or its agent could not do
    Failure.LIMIT: AGENT,
    Failure.TIMED_OUT: AGENT,
    Failure.UNPARSABLE: AGENT,
    Failure.UNKNOWN_PHRASE: AGENT,
    Failure.NO_EVIDENCE: AGENT,
    Failure.INVALID_CALL: AGENT,
    Failure.NOT_PERMITTED: AGENT,
    Failure.TARGET_UNCLEAR: AGENT,
    Failure.GAVE_UP: AGENT,
    Failure.RECORDING_MISSED: AGENT,
    Failure.CHECKPOINT_MISSED: AGENT,
    Failure.TAMPERED: AGENT,
    Failure.POISON: AGENT,
    # what was not for the run to spend
    Failure.MONEY_SPENT: Cause.BUDGET,
    Failure.CANCELLED: Cause.CANCELLED,
}


def test_every_kind_of_failure_has_its_row_here():
    assert set(ROWS) == set(Failure)


@pytest.mark.parametrize("failure", list(ROWS), ids=str)
def test_a_failure_has_this_cause(failure: Failure):
    assert cause_of(failure) == ROWS[failure]


@pytest.mark.parametrize("failure", list(ROWS), ids=str)
def test_a_sub_task_that_fails_so_ends_the_run_with_that_cause(failure: Failure):
    driven = Driven.planned()
    driven.ends(driven.open(), fails(driven.open(), failure, expected="this", seen="that", where="there"))
    if driven.run.verdict is None:
        driven.decides("stop")

    verdict = driven.verdict
    assert (verdict.status, verdict.cause, verdict.failed_node) == ("fail", ROWS[failure], "step-1")
    assert verdict.summary == f"sub-task 1/3 (Do thing 1): it was {failure}"
    assert (verdict.expected, verdict.seen, verdict.where) == ("this", "that", "there")
    assert [result.failure for result in verdict.results] == [failure]


def test_a_fail_of_no_kind_is_the_agents():
    assert cause_of(None) == AGENT


@pytest.mark.parametrize("failure", sorted(set(Failure) - {Failure.NO_EVIDENCE, Failure.TAMPERED}), ids=str)
def test_whatever_fails_a_precondition_it_is_the_environments(failure: Failure):
    driven = Driven.planned(a_case("One is seen", preconditions=("The shop is open",)))
    driven.ends(driven.open(), fails(driven.open(), failure))

    assert (driven.verdict.cause, driven.verdict.failed_node) == (ENVIRONMENT, "pre-1")
    assert driven.verdict.results[0].failure == Failure.PRECONDITION_FAILED


def test_planning_that_finds_an_unknown_phrase_is_the_agents():
    driven = Driven()
    driven.ends(driven.open(), fails(driven.open(), Failure.UNKNOWN_PHRASE, summary="step 2: not known"))

    assert (driven.verdict.cause, driven.verdict.summary) == (AGENT, "step 2: not known")


def test_planning_that_infrastructure_fails_for_good_is_the_environments():
    driven = Driven()
    for _ in range(3):
        driven.ends(driven.open("plan"), faults(driven.open("plan"))).waits(20.0)

    assert (driven.verdict.cause, driven.verdict.failed_node) == (ENVIRONMENT, "plan")


def test_without_a_session_the_environment_is_to_blame():
    driven = Driven().happens(SessionFailed(name="main", reason="no host has room"))

    assert (driven.verdict.cause, driven.verdict.summary) == (
        ENVIRONMENT,
        "no session could be opened: no host has room",
    )


def test_a_late_word_that_a_session_failed_does_not_end_a_run_that_has_it():
    driven = Driven.planned().happens(SessionFailed(name="main", reason="too late"))

    assert driven.run.verdict is None
    assert driven.open().node == "step-1"
