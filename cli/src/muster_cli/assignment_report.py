"""Prints assignments: results, findings and costs. Pure."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from rich.text import Text

from muster_cli.table import STYLES
from muster_protocol.assignments import Found
from muster_protocol.tasks import SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_views.outcome import CaseOutcome
from muster_views.texts import format_count, format_seconds, strip_controls, to_one_line

LONGEST_REFUSAL = 200


class Brought(NamedTuple):
    """What an assignment has come to, as JSON tells it."""

    run: str
    agent: str
    status: str
    cause: str
    summary: str
    findings: tuple[Found, ...]
    output: Any
    calls: int
    """Tool calls, those of its sub-agents included."""
    context: int
    """Characters of the largest question to its model."""
    sub_agents: int
    seconds: float
    cost: float
    refusals: tuple[str, ...] = ()
    """Calls that it tried and may not make, and those of its sub-agents."""
    diffs: tuple[str, ...] = ()
    """Names of the files that hold what it changed in its workspace."""


def describe_assignment_end(outcome: CaseOutcome, agent: str, diffs: tuple[str, ...] = ()) -> Brought:
    """Return what came of a run; status `none` if it has no verdict; `diffs` names the files of what it changed."""
    verdict = outcome.verdict
    own = _own_result(verdict)
    held = own.assigned if own else None
    return Brought(
        run=outcome.run,
        agent=agent,
        status=verdict.status if verdict else "none",
        cause=str(outcome.cause or ""),
        summary=verdict.summary if verdict else outcome.standing,
        findings=held.findings if held else (),
        output=held.output if held else None,
        calls=verdict.usage.calls if verdict else 0,
        context=held.context if held else 0,
        sub_agents=max(0, len(verdict.results) + verdict.omitted - 1) if verdict else 0,
        seconds=verdict.duration if verdict else 0.0,
        cost=verdict.usage.cost if verdict else 0.0,
        refusals=tuple(text for result in verdict.results for text in result.refusals) if verdict else (),
        diffs=diffs,
    )


def assignment_text(brought: Brought) -> Text:
    """Return the paragraph about one assignment."""
    text = Text()
    cause = f" ({brought.cause})" if brought.cause else ""
    text.append(f"{brought.agent}: {brought.status}{cause}", style=f"bold {STYLES[brought.status]}")
    text.append(f"\n{strip_controls(brought.summary)}\n")
    for line in _lines(brought):
        text.append(f"{strip_controls(line)}\n")
    text.append(f"{_spent(brought)}\n", style="dim")
    return text


def _own_result(verdict: Verdict | None) -> SubTaskResult | None:
    return verdict.results[-1] if verdict and verdict.results else None


def _lines(brought: Brought) -> Iterator[str]:
    for found in brought.findings:
        place = f"{found.file}:{found.line}" if found.line else found.file or found.source
        quote = f"\n    “{found.quote}”" if found.quote else ""
        unread = "  (stands nowhere in what it has read)" if found.unread else ""
        yield f"  - {found.text}" + (f"  [{place}]" if place else "") + quote + unread
    if brought.output is not None:
        yield json.dumps(msgspec.to_builtins(brought.output), ensure_ascii=False, indent=2)
    yield from (f"  refused: {to_one_line(text, LONGEST_REFUSAL)}" for text in brought.refusals)
    if brought.diffs:
        yield f"  changed files: muster apply {brought.run}"


def _spent(brought: Brought) -> str:
    parts = [format_count(brought.calls, "tool call"), f"largest question {brought.context:,} characters"]
    parts += [format_count(brought.sub_agents, "sub-agent")] if brought.sub_agents else []
    parts += [f"cost {brought.cost:g}"] if brought.cost else []
    return " · ".join((*parts, format_seconds(brought.seconds), brought.run))
