"""Is the product to blame for what a model could not do? Pure; a fail is a claim that needs evidence, like a pass.

The product is blamed only for an expectation that was seen to be false after acts that the step asks for, for an error
of its own, or for an element that the case names and the page lacks. All else says something of the agent alone.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from muster_evidence.action_demands import acts_of, is_called
from muster_evidence.binding import find_no_refutation
from muster_evidence.completeness import find_unasked, find_unfinished
from muster_evidence.proof import find_undone, is_observation
from muster_protocol.causes import Failure
from muster_protocol.facts import Act, Evidence
from muster_protocol.kinds import StepOutput
from muster_text.clauses import literals, split_clauses
from muster_text.text_match import squash
from muster_text.values import fill_known
from muster_text.wording import stands_alone, strip_literals

_QUIET = acts_of("scroll hover")
"""Acts that lead nowhere else."""
_ANSWERED = re.compile(r"\b(?:dialog|alert|prompt|question|accept|dismiss|confirm|answer|ok|cancel)\w*\b")
"""Words of steps in which a dialog is answered."""
_ADDING = acts_of("point double key run request drag")
"""Acts that may do more if they are repeated."""
_OFTEN = re.compile(
    r"\b(?:twice|thrice|times|again|each|every|all|until|both|repeat\w*|several|more|two|three|four|five|\d+)\b",
    re.IGNORECASE,
)


class Written(NamedTuple):
    """The words of a step that say what may be done and looked for."""

    action: str
    expected: str
    covered: bool
    """Whether it carries out a written step of the case."""
    values: Mapping[str, str]
    again: bool = False
    """Whether an earlier attempt has acted on the product."""
    original: tuple[str, ...] = ()
    """The written actions that it is a part of, if a planner has reworded them."""

    @property
    def _parts(self) -> tuple[str, ...]:
        return (self.action, self.expected, *self.original)

    @property
    def text(self) -> str:
        """All words, with the values filled in."""
        return squash(fill_known("\n".join(self._parts), self.values)).casefold()

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names that it quotes of what is to be done."""
        return tuple(fill_known(it, self.values) for text in (self.action, *self.original) for it in literals(text))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that it quotes."""
        return tuple(fill_known(it, self.values) for text in self._parts for it in literals(text))


def find_unfounded(written: Written, failure: Failure | None, output: StepOutput, last_act: int) -> str:
    """Return why a model's fail does not show that the product is at fault, or "" if it does."""
    match failure:
        case Failure.SERVER_ERROR:
            return ""
        case Failure.EXPECTATION_FALSE:
            return _find_unrefuted(written, output, last_act)
        case Failure.ELEMENT_MISSING | Failure.NAME_UNKNOWN | Failure.COMMAND_FAILED:
            why = _find_unnamed(written, output.acts, failure)
            return why and _find_unseen(written, output, last_act, missing=True) and why
        case _:
            return "nothing was seen that the product did wrong"


def _find_unrefuted(written: Written, output: StepOutput, last_act: int) -> str:
    """Return why nothing refutes the expectation: no check, no alert in the way, no missing element, or ""."""
    if any(act.pictured and act.status == "ok" for act in output.acts):
        return "only a picture says what was clicked"
    if any(act.failure == Failure.EXPECTATION_FALSE for act in output.acts):
        return _find_astray(written, output.acts)
    why = _find_unseen(written, output, last_act)
    return why if _find_unnamed(written, output.acts, Failure.ELEMENT_MISSING) else ""


def _find_astray(written: Written, acts: Sequence[Act]) -> str:
    """Return what a model did that the step does not say, or did too often, or ""."""
    done = [act for act in acts if act.by == "model" and act.status == "ok" and act.does not in _QUIET]
    for act in done:
        if act.does == "answer" and _ANSWERED.search(written.text):
            continue
        named = [*act.target, *act.place, *act.entered, act.program, act.address]
        if not any(_says(written, name) for name in named if name):
            what = next((name for name in named if name), act.tool)
            return f"the model used {what!r}, which the step does not mention"
    return "" if _OFTEN.search(strip_literals(written.action)) else _find_repeated(written, done)


