"""Whether a model did the same thing as the recording that missed; if that cannot be shown, it is no heal. Pure.

A heal may find a target again that was moved, wrapped or renamed. It may not do something else that happens to satisfy
the expectation: an act must be on what is recognisably the same element, and have the effect that was recorded. What
checks an expectation, and what captures a value, is never healed.
"""

import re
from collections.abc import Collection, Sequence

from muster_evidence.action_demands import acts_of
from muster_protocol.facts import Evidence
from muster_protocol.step_recordings import Described, RecordedCall, Replay
from muster_protocol.tool_calls import CHANGING
from muster_text.lasting_effects import EFFECTS, find_effect
from muster_text.text_match import place_without, quote, squash
from muster_text.wording import PLAIN, is_negative, stems, words

_SHOWING = acts_of("scroll hover")
"""Acts that change nothing in the product."""
_FILLING = acts_of("enter choose upload")
"""Acts whose effect looks alike on any field."""
_PRESSED = frozenset({"button", "link", "menuitem", "tab"})
"""Roles that are one thing to people."""


def find_unlike(replay: Replay, evidence: Sequence[Evidence], last_act: int) -> str:
    """Return why what was done after a miss cannot be shown to be what was recorded, or ""."""
    acts = [call for call in replay.left if call.effect in CHANGING]
    done = [call for call in replay.done if call.effect in CHANGING and call.does not in _SHOWING]
    if why := _find_other_acts(acts, done):
        return why
    for call in replay.left:
        if call.effect in CHANGING:
            continue
        if call.clause and not _is_proven(call, evidence, last_act):
            return f"the recorded check of {call.clause!r} does not hold"
        if not call.clause and not any(_is_same_capture(call, other) for other in replay.done):
            return f"{call.words()} is not repeated, and a captured value is never healed"
    return ""


def _find_other_acts(acts: Sequence[RecordedCall], done: Sequence[RecordedCall]) -> str:
    waiting = list(done)
    for old in acts:
        if old.does in _SHOWING:
            continue
        while waiting and waiting[0].optional and find_difference(old, waiting[0]):
            waiting.pop(0)
        why = find_difference(old, waiting[0]) if waiting else f"{old.words()} was not done"
        if not why:
            waiting.pop(0)
        elif not old.optional:
            return why
    extra = next((call for call in waiting if not call.optional), None)
    return f"{extra.words()} was done as well, which is not recorded" if extra else ""


def find_difference(old: RecordedCall, new: RecordedCall) -> str:
    """Return what shows that an act is not the recorded one, or ""."""
    instead = f"{new.words()} was done instead of {old.words()}"
    if (old.tool, old.does) != (new.tool, new.does) or old.arguments != new.arguments:
        return instead
    if old.target is None or new.target is None:
        return "" if old.target == new.target else instead
    if not _same_role(old.target, new.target):
        return f"{instead}: another kind of element"
    if not _same_effect(old, new):
        return f"{instead}: it had another effect"
    return _find_other_target(old, new, instead)


def _find_other_target(old: RecordedCall, new: RecordedCall, instead: str) -> str:
    """Return why two targets are not the same: by their names, what they are in, and what is beside them."""
    was, now = old.target, new.target
    assert was is not None
    assert now is not None
    beside = any(was.beside) and was.beside == now.beside
    known = bool(_plain(was.aliases) & _plain(now.aliases))
    placed = same_place(place_without(was.place, now.name), place_without(now.place, was.name))
    if was.framed != now.framed:
        return f"{instead}: it is elsewhere"
    if _plain([was.name]) == _plain([now.name]):
        return "" if placed or (beside and is_named_beside(was)) else _find_other_part(old, new, instead)
    if not placed or not (beside or known):
        return f"{instead}: it has another name, and stands elsewhere"
    if why := _find_other_meaning(was.name, now.name):
        return f"{instead}: {why}"
    if old.does in _FILLING:
        return "" if known or _same_words(was.name, now.name) else f"{instead}: it has another name"
    return "" if known and _has_effect(old) else _find_other_deed(old, new, instead)


