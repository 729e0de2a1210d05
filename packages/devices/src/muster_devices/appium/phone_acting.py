"""Acts on one phone: finds the target on its screen, acts once, and waits until the screen has settled."""

import asyncio
import time

from muster_devices.action_report import Begun, report
from muster_devices.action_targets import Wanted, as_shown, wanted_by
from muster_devices.actions import (
    Action,
    Choose,
    DialogOpen,
    Enter,
    Navigate,
    Outcome,
    Point,
    Press,
    Restart,
    Rotate,
    Scope,
    Scroll,
    Swipe,
    Toggle,
    UseApp,
)
from muster_devices.appium.phone_gestures import PhoneGestures
from muster_devices.appium.phone_screen import Shown
from muster_devices.appium.phone_watch import PAUSE_SECONDS, SETTLE_SECONDS, PhoneWatch, unblocked
from muster_devices.appium.webdriver import MOVED, CommandFailed, WebDriver
from muster_devices.element_search import search
from muster_devices.errors import DeviceRefused
from muster_devices.observations import FindElements
from muster_devices.record_times import moment
from muster_devices.refusals import no_option, refusal_of, usable
from muster_devices.screen import Element, Record
from muster_protocol.causes import Failure
from muster_text.text_match import plain

LACKING = "a phone has no files to hand over, no tabs and no mouse to drag with"
MOST_SWIPES = 20
"""Swipes to the end of a list, or to an element."""
_PICKED = "PickerWheel", "select"
"""Native kinds of lists that are set without being opened."""


