"""A simulated device that runs: the simulator on a clock, with everything that waits. The host half keeps one."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from muster_devices.action_report import Begun, report
from muster_devices.action_targets import Wanted, as_shown, wanted_by
from muster_devices.actions import Action, DialogOpen, Outcome, Scope
from muster_devices.device import Feature
from muster_devices.element_search import search
from muster_devices.errors import DeviceRefused
from muster_devices.observations import FindElements, Question, Seen, Wait
from muster_devices.record_times import moment
from muster_devices.refusals import dialog_in_the_way, refusal_of, usable
from muster_devices.relations import area_of
from muster_devices.screen import Place, Record, Screen, Window, outline
from muster_devices.screen_answers import answer_of
from muster_devices.screens.drawing import draw
from muster_devices.screens.gestures import perform
from muster_devices.screens.rendering import Rendered, screen_of
from muster_devices.screens.simulator import Simulator
from muster_devices.screens.state import State
from muster_devices.screens.troubles import error_of
from muster_protocol.causes import Failure
from muster_protocol.narrowing import Relation
from muster_protocol.sessions import OpenDialog

KEPT = 500
"""Records of each feed."""
SETTLE_SECONDS = 5.0
"""How long the app may be busy where the request has no limit of its own."""
WINDOW = "main"
LACKING = "a simulated device has no files, one window only, and no mouse; a text goes into a field that is named"


class SimulatedDevice:
    """One device, for one request at a time. Waiting ends when what is waited for is there, or at its limit.

    While its file has it away, dropped or locked, every request raises `DeviceLost` or `DeviceRefused`.
    """

    features: frozenset[Feature] = frozenset({"addresses", "dialogs", "feeds", "touch", "apps"})

    def __init__(self, simulator: Simulator, state: State | None) -> None:
        """To be made where an event loop runs: what happens by itself is put on it."""
        self.simulator = simulator
        self.on_dialog: Callable[[OpenDialog], None] = lambda _dialog: None
        self._state = state or simulator.begin(time.monotonic())
        self._begun: Begun | None = None
        """The action whose dialog is open."""
        self._changed = asyncio.Event()
        self._feeds: dict[str, deque[Record]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._plan_next()

    def stop(self) -> None:
        """Let nothing more happen by itself."""
        if self._timer is not None:
            self._timer.cancel()

    # ---- where it is

    @property
    def state(self) -> State:
        """The state now."""
        state = self.simulator.advance(self._state, time.monotonic())
        if state.version != self._state.version:
            self._become(state)
        self._state = state
        return state

    def _reached(self) -> State:
        """Return the state now.

        Raises:
            DeviceLost, DeviceRefused: nobody can use the device now.
        """
        state = self.state
        if state.trouble is not None:
            raise error_of(state.trouble)
        return state

    def _become(self, state: State) -> None:
        before, self._state = self._state, state
        if state.crash and state.crash != before.crash:
            self._record("crash", Record(at=moment(), text=state.crash, level="error"))
        dialog = self._dialog_of(state)
        if dialog is not None and state.dialog is not before.dialog:
            self._record("dialog", Record(at=moment(), text=dialog.message, level=dialog.kind, address=dialog.url))
            self.on_dialog(dialog)
        self._changed.set()
        self._plan_next()

    def _plan_next(self) -> None:
        self.stop()
        if self._state.due:
            delay = max(0.001, self._state.due[0].at - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(delay, self._tick)

    def _tick(self) -> None:
        before = self._state.version
        if self.state.version == before:  # the loop's clock runs a little ahead
            self._plan_next()

    def _record(self, feed: str, record: Record) -> None:
        self._feeds.setdefault(feed, deque(maxlen=KEPT)).append(record)

    def _dialog_of(self, state: State) -> OpenDialog | None:
        dialog = state.dialog
        if dialog is None:
            return None
        address = f"{self.simulator.app.app}://{state.screen}"
        return OpenDialog(kind=dialog.kind, message=dialog.text, default=dialog.default, url=address)

    @property
    def open_dialog(self) -> OpenDialog | None:
        """The dialog that waits for an answer."""
        return self._dialog_of(self.state)

    def _shown(self, state: State) -> Screen:
        return screen_of(self.simulator.app, state, self.simulator.rendered(state))

    def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the device has told of itself, newest last."""
        return tuple(self._feeds.get(name, ()))

    def forget_dialogs(self) -> None:
        """Forget the dialogs of an earlier holder; one that is open stays."""
        self._feeds.pop("dialog", None)

    # ---- acting

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        """Find the target, act once, wait until the screen has settled, and say what changed.

        An app's screens are all its own, so none can lead out of the scope.

        Raises:
            DeviceRefused: a dialog is open, or the target is missing, unclear or cannot be used.
        """
        self._reached()
        if wanted_by(action, LACKING) is not None:
            await self._until(lambda: self._decided(action), limit)
        state = self._reached()
        self._refuse_dialog(state)
        action = as_shown(action, self._shown(state))
        wanted = wanted_by(action, LACKING)
        found, strategy = self._usable(state, wanted) if wanted is not None else (None, "")
        self._begun = Begun(self._shown(state), _moment(state), action, found.element if found else None, strategy)
        self._become(self.simulator.acted(perform(self.simulator, state, action, found)))
        return await self._outcome(limit)

    async def answer(self, accept: bool, text: str, limit: float = SETTLE_SECONDS) -> Outcome:
        """Answer the open dialog, and say what came of the action that had opened it.

        Raises:
            DeviceRefused: no dialog is open.
        """
        state = self._reached()
        if state.dialog is None:
            said = "no dialog is open: the app has not asked anything"
            raise DeviceRefused(said, failure=Failure.ELEMENT_MISSING, expected="a dialog to answer", seen=said)
        self._begun = self._begun or Begun(self._shown(state), _moment(state))  # else the app opened it by itself
        self._become(self.simulator.answer(state, accept, text))
        return await self._outcome(limit)

    async def _outcome(self, limit: float) -> Outcome:
        await self._settled(limit)
        state = self._reached()
        if (dialog := self._dialog_of(state)) is not None:
            return DialogOpen(dialog=dialog, touched=self._begun.target if self._begun else None)
        begun, self._begun = self._begun, None
        if begun is None:
            raise RuntimeError("an outcome without an action")
        return report(begun, self._shown(state), _moment(state), state.busy)

    def _decided(self, action: Action) -> bool:
        """Return whether waiting any longer cannot bring a better target: it is there, or nothing can come.

        What may mean several elements, or is not named exactly, waits until the app is not busy any more.
        """
        state = self.state
        if state.dialog or state.crash or state.trouble:
            return True
        screen = self._shown(state)
        wanted = wanted_by(as_shown(action, screen), LACKING)
        if wanted is None:
            return True
        found = search(screen, FindElements(target=wanted.target, use=wanted.use))
        one = found.total == 1 and usable(found.matches[0], wanted.use)
        return one and (found.strategy in ("ref", "name", "label") or not state.busy)

    def _usable(self, state: State, wanted: Wanted) -> tuple[Rendered, str]:
        """Return the one element that is meant, and how it was found.

        Raises:
            DeviceRefused: it is missing, unclear or cannot be used.
        """
        screen = self._shown(state)
        found = search(screen, FindElements(target=wanted.target, use=wanted.use, explain=True))
        if found.total != 1 or not usable(found.matches[0], wanted.use):
            raise _crash(screen.place) or refusal_of(wanted.target, wanted.use, found)
        ref = found.matches[0].ref
        return next(one for one in self.simulator.rendered(state) if one.element.ref == ref), found.strategy

    def _refuse_dialog(self, state: State) -> None:
        if (dialog := self._dialog_of(state)) is not None:
            raise dialog_in_the_way(dialog, "the app waits for an answer to")

    # ---- looking

    async def look(self, question: Question, wait: Wait) -> Seen:
        """Look at the screen once, after waiting as asked.

        Raises:
            DeviceRefused: a dialog is open.
        """
        self._reached()
        await self._settled(max(wait.settle, wait.patient))
        if wait.change:
            await self._until(lambda: self.state.version != wait.since, wait.change)
        return answer_of(self._unblocked(), question)

    async def screen(self, part: str, depth: int) -> Screen:
        """Return the settled screen or a part of it.

        Raises:
            DeviceRefused: a dialog is open, or there is no such part.
        """
        await self._settled(SETTLE_SECONDS)
        whole = self._unblocked()
        area = area_of(whole.elements, (Relation("in", part),) if part else ())
        places = sorted(area.places)
        if area.missing:
            text = f'there is no part of the screen named "{part}"'
            raise DeviceRefused(text, failure=Failure.ELEMENT_MISSING, where=whole.place.address)
        top = min((whole.elements[at].level for at in places), default=0)
        shown = (replace(whole.elements[at], level=whole.elements[at].level - top) for at in places)
        screen = replace(whole, elements=tuple(one for one in shown if depth <= 0 or one.level < depth))
        return replace(screen, lines=tuple(outline(screen)))

    @property
    def shown(self) -> Screen:
        """The screen now."""
        return self._shown(self.state)

    async def picture(self, hide: Sequence[str]) -> bytes:
        """Return a PNG of what is shown."""
        return await asyncio.to_thread(draw, self._shown(self._reached()), self.simulator.app.size, hide)

    async def source(self) -> str:
        """Return nothing: a screen is drawn."""
        self._reached()
        return ""

    async def windows(self) -> tuple[Window, ...]:
        """Return the one window of the app."""
        place = (await self.screen("", 1)).place
        return (Window(id=WINDOW, title=place.title, address=place.address, current=True),)

    async def use(self, window: str) -> None:
        """Do nothing: the app has one window.

        Raises:
            DeviceRefused: another one is named.
        """
        if window != WINDOW:
            raise DeviceRefused(f"there is no window {window!r}; the app has one", failure=Failure.ELEMENT_MISSING)

    async def dialog(self, limit: float) -> OpenDialog | None:
        """Return the open dialog; wait `limit` seconds for one to open."""
        self._reached()
        await self._until(lambda: self.state.dialog is not None, limit)
        return self.open_dialog

    def _unblocked(self) -> Screen:
        state = self._reached()
        self._refuse_dialog(state)
        return self._shown(state)

    # ---- waiting

    async def _settled(self, limit: float) -> None:
        """Wait until the app is not busy, or a dialog is open, or the time is up."""
        await self._until(lambda: not self.state.busy or self.state.dialog is not None, limit)

    async def _until(self, holds: Callable[[], bool], limit: float) -> None:
        """Wait until something holds: looked at again after each change, `limit` seconds at most."""
        deadline = time.monotonic() + limit
        while not holds() and (left := deadline - time.monotonic()) > 0:
            self._changed.clear()
            try:
                async with asyncio.timeout(left):
                    await self._changed.wait()
            except TimeoutError:
                return


def _moment(state: State) -> object:
    """Return what tells the screen that is shown from another one."""
    return state.path, state.opened_at


def _crash(place: Place) -> DeviceRefused | None:
    """Return the refusal of a screen that is none of the product's."""
    if place.failure is None:
        return None
    text = f"{place.problem}; open a screen to start the app again"
    return DeviceRefused(text, failure=place.failure, seen=place.problem, where=place.address)
