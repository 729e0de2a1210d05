"""The element that a click at a point of the page would reach."""

import re
from collections.abc import Sequence

from msgspec.structs import replace
from playwright.async_api import Error, Page

from muster_devices.observations import PointSeen, ReadPoint, Wait
from muster_devices.screen import Element
from muster_devices.web.page_access import GRACE, BrowserSession, ask, bounded
from muster_devices.web.page_script import USED_AT
from muster_devices.web.page_tree import tree_of

_REF = re.compile(r"\[ref=(\w+)\]")
_MOST_REFS = 400
REF_TIMEOUT = 1000
"""Milliseconds to find a ref: it is there or it will never come."""
SNAPSHOT_SECONDS = 15.0


async def at_point(browser: BrowserSession, page: Page, question: ReadPoint, wait: Wait) -> PointSeen:
    """Return what is at a point of the page; what is in a frame is not looked into."""
    asked = {
        "x": question.x,
        "y": question.y,
        "since": wait.since,
        "wait": round(wait.change * 1000),
        "timeout": round(wait.settle * 1000),
        "patient": round(wait.patient * 1000),
    }
    seconds = max(wait.settle, wait.patient) + wait.change
    found = await ask(browser, page.main_frame, "point", asked, PointSeen, seconds=seconds)
    if found.element is None:
        return found
    ref = await _ref_of(browser, page, found.element, (question.x, question.y))
    return replace(found, element=replace(found.element, ref=ref))


async def _ref_of(browser: BrowserSession, page: Page, element: Element, spot: tuple[float, float]) -> str:
    """Return the ref of what one would use at a point, or "" if the tree of the page leaves it out."""
    tree = await bounded(browser, tree_of(page), SNAPSHOT_SECONDS)
    for ref in _likely_refs(tree.splitlines(), element.name)[:_MOST_REFS]:
        try:
            if await bounded(browser, page.get_by_ref(ref).evaluate(USED_AT, spot, timeout=REF_TIMEOUT), GRACE):
                return ref
        except Error:  # it is just going
            continue
    return ""


def _likely_refs(lines: Sequence[str], name: str) -> list[str]:
    """Return the refs of a tree's lines, of lines with the name first. Pure."""
    told = [(ref[1], bool(name) and name in line) for line in lines if (ref := _REF.search(line))]
    return [ref for ref, _ in sorted(told, key=lambda it: not it[1])]