class PhoneActing:
    """What is done to one phone, one action at a time."""

    def __init__(self, driver: WebDriver, hand: PhoneGestures, watch: PhoneWatch) -> None:
        self._driver, self._hand, self._watch = driver, hand, watch
        self._begun: Begun | None = None
        """The action whose dialog is open."""

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        """Find the target, act once, wait until the screen has settled, and say what changed.

        Raises:
            DeviceRefused: the target is missing, unclear or cannot be used, or the driver refuses the action.
        """
        wanted = wanted_by(action, LACKING)
        deadline = time.monotonic() + limit
        while True:
            if isinstance(action, Scroll) and wanted is not None:
                await self._come_by(wanted)
            leaving = isinstance(action, Navigate | UseApp | Restart)
            shown = await self._decided(action, deadline, leaving=leaving)
            action = as_shown(action, shown.screen)
            wanted = wanted_by(action, LACKING)
            element, strategy = _usable(shown, wanted) if wanted is not None else (None, "")
            begun = Begun(shown.screen, shown.moment, action, element, strategy)
            try:
                await self._perform(action, shown, element, scope)
            except CommandFailed as failed:
                if failed.code in MOVED and time.monotonic() < deadline:
                    continue
                raise
            self._begun = begun
            return await self._outcome(limit)

    async def _perform(self, action: Action, shown: Shown, element: Element | None, scope: Scope) -> None:
        """Do an action to an element that was found for it, or to the phone as a whole."""
        where = shown.screen.place.address
        match action:
            case Swipe():
                await self._hand.swipe(action, element.box if element is not None else shown.native.area)
            case Scroll():
                await self._scroll(action, element)
            case Navigate():
                await self._hand.navigate(action, where, scope)
            case UseApp():
                await self._hand.use_app(action)
            case Restart():
                await self._hand.use_app(UseApp(to="clear"))
            case Rotate():
                await self._hand.rotate(action)
            case Enter(target=None):
                await self._hand.enter(action, "", where, scope)
            case Press(target=None):
                await self._hand.press(action, "")
            case _ if element is not None:
                await self._handle(action, shown, element, scope)
            case _:
                raise DeviceRefused(LACKING, failure=Failure.INVALID_CALL)

    async def _handle(self, action: Action, shown: Shown, element: Element, scope: Scope) -> None:
        path = shown.paths[element.ref]
        match action:
            case Point():
                await self._hand.point(action, path)
            case Enter():
                await self._hand.enter(action, path, shown.screen.place.address, scope)
            case Toggle():
                if element.states.checked != action.on:
                    await self._hand.tap(path)
            case Choose():
                await self._choose(action, element, path)
            case Press():
                await self._hand.press(action, path)
            case _:
                raise DeviceRefused(LACKING, failure=Failure.INVALID_CALL)

    async def _choose(self, action: Choose, field: Element, path: str) -> None:
        """Choose an option: turn the wheel of a picker to it, or open the list and tap it."""
        if len(action.options) != 1:
            raise no_option(action.target, action.options, ())
        [option] = action.options
        if field.native in _PICKED:
            try:
                await self._hand.set_value(path, option)
            except CommandFailed as failed:
                raise no_option(action.target, action.options, field.options) from failed
            return
        await self._hand.tap(path)
        there = await self._watch.settled(SETTLE_SECONDS)
        found = [one for one in there.screen.elements if plain(one.name) == plain(option) and not one.hidden]
        leaves = [one for one in found if one.ref != field.ref]
        if len(leaves) != 1:
            await self._hand.navigate(Navigate(to="back"), "", Scope())
            names = [one.name for one in there.screen.elements if one.role in ("option", "listitem", "menuitem")]
            raise no_option(action.target, action.options, names, there.screen.place.address)
        await self._hand.tap(there.paths[leaves[0].ref])

    async def _come_by(self, wanted: Wanted) -> None:
        """Swipe down, then up, until an element is on the screen: a list holds only what it shows."""
        question = FindElements(target=wanted.target, use=wanted.use)
        for direction in ("up", "down"):
            shown = unblocked(await self._watch.read())
            for _ in range(MOST_SWIPES):
                if search(shown.screen, question).total or shown.screen.place.failure:
                    return
                await self._hand.swipe(Swipe(direction=direction), shown.native.area)
                before, shown = shown, await self._watch.settled(SETTLE_SECONDS)
                if shown.screen.version == before.screen.version:
                    break

    async def _scroll(self, action: Scroll, element: Element | None) -> None:
        """Swipe once, or until nothing moves any more; an element that is there needs no scrolling."""
        if element is not None:
            return
        further = action.to in ("down", "bottom")
        for _ in range(MOST_SWIPES if action.to in ("top", "bottom") else 1):
            before = await self._watch.read()
            await self._hand.swipe(Swipe(direction="up" if further else "down"), before.native.area)
            if (await self._watch.settled(SETTLE_SECONDS)).screen.version == before.screen.version:
                return

    async def answer(self, accept: bool, text: str) -> Outcome:
        """Answer the open dialog by its button, and say what came of it.

        Raises:
            DeviceRefused: no dialog is open.
        """
        shown = await self._watch.read()
        asked = shown.native.asked
        if asked is None:
            said = "no dialog is open: the app has not asked anything"
            raise DeviceRefused(said, failure=Failure.ELEMENT_MISSING, expected="a dialog to answer", seen=said)
        self._begun = self._begun or Begun(shown.screen, shown.moment)  # else the app asked by itself
        if text:
            await self._driver.post("/alert/text", {"text": text})
        button = asked.accept if accept else asked.dismiss
        if button:
            await self._hand.tap(button)
        else:
            await self._driver.post("/alert/accept" if accept else "/alert/dismiss")
        self._watch.note("dialog", Record(at=moment(), text=asked.dialog.message, level=asked.dialog.kind))
        return await self._outcome(SETTLE_SECONDS)

    async def _outcome(self, limit: float) -> Outcome:
        after = await self._watch.settled(limit)
        begun = self._begun
        assert begun is not None
        if after.native.blocked and after.native.asked is not None:
            return DialogOpen(dialog=after.native.asked.dialog, touched=begun.target)
        self._begun = None
        unblocked(after)
        return report(begun, after.screen, after.moment, after.busy)

    async def _decided(self, action: Action, deadline: float, *, leaving: bool) -> Shown:
        """Return the screen once waiting any longer cannot bring a better target, or at the deadline."""
        while True:
            shown = unblocked(await self._watch.read(), leaving=leaving)
            wanted = wanted_by(as_shown(action, shown.screen), LACKING)
            if wanted is None or shown.screen.place.failure or time.monotonic() > deadline:
                return shown
            found = search(shown.screen, FindElements(target=wanted.target, use=wanted.use))
            one = found.total == 1 and usable(found.matches[0], wanted.use)
            if one and (found.strategy in ("ref", "name", "label") or not shown.busy):
                return shown
            await asyncio.sleep(PAUSE_SECONDS)


def _usable(shown: Shown, wanted: Wanted) -> tuple[Element, str]:
    """Return the one element that is meant, and how it was found.

    Raises:
        DeviceRefused: it is missing, unclear or cannot be used, or the app has crashed.
    """
    place = shown.screen.place
    if place.failure is not None:
        text = f"{place.problem}; open the app to start it again"
        raise DeviceRefused(text, failure=place.failure, seen=place.problem, where=place.address)
    found = search(shown.screen, FindElements(target=wanted.target, use=wanted.use, explain=True))
    if found.total != 1 or not usable(found.matches[0], wanted.use):
        raise refusal_of(wanted.target, wanted.use, found)
    return found.matches[0], found.strategy
