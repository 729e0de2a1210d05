"""The rule for which worker may hold a session. Pure."""

from typing import Literal

from muster_protocol.sessions import Holder

Admission = Literal["refuse", "keep", "rebind"]
"""`keep`: the worker keeps its connection; `rebind`: close all connections to the device and open a new one."""


def admit(current: Holder | None, asked: Holder) -> Admission:
    """Decide whether a worker may become the holder.

    A worker that goes on to its next sub-task keeps its connection. A worker that receives the same sub-task again
    does not: an action from its first delivery may still be running.
    """
    if current is None:
        return "rebind"
    newest, wanted = (current.dispatch, current.delivery), (asked.dispatch, asked.delivery)
    if wanted < newest or (wanted == newest and asked.worker != current.worker):
        return "refuse"
    if asked.worker != current.worker:
        return "rebind"
    return "keep" if wanted == newest or asked.dispatch > current.dispatch else "rebind"
