"""Recovery times and false takeovers, told from logs, journals and faults."""

from envelopes import result_of
from msgspec.structs import replace

from chaos.figures import false_takeovers, recoveries
from chaos.history import History, Incarnation, JournalMessage, LogMessage, Strike
from chaos.table import table
from muster_protocol.events import Entry, Event, OwnerChanged, Parked, RunClosed, RunOpened
from muster_protocol.journal import Finished, Released, Taken
from muster_protocol.requests import Drill, RunRequest

RUN, TASK = "run-1", "run-1.a.1"
OPENED = RunOpened(request=RunRequest(id=RUN, job=Drill()), owner="o-1", message=1, delivery=1)
TAKEN_OVER = OwnerChanged(owner="o-2", epoch=2, message=1, delivery=2)
DONE = Finished(outcome=result_of(task=TASK, node="a", attempt=1, status="pass", summary=""))
LIVES = (
    Incarnation("orchestrator-1", "orchestrator", 1, "o-1", 0.0, 0.0),
    Incarnation("subagent-1", "subagent", 2, "w-1", 0.0, 0.0),
)


def log_of(*entries: tuple[float, Event]) -> tuple[LogMessage, ...]:
    return tuple(
        LogMessage(seq, at, Entry(epoch=1, at=at, events=(event,))) for seq, (at, event) in enumerate(entries, start=1)
    )


def taken_over(*strikes: Strike) -> History:
    log = log_of((100.0, OPENED), (110.0, TAKEN_OVER), (120.0, RunClosed()))
    return History(logs={RUN: log}, incarnations=LIVES, strikes=strikes)


def handed_on(*strikes: Strike, released: bool = False) -> History:
    first = Taken(worker="w-1", message=1, delivery=1)
    entries = (first, Released()) if released else (first,)
    journal = (
        JournalMessage(1, 100.0, entries),
        JournalMessage(2, 107.0, (Taken(worker="w-2", message=1, delivery=2), DONE)),
    )
    return History(journals={TASK: journal}, incarnations=LIVES, strikes=strikes)


def test_a_run_has_recovered_with_the_next_entry_of_its_log() -> None:
    found = list(recoveries(taken_over(Strike("kill", "orchestrator-1", 1, 106.0, 108.0))))

    assert [(it.service, it.kind, it.run, it.seconds) for it in found] == [("orchestrator", "kill", RUN, 4.0)]


def test_a_sub_task_has_recovered_with_the_next_entry_of_its_journal() -> None:
    found = list(recoveries(handed_on(Strike("freeze", "subagent-1", 2, 101.0, 109.0))))

    assert [(it.service, it.kind, it.seconds) for it in found] == [("subagent", "freeze", 6.0)]


def test_an_outage_of_nats_counts_from_its_end_and_for_every_run() -> None:
    found = list(recoveries(taken_over(Strike("nats-kill", "nats", 9, 104.0, 107.0))))

    assert [(it.service, it.seconds) for it in found] == [("nats", 3.0)]


def test_a_fault_at_one_who_holds_nothing_delays_nothing() -> None:
    assert list(recoveries(taken_over(Strike("kill", "subagent-1", 2, 106.0, 108.0)))) == []


def test_a_takeover_is_false_unless_a_fault_touched_the_former_holder_shortly_before() -> None:
    fault = Strike("stall", "orchestrator-1", 1, 103.0, 106.0)

    assert false_takeovers(taken_over(fault), 3.0) == []
    assert [it.what for it in false_takeovers(taken_over(), 3.0)] == [RUN]
    assert [it.what for it in false_takeovers(taken_over(fault._replace(pid=99)), 3.0)] == [RUN]
    assert [it.what for it in false_takeovers(taken_over(fault._replace(began=50.0, ended=60.0)), 3.0)] == [RUN]
    assert [it.what for it in false_takeovers(taken_over(fault._replace(began=111.0, ended=115.0)), 3.0)] == [RUN]


def test_the_death_of_the_former_holder_is_the_reason_for_a_takeover_however_late() -> None:
    killed = taken_over(Strike("kill", "orchestrator-1", 1, 80.0, 81.0))
    dead = LIVES[0]._replace(ended=80.5)

    assert false_takeovers(replace(killed, incarnations=(dead,)), 3.0) == []
    assert [it.what for it in false_takeovers(killed, 3.0)] == [RUN]


def test_what_was_given_back_or_parked_is_not_taken_over() -> None:
    parked = log_of((100.0, OPENED), (101.0, Parked(reason="paused")), (110.0, TAKEN_OVER), (120.0, RunClosed()))

    assert false_takeovers(handed_on(released=True), 3.0) == []
    assert [it.what for it in false_takeovers(handed_on(), 3.0)] == [TASK]
    assert false_takeovers(History(logs={RUN: parked}, incarnations=LIVES), 3.0) == []


def test_the_table_shows_faults_recovery_and_takeovers() -> None:
    history = taken_over(Strike("kill", "orchestrator-1", 1, 106.0, 108.0))

    text = table(history, (), title="Seed 1", ack_wait=3.0)

    assert "| kill | 1 | 0 |" in text
    assert "| orchestrator | kill | 1 | 4.0 | 4.0 |" in text
    assert "takeovers: 1, of these from a holder that no fault had touched: 0" in text
    assert "**violations: 0**" in text
