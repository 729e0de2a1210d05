"""The texts a page draws, whatever draws them: fields, lists, placeholders, generated content, closed shadow roots."""

import contextlib
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Any, NamedTuple, cast

from PIL import Image, ImageDraw
from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as PlaywrightError

from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box
from muster_text.redaction import Redactor

DRAWN_ATTRIBUTES = ("placeholder", "alt", "value", "label")
"""Attributes that browsers draw themselves, out of sight of the page's layout."""
WITHIN_LIST = ("#text", "OPTION", "OPTGROUP")
"""What has no box of its own in a list that is closed: the list draws it."""


class Drawn(NamedTuple):
    """A piece of text and the node (Chromium's backend id) that draws it."""

    text: str
    node: int


async def shows_secret(page: Page, redactor: Redactor) -> bool:
    """Return whether a page draws a secret, in any of its frames.

    Raises:
        playwright.async_api.Error: the page is gone.
    """
    for frame in page.frames:
        async with _tools(page, frame) as tools:
            if tools is not None and any(nodes_with_secrets(one, redactor) for one in await _documents(tools)):
                return True
    return False


async def secret_boxes(page: Page, redactor: Redactor) -> list[Box]:
    """Return where a page draws secrets, in CSS pixels of its window; of a frame in another process, all of it.

    Raises:
        DeviceRefused: it cannot be told where one is drawn.
        playwright.async_api.Error: the page is gone.
    """
    boxes: list[Box] = []
    for frame in page.frames:
        async with _tools(page, frame) as tools:
            if tools is None:
                continue
            nodes = {node for one in await _documents(tools) for node in nodes_with_secrets(one, redactor)}
            if nodes and frame != page.main_frame:
                boxes += await _box_of(frame)
            elif nodes:
                boxes += [box for node in nodes for box in await _boxes_of(tools, node)]
    return boxes


def nodes_with_secrets(drawn: Sequence[Drawn], redactor: Redactor) -> set[int]:
    """Return the nodes of a document that draw a secret, or a part of one that goes on in the next. Pure."""
    spans = redactor.spans("".join(piece.text for piece in drawn))
    found, start = set[int](), 0
    for piece in drawn:
        end = start + len(piece.text)
        if any(first < end and start < last for first, last in spans):
            found.add(piece.node)
        start = end
    return found


def black_out(image: bytes, boxes: Sequence[Box]) -> bytes:
    """Return a PNG with boxes painted over. Pure."""
    picture = Image.open(BytesIO(image)).convert("RGB")
    pen = ImageDraw.Draw(picture)
    for box in boxes:
        pen.rectangle((box.x - 1, box.y - 1, box.x + box.width + 1, box.y + box.height + 1), fill="#000000")
    stream = BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


@asynccontextmanager
async def _tools(page: Page, frame: Frame) -> AsyncGenerator[CDPSession | None]:
    """Open Chromium's protocol for a page, or for a frame in a process of its own; None: that of the page covers it."""
    try:
        tools = await page.context.new_cdp_session(page if frame == page.main_frame else frame)
    except PlaywrightError:
        if frame == page.main_frame:
            raise
        yield None
        return
    try:
        yield tools
    finally:
        with contextlib.suppress(PlaywrightError):
            await tools.detach()


async def _documents(tools: CDPSession) -> list[list[Drawn]]:
    answer = cast("dict[str, Any]", await tools.send("DOMSnapshot.captureSnapshot", {"computedStyles": []}))
    strings: list[str] = answer["strings"]
    return [_drawn(document, strings) for document in answer["documents"]]


def _drawn(document: dict[str, Any], strings: list[str]) -> list[Drawn]:
    """Return the texts of a document: those that are laid out, then those that the browser draws by itself."""
    nodes, layout = document["nodes"], document["layout"]
    ids, shown = nodes["backendNodeId"], {index for index in layout["nodeIndex"] if index >= 0}
    laid_out = zip(layout["nodeIndex"], layout["text"], strict=True)
    found = [Drawn(strings[text], ids[index]) for index, text in laid_out if text >= 0 and index >= 0]
    for index, text in _drawn_by_browser(nodes, strings):
        node = index
        while node >= 0 and node not in shown and strings[nodes["nodeName"][node]] in WITHIN_LIST:
            node = nodes["parentIndex"][node]
        if node in shown:
            found.append(Drawn(f"\n{text}", ids[node]))
    return found


def _drawn_by_browser(nodes: dict[str, Any], strings: list[str]) -> Iterator[tuple[int, str]]:
    """Yield texts with the index of their node: of fields, of options, and of attributes that are drawn."""
    for kind in ("inputValue", "textValue"):
        held = nodes[kind]
        yield from ((index, strings[text]) for index, text in zip(held["index"], held["value"], strict=True))
    for index, pairs in enumerate(nodes["attributes"]):
        named = zip(pairs[0::2], pairs[1::2], strict=True)
        yield from ((index, strings[text]) for name, text in named if strings[name] in DRAWN_ATTRIBUTES)
    for index, text in enumerate(nodes["nodeValue"]):
        parent = nodes["parentIndex"][index]
        if text >= 0 and parent >= 0 and strings[nodes["nodeName"][parent]] == "OPTION":
            yield index, strings[text]


async def _boxes_of(tools: CDPSession, node: int) -> list[Box]:
    try:
        answer = cast("dict[str, Any]", await tools.send("DOM.getContentQuads", {"backendNodeId": node}))
    except PlaywrightError as error:
        text = "the page shows a secret, and it cannot be told where: it is not pictured"
        raise DeviceRefused(text, failure=Failure.INFRASTRUCTURE, where="") from error
    return [_around(quad) for quad in answer["quads"]]


def _around(quad: Sequence[float]) -> Box:
    across, down = quad[0::2], quad[1::2]
    return Box(x=min(across), y=min(down), width=max(across) - min(across), height=max(down) - min(down))


async def _box_of(frame: Frame) -> list[Box]:
    place = await (await frame.frame_element()).bounding_box()
    return [Box(x=place["x"], y=place["y"], width=place["width"], height=place["height"])] if place else []
