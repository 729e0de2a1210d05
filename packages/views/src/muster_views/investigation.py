"""Builds the assignment of an agent that finds out why a run failed."""

import asyncio
from collections.abc import Callable, Iterator, Mapping

from muster_bus import Bus
from muster_bus.artifact_store import get_artifact, list_artifacts
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Assignment
from muster_protocol.verdicts import Verdict
from muster_text.text_match import both_ends
from muster_views.attempt_views import AttemptView, CallView
from muster_views.attempts import view_attempts
from muster_views.history import History
from muster_views.material import Material, read_material
from muster_views.network_records import describe_console, describe_network
from muster_views.node_history import Node
from muster_views.outcome import build_outcome
from muster_views.summaries import describe_failure
from muster_views.texts import strip_controls, to_one_line

INVESTIGATOR = "investigator"
"""Id of the agent."""
ROOM = {"run": 4_000, "steps": 4_000, "journal": 14_000, "console": 6_000, "network": 10_000, "log": 6_000}
"""Most characters of each part of what the agent is given."""
LARGEST_RECORD = 30_000_000
"""Bytes of a HAR or console; a larger one is left out."""
GOAL = "Find out why this run failed: {name}"
LONGEST_NAME = 80
_DESCRIBE: dict[str, Callable[[bytes], str]] = {"network": describe_network, "console": describe_console}


async def read_investigation(bus: Bus, run: str, *, workspace: str, question: str) -> Assignment:
    """Return the assignment to find out why a run failed.

    Raises:
        InvalidRequest: the run is not over, or has not failed.
        BusError, NatsError, TimeoutError: what it left cannot be read now.
    """
    material = await read_material(bus, build_outcome(History(run=run)))
    verdict = material.history.verdict
    if verdict is None:
        raise InvalidRequest([f"run {run!r} is not over, or its log is gone: there is nothing to investigate yet"])
    if verdict.achieved:
        raise InvalidRequest([f"run {run!r} has ended with {verdict.status}: there is no fail to investigate"])
    return build_investigation(material, verdict, await _read_records(bus, run), workspace, question)


async def _read_records(bus: Bus, run: str) -> dict[str, str]:
    """Return what the session recorded of network and console, in short, by part."""
    found: dict[str, str] = {}
    for name in await list_artifacts(bus, f"{run}/session/"):
        part = "network" if name.endswith(".har") else "console" if name.endswith("-console.jsonl") else ""
        data = await get_artifact(bus, name) if part else None
        if data and len(data) <= LARGEST_RECORD:
            text = await asyncio.to_thread(_DESCRIBE[part], data)
            found[part] = "\n".join(filter(None, (found.get(part), text)))
    return found


def build_investigation(
    material: Material, verdict: Verdict, records: Mapping[str, str], workspace: str, question: str
) -> Assignment:
    """Return the assignment with what the run left, each part within its room. Pure."""
    parts = {
        "run": describe_end(material.history, verdict),
        "steps": _describe_steps(material.history),
        "journal": "\n".join(_describe_work(material)),
        "console": records.get("console", ""),
        "network": records.get("network", ""),
        "log": "\n".join(material.lines[-200:]),
    }
    goal = GOAL.format(name=to_one_line(verdict.name, LONGEST_NAME))
    return Assignment(
        goal=f"{goal}\n{question.strip()}" if question.strip() else goal,
        agent=INVESTIGATOR,
        name=f"Why: {to_one_line(verdict.name, LONGEST_NAME)}",
        inputs=as_data(parts, ROOM),
        workspace=workspace,
        notes_on=verdict.run,
    )


def as_data(parts: Mapping[str, str], room: Mapping[str, int]) -> dict[str, str]:
    """Return the parts that say something, each within its room. Pure."""
    return {name: both_ends(_plain(text), room[name]) for name, text in parts.items() if text.strip()}


def _plain(text: str) -> str:
    """Return a text without controls and without what reads as a secret's name, which only cases may use."""
    return strip_controls(text).replace("${secret:", "$ {secret:")


def describe_end(history: History, verdict: Verdict) -> str:
    """Return how a run ended, and why it failed. Pure."""
    outcome = build_outcome(history)
    head = [
        ("name", verdict.name),
        ("verdict", f"{verdict.status} {verdict.cause or ''}"),
        ("summary", verdict.summary),
    ]
    return "\n".join(f"{name}: {text}" for name, text in (*head, *describe_failure(outcome)))


def _describe_steps(history: History) -> str:
    return "\n".join(
        f"{node.position}. {node.state}: {to_one_line(node.description, 300)}"
        + (f" (expects: {to_one_line(expected, 300)})" if (expected := _expected(node)) else "")
        for node in history.planned
    )


def _expected(node: Node) -> str:
    return node.task.step.expected_result if node.task else ""


def _describe_work(material: Material) -> Iterator[str]:
    """Yield what was done in the sub-tasks that failed and in the one before, newest attempts last."""
    nodes = list(material.history.nodes.values())
    failed = [index for index, node in enumerate(nodes) if node.state == "failed"]
    chosen = sorted({before for index in failed for before in (max(index - 1, 0), index)})
    for node in [nodes[index] for index in chosen]:
        for attempt in view_attempts(material.history, node, material.journals):
            yield from _describe_attempt(node, attempt)


def _describe_attempt(node: Node, attempt: AttemptView) -> Iterator[str]:
    yield f"## {node.id}, attempt {attempt.attempt}: {to_one_line(attempt.title, 200)}"
    for moment in attempt.moments:
        if isinstance(moment, CallView):
            given = ", ".join(f"{name}={value!r}" for name, value in moment.arguments.items())
            yield f"{moment.tool}({to_one_line(given, 300)}) → {moment.status}: {both_ends(moment.summary, 800)}"
            yield from (f"  {name}: {text[:600]}" for name, text in _compared(moment) if text)
    if attempt.result:
        yield f"result: {attempt.result.status}: {both_ends(attempt.result.summary, 800)}"


def _compared(call: CallView) -> tuple[tuple[str, str], ...]:
    return (("expected", call.expected), ("seen", call.seen), ("where", call.where)) if call.status != "ok" else ()
