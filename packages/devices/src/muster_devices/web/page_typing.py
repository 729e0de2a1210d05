"""Typing: a text into a field or whatever has the focus, at once or key by key; sliders are moved by their keys."""

import re

from playwright.async_api import Error, Locator, TimeoutError

from muster_devices.actions import Choose, Done, Enter, Target
from muster_devices.errors import DeviceRefused
from muster_devices.screen import Element
from muster_devices.web.page_access import GRACE, PATIENCE, bounded
from muster_devices.web.page_actions import Acting, act, now, seen
from muster_devices.web.page_choosing import choose, pick
from muster_devices.web.page_script import CODE_BOXES
from muster_devices.web.page_sliders import number_of, slide
from muster_protocol.causes import Failure
from muster_text.text_match import squash

BEGIN_FOCUSED = "() => window.__muster?.begin(document.activeElement)"
"""Marks what has the focus as what is acted on."""
_WHOLE = ("date", "time", "month", "week", "datetime-local", "range", "color")
"""Types of fields that take a value only as a whole."""
_STRICT = (*_WHOLE, "number")
"""Types of fields that hold nothing at all instead of a text that does not fit."""
_NO_FIELD = "Element is not an <input>"
_TAKES_KEYS = "el => Boolean(el.editContext)"
"""Whether an element is handed what is typed, and draws it by itself, as editors of code do."""
_IS_SLIDER = "el => el.getAttribute('role') === 'slider' || el.hasAttribute('aria-valuenow')"
"""Whether what takes no text is moved by keys; all else that is found for typing is a list, and takes a choice."""
_IS_LIST = "el => el.readOnly && el.getAttribute('role') === 'combobox' && el.getAttribute('aria-readonly') !== 'true'"
_AWAY_AND_BACK = """el => el.type !== "range" || el.step === "any" ? []
  : Number(el.value) > Number(el.min || 0) ? ["ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown"]"""
"""Returns the keys that move a native slider by a step and back, within its bounds."""
_SOON = 500
"""Milliseconds in which a field can be filled, if nothing has to be waited for."""
_LETTERS = re.compile(r"[^\W\dwt]", re.IGNORECASE)
"""Letters that no date, time or number has."""
_COUNTRY = re.compile(r"\+\d{1,3}(?=\D|$)")
"""The country code that a telephone field puts before what is typed."""
_TYPE = "el => /^(input|textarea)$/.test(el.localName) && !el.readOnly && !el.disabled ? el.type : ''"


async def enter(acting: Acting, action: Enter) -> Done:
    """Type a text, and return what that did.

    Raises:
        DeviceRefused: the field is missing, unclear, or takes no such text.
    """
    if action.target is None:
        return await _type_focused(acting, action.text)
    if action.how == "replace":
        return await _replace(acting, action, action.target)

    async def gesture(field: Locator, milliseconds: float) -> None:
        if action.how == "keys":
            await field.fill("", timeout=milliseconds)
        else:
            await field.press("Control+End", timeout=milliseconds)
        await field.press_sequentially(action.text, timeout=milliseconds)

    return await act(acting, action.target, "type", gesture)


async def _type_focused(acting: Acting, text: str) -> Done:
    """Press a key for each letter, on whatever has the focus."""
    before = await now(acting)
    refuse_secret(acting, before.page.url)
    await bounded(acting.browser, before.page.evaluate(BEGIN_FOCUSED), GRACE)
    await bounded(acting.browser, before.page.keyboard.type(text), acting.limit * PATIENCE)
    return await seen(acting, before)


async def _replace(acting: Acting, action: Enter, target: Target) -> Done:
    """Fill a field, and press its last character as a key, for products that listen to keys."""
    done = await _fill(acting, action, target, by_key=action.text[-1:].isalnum())
    if done.failure is None and done.target is not None and not _took(done.target, action.text):
        # the field takes only a whole text, or one letter per box, or was redrawn meanwhile
        done = await _fill(acting, action, target, by_key=False, again=True)
    field = done.target
    if field is not None and field.native in _STRICT and action.text and not field.content:
        raise _unfit(target)
    return done


async def _chosen(acting: Acting, target: Target, text: str) -> Done:
    """Choose what was to be typed."""
    if acting.entrusted is not None:
        raise _unfit(target)  # the error for an option that is not there would tell the secret
    return await choose(acting, Choose(target=target, options=(text,)))


async def _fill(acting: Acting, action: Enter, target: Target, *, by_key: bool, again: bool = False) -> Done:
    async def gesture(field: Locator, milliseconds: float) -> None:
        if again and await _fill_boxes(field, action.text, milliseconds):
            return
        last = by_key and await _takes_keys(field, action.text, milliseconds)
        try:
            await _put(field, action.text[:-1] if last else action.text, milliseconds, by_key=last)
        except Error as error:
            if _NO_FIELD not in error.message or not await _set(acting, field, target, action.text, milliseconds):
                raise
        else:
            await _press_last(field, action.text, milliseconds, by_key=last)

    try:
        return await act(acting, target, "type", gesture)
    except _OnlyChosen:
        return await _chosen(acting, target, action.text)
    except Error as error:
        if "Malformed value" not in error.message and "Cannot type text into" not in error.message:
            raise
        if by_key:
            return await _fill(acting, action, target, by_key=False)
        raise _unfit(target) from error


