"""Reads the answer of a model that looks for an element in a picture, and refuses unusable ones. Pure."""

from math import isfinite

from msgspec import Struct

from muster_protocol.detector_work import PicturedElement
from muster_protocol.tool_calls import Box
from muster_text.text_match import squash

LEAST_CONFIDENCE = 0.6
LARGEST_PART = 0.5
"""Part of the picture that an element may take up."""
SLACK = 1.0
"""Pixels by which a box may reach over the edge of the picture."""
MOST_TOLD = 3
LONGEST = 80
"""Characters of each text of a description."""
_AT = slice(16, 20), slice(20, 24)
"""Where a PNG tells its width and height."""


class BoxAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """A box in pixels of the picture, from its top left corner."""

    x: float
    y: float
    width: float
    height: float


class Attribute(Struct, frozen=True, forbid_unknown_fields=True):
    """Something by which people tell an element, such as its colour."""

    name: str
    value: str


class ElementAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An element in the picture."""

    box: BoxAnswer
    confidence: float
    type: str
    text: str
    attributes: list[Attribute]


class Detection(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model answers."""

    found: bool
    element: ElementAnswer | None
    alternatives: list[ElementAnswer]


def size_of(png: bytes) -> tuple[int, int]:
    """Return width and height of a picture, in pixels."""
    width, height = (int.from_bytes(png[at]) for at in _AT)
    return width, height


def find_refusal(answer: Detection, size: tuple[int, int]) -> str:
    """Return why an answer cannot be used, or ""."""
    element = answer.element
    if not answer.found or element is None:
        return "the model sees nothing of the kind in the picture"
    if wrong := _find_wrong_box(element.box, size):
        return wrong
    if not 0.0 <= element.confidence <= 1.0:
        return f"the model gives {element.confidence} as its confidence, which is none"
    if element.confidence < LEAST_CONFIDENCE:
        return f"the model is only {element.confidence:.0%} sure, and {LEAST_CONFIDENCE:.0%} is asked for"
    rivals = (one for one in answer.alternatives if not _find_wrong_box(one.box, size))
    if any(one.confidence >= element.confidence and not _holds_centre(element.box, one.box) for one in rivals):
        return "the model is as sure of another element"
    return ""


def _find_wrong_box(box: BoxAnswer, size: tuple[int, int]) -> str:
    if not all(map(isfinite, (box.x, box.y, box.width, box.height))) or box.width < 1 or box.height < 1:
        return "the model gives a box that is none"
    width, height = size
    right, bottom = box.x + box.width, box.y + box.height
    if box.x < -SLACK or box.y < -SLACK or right > width + SLACK or bottom > height + SLACK:
        return f"the box reaches out of the picture of {width} × {height} pixels"
    if box.width * box.height > LARGEST_PART * width * height:
        return "the box takes up most of the picture, so its centre says nothing"
    return ""


def _holds_centre(outer: BoxAnswer, inner: BoxAnswer) -> bool:
    x, y = inner.x + inner.width / 2, inner.y + inner.height / 2
    return outer.x <= x <= outer.x + outer.width and outer.y <= y <= outer.y + outer.height


def described(answer: ElementAnswer) -> PicturedElement:
    """Return an answer as a result keeps it."""
    box = answer.box
    return PicturedElement(
        box=Box(x=box.x, y=box.y, width=box.width, height=box.height),
        confidence=answer.confidence,
        type=squash(answer.type)[:LONGEST],
        text=squash(answer.text)[:LONGEST],
        attributes={squash(it.name)[:LONGEST]: squash(it.value)[:LONGEST] for it in answer.attributes[:MOST_TOLD]},
    )


def alternatives_of(answer: Detection, size: tuple[int, int]) -> tuple[PicturedElement, ...]:
    """Return the other elements that a model names, as far as they are in the picture."""
    usable = (one for one in answer.alternatives if not _find_wrong_box(one.box, size) and isfinite(one.confidence))
    return tuple(map(described, list(usable)[:MOST_TOLD]))
