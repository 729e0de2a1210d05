"""Is a clause proven, a step carried out, a call honest? Pure; worker and orchestrator apply the same rules."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from muster_evidence import tampering
from muster_evidence.action_demands import find_unbound
from muster_evidence.binding import find_mismatch, find_no_refutation, only_asks_person
from muster_protocol.facts import Act, Evidence
from muster_text.clauses import literals
from muster_text.values import PLACEHOLDER, UnknownValue, fill, fill_known
from muster_text.wording import find_numbers, has_number, is_negative, stands_alone, strip_literals

_OBSERVING = re.compile(
    r"(?:please |then |now )?(?:verify|assert|ensure|observe|inspect|look|see|review|view|wait|read|note|compare"
    r"|check (?:that|whether|if|for)|make sure"
    r"|confirm\b(?=.*\b(?:that|whether|if|is|are|has|have|shows?|contains?)\b))\b",
    re.IGNORECASE,
)
_GOING = re.compile(
    r"\b(?:open|go|goes|visit|navigate|browse|load|reload|refresh|return|back|forward|come|head|switch|launch|show"
    r"|display|page|site|url|address|link|tab|tabs|scroll|hover|press|hit|key|reach|get to|find|home|enter|start"
    r"|access|bring up|proceed|continue|move (?:on|to|back|forward))\b",
    re.IGNORECASE,
)
"""Words of actions that navigation or a key may carry out."""
_CHANGES = (
    r"buy|purchase|pay|submit|send|save|add|put|remove|delete|type|fill|select|choose|pick|tick|untick|upload|book|place"
    r"|apply|cancel|create|update|edit|change|set|rename|subscribe|register|archive|discard|erase|accept|reject|clear"
    r"|move(?! (?:on|to|back|forward)\b)"
)
_CHANGING = re.compile(rf"\b(?:{_CHANGES})\b", re.IGNORECASE)
_DOING = re.compile(
    rf"\b(?:{_CHANGES}|download|(?:log|sign) (?:in|out|up|on)|confirm|accept|reject|click)\b", re.IGNORECASE
)
"""Words of actions that change something in the product."""
_TWO = re.compile(r"\b(?:and|then)\b|[,;]", re.IGNORECASE)
_SHOWING = frozenset({"go", "scroll", "hover", "unknown"})
"""Acts that only change what is shown, not the product."""
_IDLE_KEY = re.compile(r"(?:arrow|page|shift|control|alt|meta|esc|tab|home|end|f\d)", re.IGNORECASE)
_MAKING = frozenset({"enter", "answer", "run", "write", "request", "unknown"})
"""Acts that can put any text into a file, an answer or a page; so can any act that opens an address."""


def find_gap(clause: str, checks: Sequence[Evidence], last_act: int, values: Mapping[str, str]) -> str:
    """Return what the evidence for a clause lacks, or "". If a check was repeated, the last result counts."""
    if not checks:
        return f"nothing was checked for {clause!r}"
    newest = {(evidence.check, evidence.arguments): evidence for evidence in checks if evidence.call > last_act}
    late = tuple(newest.values())
    if not late:
        return f"{clause!r} was checked only before the last action: check it again"
    if any(evidence.relation == "judged" and _says_no(evidence) and evidence.call > last_act for evidence in checks):
        return f"a model looked at the page and denied {clause!r}, and nothing was done since"
    late = tuple(evidence for evidence in late if not _is_beside_the_point(clause, evidence, values))
    if not late:
        return f"no check was about {clause!r}"
    if not all(evidence.passed for evidence in late):
        return f"a check of {clause!r} did not hold"
    chosen = [evidence for evidence in late if evidence.by == "model" or evidence.about == "unknown"]
    wrong = [find_mismatch(clause, evidence, values) for evidence in chosen]
    if chosen and len(chosen) == len(late) and all(wrong):
        return wrong[0]
    bearing = [evidence for evidence in late if evidence not in chosen or not wrong[chosen.index(evidence)]]
    missing = find_missing(clause, bearing, values, numbered=len(chosen) == len(late))
    return f"the check of {clause!r} did not look for {missing!r}" if missing else ""


def _is_beside_the_point(clause: str, check: Evidence, values: Mapping[str, str]) -> bool:
    """Return whether a check that a model chose and that does not hold speaks neither for the clause nor against it."""
    if check.passed or check.by != "model" or check.relation == "judged":
        return False
    return bool(find_no_refutation(clause, check, values))


def _says_no(check: Evidence) -> bool:
    return not check.passed and not check.unmade


def find_missing(clause: str, checks: Collection[Evidence], values: Mapping[str, str], *, numbered: bool) -> str:
    """Return a literal of the clause (with `numbered`, also a bare number) that no check looked for, or ""."""
    if is_negative(clause) and any(check.relation == "judged" for check in checks):
        return ""  # a text that is absent cannot be quoted
    for literal in literals(clause):
        try:
            wanted = fill(literal, values)
        except UnknownValue:
            return literal
        if not any(_looked_for(check, wanted) for check in checks):
            return literal
    for number in find_numbers(clause) if numbered else ():
        if not any(has_number(str(value), number) for check in checks for value in _values(check)):
            return number
    return ""


def _looked_for(check: Evidence, wanted: str) -> bool:
    """Return whether a check looked for a text; if a model chose the check, the text must stand alone."""
    texts = [value if isinstance(value, str) else str(value) for value in _values(check)]
    if check.by == "model":
        return any(stands_alone(text, wanted) for text in texts)
    return any(wanted in value if isinstance(value, str) else wanted == str(value) for value in _values(check))


def _values(check: Evidence) -> Iterator[str | int | float]:
    """Yield the values that a check looked for; of a judged check, only the text that the model quoted."""
    yield from (check.seen,) if check.relation == "judged" else (*check.target, *check.wanted)


def guarded_literals(expectations: Iterable[str], written: Iterable[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the literals that only the product may produce: expected ones that occur in no written action."""
    given = [fill_known(text, values).casefold() for text in written]
    found: list[str] = []
    for text in expectations:
        for literal in literals(text):
            known = PLACEHOLDER.search(literal) is not None or any(literal.casefold() in text for text in given)
            if len(literal) > 1 and not known and literal not in found:
                found.append(literal)
    return tuple(found)