def _find_other_part(old: RecordedCall, new: RecordedCall, instead: str) -> str:
    """Return why what stands under another heading is another thing. It is the same only in a form that is known
    without its heading: nothing else there or elsewhere is called so, and it stands between the same neighbours."""
    was, now = old.target, new.target
    assert was is not None
    assert now is not None
    if not (was.sole and now.sole and _neighbours(was) == _neighbours(now) and any(_neighbours(was))):
        return f"{instead}: it is elsewhere"
    if why := _find_other_meaning(was.place, now.place):
        return f"{instead}: {why}"
    return "" if old.does in _FILLING else _find_other_deed(old, new, instead)


def _neighbours(target: Described) -> list[str]:
    """Return the names beside a target, with the name of its part left blank."""
    beside = [squash(name).casefold() for name in target.beside]
    return ["" if name == squash(target.place).casefold() else name for name in beside]


def _find_other_meaning(was: str, now: str) -> str:
    """Return what a new name of a target or of its part says that the old one did not, or ""."""
    if is_negative(was) != is_negative(now) or _numbers(was) != _numbers(now):
        return "its name says something else"
    lasting = next((effect for effect in EFFECTS if _says(now, effect) and not _says(was, effect)), "")
    return f"its new name says that it {lasting}" if lasting else ""


def _find_other_deed(old: RecordedCall, new: RecordedCall, instead: str) -> str:
    """Return why an act under another name may do something else: a name that is gone vouches for nothing, so all that
    was seen of the effect has to come again."""
    if not _has_effect(old):
        return f"{instead}: it has another name, and no effect was seen"
    was, now = ((*call.after.texts, *call.after.opening) for call in (old, new))
    lost = next((text for text in was if text not in now), "")
    return f"{instead}: it has another name, and {quote(lost)} did not come" if lost else ""


def _has_effect(call: RecordedCall) -> bool:
    return call.after.moved or bool(call.after.texts)


def _says(name: str, effect: str) -> bool:
    return bool(find_effect(name, (effect,)))


def is_named_beside(target: Described) -> bool:
    """Return whether a neighbour of a target bears the name of the part that it is in. Other neighbours say nothing of
    that: those in the next row or card are called alike."""
    return bool(target.place) and _plain([target.place]) <= _plain(target.beside)


def same_place(one: str, other: str) -> bool:
    """Return whether what names two parts of a screen has the same words: where a part has no name of its own, they are
    those of what is in it, and their order says nothing."""
    return sorted(squash(one).casefold().split()) == sorted(squash(other).casefold().split())


def _same_role(was: Described, now: Described) -> bool:
    return was.role == now.role or {was.role, now.role} <= _PRESSED


def _same_effect(old: RecordedCall, new: RecordedCall) -> bool:
    """Return whether an act led where it led before and, as far as that was seen, had a text in common with it."""
    was, now = old.after, new.after
    if (was.path, was.dialog) != (now.path, now.dialog):
        return False
    if old.does in _FILLING:
        return True
    return not was.texts or bool(set(was.texts) & set(now.texts))


def _same_words(was: str, now: str) -> bool:
    """Return whether two names differ in words alone that name nothing: "Name" and "Your name"."""
    one, other = (stems(words(name) - PLAIN) for name in (was, now))
    return bool(one) and one == other


def _numbers(name: str) -> list[str]:
    """Return the numbers of a name that tell which one it is; those in brackets count something."""
    return re.findall(r"\d+", re.sub(r"[(\[]\s*\d+\s*[)\]]", " ", name))


def _plain(names: Collection[str]) -> frozenset[str]:
    return frozenset(squash(name).casefold() for name in names if name)


def _is_proven(call: RecordedCall, evidence: Sequence[Evidence], last_act: int) -> bool:
    mine = [it for it in evidence if (it.clause, it.check) == (call.clause, call.tool) and it.call > last_act]
    return bool(mine) and mine[-1].passed


def _is_same_capture(call: RecordedCall, other: RecordedCall) -> bool:
    return (call.tool, call.arguments) == (other.tool, other.arguments)
