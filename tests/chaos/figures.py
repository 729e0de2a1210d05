"""Figures of a campaign: how soon runs went on after a fault, and which takeovers had no fault behind them. Pure."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from chaos.check_world import touches
from chaos.history import History, Incarnation, JournalMessage, LogMessage, Strike
from muster_protocol.events import OwnerChanged, Parked, RunOpened, SessionOpened
from muster_protocol.journal import Finished, Released, Revoked, Suspended, Taken


class Recovery(NamedTuple):
    """How long a run stood still because of a fault."""

    service: str
    kind: str
    run: str
    seconds: float
    """From the fault to the next entry; for NATS from the moment it was back."""


class Takeover(NamedTuple):
    """A change of holder."""

    what: str
    """Run id, or sub-task id."""
    at: float
    former: str
    """Id of the process that held it before."""


class Tenure(NamedTuple):
    """Who held something at a moment."""

    holder: str
    following: float
    """Unix seconds of the next entry after that moment."""


def recoveries(history: History) -> Iterator[Recovery]:
    """Yield, for each fault, each run that one who was hit had to do with, and when it went on."""
    lives = {(life.slot, life.pid): life for life in history.incarnations}
    for strike in history.strikes:
        life = lives.get((strike.slot, strike.pid))
        if strike.slot == "nats":
            yield from _after_outage(history, strike)
        elif life is None:
            continue
        elif life.service == "subagent":
            yield from _of_tasks(history, strike, life)
        elif life.service in ("orchestrator", "sessions"):
            yield from _of_runs(history, strike, life)


def _after_outage(history: History, strike: Strike) -> Iterator[Recovery]:
    for run, log in history.logs.items():
        following = next((message.at for message in log if message.at >= strike.ended), None)
        if following is not None and log[0].at < strike.began and not _parked(log, strike.began):
            yield Recovery("nats", strike.kind, run, following - strike.ended)


def _of_runs(history: History, strike: Strike, life: Incarnation) -> Iterator[Recovery]:
    for run, log in history.logs.items():
        found = owner_at(log, strike.began) if life.service == "orchestrator" else host_at(log, strike.began)
        if found is not None and found.holder == life.id:
            yield Recovery(life.service, strike.kind, run, found.following - strike.began)


def _of_tasks(history: History, strike: Strike, life: Incarnation) -> Iterator[Recovery]:
    for task, journal in history.journals.items():
        found = worker_at(journal, strike.began)
        if found is not None and found.holder == life.id:
            yield Recovery(life.service, strike.kind, task.partition(".")[0], found.following - strike.began)


def owner_at(log: tuple[LogMessage, ...], at: float) -> Tenure | None:
    """Return who owned a run at a moment; None before it was opened, after its last entry, and while it was parked."""
    place = bisect_right([message.at for message in log], at)
    if not 0 < place < len(log) or _parked(log, at):
        return None
    events = [event for message in log[:place] for event in message.entry.events]
    owners = [event.owner for event in events if isinstance(event, RunOpened | OwnerChanged)]
    return Tenure(owners[-1], log[place].at) if owners else None


def host_at(log: tuple[LogMessage, ...], at: float) -> Tenure | None:
    """Return the host that kept a run's session at a moment."""
    place = bisect_right([message.at for message in log], at)
    events = [event for message in log[:place] for event in message.entry.events]
    hosts = [event.session.host for event in events if isinstance(event, SessionOpened)]
    return Tenure(hosts[-1], log[place].at) if hosts and place < len(log) and not _parked(log, at) else None


def worker_at(journal: tuple[JournalMessage, ...], at: float) -> Tenure | None:
    """Return who held a sub-task at a moment; None if nobody did, or nothing was written any more."""
    place = bisect_right([message.at for message in journal], at)
    holder = ""
    for entry in (entry for message in journal[:place] for entry in message.entries):
        if isinstance(entry, Taken):
            holder = entry.worker
        elif isinstance(entry, Released | Suspended | Finished | Revoked):
            holder = ""
    return Tenure(holder, journal[place].at) if holder and place < len(journal) else None


def _parked(log: tuple[LogMessage, ...], at: float) -> bool:
    """Return whether the last thing before a moment was that the run was parked."""
    before = [message for message in log if message.at <= at]
    return bool(before) and any(isinstance(event, Parked) for event in before[-1].entry.events)


def takeovers(history: History) -> Iterator[Takeover]:
    """Yield each change of holder that the former one had not brought about."""
    for run, log in history.logs.items():
        owner = ""
        for number, message in enumerate(log):
            first = message.entry.events[0]
            parked = number > 0 and any(isinstance(it, Parked) for it in log[number - 1].entry.events)
            if isinstance(first, OwnerChanged) and owner and not parked:
                yield Takeover(run, message.at, owner)
            if isinstance(first, RunOpened | OwnerChanged):
                owner = first.owner
    for task, journal in history.journals.items():
        holder = ""
        for at, entry in ((message.at, entry) for message in journal for entry in message.entries):
            if isinstance(entry, Taken):
                if holder:
                    yield Takeover(task, at, holder)
                holder = entry.worker
            elif isinstance(entry, Released | Suspended):
                holder = ""


def false_takeovers(history: History, ack_wait: float) -> list[Takeover]:
    """Return the takeovers from a holder that no fault had touched before."""
    lives = {life.id: life for life in history.incarnations}
    found: list[Takeover] = []
    for takeover in takeovers(history):
        life = lives.get(takeover.former)
        if life is None or not any(_explains(strike, life, takeover.at, ack_wait) for strike in history.strikes):
            found.append(takeover)
    return found


def _explains(strike: Strike, life: Incarnation, at: float, ack_wait: float) -> bool:
    """Return whether a fault is the reason: it was shortly before, or the end of the former holder."""
    if not touches(strike, life) or strike.began > at:
        return False
    return at <= strike.ended + 2 * ack_wait + 2.0 or strike.began <= life.ended <= strike.ended
