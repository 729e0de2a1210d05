"""A run for which no session host has room waits in line, held by nobody, and its clock stands still meanwhile."""

from driven import Driven, a_case, plan_of
from msgspec.structs import replace

from muster_orchestrator.machine import AcquireSession
from muster_orchestrator.narration import describe_event
from muster_orchestrator.snapshots import build_row
from muster_protocol.events import OwnerChanged, Parked, Policy, SessionQueued, Unserved, Woken
from muster_protocol.requests import DeviceSpec

POLICY = Policy(run_seconds=100.0)


def in_line() -> Driven:
    """Return a planned run that has been told its place in line."""
    case = a_case("One is seen", device=DeviceSpec(kind="web"))
    driven = Driven(case, policy=POLICY)
    return driven.ends(driven.open("plan"), plan=plan_of(case)).happens(SessionQueued(name="main", place=12))


def goes_on(driven: Driven, after: float) -> Driven:
    return driven.happens(OwnerChanged(owner="b", epoch=2, message=2, delivery=1), Woken(), after=after)


def test_a_run_in_line_is_parked_and_says_where_it_stands():
    driven = in_line()
    [parked] = driven.logged(Parked)
    assert (parked.reason, parked.session_host) == ("it waits for a session: number 12 in line", "session host for web")
    assert parked.until == 0.0
    assert driven.effects == ()
    assert build_row(driven.run, 1).status == "parked"
    told = describe_event(driven.run, SessionQueued(name="main", place=12))
    assert told is not None and told.text == "[Orchestrator] Waiting for a session: number 12 in line"


def test_while_it_is_being_planned_it_is_held():
    driven = Driven(a_case(), policy=POLICY).happens(SessionQueued(name="main", place=1))
    assert driven.logged(Parked) == []
    driven.ends(driven.open("plan"), plan=plan_of(a_case()))
    assert len(driven.logged(Parked)) == 1


def test_its_clock_stands_still_while_it_waits():
    driven = goes_on(in_line(), after=5_000.0)
    assert driven.run.verdict is None
    driven.opens().ends(driven.open())
    assert driven.verdict.status == "pass"


def test_woken_without_a_session_it_asks_for_it_and_waits_again():
    driven = goes_on(in_line(), after=10.0)
    assert [it.request.name for it in driven.effects if isinstance(it, AcquireSession)] == ["main"]
    driven.happens(SessionQueued(name="main", place=3))
    assert [it.reason for it in driven.logged(Parked)][1:] == ["it waits for a session: number 3 in line"]


def test_while_no_host_lives_it_is_held_so_that_it_ends():
    case = a_case("One is seen")
    driven = Driven(case, policy=replace(POLICY, session_wait_seconds=60.0))
    driven.ends(driven.open("plan"), plan=plan_of(case)).happens(Unserved(what="session host"))
    driven.happens(SessionQueued(name="main", place=1))
    assert driven.logged(Parked) == []
    driven.waits(60)
    assert driven.verdict.cause == "environment"


def test_what_was_lost_goes_before_what_has_not_begun():
    driven = Driven(a_case())
    [first] = [it for it in driven.effects if isinstance(it, AcquireSession)]
    lost = replace(driven.run, sessions=replace(driven.run.sessions, losses=1))
    driven.run = lost
    driven.happens(Unserved(what="pool think"))
    [again] = [it for it in driven.effects if isinstance(it, AcquireSession)]
    assert (first.priority, again.priority) == ("normal", "high")


def test_a_place_told_for_a_session_that_is_open_changes_nothing():
    driven = Driven(a_case()).opens()
    before = driven.run.sessions
    driven.happens(SessionQueued(name="main", place=1))
    assert driven.run.sessions == before
