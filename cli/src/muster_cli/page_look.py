"""Describes a page as sentences; each is tried before it is shown."""

from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from typing import Any, NoReturn, cast

import httpx
from msgspec import Struct
from msgspec.structs import replace

from muster_cli.page_sentences import (
    NOUNS,
    Spot,
    actions,
    claim,
    is_name,
    page_claims,
    probe,
    spots,
    text_claim,
    wordings,
)
from muster_devices.actions import Action, Choose, Enter, Outcome, Point, Scope, Target, Toggle
from muster_devices.device import Device
from muster_devices.observations import ElementsSeen, FindElements, Use, Wait
from muster_devices.screen import Element
from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_protocol.tool_calls import ToolCall
from muster_subagent import tools
from muster_subagent.secrets import Secrets
from muster_subagent.tool_context import Session, ToolContext
from muster_text.text_match import squash

QUICK_SECONDS = 0.3
"""How long a check of a proposed sentence waits; the page has settled before."""


class ElementView(Struct, frozen=True, kw_only=True):
    """An element, and the sentences about it that work now."""

    role: str
    name: str
    actions: tuple[str, ...] = ()
    expectations: tuple[str, ...] = ()


class PageView(Struct, frozen=True, kw_only=True):
    """A page as Muster sees it."""

    title: str
    address: str
    expectations: tuple[str, ...]
    """Of the page as a whole."""
    elements: tuple[ElementView, ...]
    unnamed: tuple[ElementView, ...] = ()
    """Controls that no sentence names: they have no name, or one that finds something else."""
    left: int = 0
    """Elements beyond the limit."""


async def look_at(session: Session, part: str = "", limit: int = 60) -> PageView:
    """Return what is on the page of a session, or on the smallest part of it that has some words."""
    device = await session.device()
    screen = await device.screen(part)
    names = {squash(one.name) for one in screen.elements if one.name}
    pairs = zip(screen.elements, spots(screen.elements), strict=True)
    described = [(one, spot) for one, spot in pairs if _is_control(one) or _is_own_text(one, names)]
    async with _looking(session) as look:
        page = await look.holding(*page_claims(screen.place))
        views = [await look.view(element, spot) for element, spot in described[:limit]]
    known = dict.fromkeys(view for view in views if view.actions or view.expectations)
    return PageView(
        title=screen.place.title,
        address=screen.place.address,
        expectations=page,
        elements=tuple(known),
        unnamed=tuple(view for view in views if view not in known),
        left=max(0, len(described) - limit),
    )


def _is_control(element: Element) -> bool:
    return element.role in NOUNS and bool(element.ref)


def _is_own_text(element: Element, names: Collection[str]) -> bool:
    """Return whether it is a text that no element is called by: labels are told with their fields."""
    text = squash(element.text)
    return element.role not in NOUNS and not element.name and is_name(text) and text not in names


class _Aimed(Exception):
    """Instead of an action: what it would act on."""

    def __init__(self, seen: ElementsSeen) -> None:
        self.seen = seen


class _Aiming:
    """A session and its device in one: what a tool would do is looked for, and not done."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a device has
        return getattr(self._device, name)

    async def device(self) -> Device:
        """Return itself, as a session returns its device."""
        return cast("Device", self)

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        """Say what would be acted on.

        Raises:
            _Aimed: always.
        """
        raise _Aimed(await self._device.look(FindElements(target=_target(action), use=_use(action)), Wait()))


def _target(action: Action) -> Target:
    return getattr(action, "target", None) or Target()


def _use(action: Action) -> Use:
    match action:
        case Enter():
            return "type"
        case Choose():
            return "select"
        case Toggle():
            return "check"
        case Point():
            return "click"
        case _:
            return "read"


class _Look:
    """Tries sentences out."""

    def __init__(self, device: Device, acting: ToolContext, checking: ToolContext) -> None:
        self._device, self._acting, self._checking = device, acting, checking

    async def view(self, element: Element, spot: Spot) -> ElementView:
        """Return an element with the sentences that work."""
        view = ElementView(role=element.role, name=element.name)
        if element.role not in NOUNS:
            return replace(view, expectations=await self.holding(text_claim(element.text)))
        seen = await self._device.look(FindElements(target=Target(ref=element.ref)), Wait())
        if not seen.shown:
            return view
        there = replace(seen.shown[0], role=element.role, name=element.name or seen.shown[0].name)
        for what in wordings(there, spot):
            if await self._aims(probe(what), there):
                done = [text for text in actions(there, what) if await self._aims(text, there)]
                return replace(view, actions=tuple(done), expectations=await self.holding(claim(there, what)))
        return view

    async def holding(self, *texts: str) -> tuple[str, ...]:
        """Return those expectations that hold now."""
        found: list[str] = []
        for text in texts:
            outcomes = [await tools.call(self._checking, call, {}) for call in _read(text, is_action=False)]
            if outcomes and all(outcome.status == "ok" for outcome in outcomes):
                found.append(text)
        return tuple(found)

    async def _aims(self, text: str, element: Element) -> bool:
        """Return whether an action would act on this very element."""
        for call in _read(text, is_action=True)[:1]:
            try:
                await tools.call(self._acting, call, {})
            except _Aimed as aimed:
                seen = aimed.seen
                return seen.total == 1 and bool(seen.shown) and seen.shown[0].box == element.box
        return False


def _read(text: str, *, is_action: bool) -> tuple[ToolCall, ...]:
    try:
        return parse_action(text) if is_action else parse_expectation(text)
    except PhraseError:
        return ()


@asynccontextmanager
async def _looking(session: Session) -> AsyncGenerator[_Look]:
    device = await session.device()
    async with httpx.AsyncClient() as http:

        def context(with_session: Session) -> ToolContext:
            return ToolContext(
                session=with_session,
                secrets=Secrets({}),
                http=http,
                call="look",
                author="case",
                store=_store_nothing,
                action_timeout=QUICK_SECONDS,
            )

        yield _Look(device, context(cast("Session", _Aiming(device))), context(session))


def _store_nothing(name: str, data: bytes, kind: str) -> NoReturn:
    raise NotImplementedError("a look stores no files")