async def _fill_boxes(field: Locator, text: str, milliseconds: float) -> bool:
    """Press a key in each box of a field that has one for each letter; False: it has no such boxes, or not as many."""
    boxes = await field.evaluate_handle(CODE_BOXES, timeout=milliseconds)
    found = [box.as_element() for box in (await boxes.get_properties()).values()]
    if not found or len(found) != len(text):
        return False
    for box, letter in zip(found, text, strict=True):
        if box is not None:
            await box.select_text(timeout=milliseconds)
            await box.type(letter, timeout=milliseconds)
    return True


class _OnlyChosen(Exception):
    """A field is that of a list, in which one can only choose."""


async def _takes_keys(field: Locator, text: str, milliseconds: float) -> bool:
    """Return whether the last character of a text can be a key: dates, times and sliders take only a whole value."""
    begun = text[:-1]
    if _LETTERS.search(begun):
        return True
    native = await field.evaluate(_TYPE, timeout=milliseconds)
    if native == "number":
        return not begun or (begun[-1].isdigit() and number_of(begun) is not None)
    return native != "" and native not in _WHOLE


async def _put(field: Locator, text: str, milliseconds: float, *, by_key: bool) -> None:
    """Fill a field; what it holds is only selected if the key that follows (`by_key`) is all of the text.

    Raises:
        _OnlyChosen: it takes no text; this is found out before the time is up.
    """
    if by_key and not text:
        await field.select_text(timeout=milliseconds)
        return
    try:
        await field.fill(text, timeout=min(_SOON, milliseconds))
    except TimeoutError as error:
        if await field.evaluate(_IS_LIST, timeout=milliseconds):
            raise _OnlyChosen from error
        await field.fill(text, timeout=milliseconds)


async def _press_last(field: Locator, text: str, milliseconds: float, *, by_key: bool) -> None:
    """Press the key that ends typing: the last letter, or, on a native slider, the step that leads to its value.

    Some products take the value of a slider only when the key or the mouse that moved it is let go.
    """
    if by_key:
        await field.press_sequentially(text[-1], timeout=milliseconds)
    elif number_of(text) is not None:
        for key in await field.evaluate(_AWAY_AND_BACK, timeout=milliseconds):
            await field.press(key, timeout=milliseconds)


async def _set(acting: Acting, field: Locator, target: Target, text: str, milliseconds: float) -> bool:
    """Set what is no field: an editor that draws by itself, a slider, a list by a choice; False: it may not be."""
    if await field.evaluate(_TAKES_KEYS, timeout=milliseconds):
        await field.press("Control+a", timeout=milliseconds)
        await field.press("Delete", timeout=milliseconds)
        await field.page.keyboard.insert_text(text)
    elif await field.evaluate(_IS_SLIDER, timeout=milliseconds):
        if not await slide(field, text, milliseconds):
            raise _unfit(target)
    elif acting.entrusted is None:
        await pick(Choose(target=target, options=(text,)), field, milliseconds)
    else:
        return False  # the error for an option that is not there would tell the secret
    return True


def _took(field: Element, text: str) -> bool:
    """Return whether a field holds what was typed, or nobody can tell what it holds."""
    return field.unchosen == "otherwise" or holds(field, text)


def holds(field: Element, text: str) -> bool:
    """Return whether a field holds a text, in whatever form of its own."""
    if field.role == "slider" and None not in (numbers := (number_of(field.content), number_of(text))):
        return numbers[0] == numbers[1]  # 40 is 40.00, and 4.0 is not 40
    return squash(field.content) == squash(text) or _reformatted(field.content, text)


def _unfit(target: Target) -> DeviceRefused:
    text = f"{target.words()} does not take such a text: a date is written 2026-01-31, a time 13:45, a number 12.5"
    return DeviceRefused(text, failure=Failure.INVALID_CALL)


def _reformatted(held: str, typed: str) -> bool:
    """Return whether a field has only put a text into a form of its own, such as `1234` into `12 34` or `$`."""

    def essence(text: str) -> str:
        return "".join(char for char in text.lower() if char.isalnum())

    if typed and not essence(typed):
        return False
    return essence(typed) in (essence(held), essence(_COUNTRY.sub("", held, count=1)))


def refuse_secret(acting: Acting, where: str) -> None:
    """Refuse to press keys for a secret: nobody knows what takes them.

    Raises:
        DeviceRefused: the action holds one.
    """
    if acting.entrusted is not None:
        text = "a secret is typed into a field that is named, not key by key"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL, where=where)
