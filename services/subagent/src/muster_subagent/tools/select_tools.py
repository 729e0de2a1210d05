"""The tool that chooses in a list: a native one, or one that is made of other elements."""

from typing import NamedTuple

import msgspec
from playwright.async_api import Locator, TimeoutError

from muster_devices.web.page_script import PICK
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.form_tools import as_it_is
from muster_subagent.tools.page_actions import act
from muster_subagent.tools.pointer_tools import told
from muster_subagent.tools.targets import Element, Ref, Role, Target, Within
from muster_subagent.tools.text_matching import listed, nearest, quote, squash
from muster_subagent.tools.tool import ToolError, tool


class _Options(msgspec.Struct, frozen=True):
    """The wanted options with their places; None if not all are among those that are there."""

    picked: tuple[tuple[int, str], ...] | None
    there: tuple[str, ...]


class _Choice(NamedTuple):
    """What was chosen, and what the list says that it has instead."""

    labels: tuple[str, ...]
    missing_among: tuple[str, ...] = ()


@tool(effect="idempotent")
async def browser_select(
    ctx: ToolContext, element: Element, options: list[str], *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Choose options of a list by their visible text (or value). Waits for options that are loaded late."""
    target = Target(element, role, within, ref)
    choices: list[_Choice] = []

    async def choose(locator: Locator, timeout: float) -> None:
        choices.append(await _chosen(locator, options, timeout))

    acted = await act(ctx, target, "select", choose)
    choice = choices[0]
    if not choice.labels:
        raise _no_option(target, options, choice.missing_among)
    control = await as_it_is(ctx, target, "select", acted)
    has = control.content if control is not None else ""
    sure = all(squash(label).lower() in squash(has).lower() for label in choice.labels)
    holds = f"; it shows {quote(has)}" if has else ""
    return told(f"Chose {listed(choice.labels)} in {target.words()}{holds}", acted, confirmed=sure)


async def _chosen(locator: Locator, options: list[str], timeout: float) -> _Choice:
    answer = await locator.evaluate(PICK, [options, timeout], timeout=timeout * 2)
    if answer is None:
        return await _chosen_of_others(locator, options, timeout)
    found = msgspec.convert(answer, _Options)
    if found.picked is None:
        return _Choice((), found.there)
    await locator.select_option(index=[index for index, _ in found.picked], timeout=timeout)
    return _Choice(tuple(label for _, label in found.picked))


async def _chosen_of_others(locator: Locator, options: list[str], timeout: float) -> _Choice:
    """Choose in a list made of other elements: open it, then click the options that appear."""
    await locator.click(timeout=timeout)
    page = locator.page
    for option in options:
        wanted = page.get_by_role("option", name=option, exact=True)
        try:
            await wanted.or_(page.get_by_role("menuitem", name=option, exact=True)).first.click(timeout=timeout)
        except TimeoutError:
            return _Choice((), tuple(await page.get_by_role("option").all_inner_texts()))
    return _Choice(tuple(options))


def _no_option(target: Target, options: list[str], there: tuple[str, ...]) -> ToolError:
    names = {squash(name).lower() for name in there}
    missing = next((option for option in options if squash(option).lower() not in names), options[0] if options else "")
    closest = nearest(missing, there)
    near = f"; closest: {listed(closest)}" if closest else ""
    text = f"{target.words()} has no single option {quote(missing)}{near}; it has: {listed(there, 15) or 'none'}"
    return ToolError(text, failure=Failure.ELEMENT_MISSING, expected=quote(missing), seen=listed(there, 15))
