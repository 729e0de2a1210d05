"""Completes the elements of a list: what is inside of one is its text, the part around it its place. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_devices.relations import PARTS, inner
from muster_devices.screen import Element


def complete(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the elements, each with the texts of what is inside of it, and the name of the part that it is in."""
    return tuple(_completed(elements, at) for at in range(len(elements)))


def _completed(elements: Sequence[Element], at: int) -> Element:
    element = elements[at]
    inside = [elements[place] for place in inner(elements, at)]
    text = " ".join([element.text, *(one.content for one in inside if not one.secret and one.content)]).strip()
    return replace(element, text=text, place=_place(elements, at))


def _place(elements: Sequence[Element], at: int) -> str:
    """Return the name of the innermost part around an element, or the first text in it."""
    level = elements[at].level
    for outer in range(at - 1, -1, -1):
        if elements[outer].level >= level:
            continue
        level = elements[outer].level
        if elements[outer].role in PARTS:
            texts = [elements[place].text for place in inner(elements, outer)]
            others = (text for text in texts if text and text != elements[at].text)
            return elements[outer].name or next(others, "")
    return ""
