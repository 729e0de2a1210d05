"""Checks of single elements: visibility, value and state."""

from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Literal

from msgspec.structs import replace

from muster_devices.actions import Target
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ElementsSeen, Use
from muster_devices.refusals import missing_part, refusal_of
from muster_devices.screen import Element as SeenElement
from muster_devices.screen import kind_of_state
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import (
    BEGINNINGS,
    ENDS,
    Relating,
    compares,
    hides_choice,
    is_told_by_signs,
    says,
    undecided,
)
from muster_subagent.tools.device_calls import explained, look_for
from muster_subagent.tools.element_content import (
    Content,
    are_called_more,
    content_of,
    must_be_called_so,
    must_be_the_only_one,
)
from muster_subagent.tools.targets import Element, Ref, Role, Within, target_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, Argument, Denied, Denies, Wanted
from muster_text.amounts import RELATIONS
from muster_text.text_match import has_whole, plain, quote, squash

State = Annotated[
    Literal[
        "enabled",
        "disabled",
        "checked",
        "unchecked",
        "focused",
        "selected",
        "unselected",
        "editable",
        "readonly",
        "required",
        "invalid",
        "valid",
        "empty",
        "expanded",
        "collapsed",
    ],
    Argument.WANTED,
    Denies(("disabled", "unchecked", "unselected", "empty", "collapsed")),
]
_UNDRAWN = "a list draws only what it is scrolled to, so that nobody can tell what is not in it"


@tool(effect="check", group="checks", needs=DEVICE, about="element", relation="is")
async def check_visible(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = "", absent: Denied = False
) -> ToolOutcome:
    """Check that an element can be seen; or, with `absent`, that it cannot or is not there."""
    target = target_of(element, role, within, ref)

    def holds(found: ElementsSeen) -> bool:
        return bool(_to_be_seen(found, absent)) != absent

    def decided(found: ElementsSeen) -> bool:
        return holds(found) and is_clear(found) and not (absent and found.any_kind) and not are_called_more(found.shown)

    seen = await look_for(ctx, target, "read", decided, denied=absent)
    if no_part := missing_part(target.relations, seen):
        raise no_part
    if target.role == "menu" and target.name and not seen.total:
        await _must_be_folded(ctx, target, absent=absent)
    if target.role == "icon" and target.name and absent and not seen.total:
        await _must_be_told_apart(ctx, target)
    if absent or target.role != "tooltip":  # it is known by how it is drawn
        must_be_sure(target, seen)
    must_be_called_so(target, seen.shown, seen.place.address)
    if seen.shown and all(one.pale for one in seen.shown):
        told = f"{seen.shown[0].words()} can hardly be told from what lies over it or behind it"
        raise undecided(told, seen.place.address)
    if seen.more and not seen.total:
        raise undecided(f"{_UNDRAWN}: scroll to where it should be", seen.place.address)
    expected = f"{target.words()} is {'not ' if absent else ''}visible"
    return verdict(holds(seen), expected, _what_is_there(target, seen), seen.place.address)


def _to_be_seen(found: ElementsSeen, absent: bool) -> list[SeenElement]:
    """Return what is drawn; to show that something can be seen, it has to show its name, too."""
    return [one for one in found.shown if absent or not one.unread]


async def _must_be_folded(ctx: ToolContext, menu: Target, *, absent: bool) -> None:
    """Refuse to judge on a menu that bears no name on the page, unless what opens it says that it is closed.

    Raises:
        ToolError: the page does not tell.
    """
    opener = await explained(ctx, replace(menu, role="button"), "read")
    if absent and opener.total == 1 and opener.matches[0].states.collapsed:
        return
    text = f"the page calls nothing that can be seen the menu {quote(menu.name)}: check what stands in it instead"
    raise ToolError(text, failure=Failure.TARGET_UNCLEAR, where=opener.place.address)


async def _must_be_told_apart(ctx: ToolContext, icon: Target) -> None:
    """Refuse to judge that a picture is absent where one is drawn that may be it.

    Raises:
        ToolError: there is one that is for the same, or that has no name.
    """
    looks: tuple[tuple[Target, Use], ...] = ((icon, "click"), (replace(icon, name=""), "read"))
    for target, use in looks:
        pictures = await explained(ctx, target, use)
        named = target.name == "" and all(picture.name for picture in pictures.matches)
        if pictures.total and not (named and pictures.total == len(pictures.matches)):
            told = "pictures are drawn there of which nothing tells whether one of them is meant"
            raise undecided(told, pictures.place.address)


