"""Checks of what the world saw: verdicts against calm runs, clients against the store, orders, leftovers. Pure."""

from collections import Counter
from collections.abc import Callable, Iterator

from chaos.check_journals import entries_of, run_of
from chaos.check_logs import Log, events_of, outcome, verdicts_of
from chaos.history import History, Incarnation, Strike, Violation, Wish
from chaos.jobs import BROWSING, EXPECTED
from muster_protocol.causes import Failure
from muster_protocol.events import SessionOpened, SubTaskDispatched, SubTaskEnded
from muster_protocol.journal import Taken
from muster_protocol.tasks import SubTaskResult
from muster_protocol.verdicts import Verdict

PRESENCE_SECONDS = 40.0
"""How long the row of a dead process may stay."""
LATE_SECONDS = 30.0
"""How long after a fault it may still be the reason for something: claims run out, sessions are given up."""
SESSIONLESS = ("drill", "drill-cancelled", "drill-paused")


def verdicts_are_those_of_a_calm_run(history: History) -> Iterator[Violation]:
    """A verdict is that of an undisturbed run; `environment` where a fault could lose the session; never a flip."""
    for wish in history.wishes:
        for verdict in verdicts_of(history.logs.get(wish.run, ())):
            found, expected = outcome(verdict), EXPECTED[wish.kind]
            if found == expected or (found == "cancelled" and wish.cancelled):
                continue
            text = f"a {wish.kind} ends {expected} when calm; it ended {found}: {verdict.summary}"
            if {found, expected} == {"pass", "product"}:
                yield Violation("flip", wish.run, text)
            elif found != "environment" or wish.kind in SESSIONLESS:
                yield Violation("wrong verdict", wish.run, text)
            elif not _struck(history, wish):
                yield Violation("blamed for nothing", wish.run, f"no fault touched it; {text}")
            elif not _something_was_lost(history.logs[wish.run]):
                yield Violation("blamed for nothing", wish.run, f"neither its session nor an action was lost; {text}")


def _something_was_lost(log: Log) -> bool:
    """Return whether the log tells of a lost session, or of an action that was under way when its worker was lost."""
    for event in events_of(log):
        match event:
            case SubTaskEnded(outcome=SubTaskResult(failure=Failure.SESSION_LOST | Failure.IN_FLIGHT_LOST)):
                return True
            case SessionOpened(restored=restored) if restored != "no":
                return True
            case _:
                pass
    return False


def _struck(history: History, wish: Wish) -> bool:
    """Return whether a fault touched one who held the run, one of its sub-tasks or its session, while it was going on."""
    log = history.logs[wish.run]
    began, ended = log[0].at - LATE_SECONDS, log[-1].at
    hit = {strike.slot for strike in history.strikes if strike.ended >= began and strike.began <= ended}
    slots = {life.slot for life in history.incarnations if life.id in _involved(history, wish.run)}
    return "nats" in hit or bool(hit & slots)


def _involved(history: History, run: str) -> set[str]:
    """Return the ids of the workers and session hosts that had to do with a run."""
    found = set[str]()
    for event in events_of(history.logs[run]):
        if isinstance(event, SessionOpened):
            found.add(event.session.host)
        elif isinstance(event, SubTaskDispatched):
            journal = entries_of(history.journals.get(event.sub_task.id, ()))
            found |= {entry.worker for entry in journal if isinstance(entry, Taken)}
    return found


def clients_are_told_what_is_stored(history: History) -> Iterator[Violation]:
    """Whoever was told a verdict was told the one in the log; after the calm, everybody who asks is told it."""
    stored = {run: found[0] for run, log in history.logs.items() if (found := verdicts_of(log))}
    for told in history.told:
        run = told.verdict.run
        if told.verdict != stored.get(run):
            text = f"{told.how}: {outcome(told.verdict)}, the log says {_word(stored.get(run))}"
            yield Violation("told otherwise", run, text)
    asked = {told.verdict.run for told in history.told if told.how == "asked"}
    for wish in history.wishes:
        if wish.accepted and wish.run not in asked:
            yield Violation("not told", wish.run, "the gateway tells no verdict of it although all is calm")


