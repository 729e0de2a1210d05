"""The page of a run, made of what is known of it: verdict, plan as written, sub-tasks, events, files, log. Pure."""

from collections.abc import Sequence

from muster_protocol.tool_calls import Usage
from muster_reports.outcome import failed_result
from muster_reports.pages.attempts import Told, attempt_part, decision_in
from muster_reports.pages.history import History, history
from muster_reports.pages.journal_moments import Showing, lengths, room_for
from muster_reports.pages.material import Material, references_of_sub_tasks
from muster_reports.pages.parts import Event, Fact, File, Group, RunPage
from muster_reports.pages.plan import Work, groups_of, owner_of, plan_note
from muster_reports.pages.words import count, moment, money, took, why
from muster_reports.texts import seconds
from muster_reports.verdict_wording import failure_details

LINES, LINE = 250, 160
"""Log lines on a page, the newest, and characters of each; all of them are in `log.txt`."""


def page_of(material: Material) -> RunPage:
    """Return the page of a run; of what is missing or unreadable it says so."""
    outcome, told = material.outcome, history(material.entries)
    verdict, showing = outcome.verdict, showing_of(material)
    work = work_of(material, told)
    groups = groups_of(told, work, showing)
    return RunPage(
        name=outcome.name,
        state=verdict.status if verdict else "none",
        cause=str(outcome.cause or "") if verdict else "",
        summary=showing.text(verdict.summary) if verdict else "It was given up before it had a verdict.",
        facts=_facts(material, told),
        totals=_totals(material, told),
        tags=verdict.tags if verdict else (),
        failure=_failure(material, work, showing),
        failed_anchor=_anchor(groups),
        failure_pictures=_failure_pictures(material, work, showing),
        notes=_notes(material, told),
        planning=tuple(attempt_part(one, showing) for one in work.of("")),
        plan_note=plan_note(told),
        groups=groups,
        events=_events(told, showing),
        pictures=_other_pictures(material, showing),
        files=showing.named(showing.files, pictures=False),
        lines=tuple(line[:LINE] for line in material.lines[-LINES:]),
        lines_note=f"the newest {LINES} of {len(material.lines):,}" if len(material.lines) > LINES else "",
    )


def showing_of(material: Material) -> Showing:
    """Return how to show what is known of a run."""
    texts = (length for journal in material.journals.values() for entry in journal for length in lengths(entry))
    return Showing({file.name: file for file in material.files}, room_for(texts))


def work_of(material: Material, told: History) -> Work:
    """Return all attempts by the node of the plan they were made for."""
    verdict = material.outcome.verdict
    accepted = {result.task: result for result in verdict.results} if verdict else {}
    planned = [node.id for node in told.plan.nodes] if told.plan else []
    by_node: dict[str, list[Told]] = {}
    for attempt in told.attempts:
        task = attempt.sub_task
        one = Told(attempt, material.journals.get(task.id, ()), accepted.get(task.id))
        by_node.setdefault(owner_of(task, planned), []).append(one)
    return Work(by_node)


def _failure(material: Material, work: Work, showing: Showing) -> tuple[Fact, ...]:
    """Return what there is to say about a fail, and why it has its cause."""
    outcome, verdict = material.outcome, material.outcome.verdict
    if verdict is None or outcome.cause is None:
        return ()
    result = failed_result(verdict)
    results = [one.result for one in work.of(verdict.failed_node)] if verdict.failed_node else []
    decisions = [found for found in map(decision_in, results) if found]
    reasons = why(outcome.cause, result.failure if result else None, decisions[-1].reason if decisions else "")
    return tuple(Fact(name=name, text=showing.text(text)) for name, text in (*failure_details(outcome), *reasons))


def _anchor(groups: Sequence[Group]) -> str:
    """Return the anchor of the last sub-task that failed."""
    failed = [part.anchor for group in groups for part in group.sub_tasks if part.state in ("fail", "error")]
    return failed[-1] if failed else ""


def _failure_pictures(material: Material, work: Work, showing: Showing) -> tuple[File, ...]:
    """Return the pictures taken in the last attempt at the sub-task that failed."""
    verdict = material.outcome.verdict
    tried = work.of(verdict.failed_node) if verdict and verdict.failed_node else ()
    claimed = tried[-1].attempt.claimed if tried else None
    return showing.pictures(claimed.artifacts) if claimed else ()


def _facts(material: Material, told: History) -> tuple[Fact, ...]:
    outcome, verdict = material.outcome, material.outcome.verdict
    place = f"{outcome.source}:{outcome.line}" if outcome.source else ""
    facts = [
        ("run", outcome.run),
        ("suite", outcome.suite),
        ("written in", place),
        ("started", moment(told.started_at)),
        ("ended", moment(verdict.ended_at) if verdict else ""),
        *(verdict.labels.items() if verdict else ()),
    ]
    return tuple(Fact(name=name, text=text) for name, text in facts if text)


def _totals(material: Material, told: History) -> tuple[Fact, ...]:
    outcome, verdict = material.outcome, material.outcome.verdict
    usage = verdict.usage if verdict else Usage()
    tokens = f"{usage.input_tokens:,} in, {usage.output_tokens:,} out"
    again = sum(attempt.sub_task.attempt > 1 for attempt in told.attempts)
    facts = [
        ("duration", seconds(verdict.duration) if verdict else ""),
        ("sub-tasks passed", f"{outcome.steps_done} of {outcome.steps_total}"),
        ("tried again", f"{again:,}" if again else ""),
        ("tool calls", f"{usage.calls:,}"),
        ("model calls", f"{usage.model_calls:,}"),
        ("tokens", tokens if usage.input_tokens + usage.output_tokens else "0"),
        ("cost", money(usage.cost) if usage.cost else "0"),
        ("iterations", f"{verdict.total_iterations:,}" if verdict and verdict.total_iterations else ""),
        ("unverified steps", str(verdict.unverified) if verdict and verdict.unverified else ""),
    ]
    return tuple(Fact(name=name, text=text) for name, text in facts if text)


def _notes(material: Material, told: History) -> tuple[str, ...]:
    """Return what a reader must know before trusting the page to be whole."""
    notes: list[str] = []
    if told.request is None:
        notes.append("The run's log was not begun or is not there any more; only what follows is known.")
    if material.outcome.verdict and told.request and not told.closed:
        notes.append("The run was not closed when this was written; files of its session may be missing.")
    if material.unreadable:
        messages = count(material.unreadable, "stored message")
        notes.append(f"{messages} could not be read by this version of muster; a newer one may show more.")
    return tuple(notes)


def _events(told: History, showing: Showing) -> tuple[Event, ...]:
    return tuple(
        Event(after=took(one.at - told.started_at) or "0 s", text=showing.text(one.text), bad=one.bad)
        for one in told.happenings
    )


def _other_pictures(material: Material, showing: Showing) -> tuple[File, ...]:
    """Return the pictures that no sub-task refers to."""
    known = {ref.name for ref in references_of_sub_tasks(material)}
    return showing.named((name for name in showing.files if name not in known), pictures=True)