def must_be_sure(target: Target, seen: ElementsSeen) -> None:
    """Refuse to judge on something that is not known to be there, while what is drawn may be it.

    Raises:
        ToolError: it may be there.
    """
    if seen.shown or not seen.any_kind:
        return
    told = f"the page draws {seen.any_kind[0].words()} and does not say whether this is {with_article(target)}"
    raise undecided(f"{told}: check for its text alone, or say more exactly what is meant", seen.place.address)


def with_article(target: Target) -> str:
    """Return the kind of a target with its article, as in `a row`."""
    return f"{'an' if target.role[:1] in 'aeiou' else 'a'} {target.role or 'thing'}"


def is_clear(seen: ElementsSeen) -> bool:
    """Return whether the part of the page that was looked at is one that there is."""
    return not seen.unknown_part and not seen.unclear_part


def _what_is_there(target: Target, seen: ElementsSeen) -> str:
    if seen.shown and all(one.unread for one in seen.shown):
        return f"{seen.shown[0].words()} is drawn, but nobody can read its name"
    if seen.shown:
        return ", ".join(dict.fromkeys(control.words() for control in seen.shown[:3]))
    if seen.matches:
        return f"{seen.matches[0].words()} is on the page, but hidden"
    return refusal_of(target, "read", seen).seen or "no such element"


async def the_one(
    ctx: ToolContext, target: Target, holds: Callable[[SeenElement], bool], use: Use = "value"
) -> tuple[SeenElement, str]:
    """Return the one element that is meant, once something holds of it or the time is up, and where it is.

    Raises:
        ToolError: it is missing, hidden or unclear.
    """
    seen = await look_for(ctx, target, use, lambda found: found.total == 1 and holds(found.matches[0]))
    if seen.total != 1 or seen.matches[0].hidden:
        raise refusal_of(target, use, seen)
    must_be_called_so(target, seen.shown, seen.place.address)
    return seen.matches[0], seen.place.address


@tool(effect="check", group="checks", needs=DEVICE, about="element")
async def check_value(
    ctx: ToolContext,
    element: Element,
    value: Wanted,
    *,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
    match: Relating = "is",
    negate: Denied = False,
    drawn: Annotated[bool, Argument.DETAIL] = False,
) -> ToolOutcome:
    """Check the value of a field, or the text of any other element; `drawn`: as it is seen, a password as dots."""
    if negate and match in RELATIONS:
        raise ToolError("say the opposite relation instead of `negate`", failure=Failure.INVALID_CALL)
    target = target_of(element, role, within, ref)

    def holds(text: str) -> bool:
        return compares(text, value, match, denied=negate) != negate

    in_part = match in (*BEGINNINGS, *ENDS)
    content = await content_of(ctx, target, holds, any_new=match == "is" and not negate, in_part=in_part)
    content = content.as_meant(holds, denied=negate)
    expected = f"{target.words()} {says(match, value, negate=negate)}"
    if content.only_name and holds(content.text) and (negate or match == "matches"):
        told = f"the page has {quote(content.text)}, but nothing that one could call its value"
        raise undecided(f'{told}: name what has the value, as in: The text "…" is not visible', content.where)
    if match == "includes" and hides_choice(content.text, value):
        told = f"it shows {quote(content.text)}, which does not tell what is chosen"
        raise undecided(f"{told}: check what it shows, or the options of the open list", content.where)
    _must_be_drawn(content)
    _must_be_in_words(content, element, value)
    if content.in_words and match in ("is", *RELATIONS) and (negate or not holds(content.text)):
        _must_be_about_all(content, element, value)
    if not negate and not holds(content.text):
        await must_be_the_only_one(ctx, target, holds)
    if not squash(value):
        content = _without_invitation(content)
    if drawn and content.pale:
        raise undecided("what the field holds can hardly be told from what is behind it", content.where)
    seen = "a password" if content.secret and content.text else quote(content.text)
    held = "" if drawn and content.secret else content.text
    return verdict(holds(held), expected, seen, content.where)


def _must_be_drawn(content: Content) -> None:
    """Refuse to judge what an unseen list has chosen or how far a bar is, where something else is drawn for it.

    Raises:
        ToolError: it is so.
    """
    if content.unchosen == "otherwise":
        told = f"it holds {quote(content.text)}, but something else is drawn for it"
        raise undecided(f"{told}: nobody can tell which of them is meant", content.where)


