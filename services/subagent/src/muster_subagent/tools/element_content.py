"""What an element holds: the value that a label names, or the element's own value or text."""

from collections.abc import Callable
from typing import NamedTuple

from playwright.async_api import Page

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.labelled_values import values_named
from muster_subagent.tools.locator import described_ref
from muster_subagent.tools.page_access import current
from muster_subagent.tools.page_survey import Look, glance, survey, until
from muster_subagent.tools.target_errors import refused
from muster_subagent.tools.targets import Kind, Survey, Target, query_of
from muster_subagent.tools.text_matching import listed
from muster_subagent.tools.tool import ToolError

BY_LABEL = ("", "cell")
"""Roles of which a name may be the label of the value, not the element itself."""


class Content(NamedTuple):
    """A text, and where it stands."""

    text: str
    where: str
    secret: bool = False
    box: Box | None = None


class _Found(NamedTuple):
    version: int
    contents: tuple[Content, ...]


async def looked(
    ctx: ToolContext, target: Target, kind: Kind, holds: Callable[[Survey], bool], *, denied: bool = False
) -> Survey:
    """Look for a target until something holds of what is found; if it never does, look closer at what is there.

    `denied`: it must not be there.
    """
    page = await current(ctx)
    if target.ref:
        return await until(ctx, lambda look: _referred(ctx, page, target.ref, look), holds, denied=denied)
    query = query_of(target, kind)
    seen = await until(ctx, lambda look: survey(ctx, page, query, look), holds, denied=denied)
    seen = seen if holds(seen) else await survey(ctx, page, query, Look(), explain=True)
    ctx.touched = seen.matches[0].box if seen.total == 1 else None
    return seen


async def _referred(ctx: ToolContext, page: Page, ref: str, look: Look) -> Survey:
    """Look at the element of a ref; a ref names one element, or none any more."""
    at = await glance(ctx, page, look)
    controls = await described_ref(ctx, page, ref)
    return Survey(
        version=at.version,
        url=at.url,
        title=at.title,
        rank=(0, int(controls[0].hidden)) if controls else None,
        total=len(controls),
        unknown_part=False,
        matches=controls,
        cover="",
        other=(),
        near=(),
        any_kind=(),
    )


async def content_of(ctx: ToolContext, target: Target, holds: Callable[[str], bool]) -> Content:
    """Return what a target holds, once something holds of it or the time is up.

    Raises:
        ToolError: it is missing, hidden or unclear.
    """
    page = await current(ctx)

    async def look(how: Look) -> _Found:
        return await _contents(ctx, page, target, how)

    found = await until(ctx, look, lambda seen: len(seen.contents) == 1 and holds(seen.contents[0].text))
    if len(found.contents) == 1:
        ctx.touched = found.contents[0].box
        return found.contents[0]
    if found.contents:
        texts = listed(content.text for content in found.contents)
        text = f"{target.words()} may mean {len(found.contents)} values: {texts}; say which with `within` or `role`"
        raise ToolError(text, failure=Failure.TARGET_UNCLEAR, seen=texts, where=page.url)
    raise refused(target, "value", await _closer(ctx, page, target))


async def _closer(ctx: ToolContext, page: Page, target: Target) -> Survey:
    if target.ref:
        return await _referred(ctx, page, target.ref, Look())
    return await survey(ctx, page, query_of(target, "value"), Look(), explain=True)


async def _contents(ctx: ToolContext, page: Page, target: Target, look: Look) -> _Found:
    """Return all that the target may hold; nothing where it is missing, hidden or unclear."""
    how = look
    if not target.ref and target.element and target.role in BY_LABEL:
        named = await values_named(ctx, page, target.element, target.within, look)
        if named.values:
            return _Found(
                named.version, tuple(Content(one.value, named.url, one.secret, one.box) for one in named.distinct)
            )
        how = Look()
    seen = await (
        _referred(ctx, page, target.ref, how) if target.ref else survey(ctx, page, query_of(target, "value"), how)
    )
    single = seen.shown if seen.total == 1 else ()
    return _Found(seen.version, tuple(Content(one.content, seen.url, one.secret, one.box) for one in single))
