"""A device as the process that drives it has it."""

from collections.abc import Sequence
from typing import Protocol

from muster_devices.actions import Action, Outcome, Scope
from muster_devices.device import Feature
from muster_devices.observations import Question, Seen, Wait
from muster_devices.screen import Record, Screen, Window
from muster_protocol.sessions import OpenDialog


class DrivenDevice(Protocol):
    """A device as the process that drives it has it: `Device`, for one request at a time."""

    @property
    def features(self) -> frozenset[Feature]:
        """What it can do."""
        ...

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        """See `Device.do`."""
        ...

    async def answer(self, accept: bool, text: str) -> Outcome:
        """See `Device.answer`."""
        ...

    async def dialog(self, limit: float) -> OpenDialog | None:
        """See `Device.dialog`."""
        ...

    async def look(self, question: Question, wait: Wait) -> Seen:
        """See `Device.look`."""
        ...

    async def screen(self, part: str, depth: int) -> Screen:
        """See `Device.screen`."""
        ...

    async def picture(self, hide: Sequence[str]) -> bytes:
        """See `Device.picture`."""
        ...

    async def source(self) -> str:
        """See `Device.source`."""
        ...

    async def windows(self) -> tuple[Window, ...]:
        """See `Device.windows`."""
        ...

    async def use(self, window: str) -> None:
        """See `Device.use`."""
        ...

    def feed(self, name: str) -> tuple[Record, ...]:
        """See `Device.feed`."""
        ...

    def forget_dialogs(self) -> None:
        """Forget the dialogs of an earlier holder; one that is open stays."""
        ...