def _must_be_in_words(content: Content, element: str, value: str) -> None:
    """Refuse to compare words or a number with what is drawn by signs alone.

    Raises:
        ToolError: it is.
    """
    if is_told_by_signs(content.text, value):
        told = f"{quote(element)} is drawn as {quote(content.text)}, and what that stands for the text does not tell"
        raise undecided(f"{told}: check these signs themselves", content.where)


def _must_be_about_all(content: Content, element: str, value: str) -> None:
    """Refuse to compare a value with a text that has its label among others, unless all of the text is expected.

    Raises:
        ToolError: nobody can tell what the value is.
    """
    if not has_whole(plain(value), plain(element)):
        told = f"the page has {quote(content.text, 80)}, and nothing that one could call the value of {quote(element)}"
        raise undecided(f"{told}: check that text, or name what has the value", content.where)


def _without_invitation(content: Content) -> Content:
    """Return what is held, where an invitation to choose is no value.

    Raises:
        ToolError: nobody can tell whether it is one.
    """
    if content.unchosen == "maybe":
        told = f"{quote(content.text)} has no value behind it: nobody can tell whether it is a choice"
        raise undecided(told, content.where)
    return content._replace(text="") if content.unchosen else content


@tool(
    effect="check", group="checks", needs=DEVICE, about="element", relation="state", partial=True, offer=offers.STATES
)
async def check_state(
    ctx: ToolContext, element: Element, state: State, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Check what state an element is in, such as enabled, checked or expanded."""
    target = target_of(element, role, within, ref)

    def decided(found: SeenElement) -> bool:
        return not _can_be(found, state) or _is(found, state)

    if state == "empty" and target.relations:  # the head of a column names it, which stands in no row
        return await _check_empty(ctx, target)
    control, where = await _bearer(ctx, target, state, decided)
    is_label = control.value is None  # of a value, or of a field without one of its own
    if state == "empty" and (is_label or control.unchosen):
        return await _check_empty(ctx, target)
    if not _can_be(control, state):
        text = f"{control.words()} cannot be {state}, or page and browser differ on it: name the element that can"
        raise ToolError(text, failure=Failure.TARGET_UNCLEAR, where=where)
    seen = ", ".join(_states(control))
    return verdict(_is(control, state), f"{target.words()} is {state}", f"{control.words()} is {seen}", where)


async def _bearer(
    ctx: ToolContext, target: Target, state: State, decided: Callable[[SeenElement], bool]
) -> tuple[SeenElement, str]:
    """Return the element whose state is meant: the one of that name, or the field or box beside it."""
    control, where = await the_one(ctx, target, decided)
    with suppress(DeviceRefused):
        if state == "empty" and not target.role and control.role in ("button", "link"):
            return await the_one(ctx, replace(target, role="field"), decided)
        if not _can_be(control, state) and kind_of_state(state) == "checked":
            return await the_one(ctx, target, decided, use="check")
    return control, where


async def _check_empty(ctx: ToolContext, target: Target) -> ToolOutcome:
    content = await content_of(ctx, target, lambda text: not squash(text))
    _must_be_drawn(content)
    content = _without_invitation(content)
    seen = "a password" if content.secret and content.text else quote(content.text)
    return verdict(not squash(content.text), f"{target.words()} is empty", seen, content.where)


def _can_be(control: SeenElement, state: State) -> bool:
    """Return whether an element has a state of this kind; all can be empty."""
    return state == "empty" or kind_of_state(state) in control.states.known


def _is(control: SeenElement, state: State) -> bool:
    states = control.states
    if state == "disabled":
        return not states.enabled
    if state == "valid":
        return not states.invalid
    if state == "empty":
        return not squash(control.content)
    if state in ("unchecked", "unselected"):
        return not getattr(states, state.removeprefix("un"))
    return bool(getattr(states, state))


def _states(control: SeenElement) -> list[str]:
    """Return the states that say something about an element of its kind."""
    known = control.states.known
    told = ["enabled" if control.states.enabled else "disabled"] if "enabled" in known else []
    if "checked" in known:
        told.append("checked" if control.states.checked else "unchecked")
    others = ("focused", "selected", "readonly", "required", "invalid", "expanded", "collapsed")
    told += [state for state in others if getattr(control.states, state)]
    told += ["empty"] if control.value is not None and not squash(control.value) else []
    return told or ["there"]
