"""What becomes of a run that loses a session: may it go on in a new one, and what is a fail worth after that? Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine.state import Node, Run, Used
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import SessionOpened
from muster_protocol.tasks import SubTaskResult

BLANK = "The session was lost and opened anew; nothing had been changed in it before."
RESTORED = (
    "The session was lost and opened anew from its checkpoint: cookies and stored data are back and the page reads as "
    "it did. What only the old page knew is gone: focus, scroll position, the memory of its scripts."
)


def used(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Take note of what an attempt that has ended did in its session; one that lost it did nothing that lasts."""
    task = node.sub_task
    if task is None or not task.session or result.failure == Failure.SESSION_LOST:
        return run
    before = run.used.get(task.session, Used())
    changed = result.last_act >= 0 or result.acted or result.failure == Failure.POISON  # that one told nothing
    now = Used(changed=task.dispatch if changed else before.changed, ended=task.dispatch, node=node.plan.id)
    return replace(run, used={**run.used, task.session: now})


def lost(run: Run, name: str) -> Run:
    """Take note that a session cannot be reached: it is to be opened again."""
    kept = {other: ref for other, ref in run.sessions.items() if other != name}
    gone = {other: ref for other, ref in run.sessions.items() if other == name}
    return replace(run, sessions=kept, lost={**run.lost, **gone}, lost_sessions=run.lost_sessions + 1)


def opened(run: Run, event: SessionOpened) -> Run:
    """Take a session in: where it stands for a lost one, go on in it only if nothing can have been lost unseen."""
    name, before = event.session.name, run.lost.get(event.session.name)
    kept = {other: ref for other, ref in run.lost.items() if other != name}
    run = replace(run, sessions={**run.sessions, name: event.session}, lost=kept)
    if before is None or (before.instance and before.instance == event.session.instance):
        return run
    done = run.used.get(name, Used())
    if not done.changed:
        return replace(run, reopened={**run.reopened, name: "blank"})
    if why := gap(done, event):
        return _given_up(run, name, why)
    return replace(run, reopened={**run.reopened, name: "restored"})


def gap(done: Used, event: SessionOpened) -> str:
    """Return what may be missing of a session opened anew after something was changed in it, or ""."""
    if event.restored == "no":
        return "there is no checkpoint of it"
    if event.missing and not event.after:
        return event.missing
    if not done.changed <= event.after <= done.ended:
        return "its checkpoint was made before the last change in it"
    return "" if event.restored == "same" else event.missing or "its page does not read as it did"


def trusted(run: Run, result: SubTaskResult) -> SubTaskResult:
    """Return a result as it may stand: after a session was put together anew, no fail is said to be the product's."""
    if result.status != "fail" or result.cause != Cause.PRODUCT or "restored" not in run.reopened.values():
        return result
    names = " and ".join(name for name, how in run.reopened.items() if how == "restored")
    doubt = f"session {names} had been opened anew from its checkpoint, so this need not be the product's fault"
    return replace(result, cause=Cause.ENVIRONMENT, summary=f"{result.summary} ({doubt})")


def notice(run: Run, node: Node) -> str:
    """Return what the next attempt at a node has to know of the session it lost."""
    how = run.reopened.get(node.plan.session)
    if how is None or node.result is None or node.result.failure != Failure.SESSION_LOST:
        return ""
    return RESTORED if how == "restored" else BLANK


def _given_up(run: Run, name: str, why: str) -> Run:
    """End what was to be tried again in the session, and with it the run."""
    for node in tuple(run.nodes.values()):
        result = node.result
        waits = node.status in ("faulted", "waiting") and node.plan.session == name
        if waits and result is not None and result.failure == Failure.SESSION_LOST:
            text = f"{result.summary}; it cannot be opened as it was: {why}"
            result = replace(result, summary=text, cause=Cause.ENVIRONMENT)
            run = replace(run, results=(*run.results, result))
            return run.with_node(replace(node, status="failed", result=result))
    return replace(run, session_failure=f"session {name} was lost and cannot be opened as it was: {why}")
