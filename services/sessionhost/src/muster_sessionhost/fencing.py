"""Who may hold a session. Pure."""

from typing import Literal

from muster_protocol.sessions import Holder

Admission = Literal["refuse", "keep", "rebind"]
"""`keep`: the asker has the connection already; `rebind`: cut off whoever is connected and give a new one."""


def admit(current: Holder | None, asked: Holder) -> Admission:
    """Decide on a worker that wants to become the holder.

    A worker that moves on to its next sub-task keeps its connection. One that is handed the same sub-task again does
    not: something of it from the first time may still be acting.
    """
    if current is None:
        return "rebind"
    newest, wanted = (current.dispatch, current.delivery), (asked.dispatch, asked.delivery)
    if wanted < newest or (wanted == newest and asked.worker != current.worker):
        return "refuse"
    if asked.worker != current.worker:
        return "rebind"
    return "keep" if wanted == newest or asked.dispatch > current.dispatch else "rebind"
