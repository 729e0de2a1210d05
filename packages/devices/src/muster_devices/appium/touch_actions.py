"""Movements of a finger and strokes of keys as W3C actions. Pure."""

from collections.abc import Sequence
from typing import Any

from muster_devices.actions import Direction
from muster_devices.appium.webdriver import ELEMENT
from muster_protocol.tool_calls import Box

LONG_MS = 1200
"""How long a long press holds, in milliseconds; Android takes 500 ms for one, iOS as much as 1000."""
MOVE_MS = 400
_NEAR, _FAR = 0.3, 0.7
"""Where a swipe begins and ends, as parts of what it is over: away from the edges, which belong to the system."""
_KEYS = {
    "Enter": "\ue007", "Tab": "\ue004", "Space": " ", "Backspace": "\ue003", "Delete": "\ue017", "Escape": "\ue00c",
    "ArrowUp": "\ue013", "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011",
    "End": "\ue010", "PageUp": "\ue00e", "PageDown": "\ue00f", "Shift": "\ue008", "Control": "\ue009",
    "Alt": "\ue00a", "Meta": "\ue03d",
}  # fmt: skip
_ANDROID = {
    "Enter": 66, "Tab": 61, "Space": 62, "Backspace": 67, "Delete": 112, "Escape": 111, "Back": 4, "Home": 3,
    "Menu": 82, "ArrowUp": 19, "ArrowDown": 20, "ArrowLeft": 21, "ArrowRight": 22, "PageUp": 92, "PageDown": 93,
    "Select": 23, "VolumeUp": 24, "VolumeDown": 25, "Search": 84, "AppSwitch": 187,
}  # fmt: skip
"""Key codes of Android."""


def on_element(element: str, *steps: dict[str, Any]) -> dict[str, Any]:
    """Return the actions of a finger at the middle of an element."""
    return finger({"type": "pointerMove", "duration": 0, "origin": {ELEMENT: element}, "x": 0, "y": 0}, *steps)


def finger(*steps: dict[str, Any]) -> dict[str, Any]:
    """Return the actions of one finger."""
    pointer = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": list(steps)}
    return {"actions": [pointer]}


def hold(milliseconds: int) -> tuple[dict[str, Any], ...]:
    """Return the steps of a press that lasts so long."""
    down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
    return down, {"type": "pause", "duration": milliseconds}, up


def twice() -> tuple[dict[str, Any], ...]:
    """Return the steps of a double tap."""
    return (*hold(50), {"type": "pause", "duration": 100}, *hold(50))


def swipe_over(area: Box, direction: Direction) -> dict[str, Any]:
    """Return the actions of a finger that moves over an area."""
    middle_x, middle_y = area.x + area.width / 2, area.y + area.height / 2
    near, far = (_FAR, _NEAR) if direction in ("up", "left") else (_NEAR, _FAR)
    upright = direction in ("up", "down")
    begin = (middle_x, area.y + near * area.height) if upright else (area.x + near * area.width, middle_y)
    end = (middle_x, area.y + far * area.height) if upright else (area.x + far * area.width, middle_y)
    return finger(
        _moved_to(*begin, 0),
        {"type": "pointerDown", "button": 0},
        {"type": "pause", "duration": 100},
        _moved_to(*end, MOVE_MS),
        {"type": "pointerUp", "button": 0},
    )


def _moved_to(x: float, y: float, milliseconds: int) -> dict[str, Any]:
    return {"type": "pointerMove", "duration": milliseconds, "origin": "viewport", "x": round(x), "y": round(y)}


def strokes(key: str) -> dict[str, Any]:
    """Return the actions of a keyboard for a key or chord, such as `Enter` or `Control+a`."""
    parts: Sequence[str] = [_KEYS.get(part, part) for part in (key.split("+") if len(key) > 1 else [key])]
    down = [{"type": "keyDown", "value": part} for part in parts]
    up = [{"type": "keyUp", "value": part} for part in reversed(parts)]
    return {"actions": [{"type": "key", "id": "keyboard", "actions": [*down, *up]}]}


def android_key(key: str) -> int | None:
    """Return Android's code of a key; None: it has none."""
    if len(key) == 1 and key.isascii() and key.isalnum():
        return 7 + int(key) if key.isdigit() else 29 + ord(key.lower()) - ord("a")
    return _ANDROID.get(key)
