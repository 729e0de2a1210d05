"""Looking at the page: once, after a wait inside of it, in every frame."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from playwright.async_api import Error, Frame, Page

from muster_devices.actions import Target
from muster_devices.errors import DeviceRefused
from muster_devices.observations import (
    ElementsSeen,
    FindElements,
    PlaceSeen,
    Question,
    ReadPlace,
    ReadPoint,
    ReadText,
    ReadValue,
    Seen,
    TextSeen,
    Use,
    ValuesSeen,
    Wait,
)
from muster_devices.outline import readable
from muster_devices.screen import Element
from muster_devices.web.drawn_letters import with_drawn_letters
from muster_devices.web.hit_test import at_point
from muster_devices.web.page_access import GRACE, BrowserSession, ask, bounded
from muster_devices.web.page_health import with_judged_place
from muster_devices.web.page_script import DESCRIBE, SEEN
from muster_protocol.causes import Failure
from muster_protocol.narrowing import Relation
from muster_text.text_match import squash

REF_TIMEOUT = 1000
"""Milliseconds to find a ref: it is there or it will never come."""

_FUNCTIONS: dict[type[Struct], str] = {ElementsSeen: "survey", TextSeen: "read", ValuesSeen: "valuesOf"}
"""Functions of the page's script by what they answer."""

S = TypeVar("S", bound=Struct)
R = TypeVar("R", TextSeen, ValuesSeen)


class Query(Struct, frozen=True):
    """What the page's script is asked to find."""

    element: str
    role: str
    kind: Use
    ordinal: int = 0
    trait: str = ""
    exact: bool = False
    relations: tuple[Relation, ...] = ()


def query_of(target: Target, use: Use) -> Query:
    """Return what to ask the page for. Pure.

    Raises:
        DeviceRefused: the target says nothing at all, or something that no page can be asked for.
    """
    if not target.name.strip() and not target.role:
        text = "say which element: by the name the page gives it, by its role, or by a ref of the last snapshot"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL)
    if target.name and not squash(readable(target.name)):
        raise DeviceRefused("a name needs something that one can read", failure=Failure.INVALID_CALL)
    role = _page_role(target.role)
    relations = tuple(replace(one, role=_page_role(one.role)) for one in target.relations)
    return Query(target.name, role, use, target.ordinal, target.trait, target.exact, relations)


def _page_role(role: str) -> str:
    return "img" if role.lower() == "image" else role.lower()


async def look(browser: BrowserSession, page: Page, question: Question, wait: Wait) -> Seen:
    """Look at a page once, after waiting as asked."""
    match question:
        case FindElements():
            return with_judged_place(await find(browser, page, question, wait))
        case ReadText():
            asked = {
                "text": question.text,
                "within": question.within,
                "called": question.bearers,
                "placed": question.placed,
            }
            seen = _joined(await _everywhere(browser, page, asked, wait, TextSeen))
            return with_judged_place(await with_drawn_letters(browser, page, seen))
        case ReadPlace():
            return with_judged_place(await glance(browser, page, wait))
        case ReadValue():
            asked = {
                "element": question.name,
                "within": question.within,
                "column": question.column,
                "in_part": question.in_part,
                "every_way": question.every_way,
            }
            return with_judged_place(_joined(await _everywhere(browser, page, asked, wait, ValuesSeen)))
        case ReadPoint():
            return with_judged_place(await at_point(browser, page, question, wait))


async def glance(browser: BrowserSession, page: Page, wait: Wait) -> PlaceSeen:
    """Return where the page is."""
    return await ask(browser, page.main_frame, "glance", _waiting(wait), PlaceSeen, seconds=_seconds(wait))


async def find(browser: BrowserSession, page: Page, question: FindElements, wait: Wait) -> ElementsSeen:
    """Return what the page has for a target; of several frames the one with the best match speaks."""
    if question.target.ref:
        return await _referred(browser, page, question.target.ref, wait)
    asked = {
        "query": query_of(question.target, question.use),
        "explain": question.explain,
        "attribute": question.attribute,
        "most": question.most,
    }
    return best_of(await _everywhere(browser, page, asked, wait, ElementsSeen))


async def _referred(browser: BrowserSession, page: Page, ref: str, wait: Wait) -> ElementsSeen:
    """Look at the element of a ref; a ref names one element, or none any more."""
    at = await glance(browser, page, wait)
    try:
        described = page.get_by_ref(ref).evaluate(DESCRIBE, timeout=REF_TIMEOUT)
        facts = await bounded(browser, described, GRACE)
    except Error:
        facts = None
    matches = (msgspec.convert(facts, Element),) if facts else ()
    rank = (0, int(matches[0].hidden)) if matches else None
    return ElementsSeen(
        version=at.version, place=at.place, strategy="ref", rank=rank, matches=matches, total=len(matches)
    )


