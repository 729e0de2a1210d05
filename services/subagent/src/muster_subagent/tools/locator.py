"""Turns what a tester calls an element into exactly one element of the page, or says why that cannot be done."""

from time import monotonic

import msgspec
from playwright.async_api import Error, Frame, Locator, Page

from muster_devices.web.page_script import DESCRIBE, ENGINE
from muster_protocol.causes import Failure
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.page_access import GRACE, ask, bounded
from muster_subagent.tools.page_survey import Look, settled, survey
from muster_subagent.tools.target_errors import refused
from muster_subagent.tools.targets import Control, Kind, Query, Survey, Target, query_of
from muster_subagent.tools.tool import ToolError

REF_TIMEOUT = 1000
"""Milliseconds to find a ref: it is there or it will never come."""


async def locate(ctx: ToolContext, page: Page, target: Target, kind: Kind) -> Locator:
    """Return the locator of a target. It looks again whenever it is used, so a re-rendered element is no matter.

    On a page with one frame this asks nothing: the element is found when the driver acts on it.

    Raises:
        ToolError: a ref is not on the page any more.
    """
    if target.ref:
        return await _by_ref(page, target.ref)
    query = query_of(target, kind)
    frame = page.main_frame if len(page.frames) == 1 else await _frame_of(ctx, page, query)
    return frame.locator(f"{ENGINE}={msgspec.json.encode(query).decode()}")


async def _by_ref(page: Page, ref: str) -> Locator:
    locator = page.get_by_ref(ref)
    try:
        await locator.evaluate("element => window.__muster?.begin(element)", timeout=REF_TIMEOUT)
    except Error as error:
        text = f"ref {ref!r} is not on the page any more: take a new snapshot and use its refs"
        raise ToolError(text, failure=Failure.ELEMENT_MISSING, where=page.url) from error
    return locator


async def described_ref(ctx: ToolContext, page: Page, ref: str) -> tuple[Control, ...]:
    """Return the element of a ref as the page describes it; nothing if it is not there any more."""
    element = page.get_by_ref(ref)
    try:
        facts = await bounded(ctx, element.evaluate(DESCRIBE, timeout=REF_TIMEOUT), GRACE)
    except Error:
        return ()
    return (msgspec.convert(facts, Control),) if facts else ()


async def _frame_of(ctx: ToolContext, page: Page, query: Query) -> Frame:
    """Return the frame that has the target, once one has it; else the main frame, which then says what is missing."""
    deadline = monotonic() + ctx.action_timeout
    look = settled(ctx)
    while True:
        ranked: list[tuple[tuple[int, ...], int, Frame]] = []
        version = -1
        for index, frame in enumerate(page.frames):
            found = await _survey_of(ctx, frame, query, look if index == 0 else Look())
            version = found.version if found is not None and index == 0 else version
            if found is not None and found.rank is not None and found.shown:
                ranked.append((found.rank, index, frame))
        if ranked:
            return min(ranked, key=lambda entry: entry[:2])[2]
        if monotonic() > deadline:
            return page.main_frame
        look = Look(since=version, wait=100)


async def _survey_of(ctx: ToolContext, frame: Frame, query: Query, look: Look) -> Survey | None:
    question = {"query": query, "explain": False, **msgspec.structs.asdict(look)}
    try:
        return await ask(ctx, frame, "survey", question, Survey, seconds=(look.timeout + look.wait) / 1000)
    except Error:
        if frame.is_detached():
            return None
        raise


async def refusal(ctx: ToolContext, page: Page, target: Target, kind: Kind) -> ToolError:
    """Return why a target could not be used, after a closer look at the page."""
    if target.ref:
        text = f"{target.words()} cannot be used: it is hidden, disabled, covered or no such field; take a new snapshot"
        return ToolError(text, failure=Failure.ELEMENT_MISSING, where=page.url)
    found = await survey(ctx, page, query_of(target, kind), Look(), explain=True)
    return refused(target, kind, found)
