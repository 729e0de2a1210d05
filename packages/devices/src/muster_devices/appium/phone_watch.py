"""Watches one phone. It reports nothing by itself, so its screen is read again and again."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence

from muster_devices.appium.phone_gestures import PhoneGestures
from muster_devices.appium.phone_screen import PhoneScreen, Shown
from muster_devices.appium.phones import Phone
from muster_devices.appium.webdriver import WebDriver
from muster_devices.errors import DeviceRefused
from muster_devices.record_times import moment
from muster_devices.refusals import dialog_in_the_way
from muster_devices.screen import Record
from muster_protocol.causes import Failure

SETTLE_SECONDS = 5.0
"""How long an app may be busy where the request has no limit of its own."""
PAUSE_SECONDS = 0.1
"""Between two looks at the screen."""
KEPT = 100
"""Records of a feed."""


class PhoneWatch:
    """What one phone shows, and what it was seen to tell."""

    def __init__(self, driver: WebDriver, phone: Phone, hand: PhoneGestures, domains: Sequence[str]) -> None:
        self.source = PhoneScreen(driver, phone, hand, domains)
        self._feeds: dict[str, deque[Record]] = {}

    async def read(self) -> Shown:
        """Return the screen now, and note a crash that it shows.

        Raises:
            DeviceRefused: the driver cannot read it.
        """
        shown = await self.source.read()
        problem = shown.screen.place.problem
        crashed = shown.screen.place.failure is Failure.SERVER_ERROR
        if crashed and problem not in (record.text for record in self.feed("crash")[-1:]):
            self.note("crash", Record(at=moment(), text=problem, level="error"))
        return shown

    async def settled(self, limit: float) -> Shown:
        """Return the screen once it is the same twice and nothing is seen to be under way, or the time is up."""
        last = await self.read()
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline and not last.native.blocked:
            await asyncio.sleep(PAUSE_SECONDS)
            shown = await self.read()
            if shown.screen.version == last.screen.version and not shown.busy:
                return shown
            last = shown
        return last

    async def until(self, holds: Callable[[Shown], bool], limit: float) -> Shown:
        """Return the screen once something holds of it, or the time is up."""
        deadline = time.monotonic() + limit
        shown = await self.read()
        while not holds(shown) and time.monotonic() < deadline:
            await asyncio.sleep(PAUSE_SECONDS)
            shown = await self.read()
        return shown

    def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the phone was seen to tell, newest last: `dialog` and `crash`."""
        return tuple(self._feeds.get(name, ()))

    def note(self, feed: str, record: Record) -> None:
        """Add a record to a feed."""
        self._feeds.setdefault(feed, deque(maxlen=KEPT)).append(record)

    def forget(self, feed: str) -> None:
        """Empty a feed."""
        self._feeds.pop(feed, None)


def unblocked(shown: Shown, *, leaving: bool = False) -> Shown:
    """Return a screen that can be looked at; `leaving`: or at least be left.

    Raises:
        DeviceRefused: a dialog is open that hides it, or it is a page of a host that is not allowed.
    """
    place = shown.screen.place
    if place.failure is Failure.INVALID_CALL and not leaving:
        text = f"{place.problem}; go back or navigate elsewhere"
        raise DeviceRefused(text, failure=place.failure, where=place.address)
    asked = shown.native.asked
    if shown.native.blocked and asked is not None:
        raise dialog_in_the_way(asked.dialog, "the page waits for an answer to")
    return shown
