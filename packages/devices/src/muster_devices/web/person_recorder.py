"""Follows a person in a browser and reports what they do on its pages as it happens."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from playwright.async_api import BrowserContext, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from muster_devices.errors import DeviceRefused
from muster_devices.screen import Element
from muster_devices.web.chromium import COMPUTED_ROLES, BrowserMissing, find_browser
from muster_devices.web.page_script import prepare
from muster_devices.web.person_tabs import PersonTabs
from muster_protocol.causes import Failure

LAST_WORDS = 800
"""Characters of what a browser says that does not start."""


class PersonAct(Struct, frozen=True, kw_only=True):
    """Something that a person did, or what a page shows since."""

    kind: str
    """`click`, `double-click`, `right-click`, `open` (a link in a new tab), `drag`, `enter`, `select`, `check`,
    `uncheck`, `upload`, `press`, `dialog`; `opened`, `closed`, `go` of tabs (`PersonTabs`); `scripted`: the page itself
    goes through its history or closes its tab; `shown`: what is to be read now."""
    element: Element | None = None
    onto: Element | None = None
    """Where it was dragged."""
    value: str = ""
    """What was entered, one choice or file a line; the key that was pressed, the keys that were held during a click;
    of a dialog `accept` or `dismiss`, then what was typed. Fields of secrets tell none."""
    tab: int = 1
    number: int = 1
    """Of the elements with this role and name, from 1."""
    total: int = 1
    here: int = 1
    """How many of them are in the same part of the page."""
    address: str = ""
    title: str = ""
    shown: tuple[str, ...] = ()
    """Heading and messages of the page, or what a dialog says."""


_SCRIPT = f"(() => {{\n{(files('muster_devices.web') / 'js' / 'person.js').read_text('utf-8')}\n}})()"


async def _follow_person(context: BrowserContext, told: Callable[[PersonAct], None]) -> PersonTabs:
    """Tell all that happens on the pages of a context from now on; to be called before any page is opened."""

    def heard(source: Mapping[str, Any], text: str) -> None:
        with suppress(msgspec.MsgspecError):  # a page called it by itself
            told(replace(msgspec.json.decode(text, type=PersonAct), tab=tabs.number(source["page"])))

    tabs = PersonTabs(lambda kind, tab, value: told(PersonAct(kind=kind, tab=tab, value=value)))
    await prepare(context)
    await context.expose_binding("musterTold", heard)
    await context.add_init_script(_SCRIPT)
    context.on("page", _leave_dialogs)
    context.on("page", tabs.add)
    return tabs


def _leave_dialogs(page: Page) -> None:
    """Leave dialogs to the person: where nobody listens, they are dismissed at once."""
    page.on("dialog", lambda _: None)


async def until_closed(context: BrowserContext, tabs: PersonTabs) -> None:
    """Wait until a person has closed all tabs."""
    if context.browser is not None:
        context.browser.on("disconnected", lambda _: tabs.all_closed.set())
    await tabs.all_closed.wait()


async def record_person(url: str, told: Callable[[PersonAct], None], *, headless: bool, port: int) -> None:
    """Open a browser at an address, and tell what a person does there until they close its window.

    `headless` and `port` (of the browser's debugging interface) are for a person who is a program.

    Raises:
        BrowserMissing: there is no browser that has a window, or it does not start.
        DeviceRefused: the address cannot be opened.
    """
    async with async_playwright() as playwright:
        found = find_browser(playwright.chromium.executable_path, os.environ.get("BROWSER_EXECUTABLE", ""), os.environ)
        if not headless and found is not None and "headless" in found.name:
            raise BrowserMissing(f"{found} has no window: set BROWSER_EXECUTABLE to a Chromium that has one")
        options = [COMPUTED_ROLES, *([f"--remote-debugging-port={port}"] if port else [])]
        try:
            browser = await playwright.chromium.launch(
                executable_path=found, headless=headless, chromium_sandbox=os.geteuid() != 0, args=options
            )
        except PlaywrightError as error:
            said = error.message.partition("Call log:")[0][-LAST_WORDS:]
            raise BrowserMissing(f"the browser {found or ''} does not start: {said}") from error
        try:
            context = await browser.new_context(no_viewport=not headless)
            tabs = await _follow_person(context, told)
            page = await context.new_page()
            try:
                await page.goto(url)
            except PlaywrightError as error:
                raise DeviceRefused(f"{url} cannot be opened: {error.message}", failure=Failure.UNREACHABLE) from error
            await until_closed(context, tabs)
        finally:
            with suppress(PlaywrightError):  # the person has closed it
                await browser.close()
