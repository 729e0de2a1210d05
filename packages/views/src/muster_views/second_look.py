"""Builds the analysis in which the agent `analyzer` examines a finished run."""

from collections.abc import Iterator

from muster_bus import Bus
from muster_bus.run_store import read_entries
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Analysis
from muster_views.history import History, events_in, fold_events
from muster_views.investigation import LONGEST_NAME, as_data, describe_end
from muster_views.node_history import Node
from muster_views.proofs import view_clauses
from muster_views.texts import to_one_line
from muster_views.views import ClauseView

ROOM = {"run": 4_000, "health": 1_000, "evidence": 20_000}
"""Most characters of each part of what the analyzer is given."""


async def read_analysis(bus: Bus, run: str, health: str) -> Analysis:
    """Return the analysis of a run that is over; `health` is what arithmetic says of its test.

    Raises:
        InvalidRequest: the run is not over.
        BusError, NatsError, TimeoutError: its log cannot be read now.
    """
    history = fold_events(events_in(await read_entries(bus, run)), run)
    verdict = history.verdict
    if verdict is None:
        raise InvalidRequest([f"run {run!r} is not over, or its log is gone: there is nothing to look at again"])
    parts = {
        "run": describe_end(history, verdict),
        "health": health,
        "evidence": "\n".join(_describe_evidence(history)),
    }
    name = f"Second look: {to_one_line(verdict.name, LONGEST_NAME)}"
    return Analysis(run=run, name=name, material=as_data(parts, ROOM))


def _describe_evidence(history: History) -> Iterator[str]:
    """Yield the planned steps with what they expected, and what has shown each clause or not. Pure."""
    for node in history.planned:
        yield f"{node.position}. {node.state}: {to_one_line(node.description, 300)}"
        for clause in _clauses(node):
            yield f"   {clause.state}: {to_one_line(clause.shown, 300)}{_lack(clause)}"
            yield from (f"     {line}" for line in _checks(clause))


def _clauses(node: Node) -> tuple[ClauseView, ...]:
    task = node.task
    if task is None:
        return ()
    return view_clauses(task.step.expected_result, node.result, task.step.values)


def _lack(clause: ClauseView) -> str:
    return f" ({to_one_line(clause.lacks, 200)})" if clause.lacks else ""


def _checks(clause: ClauseView) -> Iterator[str]:
    for check in clause.evidence:
        given = ", ".join(f"{name}={value!r}" for name, value in check.arguments.items())
        told = [f"{check.check}({to_one_line(given, 200)}) {'holds' if check.passed else 'does not hold'}"]
        told += [f"by {check.by}"] if check.by else []
        told += [f"seen {to_one_line(check.seen, 400)!r}"] if check.seen else []
        told += [check.note] if check.note else []
        yield "; ".join(told)
