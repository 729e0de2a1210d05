"""A run that waits for what nobody can do says so, and ends after a while; a run that cannot be carried on ends at once."""

import pytest
from driven import Driven, a_case, fails, passes, plan_of
from msgspec.structs import replace

from muster_orchestrator.machine import Run, SetTimer, fold, required_services
from muster_orchestrator.machine.core.ends import MAX_RESULTS_BYTES_GIVEN_UP
from muster_orchestrator.narration import describe_event
from muster_orchestrator.run_watch import is_relevant
from muster_orchestrator.snapshots import build_row
from muster_protocol import codec
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import GivenUp, OwnerChanged, Policy, Served, TimerFired, Unserved, VerdictReached

ACT = "pool act"
POLICY = Policy(unserved_seconds=300.0)


def waiting() -> Driven:
    return Driven.planned(a_case("One is seen", "Two is seen"), policy=POLICY)


def unserved_timers(driven: Driven) -> dict[str, float]:
    timers = {it.id: it.at for it in driven.effects if isinstance(it, SetTimer)}
    return {id: at for id, at in timers.items() if id.startswith("unserved:")}


def test_a_run_needs_a_pool_for_each_open_sub_task_and_a_host_for_each_missing_session():
    driven = Driven(a_case(), policy=POLICY)
    assert required_services(driven.effects) == {"pool think", "session host"}
    driven.opens()
    assert required_services(driven.effects) == {"pool think"}
    driven.ends(driven.open("plan"), plan=plan_of(a_case()))
    assert required_services(driven.effects) == {ACT}


def test_a_run_that_is_over_needs_nobody():
    driven = waiting()
    driven.ends(driven.open(), fails(driven.open(), Failure.EXPECTATION_FALSE))
    assert driven.verdict.status == "fail"
    assert required_services(driven.effects) == frozenset()


def test_a_run_nobody_serves_ends_after_the_set_wait_and_says_how_to_start_a_worker():
    driven = waiting().happens(Unserved(what=ACT), after=10)
    assert unserved_timers(driven) == {"unserved:pool act:1": driven.now + 300}
    driven.waits(299)
    assert driven.run.verdict is None
    driven.waits(1)
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.ENVIRONMENT)
    assert driven.verdict.summary == (
        "no worker of pool act was running for 300 s: start one with `muster up`, or start more replicas of the service "
        "`subagent` with 'act' in POOLS"
    )


def test_somebody_who_comes_in_time_goes_on_with_the_run():
    driven = waiting().happens(Unserved(what=ACT)).waits(200).happens(Served(what=ACT))
    assert unserved_timers(driven) == {}
    driven.happens(TimerFired(timer="unserved:pool act:1"), after=100)
    assert driven.run.verdict is None
    driven.ends(driven.open()).ends(driven.open())
    assert driven.verdict.status == "pass"


def test_each_absence_has_a_wait_of_its_own():
    driven = waiting().happens(Unserved(what=ACT)).waits(200).happens(Served(what=ACT)).happens(Unserved(what=ACT))
    assert unserved_timers(driven) == {"unserved:pool act:2": driven.now + 300}
    driven.happens(TimerFired(timer="unserved:pool act:1"))
    assert driven.run.verdict is None


def test_a_result_shows_that_somebody_is_there():
    driven = waiting().happens(Unserved(what=ACT))
    driven.ends(driven.open(), after=299).happens(TimerFired(timer="unserved:pool act:1"), after=1)
    assert driven.run.unserved == {}
    assert driven.run.verdict is None


def test_a_new_owner_looks_for_itself_who_is_there():
    driven = waiting().happens(Unserved(what=ACT))
    driven.happens(OwnerChanged(owner="b", epoch=2, message=1, delivery=2), after=1000)
    assert driven.run.unserved == {}
    assert unserved_timers(driven) == {}


def test_a_run_without_a_session_host_ends_after_the_wait_that_is_set_for_it():
    policy = replace(POLICY, session_wait_seconds=60.0)
    driven = Driven(a_case(), policy=policy).happens(Unserved(what="session host"))
    assert build_row(driven.run, 1).summary == "waiting: session host is not running"
    driven.waits(59)
    assert driven.run.verdict is None
    driven.waits(1)
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.ENVIRONMENT)
    assert driven.verdict.summary.startswith("no session host was running for 60 s: start one with `muster up`")


def test_a_run_that_names_what_nobody_was_ever_seen_to_have_ends_at_once_and_says_what_there_is():
    what = "session host that serves workspace shpo"
    driven = Driven(a_case(), policy=POLICY)
    driven.happens(Unserved(what=what, why="did you mean 'shop'?", unheard=True)).waits(0)
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.ENVIRONMENT)
    assert driven.verdict.summary == f"there is no {what}: did you mean 'shop'?"


def test_a_host_that_opens_a_session_is_there():
    driven = Driven(a_case(), policy=POLICY).happens(Unserved(what="session host")).opens()
    assert driven.run.unserved == {}
    assert unserved_timers(driven) == {}


def test_what_is_known_already_is_no_news():
    driven = waiting()
    assert is_relevant(Unserved(what=ACT), driven.run)
    assert not is_relevant(Served(what=ACT), driven.run)
    driven.happens(Unserved(what=ACT))
    assert not is_relevant(Unserved(what=ACT), driven.run)
    assert is_relevant(Served(what=ACT), driven.run)


def test_people_read_who_is_missing_and_who_came_back():
    run = waiting().run
    told = [line.text for event in (Unserved(what=ACT), Served(what=ACT)) if (line := describe_event(run, event))]
    assert told == [
        "[Orchestrator] Waiting: pool act is not running",
        "[Orchestrator] Pool act is running again",
    ]


def test_a_run_that_cannot_be_carried_on_fails_at_once_and_says_why():
    driven = waiting().happens(GivenUp(reason="2000000 bytes: the server takes 1048576"))
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.AGENT)
    assert driven.verdict.summary == "given up: 2000000 bytes: the server takes 1048576"
    assert len(driven.logged(VerdictReached)) == 1


def test_a_run_that_is_given_up_never_passes_even_if_all_that_is_known_of_it_passed():
    driven = waiting()
    driven.ends(driven.open())
    last = passes(driven.open())
    broken = replace(driven.run, given_up="message 7 of the run's log cannot be read")
    driven.run = broken
    driven.ends(driven.open(), last)
    assert driven.verdict.status == "fail"


@pytest.mark.parametrize("size", [10, 100_000, 2_000_000])
def test_the_verdict_of_a_run_that_is_given_up_fits_into_a_message_whatever_was_seen(size: int):
    driven = waiting()
    driven.ends(driven.open(), passes(driven.open(), seen="x" * size, summary="y" * (size // 2)))
    driven.happens(GivenUp(reason="z" * size))
    assert len(codec.encode(driven.verdict)) < MAX_RESULTS_BYTES_GIVEN_UP * 2 + 5_000
    assert fold(Run(), driven.entries) == driven.run
