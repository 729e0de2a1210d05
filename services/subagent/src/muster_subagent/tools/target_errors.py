"""Words for a target that is missing, unclear or cannot be used: what is wrong, and how to say it better. Pure."""

from collections.abc import Sequence

from muster_protocol.causes import Failure
from muster_subagent.tools.targets import Control, Kind, Survey, Target
from muster_subagent.tools.text_matching import listed, nearest, quote
from muster_subagent.tools.tool import ToolError

_WANTED = {
    "type": "a field one can type into",
    "select": "a list to choose from",
    "check": "a checkbox, radio button or switch",
    "upload": "a file field",
}


def refused(target: Target, kind: Kind, found: Survey) -> ToolError:
    """Return the error for a target that could not be used, from what the page has by its name."""
    if found.unknown_part:
        return missing_part(target.within, found.near, found.url)
    if found.total == 0:
        return _missing(target, kind, found)
    if found.total > 1:
        return _unclear(target, found)
    return _unusable(target, kind, found)


def missing_part(within: str, near: Sequence[tuple[str, str]], where: str) -> ToolError:
    """Return the error for a part of the page that is not there."""
    text = (
        f"there is no row, card, section, form or dialog named {quote(within)} on the page{closest_name(within, near)}"
    )
    return ToolError(text, failure=Failure.ELEMENT_MISSING, expected=quote(within), where=where)


def _missing(target: Target, kind: Kind, found: Survey) -> ToolError:
    if found.any_kind and kind in _WANTED:
        seen = found.any_kind[0].words()
        text = f"{target.words()} is not {_WANTED[kind]}: the page has {seen} by that name"
        return ToolError(text, failure=Failure.TARGET_UNCLEAR, expected=_WANTED[kind], seen=seen, where=found.url)
    closest = closest_name(target.element, found.near)
    text = f"there is no {target.words()} on the page{closest}"
    seen = closest.removeprefix("; ")
    return ToolError(text, failure=Failure.ELEMENT_MISSING, expected=target.words(), seen=seen, where=found.url)


def closest_name(want: str, near: Sequence[tuple[str, str]]) -> str:
    """Return what the page has instead: the names most like it, or failing that, some that are there."""
    words = {name: f'{role or "text"} "{name}"' for role, name in reversed(near)}
    like = nearest(want, words) if want else []
    if like:
        return f"; closest: {', '.join(words[name] for name in like)}"
    return f"; it has: {', '.join(list(words.values())[:8])}" if words else "; it has nothing one could name"


def closest_part(want: str, names: Sequence[str]) -> str:
    """Return what is most like a part of the page that is not there, as the end of a sentence."""
    like = nearest(want, names)
    return f"; closest: {listed(like)}" if like else ""


def _unclear(target: Target, found: Survey) -> ToolError:
    candidates = "; ".join(f"{number}) {_described(control)}" for number, control in enumerate(found.matches, 1))
    text = f"{target.words()} may mean {found.total} elements: {candidates}. {_how(target, found.matches)}"
    return ToolError(text, failure=Failure.TARGET_UNCLEAR, expected=target.words(), seen=candidates, where=found.url)


def _described(control: Control) -> str:
    place = f" in {quote(control.place, 60)}" if control.place else ""
    return f"{control.words()}{place}"


def _how(target: Target, matches: Sequence[Control]) -> str:
    """Return how to say which one is meant."""
    roles = {control.role for control in matches if control.role}
    places = {control.place for control in matches if control.place}
    names = {control.name for control in matches}
    ways: list[str] = []
    if len(names) > 1:
        ways.append("by its full name")
    if not target.role and len(roles) > 1:
        ways.append(f"by its role (such as role={sorted(roles)[0]!r})")
    if not target.within and places:
        ways.append(f"by what it is in (such as within={sorted(places)[0]!r})")
    return f"Say which: {', '.join([*ways, 'or by its ref in a snapshot'])}"


def _unusable(target: Target, kind: Kind, found: Survey) -> ToolError:
    control, rank = found.matches[0], found.rank or ()
    problem = _problem(control, kind, found.cover, behind=rank[:1] == (1,))
    text = f"{control.words()} {problem}"
    return ToolError(text, failure=Failure.ELEMENT_MISSING, expected=target.words(), seen=text, where=found.url)


def _problem(control: Control, kind: Kind, cover: str, *, behind: bool) -> str:
    states = control.states
    if control.hidden:
        return "is on the page, but hidden"
    if not states.enabled:
        return "is disabled"
    if kind == "type" and not states.editable:
        return "is read-only"
    if cover:
        return f"is covered by {cover}: close or answer that first"
    if behind:
        return "is behind an open dialog: answer that first"
    return "could not be used in time: it keeps moving or being replaced"
