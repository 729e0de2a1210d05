"""How each action is done with the browser's driver, and whether its effect was seen."""

from functools import partial
from typing import Literal, cast

import msgspec
from msgspec.structs import replace
from playwright.async_api import Error, Locator

from muster_devices.actions import (
    Action,
    Choose,
    ClickOutside,
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
    spot_of,
)
from muster_devices.errors import DeviceRefused
from muster_devices.screen import Element
from muster_devices.web.locator import locate, refusal
from muster_devices.web.page_access import GRACE, PATIENCE, bounded
from muster_devices.web.page_actions import Acting, Gesture, act, now, seen
from muster_devices.web.page_choosing import choose, tap
from muster_devices.web.page_navigation import go
from muster_devices.web.page_outside import click_outside
from muster_devices.web.page_script import AIM
from muster_devices.web.page_transfers import download, upload
from muster_devices.web.page_typing import BEGIN_FOCUSED, enter, holds, refuse_secret
from muster_protocol.causes import Failure
from muster_text.element_roles import FIELDS

LONG_PRESS = 800
"""Milliseconds that the mouse button is held."""
DRAG_STEPS = 10
"""Mouse moves of a drag: some lists find the place to drop by the path of the mouse."""
_SCROLL = {
    "up": "window.scrollBy(0, -innerHeight * 0.8)",
    "down": "window.scrollBy(0, innerHeight * 0.8)",
    "top": "window.scrollTo(0, 0)",
    "bottom": "window.scrollTo(0, document.documentElement.scrollHeight)",
}


_HELD_BESIDE = """el => {
  if (el.localName.includes("-") && typeof el.checked === "boolean") return el.checked;
  const own = el.getRootNode().host || el.parentElement;
  const toggle = own?.closest("[role=switch],[role=checkbox],[role=radio]");
  if (toggle?.ariaChecked) return toggle.ariaChecked === "true";
  const boxes = [...(el.parentElement?.closest(":has(input)")?.querySelectorAll("input") ?? [])];
  return boxes.length === 1 && /^(checkbox|radio)$/.test(boxes[0].type) ? boxes[0].checked : null;
}"""
"""Returns the state of a custom element, or of the only toggle an element is in or beside; null: no such one."""

Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]


async def perform(acting: Acting, action: Action) -> Done:
    """Do an action once, and return what it did.

    Raises:
        DeviceRefused: its target is missing, unclear or cannot be used, or a browser cannot do this.
    """
    done = await _performed(acting, action)
    return replace(done, confirmed=done.failure is None and _is_confirmed(action, done))


async def _performed(acting: Acting, action: Action) -> Done:  # noqa: C901 - one short branch an action
    match action:
        case Point():
            return await _point(acting, action)
        case ClickOutside():
            return await click_outside(acting, action)
        case Drag():
            return await _drag(acting, action)
        case Enter():
            return await enter(acting, action)
        case Toggle():
            return await _toggle(acting, action)
        case Choose():
            return await choose(acting, action)
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


def _is_confirmed(action: Action, done: Done) -> bool:  # noqa: C901 - one short branch an action
    """Return whether the effect was seen: the field holds the text, the option is chosen, the page changed. Pure."""
    held = done.target.content if done.target is not None else ""
    match action:
        case Point(gesture="hover") | Restart():
            return True
        case ClickOutside():
            return done.changed or done.target is None or done.target.role in FIELDS
        case Enter(how="append") | Enter(target=None):
            return done.changed
        case Enter():
            return done.target is not None and holds(done.target, action.text)
        case Toggle():
            return _is_toggled(action, done)
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
            return done.changed or _is_chosen_option(done)


def _is_toggled(action: Toggle, done: Done) -> bool:
    """Return whether a box has its state; a row without one was clicked, and something must have come of it."""
    if done.target is not None and done.target.role == action.target.role == "row":
        return done.changed
    return done.target is not None and done.target.states.checked == action.on


def _is_chosen_option(done: Done) -> bool:
    return done.target is not None and done.target.native == "option" and done.target.states.selected


async def _point(acting: Acting, action: Point) -> Done:
    if (spot := spot_of(action.target.ref)) is not None:
        return await _tap_spot(acting, action, spot)
    if action == Point(target=action.target) and action.target.role in ("", "option"):
        return await tap(acting, action.target)
    return await act(acting, action.target, "click", _pointing(action))


async def _tap_spot(acting: Acting, action: Point, spot: tuple[int, int]) -> Done:
    """Click a point, once.

    Raises:
        DeviceRefused: nothing that one could use is there, or another element than the one that is named.
    """
    if action != Point(target=action.target):
        raise _refused_spot(f"{action.target.words()} is a point, which can only be clicked", Failure.INVALID_CALL)
    before = await now(acting)
    told = await bounded(acting.browser, before.page.evaluate(AIM, spot), GRACE)
    there = msgspec.convert(told, Element) if told else None
    if there is None or (action.target.name and there.name != action.target.name):
        words = there.words() if there else "nothing one could use"
        raise _refused_spot(f"at {spot[0]}, {spot[1]} there is {words}", Failure.ELEMENT_MISSING)
    if acting.touched is not None:
        acting.touched[:] = [there]
    await bounded(acting.browser, before.page.mouse.click(*spot), acting.limit * PATIENCE)
    return replace(await seen(acting, before), strategy="ref")


def _refused_spot(text: str, failure: Failure) -> DeviceRefused:
    error = DeviceRefused(text, failure=failure)
    error.unsent = True
    return error


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
    to = await locate(acting.browser, page, action.to, "drop", acting.limit)
    return await act(acting, action.target, "read", partial(_drag_onto, acting, action, to))


async def _drag_onto(acting: Acting, action: Drag, to: Locator, target: Locator, timeout: float) -> None:
    try:
        await target.drag_to(to, timeout=timeout, steps=DRAG_STEPS)
    except Error as error:
        page = await acting.browser.page()
        if await to.count() != 1 and await target.count() == 1:
            raise await refusal(acting.browser, page, action.to, "drop", error) from error
        raise


async def _toggle(acting: Acting, action: Toggle) -> Done:
    slow = False

    async def set_checked(it: Locator, ms: float) -> None:
        nonlocal slow
        try:
            await it.set_checked(action.on, timeout=ms)
        except Error as error:
            if "Not a checkbox" in error.message and await _clicked_instead(action, it, ms):
                return
            slow = "did not change its state" in error.message  # the driver looks at once; it may yet do so
            if not slow:
                raise

    try:
        done = await act(acting, action.target, "check", set_checked)
    except Error as error:
        if "Cannot uncheck radio" in error.message:
            raise _unchanged(action) from error
        raise
    if slow and (done.target is None or done.target.states.checked != action.on):
        raise _unchanged(action)
    return done


async def _clicked_instead(action: Toggle, it: Locator, milliseconds: float) -> bool:
    """Bring what is no box itself into a state: a row without one, or the drawing of one; False: it is neither."""
    held = None if action.target.role == "row" else await it.evaluate(_HELD_BESIDE, timeout=milliseconds)
    if action.target.role != "row" and held is None:
        return False
    if held != action.on:
        await it.click(timeout=milliseconds)
    return True


def _unchanged(action: Toggle) -> DeviceRefused:
    wanted = "checked" if action.on else "unchecked"
    text = f"{action.target.words()} was clicked, but did not become {wanted}"
    return DeviceRefused(text, failure=Failure.ELEMENT_MISSING)


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
