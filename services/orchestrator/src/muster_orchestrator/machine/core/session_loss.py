"""Lost sessions: whether a run may go on in a session opened anew. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import SESSION_HOST, Run, SessionUse
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import SessionOpened
from muster_protocol.tasks import SubTaskResult

BLANK = "The session was lost and opened anew; nothing had been changed in it before."
RESTORED = (
    "The session was lost and opened anew from its checkpoint: cookies and stored data are back and the page reads as "
    "it did. What only the old page knew is gone: focus, scroll position, the memory of its scripts."
)


def record_use(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Return the run with an ended attempt's use of its session; an attempt that lost the session changed nothing."""
    task = node.sub_task
    if task is None or not task.session or result.failure == Failure.SESSION_LOST:
        return run
    before = run.sessions.used.get(task.session, SessionUse())
    changed = result.last_act >= 0 or result.acted or result.failure == Failure.POISON  # poison: nothing is known
    now = SessionUse(changed=task.dispatch if changed else before.changed, ended=task.dispatch, node=node.plan.id)
    return replace(run, sessions=replace(run.sessions, used={**run.sessions.used, task.session: now}))


def mark_lost(run: Run, name: str) -> Run:
    """Return the run with an unreachable session marked as lost, so that it is opened again."""
    held = run.sessions
    kept = {other: ref for other, ref in held.open.items() if other != name}
    gone = {other: ref for other, ref in held.open.items() if other == name}
    return replace(run, sessions=replace(held, open=kept, lost={**held.lost, **gone}, losses=held.losses + 1))


def apply_opened(run: Run, event: SessionOpened) -> Run:
    """Return the run with a session open; in place of a lost one only if no change can be missing in it."""
    held, name, before = run.sessions, event.session.name, run.sessions.lost.get(event.session.name)
    still_lost = {other: ref for other, ref in held.lost.items() if other != name}
    queued = {other: place for other, place in held.queued.items() if other != name}
    held = replace(held, open={**held.open, name: event.session}, lost=still_lost, queued=queued)
    unserved = {what: absence for what, absence in run.unserved.items() if not what.startswith(SESSION_HOST)}
    run = replace(run, sessions=held, unserved=unserved)
    if before is None or (before.instance and before.instance == event.session.instance):
        return run
    done = held.used.get(name, SessionUse())
    if not done.changed:
        return replace(run, sessions=replace(held, reopened={**held.reopened, name: "blank"}))
    if why := find_gap(done, event):
        return _give_up(run, name, why)
    return replace(run, sessions=replace(held, reopened={**held.reopened, name: "restored"}))


def mark_failed(run: Run, name: str, reason: str) -> Run:
    """Return the run with the reason why a session cannot be opened, unless it is open."""
    return run if name in run.sessions.open else replace(run, sessions=replace(run.sessions, failure=reason))


def find_gap(done: SessionUse, event: SessionOpened) -> str:
    """Return what a session opened anew may lack of the changes made in the lost one, or ""."""
    if event.restored == "no":
        return "there is no checkpoint of it"
    if event.missing and not event.after:
        return event.missing
    if not done.changed <= event.after <= done.ended:
        return "its checkpoint was made before the last change in it"
    return "" if event.restored == "same" else event.missing or "its page does not read as it did"


def explain_doubt(run: Run) -> str:
    """Return why a fail may come from restoring a session, or "" if none was restored."""
    names = " and ".join(name for name, how in run.sessions.reopened.items() if how == "restored")
    return f"session {names} had been opened anew from its checkpoint" if names else ""


def write_notice(run: Run, node: Node) -> str:
    """Return what to tell the next attempt at a node whose last attempt lost its session, or ""."""
    how = run.sessions.reopened.get(node.plan.session)
    if how is None or node.result is None or node.result.failure != Failure.SESSION_LOST:
        return ""
    return RESTORED if how == "restored" else BLANK


def _give_up(run: Run, name: str, why: str) -> Run:
    """Fail the node that was to be tried again in the session, and with it the run."""
    waiting = (*run.graph.with_status("faulted"), *map(run.graph.__getitem__, run.graph.ready))
    for node in waiting:
        result = node.result
        if node.plan.session == name and result is not None and result.failure == Failure.SESSION_LOST:
            text = f"{result.summary}; it cannot be opened as it was: {why}"
            result = replace(result, summary=text, cause=Cause.ENVIRONMENT)
            return run.with_result(result).with_node(replace(node, status="failed", result=result))
    failure = f"session {name} was lost and cannot be opened as it was: {why}"
    return replace(run, sessions=replace(run.sessions, failure=failure))
