"""How each action is done with the browser's driver, and whether its effect was seen."""

from functools import partial
from typing import Literal, cast

import msgspec
from msgspec.structs import replace
from playwright.async_api import Error, Locator

from muster_devices.actions import (
    Action,
    Choose,
    Done,
    Download,
    Drag,
    Enter,
    Navigate,
    OpenWindow,
    Point,
    Press,
    Restart,
    Scroll,
    Toggle,
    Upload,
)
from muster_devices.errors import DeviceRefused
from muster_devices.refusals import no_option
from muster_devices.web.locator import locate
from muster_devices.web.page_access import GRACE, PATIENCE, bounded
from muster_devices.web.page_actions import Acting, Gesture, act, now, seen
from muster_devices.web.page_navigation import go
from muster_devices.web.page_script import CHOICES, CHOSEN, PICK
from muster_devices.web.page_transfers import download, upload
from muster_devices.web.page_typing import BEGIN_FOCUSED, enter, holds, refuse_secret
from muster_protocol.causes import Failure
from muster_text.text_match import squash

LONG_PRESS = 800
"""Milliseconds that the mouse button is held."""
_SCROLL = {
    "up": "window.scrollBy(0, -innerHeight * 0.8)",
    "down": "window.scrollBy(0, innerHeight * 0.8)",
    "top": "window.scrollTo(0, 0)",
    "bottom": "window.scrollTo(0, document.documentElement.scrollHeight)",
}


Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]


async def perform(acting: Acting, action: Action) -> Done:
    """Do an action once, and return what it did.

    Raises:
        DeviceRefused: its target is missing, unclear or cannot be used, or a browser cannot do this.
    """
    done = await _performed(acting, action)
    return replace(done, confirmed=done.failure is None and _is_confirmed(action, done))


async def _performed(acting: Acting, action: Action) -> Done:
    match action:
        case Point():
            return await act(acting, action.target, "click", _pointing(action))
        case Drag():
            return await _drag(acting, action)
        case Enter():
            return await enter(acting, action)
        case Toggle():
            return await _toggle(acting, action)
        case Choose():
            return await _choose(acting, action)
        case Press():
            return await _press(acting, action)
        case Scroll():
            return await _scroll(acting, action)
        case Upload():
            return await act(acting, action.target, "upload", partial(upload, action))
        case Download():
            return await download(acting, action)
        case _:
            return await go(acting, action)


def _is_confirmed(action: Action, done: Done) -> bool:
    """Return whether the effect was seen: the field holds the text, the option is chosen, the page changed. Pure."""
    held = done.target.content if done.target is not None else ""
    match action:
        case Point(gesture="hover") | Restart():
            return True
        case Enter(how="append") | Enter(target=None):
            return done.changed
        case Enter():
            return done.target is not None and holds(done.target, action.text)
        case Toggle():
            return done.target is not None and done.target.states.checked == action.on
        case Choose():
            return done.confirmed
        case Scroll():
            return action.target is not None or (done.changes is not None and done.changes.scrolled)
        case Upload() if done.target is not None and done.target.native == "file":
            return all(file.name in held for file in action.files)
        case Download():
            return any(file.content for file in done.files)
        case Navigate() | OpenWindow():
            return done.changed and done.place.status < 400
        case _:
            return done.changed


def _pointing(action: Point) -> Gesture:
    held = cast("list[Modifier]", list(action.holding))
    match action.gesture:
        case "tap":
            return lambda it, ms: it.click(timeout=ms, modifiers=held)
        case "double_tap":
            return lambda it, ms: it.dblclick(timeout=ms)
        case "long_press":
            return lambda it, ms: it.click(delay=LONG_PRESS, timeout=ms)
        case "secondary":
            return lambda it, ms: it.click(button="right", timeout=ms)
        case "hover":
            return lambda it, ms: it.hover(timeout=ms)


