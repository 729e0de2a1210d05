"""What arrives on a subject, as JSON."""

import json
from typing import Any

from nats.aio.msg import Msg
from waiting import eventually

from muster_bus import Bus


class Mailbox:
    """Collects the messages of one subject, oldest first."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    @classmethod
    async def at(cls, bus: Bus, subject: str) -> "Mailbox":
        """Return a mailbox that is subscribed when this returns."""
        box = cls()
        await bus.nc.subscribe(subject, cb=box._put)
        await bus.nc.flush()
        return box

    async def _put(self, message: Msg) -> None:
        self.messages.append(json.loads(message.data))

    async def last(self) -> dict[str, Any]:
        """Return the newest message as soon as there is one."""
        return (await eventually(lambda: self.messages, "something arrives"))[-1]
