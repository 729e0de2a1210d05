"""Draws what a simulated device shows, for people and for models that see."""

from collections.abc import Sequence
from io import BytesIO
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from muster_devices.screen import Element, Screen
from muster_devices.screens.app import Size
from muster_text.element_roles import TOGGLES, TYPED

_BOXED = TYPED | {"button", "combobox", "tab", "menuitem", "dialog", "alert"}
_PAPER, _INK, _LINE, _FAINT, _FOCUS = "#ffffff", "#1b1b1b", "#8a8a8a", "#b5b5b5", "#0a58ca"
_SIZES = {"heading": 22}
_SIZE = 15


def draw(screen: Screen, size: Size, hide: Sequence[str], form: Literal["PNG", "JPEG"] = "PNG") -> bytes:
    """Return the picture; elements that hold one of the texts in `hide`, or are secret, are blacked out."""
    image = Image.new("RGB", (size.width, size.height), _PAPER)
    pen = ImageDraw.Draw(image)
    if screen.place.problem:
        pen.text((16, 16), screen.place.problem, fill=_INK, font=ImageFont.load_default(_SIZE))
    for element in screen.elements:
        if not element.hidden and element.box is not None and element.box.y < size.height:
            _draw_element(pen, element, hide)
    stream = BytesIO()
    image.save(stream, form)
    return stream.getvalue()


def _draw_element(pen: ImageDraw.ImageDraw, element: Element, hide: Sequence[str]) -> None:
    box = element.box
    assert box is not None
    corners = (box.x, box.y, box.x + box.width, box.y + box.height)
    said = f"{element.name}: {element.value}" if element.value is not None else element.name
    if (element.secret and element.content) or any(text and text in f"{said} {element.text}" for text in hide):
        pen.rectangle(corners, fill="#000000")
        return
    if element.role in _BOXED:
        pen.rectangle(corners, outline=_FOCUS if element.states.focused else _LINE, width=1)
    mark = {True: "[x] ", False: "[  ] "}[element.states.checked] if element.role in TOGGLES else ""
    ink = _INK if element.states.enabled else _FAINT
    font = ImageFont.load_default(_SIZES.get(element.role, _SIZE))
    pen.text((box.x + 8, box.y + 8), mark + said, fill=ink, font=font)
