"""Where elements stand that the file gives no place: one below the other, in rows side by side. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from muster_devices.screens.app import Part
from muster_protocol.tool_calls import Box

MARGIN = 16
GAP = 8
_HEIGHTS = {"text": 24, "heading": 36, "img": 120, "progressbar": 12}
_HEIGHT = 40
_SIDE_BY_SIDE = ("row", "navigation")


class Branch(NamedTuple):
    """An element that is shown, with its ref and its depth."""

    ref: str
    level: int
    part: Part


def boxes_of(branches: Sequence[Branch], width: int) -> dict[str, Box]:
    """Return the place of each element by its ref, before any scrolling, in pixels."""
    boxes: dict[str, Box] = {}
    top = float(MARGIN)
    for at in _tops(branches):
        top += _put(branches, at, Box(x=MARGIN, y=top, width=width - 2 * MARGIN, height=0), boxes)
    return boxes


def height_of(boxes: Mapping[str, Box]) -> int:
    """Return how many pixels elements take from top to bottom."""
    return round(max((box.y + box.height for box in boxes.values()), default=0) + MARGIN)


def _tops(branches: Sequence[Branch]) -> list[int]:
    return [at for at, branch in enumerate(branches) if branch.level == 0]


def _children(branches: Sequence[Branch], at: int) -> list[int]:
    found: list[int] = []
    for child in range(at + 1, len(branches)):
        if branches[child].level <= branches[at].level:
            break
        if branches[child].level == branches[at].level + 1:
            found.append(child)
    return found


def _put(branches: Sequence[Branch], at: int, room: Box, boxes: dict[str, Box]) -> float:
    """Place an element and all inside of it at the top of the room, and return what it takes of it in height."""
    part = branches[at].part
    given = part.bounds
    if given is not None:
        room = Box(x=given[0], y=given[1], width=given[2], height=given[3])
    boxes[branches[at].ref] = room  # before its children, so that refs stay in reading order
    inside = _put_children(branches, at, room, boxes)
    height = room.height if given is not None else inside or _HEIGHTS.get(part.role, _HEIGHT)
    boxes[branches[at].ref] = Box(x=room.x, y=room.y, width=room.width, height=height)
    return 0.0 if given is not None else height + GAP


def _put_children(branches: Sequence[Branch], at: int, room: Box, boxes: dict[str, Box]) -> float:
    children = _children(branches, at)
    if branches[at].part.role in _SIDE_BY_SIDE and children:
        width = (room.width - GAP * (len(children) - 1)) / len(children)
        lefts = [room.x + number * (width + GAP) for number in range(len(children))]
        rooms = [Box(x=left, y=room.y, width=width, height=0) for left in lefts]
        return max(_put(branches, child, box, boxes) for child, box in zip(children, rooms, strict=True)) - GAP
    used = 0.0
    for child in children:
        used += _put(branches, child, Box(x=room.x, y=room.y + used, width=room.width, height=0), boxes)
    return max(used - GAP, 0.0)
