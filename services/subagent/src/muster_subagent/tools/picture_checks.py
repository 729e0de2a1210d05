"""The check of text that is drawn in a picture, read without a model on the session host."""

import asyncio
from collections.abc import Sequence

from muster_devices.picture_parts import ENLARGED, part_of
from muster_devices.refusals import refusal_of
from muster_protocol.causes import Failure
from muster_protocol.session_responses import PictureWord
from muster_protocol.tool_calls import Box, ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.device_calls import look_for
from muster_subagent.tools.page_tools import picture_of
from muster_subagent.tools.targets import Element, Ref, Role, Within, target_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, Wanted
from muster_text.text_match import quote

LARGEST = 700_000
"""Bytes of a picture that goes to the host in one message."""
SURE = 0.6
"""What the reader's confidence in each word must be."""
_AROUND = ".,;:!?\"'()[]"


@tool(effect="check", group="checks", needs=DEVICE, about="picture", relation="recognised", partial=True)
async def check_picture_text(
    ctx: ToolContext, element: Element, text: Wanted, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Check that words are drawn in a picture or canvas; letters are recognised, so a no proves nothing."""
    target = target_of(element, role, within, ref)
    seen = await look_for(ctx, target, "read", lambda found: len(found.shown) == 1)
    box = seen.shown[0].box if len(seen.shown) == 1 and seen.total == 1 else None
    if box is None:
        raise refusal_of(target, "read", seen)
    image = await asyncio.to_thread(part_of, await picture_of(ctx), box)
    if len(image) > LARGEST:
        raise ToolError(f"{target.words()} is too large to be read", failure=Failure.NO_EVIDENCE)
    words = (await ctx.session.read_picture(image)).words
    stored = ctx.store(f"read-{ctx.call.rpartition(':')[2]}.png", image, "image/png")
    expected = f"{target.words()} shows the drawn text {quote(text)}"
    read = quote(" ".join(word.text for word in words)[:500])
    found = find_words(text, words)
    where = seen.place.address
    if not found:
        told = f"expected {expected}; recognised in it: {read}; what is not recognised may be there all the same"
        return ToolOutcome(
            status="failed", text=told, failure=Failure.NO_EVIDENCE, expected=expected, seen=read, where=where,
            artifacts=(stored,),
        )  # fmt: skip
    ctx.touched = _around(box, [word.box for word in found])
    told = f"{expected}: recognised there by letters, at least {min(word.confidence for word in found):.0%} sure"
    return ToolOutcome(status="ok", text=told, expected=expected, seen=read, where=where, artifacts=(stored,))


def find_words(text: str, words: Sequence[PictureWord]) -> tuple[PictureWord, ...]:
    """Return the words of a text where they stand one after another in a line, all sure; else none. Pure."""
    wanted = [word.strip(_AROUND) for word in text.split()]
    for first in range(len(words) - len(wanted) + 1):
        run = words[first : first + len(wanted)]
        same = all(word.text.strip(_AROUND) == want for word, want in zip(run, wanted, strict=True))
        if wanted and same and all(word.confidence >= SURE and word.line == run[0].line for word in run):
            return tuple(run)
    return ()


def _around(box: Box, parts: Sequence[Box]) -> Box:
    """Return where words of an enlarged part are in the window."""
    left, top = min(it.x for it in parts), min(it.y for it in parts)
    right, bottom = max(it.x + it.width for it in parts), max(it.y + it.height for it in parts)
    x, y = max(0.0, box.x) + left / ENLARGED, max(0.0, box.y) + top / ENLARGED
    return Box(x=x, y=y, width=(right - left) / ENLARGED, height=(bottom - top) / ENLARGED)
