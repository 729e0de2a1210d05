"""Parts of pictures of a screen. Pure."""

import io

from PIL import Image

from muster_protocol.tool_calls import Box

DARK = 16
"""Brightness, of 255, that no pixel of a black screen exceeds."""
ENLARGED = 3
"""Times: letters on screens are smaller than those that are read best."""


def part_of(picture: bytes, box: Box) -> bytes:
    """Return a part of a picture of the window, enlarged. Pure."""
    whole = Image.open(io.BytesIO(picture)).convert("RGB")
    left, top = max(0, int(box.x)), max(0, int(box.y))
    right, bottom = min(whole.width, int(box.x + box.width) + 1), min(whole.height, int(box.y + box.height) + 1)
    part = whole.crop((left, top, max(left + 1, right), max(top + 1, bottom)))
    made = io.BytesIO()
    part.resize((part.width * ENLARGED, part.height * ENLARGED), Image.Resampling.LANCZOS).save(made, "PNG")
    return made.getvalue()


def is_black(picture: bytes) -> bool:
    """Return whether a picture shows nothing but black. Pure."""
    with Image.open(io.BytesIO(picture)) as image:
        brightest = max(level for level, count in enumerate(image.convert("L").histogram()) if count)
    return brightest <= DARK