def followers_miss_nothing(history: History) -> Iterator[Violation]:
    """A follower gets each stored line once and in order, up to the newest it got, and then the true end."""
    for follow in history.follows:
        if not (log := history.logs.get(follow.run)):
            continue
        lines = [seq for seq in history.lines.get(follow.run, ()) if seq <= max(follow.cursors, default=0)]
        if list(follow.cursors) != lines:
            text = f"got {len(follow.cursors)} lines of {len(lines)} stored up to the newest it got"
            yield Violation("log lines", follow.run, text)
        verdict = next(iter(verdicts_of(log)), None)
        end = (verdict.status, str(verdict.cause or "")) if verdict else ("", "")
        if (follow.status, follow.cause) != end:
            yield Violation("end of log", follow.run, f"was told {(follow.status, follow.cause)}, the log says {end}")


def _word(verdict: Verdict | None) -> str:
    return outcome(verdict) if verdict else "nothing"


def orders_are_those_of_the_runs(history: History) -> Iterator[Violation]:
    """A run that came to its end placed one order, any other run at most one; each order form was sent once."""
    placed = Counter(order.customer for order in history.orders)
    to_place = {wish.run for wish in history.wishes if wish.kind in BROWSING}
    for order in history.orders:
        if order.submitted != 1:
            text = f"the form of order {order.number} was sent {order.submitted} times"
            yield Violation("action done twice", order.customer, text)
    for customer, count in placed.items():
        if count > 1:
            yield Violation("action done twice", customer, f"{count} orders were placed")
        if customer not in to_place:
            yield Violation("unasked order", customer, "no run was to place it")
    for wish in history.wishes:
        ends = [outcome(verdict) for verdict in verdicts_of(history.logs.get(wish.run, ()))]
        if wish.kind in BROWSING and EXPECTED[wish.kind] in ends and not placed[wish.run]:
            yield Violation("lost action", wish.run, f"it ended {ends[0]}, and its order is not in the shop")


def all_runs_end(history: History) -> Iterator[Violation]:
    """Once faults have stopped, every run ends in the time allowed."""
    for run in history.unfinished:
        yield Violation("not over in time", run, "it was still going on; what else is told of it was read too early")


def nothing_is_left(history: History) -> Iterator[Violation]:
    """When all is over the queues are empty, no session is open, and nothing that a run started runs any more."""
    remains = history.remains
    for queue, count in remains.queued.items():
        if count:
            yield Violation("left in queue", "", f"{queue} holds {count} messages")
    for session in remains.sessions:
        yield Violation("left open", run_of(session), f"session {session} is listed")
    for kind, found in (
        ("left running", remains.browsers),
        ("orphan", remains.strays),
        ("outlives the fleet", remains.after_stop),
    ):
        for what in found:
            yield Violation(kind, "", what)
    if remains.dead:
        yield Violation("put aside", "", f"{remains.dead} messages are in DEAD, and none was bad")
    yield from _dead_rows(history)


def _dead_rows(history: History) -> Iterator[Violation]:
    ended = {life.pid: life.ended for life in history.incarnations if life.ended}
    for row in history.remains.presence:
        if row.pid in ended and history.ended - ended[row.pid] > PRESENCE_SECONDS:
            yield Violation("dead presence", "", f"{row.id} (pid {row.pid}) is listed as live and is dead")


def answers_make_sense(history: History) -> Iterator[Violation]:
    """A good request is accepted, or the client is told to try again; nothing else."""
    for oddity in history.oddities:
        yield Violation("bad answer", "", oddity)


def nobody_falls(history: History) -> Iterator[Violation]:
    """No service ends by itself, whatever happens around it, and each stops when it is told to."""
    for strike in history.strikes:
        if strike.overdue:
            yield Violation(
                "does not stop", "", f"{strike.slot} (pid {strike.pid}) was told to stop and had to be killed"
            )
    for crash in history.crashes:
        yield Violation("crash", "", crash)


def touches(strike: Strike, life: Incarnation) -> bool:
    """Return whether a fault hit a process, itself, through NATS, or as the twin of one that it hit."""
    return strike.slot == "nats" or strike.pid == life.pid or (strike.kind == "twin" and strike.slot == life.slot)


CHECKS: tuple[Callable[[History], Iterator[Violation]], ...] = (
    all_runs_end,
    verdicts_are_those_of_a_calm_run,
    clients_are_told_what_is_stored,
    followers_miss_nothing,
    orders_are_those_of_the_runs,
    nothing_is_left,
    answers_make_sense,
    nobody_falls,
)
