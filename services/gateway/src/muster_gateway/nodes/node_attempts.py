"""The attempts at one sub-task, from the run's log and the journals. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from muster_gateway.entries import Known
from muster_gateway.nodes.journals import Noted
from muster_gateway.nodes.proofs import artifact_names, clauses_of
from muster_gateway.nodes.views import AskedView, AttemptView, CallView, NoteView, ReplyView, TakerView
from muster_protocol import events
from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Finished,
    ModelReplied,
    Question,
    Released,
    Revoked,
    Suspended,
    Taken,
)
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolOutcome
from muster_reports.replies import read_reply


def attempts(happened: Iterable[Known], node: str, journals: Mapping[str, Sequence[Noted]]) -> tuple[AttemptView, ...]:
    """Return the attempts at a node, oldest first; `journals` by sub-task id."""
    found: dict[str, AttemptView] = {}
    for at, event in happened:
        match event:
            case events.SubTaskDispatched(sub_task=task) if task.node == node:
                found[task.id] = _dispatched(task, at, journals.get(task.id, ()))
            case events.SubTaskEnded(outcome=result) if result.task in found:
                found[result.task] = _with_result(replace(found[result.task], ended_at=at), result)
            case events.RetryPlanned(node=again, reason=reason) if again == node and found:
                last = next(reversed(found))
                found[last] = replace(found[last], retried=reason)
            case events.VerdictReached(verdict=verdict):
                accepted = {result.task: result for result in verdict.results if result.task in found}
                found |= {id: _with_result(found[id], result) for id, result in accepted.items()}
            case _:
                continue
    return tuple(found.values())


def _dispatched(task: SubTask, at: float, noted: Sequence[Noted]) -> AttemptView:
    view = AttemptView(
        task=task.id,
        attempt=task.attempt,
        description=task.description,
        expected_result=task.step.expected_result,
        pool=task.pool,
        state=task.step.state,
        notice=task.notice,
        values=task.step.values,
        dispatched_at=at,
        clauses=clauses_of(task.step.expected_result),
    )
    return with_journal(view, noted)


def _with_result(view: AttemptView, result: SubTaskResult) -> AttemptView:
    values = view.values | result.step.captured
    clauses = clauses_of(view.expected_result, result.step.evidence, result.last_act, values)
    return replace(view, result=result, values=values, clauses=clauses)


def with_journal(view: AttemptView, noted: Sequence[Noted]) -> AttemptView:
    """Return an attempt with what its journal tells."""
    calls: dict[int, CallView] = {}
    over = False
    for order, (at, entry) in enumerate(noted):
        match entry:
            case CallStarted(index=index):
                calls[index] = _started(entry, order, at)
            case CallFinished(index=index, outcome=outcome):
                call = calls.get(index) or CallView(number=index, order=order, tool="", started_at=at)
                calls[index] = _finished(call, outcome, at)
            case Taken(worker=worker, delivery=delivery):
                # not its own `at`: that is when the queue message was stored, the same for each who takes it
                taker = TakerView(worker=worker, at=at, delivery=delivery)
                view = replace(view, takers=(*view.takers, taker))
            case ModelReplied():
                view = replace(view, replies=(*view.replies, _reply(entry, order, at)))
            case Suspended(waits=waits):
                asks = waits if isinstance(waits, Question) else None
                note = NoteView(order=order, at=at, kind="suspended", text=asks.text if asks else "")
                view = replace(view, asks=asks, notes=(*view.notes, note))
            case Released(reason=reason):
                view = replace(view, notes=(*view.notes, NoteView(order=order, at=at, kind="released", text=reason)))
            case Revoked(reason=reason):
                over = True
                view = replace(view, notes=(*view.notes, NoteView(order=order, at=at, kind="revoked", text=reason)))
            case Finished(outcome=outcome):
                over = True
                view = _with_result(view, outcome)
    return replace(view, calls=tuple(_ends(call, over=over, takers=view.takers) for call in calls.values()))


def _ends(call: CallView, *, over: bool, takers: Sequence[TakerView]) -> CallView:
    """Return a call; one without an outcome goes on only while the worker that made it is the holder."""
    lost = over or any(taker.at > call.started_at for taker in takers)
    return replace(call, status="unknown") if call.status == "running" and lost else call


def _started(entry: CallStarted, order: int, at: float) -> CallView:
    return CallView(
        number=entry.index,
        order=order,
        tool=entry.call.tool,
        arguments=entry.call.arguments,
        clause=entry.call.clause,
        effect=entry.effect,
        started_at=at,
    )


def _finished(call: CallView, outcome: ToolOutcome, at: float) -> CallView:
    address = outcome.where.startswith(("http://", "https://"))
    return replace(
        call,
        ended_at=at,
        duration_ms=outcome.duration_ms,
        status=outcome.status,
        summary=outcome.text,
        failure=str(outcome.failure or ""),
        expected=outcome.expected,
        seen=outcome.seen,
        where=outcome.where,
        url=outcome.where if address else "",
        confirmed=outcome.confirmed,
        captured=outcome.captured,
        element=outcome.element,
        artifacts=artifact_names(outcome.artifacts),
        usage=outcome.usage,
    )


def _reply(entry: ModelReplied, order: int, at: float) -> ReplyView:
    reply = read_reply(entry.reply)
    return ReplyView(
        number=entry.index,
        order=order,
        at=at,
        text=reply.text,
        calls=tuple(AskedView(tool=asked.name, arguments=asked.arguments) for asked in reply.calls),
        input_tokens=entry.input_tokens,
        output_tokens=entry.output_tokens,
        cost=entry.cost,
    )
