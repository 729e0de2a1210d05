"""A simulated device that runs: the simulator on a clock, with everything that waits. The host half keeps one."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from muster_devices.actions import Action, Choose, DialogOpen, Done, Enter, Outcome, Toggle
from muster_devices.element_search import search, strategy_of
from muster_devices.errors import DeviceRefused
from muster_devices.observations import FindElements, PlaceSeen, Question, ReadPlace, ReadText, ReadValue, Seen, Wait
from muster_devices.refusals import refusal_of, usable
from muster_devices.relations import part_of
from muster_devices.screen import Element, Record, Screen
from muster_devices.screen_text import changes_between, read_text, read_value, texts_of
from muster_devices.screens.drawing import draw
from muster_devices.screens.gestures import Wanted, perform, wanted_by
from muster_devices.screens.rendering import Rendered, screen_of
from muster_devices.screens.simulator import Simulator
from muster_devices.screens.state import State
from muster_devices.text_match import squash
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog

KEPT = 500
"""Records of each feed."""
SETTLE_SECONDS = 5.0
"""How long the app may be busy where the request has no limit of its own."""
Clock = Callable[[], float]


@dataclass(frozen=True)
class _Before:
    """What an action was done to, for the words of what it changed."""

    screen: Screen
    path: tuple[str, ...]
    opened_at: float
    target: Element | None = None
    strategy: str = ""
    action: Action | None = None


class SimulatedDevice:
    """One device; one request at a time. Waiting ends when what is waited for is there, or at its limit."""

    def __init__(self, simulator: Simulator, state: State | None = None, clock: Clock = time.monotonic) -> None:
        self.simulator, self._clock = simulator, clock
        self._state = state or simulator.begin(clock())
        self._before: _Before | None = None
        """Of the action whose dialog is open."""
        self._woken = asyncio.Event()
        self._feeds: dict[str, deque[Record]] = {}
        self.on_dialog: Callable[[OpenDialog], None] = lambda _dialog: None

    # ---- where it is

    @property
    def state(self) -> State:
        """The state now."""
        before, self._state = self._state, self.simulator.advance(self._state, self._clock())
        self._tell(before)
        return self._state

    def _become(self, state: State) -> None:
        before, self._state = self._state, state
        self._tell(before)
        self._woken.set()

    def _tell(self, before: State) -> None:
        """Put what is new into the feeds."""
        state = self._state
        if state.crash and state.crash != before.crash:
            self._record("crash", text=state.crash, level="error")
        if (dialog := self.open_dialog) is not None and state.dialog is not before.dialog:
            self._record("dialog", text=dialog.message, level=dialog.kind, address=dialog.url)
            self.on_dialog(dialog)

    def _record(self, feed: str, *, text: str, level: str, address: str = "") -> None:
        record = Record(at=time.time(), text=text, level=level, address=address)
        self._feeds.setdefault(feed, deque(maxlen=KEPT)).append(record)

    @property
    def open_dialog(self) -> OpenDialog | None:
        """The dialog that waits for an answer."""
        dialog = self._state.dialog
        if dialog is None:
            return None
        address = f"{self.simulator.app.app}://{self._state.screen}"
        return OpenDialog(kind=dialog.kind, message=dialog.text, default=dialog.default, url=address)

    def now(self) -> Screen:
        """Return what is shown now."""
        state = self.state
        return screen_of(self.simulator.app, state, self.simulator.rendered(state))

    def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the device has told of itself, newest last."""
        return tuple(self._feeds.get(name, ()))

    def forget_dialogs(self) -> None:
        """Forget the dialogs of an earlier holder; one that is open stays."""
        self._feeds.pop("dialog", None)

    # ---- acting

    async def do(self, action: Action, limit: float) -> Outcome:
        """Find the target, act once, wait until the screen has settled, and say what changed.

        Raises:
            DeviceRefused: a dialog is open, or the target is missing, unclear or cannot be used.
        """
        self._refuse_dialog()
        wanted = wanted_by(action)
        found = await self._usable(wanted, limit) if wanted is not None else None
        before, state = self.now(), self.state
        strategy = strategy_of(before, wanted.target, wanted.use) if wanted is not None else ""
        target = found.element if found else None
        self._before = _Before(before, state.path, state.opened_at, target, strategy, action)
        self._become(perform(self.simulator, state, action, found))
        return await self._outcome(limit)

    async def answer(self, accept: bool, text: str, limit: float = SETTLE_SECONDS) -> Outcome:
        """Answer the open dialog, and say what came of the action that had opened it.

        Raises:
            DeviceRefused: no dialog is open.
        """
        if self.open_dialog is None:
            said = "no dialog is open: the app has not asked anything"
            raise DeviceRefused(said, failure=Failure.ELEMENT_MISSING, expected="a dialog to answer", seen=said)
        if self._before is None:  # the app opened it by itself
            self._before = _Before(self.now(), self.state.path, self.state.opened_at)
        self._become(self.simulator.answer(self.state, accept, text))
        return await self._outcome(limit)

    async def dialog(self, limit: float) -> OpenDialog | None:
        """Return the open dialog; wait `limit` seconds for one to open."""
        await self._until(lambda: self.open_dialog is not None, limit)
        return self.open_dialog

    async def _usable(self, wanted: Wanted, limit: float) -> Rendered:
        """Return the one element that is meant, once it is there and can be used.

        What may mean several elements, or is not named exactly, waits until the app is not busy any more.
        """
        question = FindElements(target=wanted.target, use=wanted.use)

        def fits() -> bool:
            found = search(self.now(), question)
            sure = found.total == 1 and usable(found.matches[0], wanted.use)
            exact = found.rank is not None and found.rank[2:3] in ((0,), ())
            blocked = bool(self.open_dialog or self.state.crash)
            return blocked or (sure and (exact or not self.state.busy))

        await self._until(fits, limit)
        self._refuse_dialog()
        found = search(self.now(), replace(question, explain=True))
        if found.total != 1 or not usable(found.matches[0], wanted.use):
            raise self._crash() or refusal_of(wanted.target, wanted.use, found)
        ref = found.matches[0].ref
        return next(one for one in self.simulator.rendered(self.state) if one.element.ref == ref)

    def _crash(self) -> DeviceRefused | None:
        place = self.now().place
        if place.failure is None:
            return None
        return DeviceRefused(
            f"{place.problem}; open a screen to start it again",
            failure=place.failure,
            seen=place.problem,
            where=place.address,
        )

    def _refuse_dialog(self) -> None:
        dialog = self.state.dialog and self.open_dialog
        if not dialog:
            return
        seen = f'{dialog.kind} dialog: "{dialog.message}"'
        text = f"the app waits for an answer to its {seen}; accept or dismiss it first"
        told = dialog.kind == "alert"  # a question is left open by the test; an alert nobody knows of is the product's
        failure = Failure.EXPECTATION_FALSE if told else Failure.INVALID_CALL
        expected = "no alert in the way" if told else ""
        raise DeviceRefused(text, failure=failure, expected=expected, seen=seen, where=dialog.url)

    async def _outcome(self, limit: float) -> Outcome:
        await self._settled(limit)
        if (dialog := self.open_dialog) is not None:
            return DialogOpen(dialog=dialog)
        before, self._before = self._before, None
        assert before is not None
        return self._done(before)

    def _done(self, before: _Before) -> Done:
        screen, state = self.now(), self.state
        fresh = (state.path, state.opened_at) != (before.path, before.opened_at)
        ref = before.target.ref if before.target else ""
        target = next((one for one in screen.elements if ref and one.ref == ref), None)
        done = Done(
            place=screen.place,
            before=before.screen.place.address,
            target=target,
            changes=None if fresh else changes_between(before.screen, screen, before.target),
            headings=texts_of(screen, ("heading",)),
            alerts=texts_of(screen, ("alert", "status")),
            pending=state.busy,
            late=bool(state.busy),
            failure=screen.place.failure,
            strategy=before.strategy,
        )
        return replace(done, confirmed=_confirmed(before.action, done) and done.failure is None)

    # ---- looking

    async def look(self, question: Question, wait: Wait) -> Seen:
        """Look at the screen once, after waiting as asked.

        Raises:
            DeviceRefused: a dialog is open.
        """
        await self._settled(max(wait.settle, wait.patient))
        if wait.since == self.state.version and wait.change:
            await self._until(lambda: self.state.version != wait.since, wait.change)
        self._refuse_dialog()
        screen = self.now()
        match question:
            case FindElements():
                return search(screen, question)
            case ReadText():
                return read_text(screen, question)
            case ReadPlace():
                return PlaceSeen(version=screen.version, place=screen.place)
            case ReadValue():
                return read_value(screen, question)

    async def screen(self, part: str, depth: int, limit: float = SETTLE_SECONDS) -> Screen:
        """Return the settled screen or a part of it.

        Raises:
            DeviceRefused: a dialog is open, or there is no such part.
        """
        await self._settled(limit)
        self._refuse_dialog()
        whole = self.now()
        places = part_of(whole.elements, part) if part else range(len(whole.elements))
        if places is None:
            text = f'there is no part of the screen named "{part}"'
            raise DeviceRefused(text, failure=Failure.ELEMENT_MISSING, where=whole.place.address)
        top = min((whole.elements[at].level for at in places), default=0)
        shown = (replace(whole.elements[at], level=whole.elements[at].level - top) for at in places)
        return replace(whole, elements=tuple(one for one in shown if depth <= 0 or one.level < depth))

    def picture(self, hide: Sequence[str]) -> bytes:
        """Return a PNG of what is shown."""
        return draw(self.now(), self.simulator.app.size, hide)

    # ---- waiting

    async def _settled(self, limit: float) -> None:
        """Wait until the app is not busy, or a dialog is open, or the time is up."""
        await self._until(lambda: not self.state.busy or self.open_dialog is not None, limit)

    async def _until(self, holds: Callable[[], bool], limit: float) -> None:
        """Wait until something holds: looked at again whenever the state may be another one."""
        deadline = self._clock() + limit
        while not holds() and (left := deadline - self._clock()) > 0:
            due = self._state.due[0].at - self._clock() if self._state.due else left
            self._woken.clear()
            try:
                async with asyncio.timeout(max(0.0, min(left, due))):
                    await self._woken.wait()
            except TimeoutError:
                continue


def _confirmed(action: Action | None, done: Done) -> bool:
    """Return whether an action had its effect: the field holds the text, the toggle is as wanted, or anything changed."""
    held = squash(done.target.content).lower() if done.target else ""
    match action:
        case Enter(text=text) if done.target is not None:
            return held == squash(text).lower()
        case Choose(options=options) if done.target is not None:
            return held == squash(options[0]).lower()
        case Toggle(on=on) if done.target is not None:
            return done.target.states.checked == on
        case _:
            return done.changed
