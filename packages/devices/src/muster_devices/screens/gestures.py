"""What actions do to a simulated device. Pure."""

from msgspec.structs import replace

from muster_devices.actions import (
    Action,
    Choose,
    ClickOutside,
    Enter,
    Navigate,
    Point,
    Press,
    Restart,
    Rotate,
    Scroll,
    Swipe,
    Toggle,
    UseApp,
)
from muster_devices.errors import DeviceRefused
from muster_devices.refusals import no_option
from muster_devices.screens.app import FOCUSED_ROLES, HELD_AT_FIRST, Part, Reactions, walk
from muster_devices.screens.rendering import Rendered
from muster_devices.screens.simulator import Simulator
from muster_devices.screens.state import State
from muster_protocol.causes import Failure
from muster_text.element_roles import TYPED
from muster_text.text_match import nearest, plain

_PAGE = 0.8
"""Part of the screen by which a swipe moves the content."""
_NEXT, _PREVIOUS = ("Tab", "ArrowDown", "ArrowRight"), ("Shift+Tab", "ArrowUp", "ArrowLeft")


def perform(  # noqa: C901, PLR0912 - one short branch an action
    simulator: Simulator, state: State, action: Action, found: Rendered | None
) -> State:
    """Return the state after an action was done to the element that was found for it, or to the device as a whole.

    Raises:
        DeviceRefused: there is no such screen, key or option; nothing was done then.
    """
    part = found.part if found else None
    match action:
        case Navigate():
            return _navigate(simulator, state, action)
        case Restart():
            return replace(simulator.begin_anew(state), version=state.version + 1)
        case UseApp():
            return _use_app(simulator, state, action)
        case Rotate():
            raise DeviceRefused("a simulated device is not turned", failure=Failure.INVALID_CALL)
        case Scroll():
            return _scroll(simulator, state, action, found)
        case Swipe():
            return _swipe(simulator, state, action, part)
        case ClickOutside():
            return replace(state, focus="", version=state.version + 1)
        case Press():
            return _press(simulator, _focus(state, found), action.key)
        case _ if found is None:
            raise ValueError(f"{action} needs an element")
        case Enter():
            held = str(state.data.get(found.part.id) or "") if action.how == "append" else ""
            return simulator.set_value(_focus(state, found), found.part, held + action.text)
        case Choose():
            return _choose(simulator, _focus(state, found), found, action)
        case Toggle():
            held = state.data.get(found.part.id) is True
            return state if held == action.on else _tap(simulator, state, found)
        case Point():
            return _point(simulator, state, action, found)
        case _:
            raise ValueError(f"{action} is not for a simulated device")


def _use_app(simulator: Simulator, state: State, action: UseApp) -> State:
    name = simulator.app.app
    if action.app not in ("", name) or action.to in ("background", "close", "notifications"):
        text = f"a simulated device has the app {name!r} alone, which is always in front"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL)
    if state.crash or action.to == "clear":
        return replace(simulator.begin_anew(state), version=state.version + 1)
    return replace(state, version=state.version + 1)


def _point(simulator: Simulator, state: State, action: Point, found: Rendered) -> State:
    part = found.part
    match action.gesture:
        case "tap":
            return _tap(simulator, state, found)
        case "hover":
            return simulator.react(state, part, part.hover)
        case "double_tap":
            return simulator.react(_focus(state, found), part, part.double_tap or part.tap)
        case "long_press" | "secondary":
            return simulator.react(_focus(state, found), part, part.long_press)


def _tap(simulator: Simulator, state: State, found: Rendered) -> State:
    part, state = found.part, _focus(state, found)
    if part.role == "radio":
        state = replace(state, data={**state.data, **_other_radios(simulator, state, part), part.id: True})
    elif part.role in HELD_AT_FIRST:
        state = replace(state, data={**state.data, part.id: state.data.get(part.id) is not True})
    return simulator.react(state, part, part.tap)


def _other_radios(simulator: Simulator, state: State, part: Part) -> dict[str, bool]:
    """Return the radio buttons that stand beside one as turned off."""
    plan = simulator.app.screens[state.screen]
    groups = [plan.elements, *(one.elements for one in walk(plan.elements))]
    group = next((group for group in groups if part in group), ())
    return {one.id: False for one in group if one.role == "radio"}


