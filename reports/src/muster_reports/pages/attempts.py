"""One attempt at a sub-task as a part of the page: result, clauses with their evidence, and its journal. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from muster_protocol.facts import Evidence
from muster_protocol.journal import CallFinished, JournalEntry, Taken
from muster_protocol.kinds import KINDS_BY_NAME, Decision, EvaluateOutput
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_reports.pages.history import Attempt
from muster_reports.pages.journal_moments import Showing, call_part, moments
from muster_reports.pages.parts import AttemptPart, Check, Clause, Fact, Moment
from muster_reports.pages.words import count, spent, took, words
from muster_text.clauses import split_clauses

NO_JOURNAL = "Its journal is not there (any more); this is what its result says."


class Told(NamedTuple):
    """An attempt with all that is known of it: its journal, and its result as the run accepted it."""

    attempt: Attempt
    journal: Sequence[JournalEntry] = ()
    accepted: SubTaskResult | None = None

    @property
    def result(self) -> SubTaskResult | None:
        """The accepted result, else the claimed one."""
        return self.accepted or self.attempt.claimed

    @property
    def state(self) -> str:
        """The status of its result; `none` without one."""
        return self.result.status if self.result else "none"


def attempt_part(told: Told, showing: Showing, *, recovery: bool = False) -> AttemptPart:
    """Return an attempt for the page."""
    task, result, claimed = told.attempt.sub_task, told.result, told.attempt.claimed
    label = _label(task, recovery=recovery)
    showing = showing._replace(values={**task.step.values, **(result.step.captured if result else {})})
    refused = ""
    if claimed and told.accepted and claimed.status != told.accepted.status:
        refused = f"Its worker claimed {claimed.status}; the run did not accept that."
    part = AttemptPart(
        kind=label.lower(),
        title=_title(label, task.attempt, showing.text(task.description)),
        state=told.state,
        refused=refused,
        retried=showing.text(told.attempt.retried),
        facts=_facts(told),
        moments=_moments(told, showing),
    )
    if result is None:
        wanted = told.attempt.waits_for
        summary = f"It waits for {count(wanted, 'sub-task')} of its own." if wanted else "It has no result."
        return replace(part, summary=summary)
    return _with_result(part, told, result, showing)


def clauses_of(expected: str, evidence: Sequence[Evidence], last_act: int, showing: Showing) -> tuple[Clause, ...]:
    """Return the clauses of an expectation with the checks bound to each; checks of other texts come last."""
    wanted = split_clauses(expected)
    others = dict.fromkeys(item.clause for item in evidence if item.clause not in wanted)
    found: list[Clause] = []
    for text in (*wanted, *others):
        checks = tuple(_check(item, last_act, showing) for item in evidence if item.clause == text)
        counting = [check for check in checks if not check.note]
        state = "none" if not counting else "pass" if all(check.state == "pass" for check in counting) else "fail"
        found.append(Clause(text=showing.text(text), state=state, checks=checks))
    return tuple(found)


def _check(item: Evidence, last_act: int, showing: Showing) -> Check:
    early = item.passed and item.call <= last_act
    details = [("seen", item.seen), ("where", item.where)]
    if not item.passed:
        details.insert(0, ("expected", item.expected))
    return Check(
        call=call_part(item.check, item.arguments, showing),
        state="pass" if item.passed else "fail",
        details=_texts(details, showing),
        note="looked before the last action, so it does not count" if early else "",
    )


def _with_result(part: AttemptPart, told: Told, result: SubTaskResult, showing: Showing) -> AttemptPart:
    claimed, expected = told.attempt.claimed or result, told.attempt.sub_task.step.expected_result
    calls = [entry.outcome for entry in told.journal if isinstance(entry, CallFinished)]
    of_calls = {ref.name for outcome in calls for ref in outcome.artifacts}
    loose = [ref.name for ref in claimed.artifacts if ref.name not in of_calls]
    details = list[tuple[str, str]]()
    if not any(item.seen == result.seen and not item.passed for item in claimed.step.evidence):
        details = [("expected", result.expected), ("seen", result.seen), ("where", result.where)]
    return replace(
        part,
        summary=showing.text(result.summary),
        decision=_decision(decision_in(result), showing),
        details=_texts(details, showing) if result.status != "pass" else (),
        clauses=clauses_of(expected, claimed.step.evidence, claimed.last_act, showing),
        values=_texts(list(result.step.captured.items()), showing),
        pictures=showing.named(loose, pictures=True),
        files=showing.named(loose, pictures=False),
        spent=spent(result.usage),
        took=took(told.attempt.ended_at - told.attempt.started_at or result.usage.seconds),
    )


def _moments(told: Told, showing: Showing) -> tuple[Moment, ...]:
    if told.journal:
        return moments(told.journal, showing)
    result = told.attempt.claimed
    if result is None:
        return ()
    acts = tuple(
        Moment(kind="call", state="none", call=call_part(act.tool, act.arguments, showing), effect="act")
        for act in result.step.acts
    )
    return (Moment(kind="note", title=NO_JOURNAL), *acts)


def _facts(told: Told) -> tuple[Fact, ...]:
    """Return the numbers of an attempt; those that are zero or usual are left out."""
    task, result = told.attempt.sub_task, told.result
    takers = [entry for entry in told.journal if isinstance(entry, Taken)]
    worker = (result.worker if result else "") or (takers[-1].worker if takers else "")
    waited = takers[0].at - told.attempt.started_at if takers and takers[0].at else 0.0
    facts = [("worker", worker), ("attempt", str(task.attempt)), ("agent", task.agent)]
    facts.append(("waited for a worker", took(waited) if waited >= 1 else ""))
    if result:
        usage, failure = result.usage, result.failure
        facts += [
            ("source", result.source),
            ("iterations", str(result.iterations or "")),
            ("tool calls", f"{usage.calls:,}" if usage.calls else ""),
            ("model calls", f"{usage.model_calls:,}" if usage.model_calls else ""),
            ("tokens in / out", f"{usage.input_tokens:,} / {usage.output_tokens:,}" if spent(usage) else ""),
            ("failure", words(failure) if failure else ""),
            ("cause", result.cause or ""),
        ]
    return tuple(Fact(name=name, text=text) for name, text in facts if text)


def decision_in(result: SubTaskResult | None) -> Decision | None:
    """Return the decision that a result holds, if it is one of an evaluation."""
    return result.output.decision if result and isinstance(result.output, EvaluateOutput) else None


def _decision(decision: Decision | None, showing: Showing) -> tuple[Fact, ...]:
    if decision is None:
        return ()
    told = [
        ("decision", decision.action),
        ("reason", decision.reason),
        ("cause", decision.cause or ""),
        ("recovery", decision.recovery),
        ("recovery expected", decision.recovery_expected),
    ]
    return _texts(told, showing)


def _texts(named: Sequence[tuple[str, str]], showing: Showing) -> tuple[Fact, ...]:
    return tuple(Fact(name=name, text=showing.text(text)) for name, text in named if text.strip())


def _label(task: SubTask, *, recovery: bool) -> str:
    """Return what people read for an attempt: `Planning`, `Recovery`, or `Attempt` at a part of the plan."""
    kind = KINDS_BY_NAME[task.kind]
    return "Recovery" if recovery else "Attempt" if kind.planned else kind.label


def _title(label: str, number: int, description: str) -> str:
    if label == "Attempt":
        return f"Attempt {number}"
    again = f" (attempt {number})" if number > 1 else ""
    return f"{label}{again}: {description}"