def find_planted(act: Act, literals_guarded: Collection[str], *, anyhow: bool) -> str:
    """Return the guarded literal that a model's call would produce itself, in the product's place, or "".

    `anyhow`: the sub-task carries out no written step, so it may not write programs or enter such texts at all.
    """
    texts = [text for text in (*act.target, *act.place, *act.entered, act.program, act.address) if text]
    if anyhow or act.does in _MAKING or act.program or act.address:
        found = next((it for it in literals_guarded if tampering.names(texts, it)), "")
        if found:
            return found
    if literals_guarded and act.program:
        pieced = next((it for it in literals_guarded if tampering.is_pieced_together(act.program, it)), "")
        if pieced or tampering.composes(act.program):
            return pieced or next(iter(literals_guarded))
    written = act.entered if act.does in ("write", "unknown") else ()
    unstated = act.does == "unknown" and not texts
    program = unstated or tampering.writes_program(act.program) or any(map(tampering.is_program, written))
    if program and (literals_guarded or anyhow):
        return next(iter(literals_guarded), "a program of its own")
    return "another program" if anyhow and tampering.stands_in(act.program) else ""


def combine_acts(acts: Sequence[Act]) -> tuple[Act, ...]:
    """Return the acts, followed by combined ones: all commands as one command, all typed keys as one text."""
    running, pressing = [act for act in acts if act.program], [act for act in acts if act.does == "key"]
    keys = [" " if key.casefold() == "space" else key for act in pressing for key in act.entered]
    typed = "".join(key for key in keys if len(key) == 1)
    more = [replace(running[-1], program="; ".join(act.program for act in running))] if len(running) > 1 else []
    more += [replace(pressing[-1], does="enter", entered=(typed,))] if len(typed) > 1 else []
    return (*acts, *more)


def is_observation(action: str) -> bool:
    """Return whether a step only says to observe something."""
    plain = strip_literals(action).strip()
    begins = _OBSERVING.match(plain)
    if begins is not None:
        return not _also_acts(plain, begins.end())
    _, _, ending = plain.rpartition(": ")  # skips an introduction
    return ending != plain and _OBSERVING.match(ending) is not None and _DOING.search(plain) is None


def _also_acts(action: str, start: int) -> bool:
    """Return whether a later part of an action says to change something."""
    joint = _TWO.search(action, start)
    return joint is not None and _DOING.search(action, joint.end()) is not None


def says_to_change(action: str) -> bool:
    """Return whether an action says to change something in the product, rather than to point at something."""
    return _CHANGING.search(strip_literals(action)) is not None


def _goes(action: str) -> bool:
    """Return whether navigation alone may carry out an action."""
    found = _GOING.search(action)
    if found is None:
        return False
    leads = found.start() <= len("please then ")
    return not _also_acts(action, found.end()) if leads else _DOING.search(action) is None


def find_undone(action: str, acts: Sequence[Act], values: Mapping[str, str], *, again: bool = False) -> str:
    """Return why a model's acts cannot have carried out a written action, or "".

    `again`: an earlier attempt acted on the product, so an act counts only if its effect was confirmed.
    An act that failed or has an unknown outcome carries out nothing, but may still have opened an address.
    """
    if is_observation(action) or only_asks_person(action):
        return ""
    chosen = [act for act in acts if act.by == "model"]
    again = again and not any(act.pictured for act in chosen)  # only what has sent nothing is looked for in a picture
    return _find_idle(action, chosen, again=again) or find_unbound(action, acts, values)


def _find_idle(action: str, acts: Sequence[Act], *, again: bool) -> str:
    """Return why these acts did not do to the product what the action asks for, or ""."""
    done = [act for act in acts if act.status == "ok"]
    if not done:
        return "the model claims to have carried out the step, but nothing was done"
    if other := _other_request(action, done):
        return other
    if _goes(action):
        return ""
    last = max((index for index, act in enumerate(acts) if _opens_address(act)), default=-1)
    unseen = not again and last < 0
    real = [index for index, act in enumerate(acts) if act in done and not _idle(act, unseen=unseen)]
    if not real:
        return "the model claims to have carried out the step, but nothing was done to the product"
    if last > real[-1]:
        return "a page was opened by its address after the step, so it may not show the effect of the step"
    return ""


def _other_request(action: str, acts: Sequence[Act]) -> str:
    """Return which other address was requested last, if the action names one, as a reason, or ""."""
    named = [PLACEHOLDER.sub("", text) for text in literals(action) if "/" in text]  # a value may fill a part of it
    asked = [act.address for act in acts if act.does == "request"]
    if not named or not asked or any(text in asked[-1] or (asked[-1] and asked[-1] in text) for text in named):
        return ""
    return f"{asked[-1]!r} was requested, but the step names {named[0]!r}"


def _opens_address(act: Act) -> bool:
    return act.does == "unknown" or (bool(act.address) and act.does != "request")


def _idle(act: Act, *, unseen: bool) -> bool:
    """Return whether an act does nothing to the product; `unseen`: an act on the device counts without confirmation."""
    if act.on_device and not act.confirmed and not unseen:
        return True
    if act.does == "key":
        return all(_IDLE_KEY.match(key) for key in act.entered)
    return act.does in _SHOWING or _opens_address(act)
