"""A phone that an Appium server drives, behind the device port."""

import asyncio
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from muster_devices.actions import Action, Outcome, Scope
from muster_devices.appium.phone_acting import PhoneActing
from muster_devices.appium.phone_gestures import PhoneGestures
from muster_devices.appium.phone_picture import blackened
from muster_devices.appium.phone_watch import SETTLE_SECONDS, PhoneWatch, unblocked
from muster_devices.appium.phones import Phone
from muster_devices.appium.webdriver import CommandFailed, WebDriver
from muster_devices.device import Feature
from muster_devices.errors import DeviceRefused
from muster_devices.observations import Question, Seen, Wait
from muster_devices.relations import area_of
from muster_devices.screen import Record, Screen, Window, outline
from muster_devices.screen_answers import answer_of
from muster_protocol.causes import Failure
from muster_protocol.narrowing import Relation
from muster_protocol.sessions import OpenDialog

MAIN = "main"
"""The one window of a driver without contexts."""
_WEB: frozenset[Feature] = frozenset({"addresses", "dialogs", "feeds", "touch", "windows"})
_APPS: frozenset[Feature] = frozenset({"apps", "rotation"})


class PhoneDevice:
    """One phone, for one request at a time. Every method raises `DeviceLost` once the session is over."""

    def __init__(self, driver: WebDriver, phone: Phone, domains: Sequence[str]) -> None:
        """`domains`: hosts whose web pages may be looked at; empty: any."""
        self._driver = driver
        self.features: frozenset[Feature] = _WEB if phone.platform == "web" else _WEB | _APPS
        hand = PhoneGestures(driver, phone)
        self._watch = PhoneWatch(driver, phone, hand, domains)
        self._acting = PhoneActing(driver, hand, self._watch)

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        """Find the target, act once, wait until the screen has settled, and say what changed."""
        return await self._acting.do(action, scope, limit)

    async def answer(self, accept: bool, text: str) -> Outcome:
        """Answer the open dialog, and say what came of it."""
        return await self._acting.answer(accept, text)

    async def look(self, question: Question, wait: Wait) -> Seen:
        """Look at the screen once, after waiting as asked."""
        limit = max(wait.settle, wait.patient)
        shown = await (self._watch.settled(limit) if limit else self._watch.read())
        if wait.change:
            shown = await self._watch.until(lambda now: now.screen.version != wait.since, wait.change)
        return answer_of(unblocked(shown).screen, question)

    async def screen(self, part: str, depth: int) -> Screen:
        """Return the settled screen or a part of it.

        Raises:
            DeviceRefused: there is no such part.
        """
        whole = unblocked(await self._watch.settled(SETTLE_SECONDS)).screen
        area = area_of(whole.elements, (Relation("in", part),) if part else ())
        if area.missing:
            text = f'there is no part of the screen named "{part}"'
            raise DeviceRefused(text, failure=Failure.ELEMENT_MISSING, where=whole.place.address)
        there = [whole.elements[at] for at in sorted(area.places)]
        top = min((one.level for one in there), default=0)
        moved = (replace(one, level=one.level - top) for one in there)
        screen = replace(whole, elements=tuple(one for one in moved if depth <= 0 or one.level < depth))
        return replace(screen, lines=tuple(outline(screen)))

    async def picture(self, hide: Sequence[str], form: Literal["PNG", "JPEG"] = "PNG") -> bytes:
        """Return a picture of what is shown; password fields and what holds one of the texts are blacked out."""
        shown = unblocked(await self._watch.read())
        encoded = str(await self._driver.get("/screenshot"))
        if (await self._watch.read()).screen.version != shown.screen.version:
            shown = await self._watch.settled(SETTLE_SECONDS)
            encoded = str(await self._driver.get("/screenshot"))
        native = shown.native
        return await asyncio.to_thread(blackened, encoded, shown.screen.elements, native.width, tuple(hide), form)

    async def source(self) -> str:
        """Return the page source."""
        return await self._watch.source.source()

    async def windows(self) -> tuple[Window, ...]:
        """Return the contexts: the native one, and the web views in it."""
        try:
            names: list[str] = await self._driver.get("/contexts")
            current = self._watch.source.window or str(await self._driver.get("/context"))
        except CommandFailed:  # a driver without contexts
            names, current = [MAIN], MAIN
        return tuple(Window(id=name, title=name, current=name == current) for name in names)

    async def use(self, window: str) -> None:
        """Go to a context.

        Raises:
            DeviceRefused: there is none of that name.
        """
        if window == MAIN:
            return
        try:
            await self._driver.post("/context", {"name": window})
        except CommandFailed as failed:
            raise DeviceRefused(f"no context {window!r}: {failed.text}", failure=Failure.ELEMENT_MISSING) from failed
        self._watch.source.window = window

    def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the phone has told of itself, newest last: `dialog` and `crash`."""
        return self._watch.feed(name)

    def forget_dialogs(self) -> None:
        """Forget the dialogs of an earlier holder."""
        self._watch.forget("dialog")

    async def dialog(self, limit: float) -> OpenDialog | None:
        """Return the open dialog; wait `limit` seconds for one to open."""
        asked = (await self._watch.until(lambda shown: shown.native.asked is not None, limit)).native.asked
        return asked.dialog if asked else None
