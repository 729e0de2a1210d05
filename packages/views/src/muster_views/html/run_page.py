"""Builds the page of a run: verdict, plan as written, sub-tasks, events, files, log. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from muster_protocol.notes import Note
from muster_protocol.tool_calls import Usage
from muster_views.attempt_views import AttemptView
from muster_views.estimate_texts import describe_estimate
from muster_views.happenings import Happening
from muster_views.html.sequence_chart import SequenceChart, build_chart
from muster_views.html.showing import Fact, File, Showing, share_room, text_lengths
from muster_views.html.written_plan import Group, build_groups, describe_plan, view_planning
from muster_views.material import Material, list_sub_task_references
from muster_views.proofs import artifact_names
from muster_views.question_sizes import describe_flat, measure_questions
from muster_views.run_view import view_failure
from muster_views.shared_values import SharedValue, list_shared_values
from muster_views.summaries import describe_failure
from muster_views.texts import format_count, format_money, format_seconds, format_time

LINES, LINE = 250, 160
"""Newest log lines on a page, and characters of each; `log.txt` has all of them."""


class RunPage(Struct, frozen=True, kw_only=True):
    """The content of a run's page; `show` formats texts and files."""

    name: str
    state: str
    show: Showing
    cause: str = ""
    summary: str = ""
    facts: Sequence[Fact] = ()
    totals: Sequence[Fact] = ()
    tags: Sequence[str] = ()
    failure: Sequence[Fact] = ()
    failed_anchor: str = ""
    failure_pictures: Sequence[File] = ()
    notes: Sequence[str] = ()
    found_out: Sequence[Note] = ()
    """By agents, after its end."""
    planning: Sequence[AttemptView] = ()
    plan_note: str = ""
    groups: Sequence[Group] = ()
    started_at: float = 0.0
    events: Sequence[Happening] = ()
    values: Sequence[SharedValue] = ()
    chart: SequenceChart
    pictures: Sequence[File] = ()
    files: Sequence[File] = ()
    lines: Sequence[str] = ()
    lines_note: str = ""


def build_page(material: Material) -> RunPage:
    """Return the page of a run, with notes about missing or unreadable parts."""
    outcome, history, journals = material.outcome, material.history, material.journals
    verdict, show = outcome.verdict, _build_showing(material)
    groups = build_groups(history, journals)
    return RunPage(
        name=outcome.name,
        state=verdict.status if verdict else "none",
        show=show,
        cause=str(outcome.cause or "") if verdict else "",
        summary=show.text(verdict.summary) if verdict else "It was given up before it had a verdict.",
        facts=_list_facts(material),
        totals=_list_totals(material),
        tags=verdict.tags if verdict else (),
        failure=_list_failure(material, show),
        failed_anchor=_failed_anchor(groups),
        failure_pictures=_failure_pictures(material, show),
        notes=_list_notes(material),
        found_out=material.notes,
        planning=view_planning(history, journals),
        plan_note=describe_plan(history),
        groups=groups,
        started_at=history.started_at,
        events=history.happenings,
        values=list_shared_values(history),
        chart=build_chart(material.messages),
        pictures=_other_pictures(material, show),
        files=show.others(show.files),
        lines=tuple(line[:LINE] for line in material.lines[-LINES:]),
        lines_note=f"the newest {LINES} of {len(material.lines):,}" if len(material.lines) > LINES else "",
    )


def _build_showing(material: Material) -> Showing:
    """Return the formatter for a run's texts and files."""
    texts = (length for journal in material.journals.values() for _, entry in journal for length in text_lengths(entry))
    return Showing({file.name.partition("/")[2] or file.name: file for file in material.files}, share_room(texts))


def _list_failure(material: Material, show: Showing) -> tuple[Fact, ...]:
    """Return the details of a fail and of its cause."""
    failure = view_failure(material.history)
    if failure is None:
        return ()
    cause = f"{failure.cause}: {failure.meaning}" if failure.meaning else failure.cause
    reasons = (("cause", cause), ("why", failure.why), ("evaluator", failure.evaluator))
    return show.facts((*describe_failure(material.outcome), *reasons))


def _failed_anchor(groups: Sequence[Group]) -> str:
    """Return the anchor of the last sub-task that failed."""
    failed = [part.anchor for group in groups for part in group.sub_tasks if part.state in ("fail", "error")]
    return failed[-1] if failed else ""


def _failure_pictures(material: Material, show: Showing) -> tuple[File, ...]:
    """Return the pictures of the last attempt at the failed sub-task."""
    verdict = material.history.verdict
    node = material.history.nodes.get(verdict.failed_node) if verdict else None
    claimed = node.attempts[-1].claimed if node and node.attempts else None
    return show.pictures(artifact_names(claimed.artifacts)) if claimed else ()


def _list_facts(material: Material) -> tuple[Fact, ...]:
    outcome, verdict = material.outcome, material.outcome.verdict
    place = f"{outcome.source}:{outcome.line}" if outcome.source else ""
    facts = [
        ("run", outcome.run),
        ("suite", outcome.suite),
        ("written in", place),
        ("started", format_time(material.history.started_at)),
        ("ended", format_time(verdict.ended_at) if verdict else ""),
        *(verdict.labels.items() if verdict else ()),
    ]
    return tuple(Fact(name, text) for name, text in facts if text)


def _list_totals(material: Material) -> tuple[Fact, ...]:
    outcome, verdict = material.outcome, material.outcome.verdict
    usage = verdict.usage if verdict else Usage()
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    tokens = f"{usage.input_tokens:,} in{cached}, {usage.output_tokens:,} out"
    sizes = measure_questions(material.journals)
    again = sum(one.task.attempt > 1 for node in material.history.nodes.values() for one in node.attempts)
    facts = [
        ("duration", format_seconds(verdict.duration) if verdict else ""),
        ("sub-tasks passed", f"{outcome.steps_done} of {outcome.steps_total}"),
        ("tried again", f"{again:,}" if again else ""),
        ("tool calls", f"{usage.calls:,}"),
        ("model calls", f"{usage.model_calls:,}"),
        ("tokens", tokens if usage.tokens else "0"),
        ("largest question", f"{sizes.largest:,} tokens" if sizes.largest else ""),
        ("in one conversation", describe_flat(sizes)),
        ("cost", format_money(usage.cost) if usage.cost else "0"),
        ("estimated", describe_estimate(estimate) if (estimate := material.history.estimate) else ""),
        ("iterations", f"{verdict.total_iterations:,}" if verdict and verdict.total_iterations else ""),
        ("unverified steps", str(verdict.unverified) if verdict and verdict.unverified else ""),
    ]
    return tuple(Fact(name, text) for name, text in facts if text)


def _list_notes(material: Material) -> tuple[str, ...]:
    """Return notes about what the page lacks."""
    notes: list[str] = []
    history = material.history
    if history.request is None:
        notes.append("The run has no log, or no longer has one; only what follows is known.")
    if material.outcome.verdict and history.request and not history.closed:
        notes.append("The run was not closed when this was written; files of its session may be missing.")
    if material.unreadable:
        messages = format_count(material.unreadable, "stored message")
        notes.append(f"{messages} could not be read by this version of muster; a newer one may show more.")
    return tuple(notes)


def _other_pictures(material: Material, show: Showing) -> tuple[File, ...]:
    """Return the pictures not linked to a sub-task."""
    known = set(artifact_names(list_sub_task_references(material)))
    return show.pictures(name for name in show.files if name not in known)
