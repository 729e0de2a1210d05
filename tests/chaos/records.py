"""Writes down what a campaign has seen, for whoever looks into a violation."""

import pickle
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from chaos.check_journals import run_of
from chaos.history import History
from muster_protocol.codec import encode

HISTORY = "history.pickle"
WIDTH = 2000


def write_history(history: History, folder: Path) -> None:
    """Keep the whole history, so that checks can be made again."""
    (folder / HISTORY).write_bytes(pickle.dumps(history))


def read_history(folder: Path) -> History:
    """Return a history that was kept; only of one's own folder: it is a pickle."""
    found = pickle.loads((folder / HISTORY).read_bytes())
    assert isinstance(found, History)
    return found


def write_records(history: History, runs: Sequence[str], folder: Path) -> None:
    """Write a file for each run: its log, the journals of its sub-tasks, and the faults, in the order of time."""
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        lines = sorted(_lines(history, run))
        (folder / f"{run}.txt").write_text("\n".join(text for _, text in lines) + "\n")


def _lines(history: History, run: str) -> Iterator[tuple[float, str]]:
    log = history.logs.get(run, ())
    for message in log:
        for event in message.entry.events:
            yield message.at, _line(message.at, f"RUNS {message.seq} epoch {message.entry.epoch}", encode(event))
    for task, journal in history.journals.items():
        for message in journal if run_of(task) == run else ():
            for entry in message.entries:
                yield message.at, _line(message.at, f"JOURNAL {message.seq} {task}", encode(entry))
    first, last = (log[0].at, log[-1].at) if log else (0.0, 0.0)
    names = {(life.slot, life.pid): life.id for life in history.incarnations}
    for strike in history.strikes:
        if strike.ended >= first - 20.0 and strike.began <= last:
            who = f"{strike.slot} {names.get((strike.slot, strike.pid), '')} until {_clock(strike.ended)}"
            yield strike.began, _line(strike.began, f"FAULT {strike.kind}", who.encode())


def _line(at: float, what: str, data: bytes) -> str:
    return f"{_clock(at)} {what} {data.decode()[:WIDTH]}"


def _clock(at: float) -> str:
    return f"{time.strftime('%H:%M:%S', time.gmtime(at))}.{int(at % 1 * 1000):03d}"
