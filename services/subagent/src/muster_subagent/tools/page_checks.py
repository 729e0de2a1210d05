"""Checks of the page as a whole: its texts, title and address, and the browser's dialog."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from muster_devices.actions import Target
from muster_devices.device import Device
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ElementsSeen, FindElements, PlaceSeen, ReadPlace, ReadText, TextSeen, Wait
from muster_devices.refusals import missing_part
from muster_devices.screen import Element
from muster_protocol.narrowing import Relation
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import Match, compares, refuse_empty, says, undecided
from muster_subagent.tools.device_calls import look_until, repeat_look
from muster_subagent.tools.page_addresses import is_address
from muster_subagent.tools.page_tools import form_shown, no_proof, shows, spelled
from muster_subagent.tools.sorts_of_messages import are_otherwise, sort_said
from muster_subagent.tools.targets import Within, part, target_of
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import DEVICE, DIALOGS, Argument, Denied, Wanted
from muster_text.text_match import has_words, lines_like, listed, plain, quote, squash

_ALERTS = (
    "[role=alert],[role=status],[role=dialog],[role=alertdialog],dialog,[class*=alert i]:not(:has(main,nav,form,table))"
)
"""What a page marks as an alert, in its roles or in the names of its classes; and its dialogs."""
_MOST_ALERTS = 60
_HIDDEN_TOO = "a place with that text that cannot be seen, and none that surely can"


@tool(effect="check", group="checks", needs=DEVICE, about="page", relation="contains")
async def check_text(
    ctx: ToolContext,
    text: Wanted,
    *,
    within: Within = "",
    absent: Denied = False,
    exact: Annotated[bool, Argument.OPTION] = False,
) -> ToolOutcome:
    """Check that a text is visible on the page or in one part of it; with `exact`, as the whole text of something."""
    refuse_empty(text)
    wanted = _WantedText(text, "" if absent else sort_said(ctx.clause), absent, exact)
    question = ReadText(text=text, within=part(within), bearers=absent and not exact)
    seen = await look_until(ctx, question, wanted.holds, denied=absent)
    if no_part := missing_part(question.within, seen):
        raise no_part
    place = "".join(f" {relation.words()}" for relation in question.within)
    expected = f"the {'exact ' if exact else ''}text {quote(text)} is {'not ' if absent else ''}visible{place}"
    if are_otherwise(wanted.sort, seen.sorts):
        told = f"{quote(text)}, marked as {listed(seen.sorts)}"
        return verdict(False, f"{expected}, in a message of the sort {quote(wanted.sort)}", told, seen.place.address)
    if why := wanted.unclear(seen, expected):
        raise undecided(why, seen.place.address)
    told = _seen(seen, text, there=wanted.is_in(seen))
    return verdict(wanted.holds(seen), expected, told or _instead(seen, question.within), seen.place.address)


class _WantedText(NamedTuple):
    """A text that must, or must not, be visible, and how a look at the page is judged by it."""

    text: str
    sort: str
    """The sort of message that it is to stand in; empty: any, or none."""
    absent: bool
    exact: bool

    def is_in(self, seen: TextSeen) -> bool:
        """Return whether the text is or was shown, other than only in messages of the wrong sort."""
        told = (not self.absent and _in_passing(seen, self.text)) or _bearers(seen, self.text)
        return not are_otherwise(self.sort, seen.sorts) and (
            bool(told) or (_alone if self.exact else shows)(seen, self.text, denied=self.absent)
        )

    def holds(self, seen: TextSeen) -> bool:
        """Return whether what was seen proves it."""
        known = not seen.unknown_part and not seen.unclear_part
        clear = not (self.absent and self._form(seen)) and not self._doubt(seen)
        return known and clear and self.is_in(seen) != self.absent

    def unclear(self, seen: TextSeen, expected: str) -> str:
        """Return why what was seen does not tell whether it holds; empty: it does."""
        if seen.cut and not self.is_in(seen):
            read = f"only the first {len(seen.lines):,} lines of the page were read"
            return f"{read}: they do not show whether {expected}"
        if shown := self._form(seen):
            return f"{shown} is visible, which may be meant: quote it as the page spells it, or say of what kind it is"
        doubt = self._doubt(seen)
        return f"there is {doubt}, so that nobody can tell whether {expected}" if doubt else ""

    def _form(self, seen: TextSeen) -> str:
        """Return another form of the text that is visible."""
        if self.exact or self.is_in(seen):
            return ""
        return next(iter(seen.bearers), form_shown(seen, self.text, denied=self.absent))

    def _doubt(self, seen: TextSeen) -> str:
        if self.is_in(seen):
            told = _in_passing(seen, self.text) or _bearers(seen, self.text)
            return _HIDDEN_TOO if not self.absent and not told and _is_unplaced(seen) else ""
        return next(iter((*seen.doubtful, *(seen.undrawn if self.absent else ()))), "")


def _is_unplaced(seen: TextSeen) -> bool:
    """Return whether a text that the lines show has no element that surely shows it, but one that does not."""
    return not seen.sources and bool(seen.unseen or seen.curtailed)


def _alone(seen: TextSeen, text: str, *, denied: bool) -> bool:
    want = squash(text)
    lines, others = (
        [squash(text) for text in texts].count(want) for texts in (seen.lines, no_proof(seen, denied=denied))
    )
    return lines > others or any(squash(source) == want for source in seen.sources)


def _bearers(seen: TextSeen, text: str) -> list[str]:
    """Return what is called so in these very letters; nobody sees how the name of an icon is spelled."""
    return [one for one in seen.bearers if quote(text) in spelled(one, text, denied=True)]


def _in_passing(seen: TextSeen, text: str) -> str:
    """Return the message with a text that was shown since the last action; a person would have read it."""
    return next((message for message in seen.passing if has_words(squash(message), squash(text))), "")


def _seen(seen: TextSeen, text: str, *, there: bool) -> str:
    """Return what there is: the lines with the text, else those that are most like it; empty if there are none."""
    if not there and any(has_words(squash(one), squash(text)) for one in seen.unseen):
        return f"{quote(text)} is on the page, but cannot be seen: transparent, cut off or out of reach"
    if not there and any(has_words(squash(one), squash(text)) for one in seen.curtailed):
        return f"{quote(text)} is on the page, but cut off before its end, or hardly told from what is behind it"
    if not there and any(has_words(squash(one), squash(text)) for one in seen.typed):
        return f"{quote(text)} stands only in the field that it was typed into"
    want = plain(text)
    lines = [line for line in seen.lines if has_words(plain(line), want)] if there else lines_like(text, seen.lines)
    if lines:
        return listed(lines, 3)
    if there and (message := _in_passing(seen, text)):
        return f"{quote(message)}, for a moment"
    if there and (called := _bearers(seen, text)):
        return f"{listed(called, 3)}, which is called so"
    return quote(text) if there else ""


def _instead(seen: TextSeen, within: Sequence[Relation]) -> str:
    """Return what a part of the page shows in place of a text; of all of the page only that it lacks the text."""
    if not within:
        return f"no such text on the page {quote(seen.place.title)}"
    return listed(filter(str.strip, seen.lines), 3) or "no text there"


@tool(effect="check", group="checks", needs=DEVICE, about="title", relation="contains", offer=offers.PLACES)
async def check_page(ctx: ToolContext, name: Wanted) -> ToolOutcome:
    """Check that the page has this name: in its title, or as the text of a heading."""
    refuse_empty(name)
    want = squash(name).casefold()

    def named(seen: ElementsSeen) -> bool:
        headings = (squash(text).casefold() for one in seen.shown for text in (one.name, one.text))
        return has_words(squash(seen.place.title).casefold(), want) or want in headings

    seen = await look_until(ctx, FindElements(target=target_of(name, "heading")), named)
    there = listed((seen.place.title, *(one.text for one in seen.shown)))
    return verdict(named(seen), f"the page is named {quote(name)}", there, seen.place.address)


@tool(effect="check", group="checks", needs=DEVICE, about="title", partial=True, offer=offers.PLACES)
async def check_title(ctx: ToolContext, title: Wanted, match: Match = "is", negate: Denied = False) -> ToolOutcome:
    """Check the title of the page."""

    def holds(at: PlaceSeen) -> bool:
        return compares(at.place.title, title, match, denied=negate) != negate

    seen = await look_until(ctx, ReadPlace(), holds, denied=negate)
    expected = f"the page title {says(match, title, negate=negate)}"
    return verdict(holds(seen), expected, quote(seen.place.title), seen.place.address)


@tool(effect="check", group="checks", needs=DEVICE, about="address", partial=True, offer=offers.PLACES)
async def check_url(ctx: ToolContext, url: Wanted, match: Match = "is", negate: Denied = False) -> ToolOutcome:
    """Check the address of the page; what comes before its path, and its query, may be left out."""

    def judge(at: PlaceSeen) -> bool | None:
        return is_address(at.place.address, url, match, denied=negate)

    def holds(at: PlaceSeen) -> bool:
        return judge(at) is (not negate)

    seen = await look_until(ctx, ReadPlace(), holds, denied=negate)
    address, expected = seen.place.address, f"the URL {says(match, url, negate=negate)}"
    if judge(seen) is None:
        advice = 'write the whole address, or which part of it is meant: `The URL contains "…"`'
        raise undecided(f"the URL is {quote(address)}, and nobody can tell whether {expected}: {advice}", address)
    return verdict(holds(seen), expected, quote(address), address)


@tool(
    effect="check",
    group="checks",
    needs=DEVICE | DIALOGS,
    page=False,
    about="dialog",
    partial=True,
    offer=offers.DIALOG_CHECKS,
)
async def check_dialog(
    ctx: ToolContext, text: Wanted, match: Match = "is", *, alert: Annotated[bool, Argument.OPTION] = False
) -> ToolOutcome:
    """Check what a dialog says: one of the browser that is open or was answered in this sub-task, or the page's own.

    With `alert` a message that the page marks as one will do as well.
    """
    kind = "an alert" if alert else "a dialog"
    expected = f"{kind} whose text {says(match, text)}" if text else kind
    device = await ctx.session.device()
    dialog = await device.dialog() or await _answered(device)
    if dialog is None or not _fits(dialog.message, text, match):
        try:
            drawn = await _drawn(ctx, text, match, alert=alert)
        except DeviceRefused:  # one of the browser has opened meanwhile
            dialog = await device.dialog() or dialog
        else:
            if drawn is not None and dialog is None and match == "is" and not _says(drawn, text, match):
                # Its title and its buttons stand beside that.
                return await check_text.function(ctx, text=text, within=["in dialog"], exact=True)
            if drawn is not None and (dialog is None or _says(drawn, text, match)):
                return verdict(_says(drawn, text, match), expected, f"{drawn.words()}: {quote(drawn.text)}")
    if dialog is None:
        return await _without_dialog(ctx, text, match, expected, alert=alert)
    said = f"{dialog.kind}: {quote(dialog.message)}"
    return verdict(_fits(dialog.message, text, match), expected, said, dialog.url)


async def _without_dialog(ctx: ToolContext, text: str, match: Match, expected: str, *, alert: bool) -> ToolOutcome:
    """Return that no dialog has opened; what was shown in passing may have been an alert.

    Raises:
        ToolError: the text stands elsewhere on the page, which may be meant.
    """
    device = await ctx.session.device()
    seen = await device.look(ReadText(text=text), Wait()) if text else None
    if alert and seen and (passing := [one for one in seen.passing if _fits(one, text, match)]):
        return verdict(True, expected, quote(passing[0]), seen.place.address)
    if seen and (shows(seen, text) or _in_passing(seen, text)):
        told = f"no dialog has opened, but the page shows {quote(text)}: write `The message {quote(text)} is shown`"
        raise undecided(told, seen.place.address)
    return verdict(False, expected, f"no {'alert' if alert else 'dialog'} has opened")


async def _answered(device: Device) -> OpenDialog | None:
    """Return the newest dialog that was answered in this sub-task; one of an earlier sub-task proves nothing."""
    answered = await device.feed("dialog")
    if not answered:
        return None
    newest = answered[-1]
    return OpenDialog(kind=newest.level, message=newest.text, url=newest.address)


async def _alerts(device: Device, text: str, match: Match) -> ElementsSeen:
    """Return what a page marks as an alert or a dialog; where a text is looked for, also by the names of classes.

    What is the whole of a part says it as well: a title stands beside more.
    """
    if not text:
        return await device.look(FindElements(target=Target(role="alert")), Wait())
    parts = _ALERTS if match == "contains" else f"{_ALERTS},:is({_ALERTS}) *"
    try:
        return await device.look(FindElements(target=Target(name=parts, role="css"), most=_MOST_ALERTS), Wait())
    except DeviceRefused:  # a device without markup
        return await device.look(FindElements(target=Target(role="alert")), Wait())


async def _drawn(ctx: ToolContext, text: str, match: Match, *, alert: bool) -> Element | None:
    """Return a dialog that the page draws, or an alert: one that says the text, once there is one, else any dialog.

    Raises:
        DeviceRefused: a dialog of the browser is in the way.
        ToolError: what says the text may be a dialog, or something else.
    """
    device = await ctx.session.device()

    def saying(seen: ElementsSeen) -> list[Element]:
        return [one for one in seen.shown if _says(one, text, match)]

    async def look(wait: Wait) -> ElementsSeen:
        seen = await device.look(FindElements(target=Target(role="dialog")), wait)
        if not alert or saying(seen):
            return seen
        alerts = await _alerts(device, text, match)
        return alerts if saying(alerts) else seen

    seen = await repeat_look(ctx, look, lambda seen: bool(saying(seen)))
    if not seen.shown and (boxes := [one for one in seen.any_kind if _says(one, text, match)]):
        told = f"the page draws {boxes[0].words()} over itself, and does not say whether this is a dialog"
        raise undecided(told, seen.place.address)
    return next(iter((*saying(seen), *seen.shown)), None)


def _says(dialog: Element, text: str, match: Match) -> bool:
    return any(_fits(said, text, match) for said in (dialog.text, dialog.name))


def _fits(said: str, text: str, match: Match) -> bool:
    """Any dialog does where no text is asked for."""
    return (match == "contains" and not text) or compares(said, text, match)
