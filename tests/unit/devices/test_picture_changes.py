"""Which parts of a picture differ from another one."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from muster_devices.picture_changes import BLOCK, MOST, changed_parts, with_frame
from muster_protocol.tool_calls import Box


def picture(*boxes: tuple[int, int, int, int], size: tuple[int, int] = (320, 160), shade: int = 0) -> bytes:
    image = Image.new("RGB", size, "white")
    for box in boxes:
        ImageDraw.Draw(image).rectangle(box, fill=(shade, shade, shade))
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def test_the_same_picture_has_no_changed_parts():
    assert changed_parts(picture((10, 10, 50, 50)), picture((10, 10, 50, 50))) == ()


def test_changes_that_are_apart_are_parts_of_their_own_and_hold_each_pixel():
    corner, far = (3, 3, 20, 12), (250, 100, 300, 130)
    found = changed_parts(picture(), picture(corner, far))
    assert [(box.x, box.y) for box in found] == [(0, 0), (240, 96)]
    for (left, top, right, bottom), box in zip((corner, far), found, strict=True):
        assert box.x <= left
        assert box.y <= top
        assert box.x + box.width > right
        assert box.y + box.height > bottom


@pytest.mark.parametrize("at", [(0, 0), (15, 15), (16, 16), (317, 157)])
def test_a_single_pixel_is_noticed_wherever_it_is(at: tuple[int, int]):
    [box] = changed_parts(picture(), picture((*at, *at)))
    assert (box.x, box.y) == (at[0] // BLOCK * BLOCK, at[1] // BLOCK * BLOCK)


def test_a_slight_change_of_shade_is_none():
    assert changed_parts(picture(), picture((10, 10, 50, 50), shade=240)) == ()


def test_many_parts_are_told_as_one():
    boxes = [(x, y, x + 2, y + 2) for x in range(5, 300, 60) for y in range(5, 150, 60)]
    assert len(boxes) > MOST
    [box] = changed_parts(picture(), picture(*boxes))
    assert (box.x, box.y) == (0, 0)


def test_pictures_of_different_sizes_differ_as_a_whole():
    [box] = changed_parts(picture(), picture(size=(200, 100)))
    assert (box.width, box.height) == (200, 100)


def test_what_was_acted_on_gets_a_frame_around_it_and_nothing_else_changes():
    framed = Image.open(BytesIO(with_frame(picture(), Box(x=100, y=40, width=60, height=20))))
    red = [(x, y) for x in range(320) for y in range(160) if framed.getpixel((x, y)) == (0xD0, 0x02, 0x1B)]
    assert (min(red), max(red)) == ((97, 37), (163, 63))
    assert all(framed.getpixel((x, y)) == (255, 255, 255) for x in range(101, 160) for y in range(41, 60))


@pytest.mark.parametrize("at", [(-500, 10), (10, 900), (400, 10)])
def test_what_is_out_of_the_picture_gets_no_frame(at: tuple[int, int]):
    assert with_frame(picture(), Box(x=at[0], y=at[1], width=60, height=20)) == picture()