async def _drag(acting: Acting, action: Drag) -> Done:
    page = (await now(acting)).page
    to = await locate(acting.browser, page, action.to, "read", acting.limit)
    return await act(acting, action.target, "read", lambda it, ms: it.drag_to(to, timeout=ms))


async def _toggle(acting: Acting, action: Toggle) -> Done:
    async def set_checked(it: Locator, ms: float) -> None:
        await it.set_checked(action.on, timeout=ms)

    try:
        return await act(acting, action.target, "check", set_checked)
    except Error as error:
        if "did not change its state" in error.message or "Cannot uncheck radio" in error.message:
            wanted = "checked" if action.on else "unchecked"
            text = f"{action.target.words()} was clicked, but did not become {wanted}"
            raise DeviceRefused(text, failure=Failure.ELEMENT_MISSING) from error
        raise


async def _press(acting: Acting, action: Press) -> Done:
    try:
        if action.target is not None:
            return await act(acting, action.target, "value", lambda it, ms: it.press(action.key, timeout=ms))
        return await _press_focused(acting, action.key)
    except Error as error:
        if "Unknown key" not in error.message:
            raise
        text = f"there is no key {action.key!r}: use names such as Enter, Escape, Tab, ArrowDown, F5, a or Control+a"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL) from error


async def _press_focused(acting: Acting, key: str) -> Done:
    """Press a key on whatever has the focus."""
    before = await now(acting)
    page = before.page
    refuse_secret(acting, page.url)
    await bounded(acting.browser, page.evaluate(BEGIN_FOCUSED), GRACE)
    await bounded(acting.browser, page.keyboard.press(key), acting.limit * PATIENCE)
    return await seen(acting, before)


async def _scroll(acting: Acting, action: Scroll) -> Done:
    if action.target is not None:
        return await act(acting, action.target, "read", lambda it, ms: it.scroll_into_view_if_needed(timeout=ms))
    before = await now(acting)
    script = f"() => {{ window.__muster?.begin(); {_SCROLL[action.to]}; }}"
    await bounded(acting.browser, before.page.evaluate(script), GRACE)
    return await seen(acting, before)


# ---- lists: native ones, and those that are made of other elements


class _Options(msgspec.Struct, frozen=True):
    """The wanted options with their places; None if not all are among those that are there."""

    picked: tuple[tuple[int, str], ...] | None
    there: tuple[str, ...]


async def _choose(acting: Acting, action: Choose) -> Done:
    chosen: list[str] = []

    async def choose(locator: Locator, timeout: float) -> None:
        chosen.extend(await _chosen(action, locator, timeout))

    done = await act(acting, action.target, "select", choose)
    shown = squash(done.target.content).lower() if done.target is not None else ""
    return replace(done, confirmed=all(squash(label).lower() in shown for label in chosen))


async def _chosen(action: Choose, locator: Locator, timeout: float) -> list[str]:
    """Choose the wanted options and return their labels."""
    answer = await locator.evaluate(PICK, [action.options, timeout], timeout=timeout * 2)
    if answer is None:
        return await _chosen_of_others(action, locator, timeout)
    found = msgspec.convert(answer, _Options)
    if found.picked is None:
        raise no_option(action.target, action.options, found.there)
    await locator.select_option(index=[index for index, _ in found.picked], timeout=timeout)
    return [label for _, label in found.picked]


async def _chosen_of_others(action: Choose, locator: Locator, timeout: float) -> list[str]:
    """Choose in a list made of other elements: open it, then click the options that appear."""
    shut = await locator.element_handle(timeout=timeout)  # open, what pops up may go by the same name
    for number, option in enumerate(action.options):
        before = await shut.evaluate_handle(CHOICES, option)
        if number == 0:
            await locator.click(timeout=timeout)
        found = await shut.evaluate_handle(CHOSEN, [option, before, timeout])
        choice = found.as_element()
        if choice is None:
            raise no_option(action.target, action.options, await found.json_value())
        await choice.click(timeout=timeout)
    return list(action.options)
