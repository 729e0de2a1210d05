"""Pictures of a phone, with fields of secrets and secret texts blacked out."""

import base64
from collections.abc import Sequence
from io import BytesIO
from typing import Literal

from PIL import Image, ImageDraw

from muster_devices.screen import Element


def blackened(
    encoded: str, elements: Sequence[Element], width: float, hide: Sequence[str], form: Literal["PNG", "JPEG"]
) -> bytes:
    """Return a screenshot (PNG in base64) with fields of secrets, and what holds one of the texts, blacked out.

    `width` is the screen's in the unit of the elements' boxes, which on iOS is not the pixel; 0: it is.
    """
    picture = Image.open(BytesIO(base64.b64decode(encoded))).convert("RGB")
    scale = picture.width / width if width else 1.0
    pen = ImageDraw.Draw(picture)
    for element in elements:
        box = element.box
        if box is not None and not element.hidden and _hidden(element, hide):
            corners = (box.x, box.y, box.x + box.width, box.y + box.height)
            pen.rectangle([round(edge * scale) for edge in corners], fill="#000000")
    stream = BytesIO()
    picture.save(stream, form)
    return stream.getvalue()


def _hidden(element: Element, hide: Sequence[str]) -> bool:
    said = " ".join((element.name, element.text, element.value or "", *element.aliases))
    return (element.secret and bool(element.content)) or any(text and text in said for text in hide)