def _choose(simulator: Simulator, state: State, found: Rendered, action: Choose) -> State:
    by_name = {plain(option): option for option in found.part.options}
    if len(action.options) != 1 or plain(action.options[0]) not in by_name:
        where = f"{simulator.app.app}://{state.screen}"
        raise no_option(action.target, action.options, found.part.options, where)
    return simulator.set_value(state, found.part, by_name[plain(action.options[0])])


def _swipe(simulator: Simulator, state: State, action: Swipe, part: Part | None) -> State:
    plan = simulator.app.screens[state.screen]
    own: Reactions = part.swipe.get(action.direction, ()) if part is not None else ()
    if own:
        return simulator.react(state, part, own)
    if reactions := plan.swipe.get(action.direction, ()):
        return simulator.react(state, None, reactions)
    moves = {"up": _PAGE, "down": -_PAGE}.get(action.direction, 0.0)
    return _scrolled(simulator, state, state.scroll + round(moves * simulator.app.size.height))


def _scroll(simulator: Simulator, state: State, action: Scroll, found: Rendered | None) -> State:
    height = simulator.app.size.height
    if found is not None and found.element.box is not None:
        return _scrolled(simulator, state, state.scroll + round(found.element.box.y) - height // 2)
    page = round(_PAGE * height)
    to = {"up": state.scroll - page, "down": state.scroll + page, "top": 0, "bottom": 1_000_000}[action.to]
    return _scrolled(simulator, state, to)


def _scrolled(simulator: Simulator, state: State, to: int) -> State:
    limit = max(0, simulator.content_height(state) - simulator.app.size.height)
    to = max(0, min(to, limit))
    return state if to == state.scroll else replace(state, scroll=to, version=state.version + 1)


def _navigate(simulator: Simulator, state: State, action: Navigate) -> State:
    if state.crash and action.to != "address":
        return simulator.begin(state.at, state)
    match action.to:
        case "back":
            return simulator.back(state)
        case "reload":
            return simulator.show(state, state.screen, anew=True)
        case "forward":
            raise DeviceRefused("a simulated device cannot go forward", failure=Failure.INVALID_CALL)
        case "address":
            return _go(simulator, state, action.address)


def _go(simulator: Simulator, state: State, address: str) -> State:
    app = simulator.app
    name = address.removeprefix(f"{app.app}://").strip("/") or app.start
    if name not in app.screens:
        like = nearest(name, app.screens)
        hint = f"; closest: {', '.join(like)}" if like else ""
        text = f"the app {app.app!r} has no screen {address!r}{hint}"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL, expected=address, seen=", ".join(app.screens))
    if not state.crash:
        return simulator.show(state, name)
    started = simulator.begin(state.at, state)
    return started if name == app.start else simulator.show(started, name)


# ---- keys


def _focus(state: State, found: Rendered | None) -> State:
    if found is None or found.part.role not in FOCUSED_ROLES or state.focus == found.element.ref:
        return state
    return replace(state, focus=found.element.ref, version=state.version + 1)


def _press(simulator: Simulator, state: State, key: str) -> State:
    """Press a key: the element with the focus answers first, then the screen, then the device itself."""
    focused = next((one for one in simulator.rendered(state) if one.element.ref == state.focus), None)
    plan = simulator.app.screens[state.screen]
    if focused is not None and key in focused.part.keys:
        return simulator.react(state, focused.part, focused.part.keys[key])
    if key in plan.keys:
        return simulator.react(state, None, plan.keys[key])
    if key in ("Back", "Escape"):
        return simulator.back(state) if key == "Back" else state
    if key in (*_NEXT, *_PREVIOUS):
        return _move_focus(simulator, state, 1 if key in _NEXT else -1)
    if focused is None:
        return state
    if focused.part.role in TYPED:
        return _edit(simulator, state, focused.part, key)
    return _tap(simulator, state, focused) if key in ("Enter", "Space") else state


def _move_focus(simulator: Simulator, state: State, step: int) -> State:
    able = [one for one in simulator.rendered(state) if one.part.role in FOCUSED_ROLES and one.element.states.enabled]
    if not able:
        return state
    at = next((index for index, one in enumerate(able) if one.element.ref == state.focus), -1 if step > 0 else 0)
    return _focus(state, able[(at + step) % len(able)])


def _edit(simulator: Simulator, state: State, part: Part, key: str) -> State:
    held = str(state.data.get(part.id, ""))
    character = " " if key == "Space" else key if len(key) == 1 else ""
    if not character and key != "Backspace":
        return state
    return simulator.set_value(state, part, held + character if character else held[:-1])
