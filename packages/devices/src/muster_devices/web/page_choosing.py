"""Choosing options: of native lists, of suggestions, and of lists that are made of other elements."""

from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from playwright.async_api import ElementHandle, Error, JSHandle, Locator

from muster_devices.actions import Choose, Done, Target
from muster_devices.refusals import no_option
from muster_devices.web.page_actions import Acting, act
from muster_devices.web.page_script import CHOICES, CHOSEN, LIST_OF, OFFERED, PICK, SHUT_OPTION
from muster_text.text_match import squash

_PART = 0.4
"""Part of the time limit that each way to open a list has."""


_HAS_SEARCH = """el => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return Boolean(at) && at !== el && at.matches('input:not([readonly], :disabled)') && at.value === '' &&
    (at.getAttribute('role') === 'combobox' || at.matches('[type=search], [aria-controls], [aria-autocomplete]'));
}"""
"""Whether the focus is in the search field of the open list, which filters its options."""


class _Options(msgspec.Struct, frozen=True):
    """The wanted options with their places; None if not all are among those that are there."""

    picked: tuple[tuple[int, str], ...] | None
    typed: str | None
    """What choosing a suggestion types; None: the list is no list of suggestions."""
    there: tuple[str, ...]


async def choose(acting: Acting, action: Choose) -> Done:
    """Choose options of a list, and return what that did.

    Raises:
        DeviceRefused: the list is missing, unclear or cannot be used, or has no such option.
    """
    chosen: list[str] = []

    async def gesture(locator: Locator, timeout: float) -> None:
        chosen.extend(await pick(action, locator, timeout))

    done = await act(acting, action.target, "select", gesture)
    shown = squash(done.target.content).lower() if done.target is not None else ""
    return replace(done, confirmed=all(squash(label).lower() in shown for label in chosen))


async def tap(acting: Acting, target: Target) -> Done:
    """Click an element; an option of a closed list has no place to click at, and is chosen in its list.

    Raises:
        DeviceRefused: the element is missing, unclear or cannot be used; nothing was done then.
    """

    async def gesture(locator: Locator, timeout: float) -> None:
        try:
            await locator.click(timeout=timeout)
        except Error as error:
            option = await _shut_option(locator, error)
            if option is None:
                raise
            await pick(Choose(target=target, options=(option,)), locator.first.locator(LIST_OF), timeout)

    return await act(acting, target, "click", gesture)


async def _shut_option(locator: Locator, error: Error) -> str | None:
    """Return what an option of a closed list is called, which cannot be clicked; None: it is something else."""
    return await locator.evaluate_all(SHUT_OPTION) if "strict mode violation" in error.message else None


async def pick(action: Choose, locator: Locator, timeout: float) -> list[str]:
    """Choose the wanted options of a list that the driver has found, and return their labels.

    Raises:
        DeviceRefused: it has no such option.
    """
    answer = await locator.evaluate(PICK, [action.options, timeout], timeout=timeout * 2)
    if answer is None:
        return await _chosen_of_others(action, locator, timeout)
    found = msgspec.convert(answer, _Options)
    if found.picked is None:
        raise no_option(action.target, action.options, found.there)
    if found.typed is not None:
        await locator.fill(found.typed, timeout=timeout)
    else:
        await locator.select_option(index=[index for index, _ in found.picked], timeout=timeout)
    return [label for _, label in found.picked]


async def _chosen_of_others(action: Choose, locator: Locator, timeout: float) -> list[str]:
    """Choose in a list made of other elements: open it if need be, then click the options that appear."""
    shut = await locator.element_handle(timeout=timeout)  # open, what pops up may go by the same name
    for number, option in enumerate(action.options):
        found = await shut.evaluate_handle(OFFERED, option)
        if found.as_element() is None and await found.json_value() is None:
            found = await _opened(_Shut(locator, shut, option, timeout), again=number > 0)
        choice = found.as_element()
        if choice is None:
            raise no_option(action.target, action.options, await found.json_value())
        await choice.click(timeout=timeout)
    with suppress(Error):  # the page has put another in its place
        # Several could be chosen: the list stays open until somebody closes it.
        if await shut.evaluate("el => el.getAttribute('aria-expanded') === 'true'"):
            await locator.page.keyboard.press("Escape")
    return list(action.options)


class _Shut(NamedTuple):
    """A list that is to be opened, and the option that is wanted of it."""

    locator: Locator
    element: ElementHandle
    option: str
    timeout: float


async def _opened(wanted: _Shut, *, again: bool) -> JSHandle:
    """Return the wanted option, or the names of the options there, once a list was opened in one of the ways of people.

    These are a click, the arrow key and, where one can type, the option's name; each only where nothing came before.
    `again`: another option was chosen before, so the list may still be open.
    """
    before = await wanted.element.evaluate_handle(CHOICES, wanted.option)

    async def look() -> JSHandle:
        return await wanted.element.evaluate_handle(CHOSEN, [wanted.option, before, wanted.timeout * _PART])

    if again and (found := await look()).as_element() is not None:
        return found
    for way in (_click, _press_arrow, _type_name, _search):
        if await way(wanted):
            found = await look()
            if found.as_element() is not None:
                return found
    return await look()  # it may be loaded late


async def _click(wanted: _Shut) -> bool:
    await wanted.locator.click(timeout=wanted.timeout)
    return True


async def _press_arrow(wanted: _Shut) -> bool:
    is_closed = bool(await wanted.element.evaluate("el => el.getAttribute('aria-expanded') === 'false'"))
    if is_closed:
        await wanted.locator.press("ArrowDown", timeout=wanted.timeout)
    return is_closed


async def _type_name(wanted: _Shut) -> bool:
    is_typable = bool(await wanted.element.evaluate("el => el.matches('input:not([readonly], :disabled)')"))
    if is_typable:
        await wanted.locator.fill(wanted.option, timeout=wanted.timeout)
    return is_typable


async def _search(wanted: _Shut) -> bool:
    """Type the option's name into the search field that the open list has put the focus on."""
    is_searched = bool(await wanted.element.evaluate(_HAS_SEARCH))
    if is_searched:
        await wanted.locator.page.keyboard.insert_text(wanted.option)
    return is_searched
