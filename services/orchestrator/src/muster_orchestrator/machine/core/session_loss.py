"""What becomes of a run that loses a session: may it go on in a new one? Pure."""

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
    """Take note of what an attempt that has ended did in its session; one that lost it did nothing that lasts."""
    task = node.sub_task
    if task is None or not task.session or result.failure == Failure.SESSION_LOST:
        return run
    before = run.sessions.used.get(task.session, SessionUse())
    changed = result.last_act >= 0 or result.acted or result.failure == Failure.POISON  # that one told nothing
    now = SessionUse(changed=task.dispatch if changed else before.changed, ended=task.dispatch, node=node.plan.id)
    return replace(run, sessions=replace(run.sessions, used={**run.sessions.used, task.session: now}))


def mark_lost(run: Run, name: str) -> Run:
    """Take note that a session cannot be reached: it is to be opened again."""
    held = run.sessions
    kept = {other: ref for other, ref in held.open.items() if other != name}
    gone = {other: ref for other, ref in held.open.items() if other == name}
    return replace(run, sessions=replace(held, open=kept, lost={**held.lost, **gone}, losses=held.losses + 1))


def apply_opened(run: Run, event: SessionOpened) -> Run:
    """Take a session in: where it stands for a lost one, go on in it only if nothing can have been lost unseen."""
    held, name, before = run.sessions, event.session.name, run.sessions.lost.get(event.session.name)
    still_lost = {other: ref for other, ref in held.lost.items() if other != name}
    queued = {other: place for other, place in held.queued.items() if other != name}
    held = replace(held, open={**held.open, name: event.session}, lost=still_lost, queued=queued)
    there = {what: absence for what, absence in run.unserved.items() if not what.startswith(SESSION_HOST)}
    run = replace(run, sessions=held, unserved=there)
    if before is None or (before.instance and before.instance == event.session.instance):
        return run
    done = held.used.get(name, SessionUse())
    if not done.changed:
        return replace(run, sessions=replace(held, reopened={**held.reopened, name: "blank"}))
    if why := find_gap(done, event):
        return _give_up(run, name, why)
    return replace(run, sessions=replace(held, reopened={**held.reopened, name: "restored"}))


def mark_failed(run: Run, name: str, reason: str) -> Run:
    """Take note that a session cannot be opened."""
    return run if name in run.sessions.open else replace(run, sessions=replace(run.sessions, failure=reason))


def find_gap(done: SessionUse, event: SessionOpened) -> str:
    """Return what may be missing of a session opened anew after something was changed in it, or ""."""
    if event.restored == "no":
        return "there is no checkpoint of it"
    if event.missing and not event.after:
        return event.missing
    if not done.changed <= event.after <= done.ended:
        return "its checkpoint was made before the last change in it"
    return "" if event.restored == "same" else event.missing or "its page does not read as it did"


def explain_doubt(run: Run) -> str:
    """Return why what was seen may be the lost sessions' doing, or "" if none was put together anew."""
    names = " and ".join(name for name, how in run.sessions.reopened.items() if how == "restored")
    return f"session {names} had been opened anew from its checkpoint" if names else ""


def write_notice(run: Run, node: Node) -> str:
    """Return what the next attempt at a node has to know of the session it lost."""
    how = run.sessions.reopened.get(node.plan.session)
    if how is None or node.result is None or node.result.failure != Failure.SESSION_LOST:
        return ""
    return RESTORED if how == "restored" else BLANK


def _give_up(run: Run, name: str, why: str) -> Run:
    """End what was to be tried again in the session, and with it the run."""
    waiting = (*run.graph.with_status("faulted"), *map(run.graph.__getitem__, run.graph.ready))
    for node in waiting:
        result = node.result
        if node.plan.session == name and result is not None and result.failure == Failure.SESSION_LOST:
            text = f"{result.summary}; it cannot be opened as it was: {why}"
            result = replace(result, summary=text, cause=Cause.ENVIRONMENT)
            return run.with_result(result).with_node(replace(node, status="failed", result=result))
    failure = f"session {name} was lost and cannot be opened as it was: {why}"
    return replace(run, sessions=replace(run.sessions, failure=failure))
