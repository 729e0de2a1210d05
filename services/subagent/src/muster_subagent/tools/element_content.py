"""The content of an element: the value beside a label, or the element's own value or text."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from muster_devices.actions import Target
from muster_devices.observations import FindElements, NamedValue, ReadValue, ValuesSeen, Wait
from muster_devices.refusals import refusal_of
from muster_devices.screen import Element, Place, Unchosen
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.comparisons import undecided
from muster_subagent.tools.device_calls import explained, repeat_look
from muster_subagent.tools.tool import ToolError
from muster_text.text_match import bare, has_whole, listed, plain, quote

BY_LABEL = ("", "cell")
"""Roles of which a name may be the label of the value, not the element itself."""


class Content(NamedTuple):
    """A text, and where it stands."""

    text: str
    where: str
    secret: bool = False
    box: Box | None = None
    pale: bool = False
    """Its text has too little contrast to be read."""
    unchosen: Unchosen = ""
    only_name: bool = False
    """Nothing is there but what the target is called by."""
    in_words: bool = False
    """The name is only among its words, so that they hold more than the value that is meant."""
    spelled: str = ""
    """The text as the document spells it, where a style draws it in other capitals."""

    def as_meant(self, holds: Callable[[str], bool], *, denied: bool) -> "Content":
        """Return it as the document spells it, if that is what is expected, or what must not be there."""
        return self._replace(text=self.spelled) if self.spelled and holds(self.spelled) != denied else self


class _Found(NamedTuple):
    version: int
    place: Place
    contents: tuple[Content, ...]


async def content_of(
    ctx: ToolContext,
    target: Target,
    holds: Callable[[str], bool],
    *,
    any_new: bool = False,
    in_part: bool = False,
) -> Content:
    """Return what a target holds, once something holds of it or the time is up.

    With `any_new` one of several of a kind will do, if its text came with the last action. With `in_part` a part of the
    page that has the name counts, even if it holds more than the value that the name labels.

    Raises:
        DeviceRefused: it is missing or hidden.
        ToolError: it is unclear.
    """

    def sure(found: _Found) -> bool:
        if len(found.contents) != 1:
            return False
        one = found.contents[0]
        if one.unchosen == "otherwise":  # the drawing may be on its way there
            return False
        return holds(one.text) or bool(one.spelled and holds(one.spelled))

    proves = holds if any_new and not target.name else None
    label = ReadValue(name=target.name, within=target.relations, in_part=in_part)
    found = await repeat_look(ctx, lambda wait: _contents(ctx, target, label, wait, proves), sure)
    if len(found.contents) == 1:
        ctx.touched = found.contents[0].box
        return found.contents[0]
    if found.contents:
        texts = ["a password" if one.secret else one.text for one in found.contents]
        raise _unclear(target, texts, found.contents[0].where)
    raise refusal_of(target, "value", await explained(ctx, target, "value"))


async def must_be_the_only_one(ctx: ToolContext, target: Target, holds: Callable[[str], bool]) -> None:
    """Refuse to judge what a target holds where something else of that name holds what is expected.

    Raises:
        ToolError: it is unclear which one is meant.
    """
    if not _may_be_label(target):
        return
    device = await ctx.session.device()
    every = await device.look(ReadValue(name=target.name, within=target.relations, every_way=True), Wait())
    values = distinct(every)
    if any(holds(one.value) for one in values if not one.secret):
        texts = ["a password" if one.secret else one.value for one in values]
        raise _unclear(target, texts, every.place.address)


def _unclear(target: Target, texts: Sequence[str], where: str) -> ToolError:
    """Return the error for a name that may mean several values."""
    seen = listed(texts)
    text = f"{target.words()} may mean {len(texts)} values: {seen}; say which with `within` or `role`"
    return ToolError(text, failure=Failure.TARGET_UNCLEAR, seen=seen, where=where)


def _may_be_label(target: Target) -> bool:
    return bool(target.name) and target.role in BY_LABEL and not (target.ref or target.ordinal or target.exact)


async def _contents(
    ctx: ToolContext, target: Target, label: ReadValue, wait: Wait, proves: Callable[[str], bool] | None
) -> _Found:
    """Return all that the target may hold; nothing where it is missing, hidden or unclear.

    What `proves` something, and has come with the last action, is clear among others of its kind.
    """
    device = await ctx.session.device()
    if _may_be_label(target):
        named = await device.look(label, wait)
        if named.values:
            return _Found(named.version, named.place, _labelled(named))
        wait = Wait()
    seen = await device.look(FindElements(target=target, use="value"), wait)
    proving = (one for one in seen.shown if proves is not None and one.came and proves(one.content))
    found = seen.shown if seen.total == 1 else tuple(proving)[:1]
    must_be_called_so(target, found, seen.place.address)
    contents = tuple(_content_in(one, target, seen.place.address) for one in found)
    return _Found(seen.version, seen.place, contents)


def _labelled(named: ValuesSeen) -> tuple[Content, ...]:
    """Return the values that a label names."""
    where = named.place.address
    return tuple(
        Content(one.value, where, one.secret, one.box, one.pale, one.unchosen, spelled=one.spelled)
        for one in distinct(named)
    )


def _content_in(one: Element, target: Target, where: str) -> Content:
    """Return what an element that was found by the target holds."""
    called = bare(target.name) if target.role in BY_LABEL and not target.exact else ""
    words, of_its_own = plain(target.name), bool(called) and one.value is None
    is_name = of_its_own and bare(one.content) == called
    in_words = of_its_own and not is_name and has_whole(plain(one.content), words) and plain(one.name) != words
    return Content(one.drawn, where, one.secret, one.box, one.pale, one.unchosen, is_name, in_words, one.content)


def are_called_more(found: Sequence[Element]) -> bool:
    """Return whether each element found has a longer name than the one that was looked for, or shows another one."""
    return bool(found) and all(one.partly for one in found)


def must_be_called_so(target: Target, found: Sequence[Element], where: str) -> None:
    """Refuse to judge on what has more words in its name than the target, or shows another name: it may be another one.

    Raises:
        ToolError: nothing has the name of the target alone.
    """
    if are_called_more(found):
        if bare(found[0].name) == bare(target.name):
            told = f"{found[0].words()} is only read aloud as that, and shows something else"
            raise undecided(f"{told}: write what one reads", where)
        told = f"the page has {found[0].words()}, and nothing that is called just {quote(target.name)}"
        raise undecided(f"{told}: if it is meant, write its whole name", where)


def distinct(seen: ValuesSeen) -> tuple[NamedValue, ...]:
    """Return the values without repetition."""
    return tuple({value.value: value for value in seen.values}.values())
