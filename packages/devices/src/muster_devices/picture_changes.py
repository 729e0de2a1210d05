"""Which parts of a picture differ from another one. Pure."""

from io import BytesIO

from PIL import Image, ImageChops, ImageDraw

from muster_protocol.tool_calls import Box

BLOCK = 16
"""Pixels of the squares that are compared; changes in neighbouring squares are one part."""
NOTICED = 24
"""Difference of brightness (of 255) from which a pixel counts as changed: less is how letters are smoothed."""
_MARKED = [0] * NOTICED + [255] * (256 - NOTICED)
"""The mark of a pixel for each difference: 255 if it counts as changed."""
FRAME, FRAMED = 3, "#d0021b"
"""Pixels of the frame around what was acted on, and its colour."""
MOST = 8
"""Most parts that are told apart; with more, all of them lie in one box."""


def changed_parts(before: bytes, after: bytes) -> tuple[Box, ...]:
    """Return the parts of the second picture (PNG) that differ from the first, in pixels, from the top.

    Pictures of different sizes differ as a whole.
    """
    was, now = (Image.open(BytesIO(data)).convert("RGB") for data in (before, after))
    if was.size != now.size:
        return (Box(x=0, y=0, width=now.width, height=now.height),)
    difference = ImageChops.difference(was, now).convert("L").point(_MARKED)
    blocks = difference.reduce(BLOCK)
    width = blocks.width
    changed = {divmod(at, width) for at, value in enumerate(blocks.tobytes()) if value}
    boxes = sorted((_box(part) for part in _neighbours(changed)), key=lambda box: (box.y, box.x))
    return tuple(boxes) if len(boxes) <= MOST else (_box(changed),)


def with_frame(picture: bytes, box: Box) -> bytes:
    """Return a picture (PNG) with a frame around a box; as it is where the box is not in it."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    right, bottom = box.x + box.width, box.y + box.height
    if right < 0 or bottom < 0 or box.x > image.width or box.y > image.height:
        return picture
    corners = (box.x - FRAME, box.y - FRAME, right + FRAME, bottom + FRAME)
    ImageDraw.Draw(image).rectangle(corners, outline=FRAMED, width=FRAME)
    made = BytesIO()
    image.save(made, "PNG")
    return made.getvalue()


def _neighbours(squares: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    """Return squares, as (row, column), in groups of those that touch."""
    left, found = set(squares), list[set[tuple[int, int]]]()
    while left:
        waiting, part = [left.pop()], set[tuple[int, int]]()
        while waiting:
            row, column = waiting.pop()
            part.add((row, column))
            near = {(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} & left
            left -= near
            waiting += near
        found.append(part)
    return found


def _box(squares: set[tuple[int, int]]) -> Box:
    rows, columns = [row for row, _ in squares], [column for _, column in squares]
    top, left = min(rows) * BLOCK, min(columns) * BLOCK
    height, width = (max(rows) + 1) * BLOCK - top, (max(columns) + 1) * BLOCK - left
    return Box(x=left, y=top, width=width, height=height)