def _find_repeated(written: Written, done: Sequence[Act]) -> str:
    seen: dict[tuple[object, ...], int] = {}
    for act in done:
        if act.does not in _ADDING or not act.target + act.entered + (act.program, act.address):
            continue
        key = (act.does, act.target, act.place, act.entered, act.program, act.address)
        seen[key] = seen.get(key, 0) + 1
        said = max((_count(written, name) for name in (*act.target, *act.entered)), default=1)
        if seen[key] > max(said, 1):
            return f"the model did {act.tool} more often than the step says"
    return ""


def _count(written: Written, name: str) -> int:
    return fill_known(written.action, written.values).casefold().count(name.casefold())


def _find_unseen(written: Written, output: StepOutput, last_act: int, *, missing: bool = False) -> str:
    """Return why no expectation was seen to be false after the step was carried out, or "".

    `missing`: a check of the case's own words that did not find what they name counts as well.
    """
    clauses = split_clauses(written.expected)
    newest = {(it.clause, it.check, it.arguments): it for it in output.evidence if it.call > last_act}
    false = [it for it in newest.values() if it.clause in clauses and _refutes(it, missing=missing)]
    if not false:
        return "no check after the last action found the expectation false"
    off = [why for it in false if (why := _find_no_refutation(it, written.values))]
    if len(off) == len(false):
        return off[0]
    return _find_incomplete(written, output.acts) or _find_astray(written, output.acts)


def _find_incomplete(written: Written, acts: Sequence[Act]) -> str:
    """Return why the acts may not have carried out the action, or ""; what is no written step is the model's own."""
    if not written.covered:
        return ""
    undone = find_undone(written.action, acts, written.values, again=written.again)
    if undone or is_observation(written.action) or all(act.by == "phrase" for act in acts):
        return undone
    return find_unfinished(written.action, acts, written.values)


def _refutes(check: Evidence, *, missing: bool) -> bool:
    return not check.passed and (not check.unmade or (missing and check.by == "phrase"))


def _find_no_refutation(check: Evidence, values: Mapping[str, str]) -> str:
    return find_no_refutation(check.clause, check, values) if check.by == "model" else ""


def _find_unnamed(written: Written, acts: Sequence[Act], failure: Failure) -> str:
    """Return why a failed call does not show that the product lacks what the case names, or ""."""
    wrong = "nothing was looked for that the step names"
    for index, act in reversed(list(enumerate(acts))):
        if not _failed_so(act, failure):
            continue
        wrong = _find_strange(written, acts, index) or _find_astray(written, acts[:index])
        if not wrong and any(_same(act, other) for other in acts[index + 1 :] if other.status == "ok"):
            wrong = "what was missing was found later"
        if not wrong:
            return ""
    return wrong


def _failed_so(act: Act, failure: Failure) -> bool:
    absent = act.failure is not None and act.failure.is_absence
    return act.failure is failure or (absent and failure.is_absence)


def _find_strange(written: Written, acts: Sequence[Act], index: int) -> str:
    """Return why a call that failed was the model's own idea, or ""; what a phrase does is said by the case."""
    act = acts[index]
    if act.by == "phrase":
        return ""
    if act.failure is Failure.COMMAND_FAILED:
        return "" if _says(written, act.program) else f"the step does not name the command {act.program!r}"
    if not act.target:
        return "the model named no element"
    looked_for = (*act.target, *act.place, *(act.entered if act.does == "choose" else ()))
    strange = next((it for it in looked_for if not any(is_called(it, name) for name in written.own_names)), "")
    if strange:
        return f"the model looked for {strange!r}, which the step does not name"
    if act.role and not stands_alone(written.text, act.role.casefold()):
        return f"the model looked for a {act.role}, which the step does not say"
    asked = (find_unasked(text, acts, index, written.values) for text in (written.action, *written.original))
    return min(asked, key=len)  # one of them says to do that


def _same(one: Act, other: Act) -> bool:
    return bool(set(one.target) & set(other.target))


def _says(written: Written, name: str) -> bool:
    """Return whether the words of a step contain a name, or the name is one of theirs."""
    wanted = squash(name).casefold()
    return stands_alone(written.text, wanted) or _holds_any(name, written.names)


def _holds_any(text: str, names: Collection[str]) -> bool:
    held = squash(text).casefold()
    return any(stands_alone(held, squash(name).casefold()) for name in names if name)
