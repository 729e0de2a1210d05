"""Tells a slow app from a slow machine: only the time of the app counts, and one slow answer is none."""

import time
from collections.abc import Awaitable, Callable

from muster_devices.device import Device
from muster_subagent.answer_times import is_busy

START_FACTOR = 3.0
"""An app is slow only if it takes so many times as long as a bare browser took to start, at the same time there."""


class AnswerTimes:
    """The times of one tour."""

    def __init__(self, device: Device, slow_seconds: float) -> None:
        self._device, self._slow = device, slow_seconds
        self._began, self._start = 0.0, 0.0
        self.took = 0.0
        """Seconds from the last call until the screen had settled."""
        self.repeatable = False
        """Whether the last call may be made again: it went somewhere, and changed nothing."""

    def begin(self, *, repeatable: bool) -> None:
        """Note that a call begins."""
        self._began, self.repeatable = time.monotonic(), repeatable

    def forget(self) -> None:
        """Note that the last call sent nothing: its time was spent looking for something to act on."""
        self._began, self.took = 0.0, 0.0

    def settle(self) -> None:
        """Note that the screen has settled after the last call."""
        if self._began:
            self.took, self._began = time.monotonic() - self._began, 0.0

    def started(self, seconds: float) -> None:
        """Note how long it took to start what has nothing of the app in it yet."""
        self._start = seconds

    async def slow_seconds(self, again: Callable[[], Awaitable[None]] | None) -> float:
        """Return the seconds that the app took if it was slow, else 0; this forgets them.

        `again` loads the page once more, which is done if nothing but going there was done; None: it cannot be.
        """
        took, self.took = self.took, 0.0
        if took < max(self._slow, START_FACTOR * self._start) or await is_busy(self._device, took):
            return 0.0
        if again is None or not self.repeatable:
            return took
        began = time.monotonic()
        await again()
        self._began = 0.0
        took = min(took, time.monotonic() - began)
        return took if took >= self._slow else 0.0
