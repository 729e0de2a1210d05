"""The worker half of the port: what tools ask of a device."""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar

from muster_devices.actions import Action, Outcome, Scope
from muster_devices.observations import QuestionFor, Wait
from muster_devices.screen import Record, Screen, Window
from muster_protocol.sessions import OpenDialog

S = TypeVar("S")

Feature = Literal[
    "addresses", "windows", "files", "feeds", "dialogs", "key_chords", "touch", "apps", "rotation", "audits"
]  # fmt: skip
"""What a device can do beyond pointing, entering and looking; tools that need more are not offered without it."""


class Device(Protocol):
    """A browser, telephone or simulated device that this worker holds.

    Every method raises `DeviceLost` once the device is gone or another worker holds it, and `DeviceRefused` where it
    cannot do what was asked. While a dialog is open everything but `answer`, `dialog` and `feed` is refused.
    """

    @property
    def features(self) -> frozenset[Feature]:
        """What it can do."""
        ...

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        """Find the target, act once, wait until the screen has settled, and say what changed: one round.

        `limit` is the time in seconds for the target to become usable, and again for the screen to settle.

        Raises:
            DeviceRefused: the target is missing, unclear or cannot be used; nothing was done then.
        """
        ...

    async def answer(self, accept: bool, text: str, call: str) -> Outcome:
        """Accept or dismiss the open dialog and go on with the action that had opened it.

        `text` is for a prompt. Asked again with the same call id, it is not answered twice.
        """
        ...

    async def dialog(self, limit: float = 0.0) -> OpenDialog | None:
        """Return the oldest dialog that waits for an answer; wait `limit` seconds for one to open."""
        ...

    async def look(self, question: QuestionFor[S], wait: Wait) -> S:
        """Look at the screen once, after a wait inside the device."""
        ...

    async def screen(self, part: str = "", depth: int = 0) -> Screen:
        """Return the settled screen, or the smallest part of it that has some words, `depth` levels deep (0: all)."""
        ...

    async def picture(self, hide: Sequence[str]) -> bytes:
        """Return a PNG of what is shown; password fields and what holds one of these texts are blacked out."""
        ...

    async def source(self) -> str:
        """Return the screen's source, such as a page's HTML; empty if it has none."""
        ...

    async def windows(self) -> tuple[Window, ...]:
        """Return the windows, oldest first."""
        ...

    async def use(self, window: str) -> None:
        """Make the window of an id the current one."""
        ...

    async def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the device has told of itself, newest last: `console`, `network`, `document`, `dialog`, `crash`.

        `accessibility` is what is wrong with the screen now, one record for each broken rule (`method`).

        Feeds that it does not have are empty. `dialog` holds the dialogs of the current holder alone.
        """
        ...
