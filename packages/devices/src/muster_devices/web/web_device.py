"""The worker half of a browser: the pages of a session as a `Device`."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from playwright.async_api import Error, Page

from muster_devices.actions import Action, DialogOpen, Done, Outcome, Scope
from muster_devices.device import Feature
from muster_devices.errors import DeviceLost, DeviceRefused
from muster_devices.observations import PlaceSeen, Question, ReadPlace, Wait
from muster_devices.refusals import dialog_in_the_way
from muster_devices.screen import Element, Place, Record, Screen, Window
from muster_devices.web.page_access import GRACE, BrowserSession, Unanswered, bounded, current, until_still
from muster_devices.web.page_actions import Acting, settle
from muster_devices.web.page_audit import audit
from muster_devices.web.page_gestures import perform
from muster_devices.web.page_health import explained
from muster_devices.web.page_looks import glance, look
from muster_devices.web.page_navigation import tab_of, windows
from muster_devices.web.page_records import records
from muster_devices.web.page_views import picture_of, screen_of
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog

SETTLE_SECONDS = 5.0
"""How long a page may be busy where the request has no limit of its own."""

T = TypeVar("T")


class WebDevice:
    """Implements `Device`. What its session raises when that is lost comes through as it is."""

    features: frozenset[Feature] = frozenset(
        {"addresses", "windows", "files", "feeds", "dialogs", "key_chords", "audits"}
    )

    def __init__(self, browser: BrowserSession, domains: Sequence[str] = ()) -> None:
        """`domains` are the hosts whose pages may be looked at; empty: any."""
        self._browser, self._domains = browser, domains
        self._waiting: asyncio.Task[Done] | None = None
        """The action that opened the open dialog, still under way."""

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        """Do an action; one that opens a dialog is kept until that is answered."""
        self._refuse_dialog()
        async with self._translated():
            touched: list[Element] = []
            told = touched if scope.described else None
            acting = Acting(self._browser, scope.domains, limit, scope.entrusted, told)
            return await self._outcome(perform(acting, action), touched)

    async def answer(self, accept: bool, text: str, call: str) -> Outcome:
        """Answer the open dialog."""
        await self._browser.answer_dialog(call=call, accept=accept, text=text)
        work, self._waiting = self._waiting, None
        async with self._translated():
            return await self._outcome(work if work is not None else self._idle())

    async def dialog(self, limit: float = 0.0) -> OpenDialog | None:
        """Return the open dialog; wait for one to open."""
        if limit <= 0 or self._browser.dialog is not None:
            return self._browser.dialog
        try:
            async with asyncio.timeout(limit):
                return await self._browser.dialog_opened()
        except TimeoutError:
            return None

    async def look(self, question: Any, wait: Wait) -> Any:  # noqa: ANN401 - see `Device.look`
        """Look at the page once; without any wait, a page that does not answer is where the driver last saw it."""
        now = isinstance(question, ReadPlace) and wait == Wait()
        return await self._unblocked(self._place_now() if now else self._looked(question, wait))

    async def screen(self, part: str = "", depth: int = 0) -> Screen:
        """Return the settled page or a part of it."""
        return await self._unblocked(self._viewed(part, depth))

    async def picture(self, hide: Sequence[str]) -> bytes:
        """Return a PNG of what the window shows."""
        return await self._unblocked(self._pictured(hide))

    async def source(self) -> str:
        """Return the HTML of the current page as it is now."""
        return await self._unblocked(self._sourced())

    async def windows(self) -> tuple[Window, ...]:
        """Return the tabs."""
        return await self._unblocked(windows(self._browser))

    async def use(self, window: str) -> None:
        """Make a tab the current one."""
        await self._unblocked(self._used(window))

    async def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the session's host has seen of the pages, or what an audit of the current one finds."""
        if name == "accessibility":
            return await self._unblocked(self._audited())
        return records(name, await self._browser.recall(name))

    # ---- the page

    async def _page(self) -> Page:
        return await current(self._browser, self._domains)

    async def _looked(self, question: Question, wait: Wait) -> Any:  # noqa: ANN401 - by the question
        return await look(self._browser, await self._page(), question, wait)

    async def _place_now(self) -> PlaceSeen:
        page = await self._page()
        try:
            async with asyncio.timeout(GRACE):  # a dialog that opens just now would hold the answer back
                seen = await glance(self._browser, page, Wait())
        except (Error, Unanswered, TimeoutError):
            seen = PlaceSeen(version=-1, place=Place(address=page.url))
        return msgspec.structs.replace(seen, place=await explained(self._browser, seen.place))

    async def _viewed(self, part: str, depth: int) -> Screen:
        return await self._read(lambda page: screen_of(self._browser, page, part, depth))

    async def _pictured(self, hide: Sequence[str]) -> bytes:
        return await self._read(lambda page: picture_of(self._browser, page, hide))

    async def _audited(self) -> tuple[Record, ...]:
        return await self._read(lambda page: audit(self._browser, page))

    async def _sourced(self) -> str:
        return await self._read(lambda page: bounded(self._browser, page.content(), GRACE))

    async def _read(self, reading: Callable[[Page], Awaitable[T]]) -> T:
        page = await self._page()
        return await until_still(lambda: reading(page), GRACE)

    async def _used(self, window: str) -> None:
        page = tab_of(self._browser, window)
        await page.bring_to_front()
        self._browser.use(page)

    async def _idle(self) -> Done:
        """Stand in for the action that opened a dialog, where that is not known: the page opened it by itself."""
        page = await self._page()
        after = await settle(self._browser, page, SETTLE_SECONDS)
        return Done(place=after.place, before=after.place.address)

    # ---- dialogs

    def _refuse_dialog(self) -> None:
        if (dialog := self._browser.dialog) is not None:
            raise dialog_in_the_way(dialog, "the page waits for an answer to")

    async def _unblocked(self, work: Coroutine[Any, Any, T]) -> T:
        """Look at the page; give up once a dialog opens, as nothing can be seen then.

        Raises:
            DeviceRefused: a dialog is open.
        """
        try:
            self._refuse_dialog()
        except DeviceRefused:
            work.close()
            raise
        async with self._translated():
            task = asyncio.ensure_future(work)
            dialog = await self._race(task, keep=False)
            if dialog is not None:
                raise dialog_in_the_way(dialog, "while the page was looked at it opened")
            return task.result()

    async def _outcome(self, work: Awaitable[Done], touched: Sequence[Element] = ()) -> Outcome:
        """Wait until an action is done or opens a dialog; `touched` has its target by then, if that was described."""
        task = asyncio.ensure_future(work)
        dialog = await self._race(task, keep=True)
        if dialog is None:
            known = next(iter(touched), None)
            return msgspec.structs.replace(task.result(), dialog=self._browser.dialog, touched=known)
        task.add_done_callback(_heard)
        self._waiting = task
        return DialogOpen(dialog=dialog, touched=next(iter(touched), None))

    async def _race(self, task: asyncio.Task[T], *, keep: bool) -> OpenDialog | None:
        """Wait for the task or a dialog; return the dialog if that came first. The task is ended unless it is kept."""
        opened = asyncio.ensure_future(self._browser.dialog_opened())
        kept = False
        try:
            await asyncio.wait({task, opened}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return None
            dialog = opened.result()
            kept = keep
            return dialog
        finally:
            opened.cancel()
            if not kept:
                task.cancel()

    # ---- errors

    @asynccontextmanager
    async def _translated(self) -> AsyncGenerator[None]:
        """Raise errors of the driver as what they mean for the device; what is no known trouble stays as it is."""
        try:
            yield
        except Error as error:
            if await self._closed_its_tab():
                text = "the page closed its own tab meanwhile; switch to another tab"
                raise DeviceRefused(text, failure=Failure.TARGET_UNCLEAR) from error
            raise _lost(error) or error from error

    async def _closed_its_tab(self) -> bool:
        """Return whether the current tab was closed by its page while the browser lives on."""
        try:
            page = await self._browser.page()
        except Exception:
            return False
        browser = page.context.browser
        return page.is_closed() and browser is not None and browser.is_connected() and bool(self._browser.pages)


def _heard(task: asyncio.Task[Done]) -> None:
    """Take note of an exception that nobody may ask for any more."""
    if not task.cancelled():
        task.exception()


def _lost(error: Error) -> DeviceLost | None:
    """Return what an error of the driver means for the device: its connection or its page is gone."""
    if type(error).__name__ == "TargetClosedError" or "has been closed" in error.message:
        return DeviceLost("the connection to the browser was closed")
    return DeviceLost("the page crashed") if "crashed" in error.message else None