def best_of(seen: Sequence[ElementsSeen]) -> ElementsSeen:
    """Return what a whole page has, from what its frames have, the main frame's first. Pure."""
    top = min((one.rank for one in seen if one.rank is not None), default=None)
    same = [one for one in seen if one.rank is not None and one.rank == top]
    return replace(
        seen[0],
        rank=top,
        total=sum(one.total for one in same),
        more=any(one.more for one in same or seen),
        unknown_part=all(one.unknown_part for one in seen),
        unsure_part=tuple(chain.from_iterable(one.unsure_part for one in seen)),
        unclear_part=_unclear(seen),
        matches=tuple(chain.from_iterable(one.matches for one in same)),
        cover=next((one.cover for one in same[:1]), None),
        near=tuple(chain.from_iterable(one.near for one in seen)),
        any_kind=tuple(chain.from_iterable(one.any_kind for one in seen)),
        looks=sum(one.looks for one in same),
        blank=sum(one.blank for one in same),
    )


def _joined(seen: Sequence[R]) -> R:
    """Return what a whole page has, from what its frames have, the main frame's first: every list of theirs, joined."""
    first = seen[0]
    lists = [name for name in first.__struct_fields__ if isinstance(getattr(first, name), tuple)]
    joined = {name: tuple(chain.from_iterable(getattr(one, name) for one in seen)) for name in lists}
    joined["unclear_part"] = _unclear(seen)
    return replace(first, unknown_part=all(one.unknown_part for one in seen), **joined)


def _unclear(seen: Sequence[ElementsSeen] | Sequence[R]) -> tuple[Element, ...]:
    """Return what a part without a name may mean, of all frames; nothing where that is one."""
    several = tuple(chain.from_iterable(one.unclear_part for one in seen))
    return several if len(several) > 1 else ()


async def _everywhere(
    browser: BrowserSession, page: Page, question: Mapping[str, object], wait: Wait, answer: type[S]
) -> list[S]:
    """Ask every frame of the page, the main one first: it does the waiting. Frames that go meanwhile are left out."""
    name, seconds = _FUNCTIONS[answer], _seconds(wait)
    answers = [await ask(browser, page.main_frame, name, {**question, **_waiting(wait)}, answer, seconds=seconds)]
    rest = await _seen_frames(page)
    if rest:
        asked = {**question, **_waiting(replace(wait, since=-1, change=0.0))}
        others = await asyncio.gather(
            *(_in_frame(browser, frame, name, asked, answer, seconds=seconds) for frame in rest)
        )
        answers += [other for other in others if other is not None]
    return answers


async def _seen_frames(page: Page) -> list[Frame]:
    """Return the frames in the page that can be seen, as far as only the document around them knows it.

    A document knows this of the frames of its own origin, and its script says so.
    """
    unseen: list[Frame] = []
    found: list[Frame] = []
    for frame in page.frames:
        parent = frame.parent_frame
        if parent is None or frame.is_detached():
            continue
        foreign = _origin(frame.url) not in ("", _origin(parent.url))
        if parent in unseen or (foreign and not await _is_seen(frame)):
            unseen.append(frame)
        else:
            found.append(frame)
    return found


def _origin(url: str) -> str:
    """Return the origin of an address; empty where a document has that of the one around it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


async def _is_seen(frame: Frame) -> bool:
    try:
        return bool(await asyncio.wait_for((await frame.frame_element()).evaluate(SEEN), GRACE))
    except (Error, TimeoutError):  # it is just going: its own script will not answer either
        return True


async def find_in_frame(browser: BrowserSession, frame: Frame, query: Query, wait: Wait) -> ElementsSeen | None:
    """Return what one frame has for a query; None where the frame is gone."""
    asked = {"query": query, "explain": False, **_waiting(wait)}
    return await _in_frame(browser, frame, "survey", asked, ElementsSeen, seconds=_seconds(wait))


async def _in_frame(
    browser: BrowserSession, frame: Frame, name: str, question: object, answer: type[S], *, seconds: float
) -> S | None:
    try:
        return await ask(browser, frame, name, question, answer, seconds=seconds)
    except Error:
        if frame.is_detached():
            return None
        raise


def _waiting(wait: Wait) -> dict[str, object]:
    """Return a wait as the page's script takes it, in milliseconds."""
    return {
        "since": wait.since,
        "wait": round(wait.change * 1000),
        "timeout": round(wait.settle * 1000),
        "patient": round(wait.patient * 1000),
    }


def _seconds(wait: Wait) -> float:
    return max(wait.settle, wait.patient) + wait.change
