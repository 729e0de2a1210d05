"""Does a check that a model chose prove the clause it claims to prove? Pure; worker and orchestrator agree on it.

Phrases are bound to their checks by the parser. A model binds them itself, so its binding is examined: the check must
look at what the clause speaks of, for the literals and numbers the clause names, with the clause's own polarity.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote_plus

import msgspec

from muster_protocol.clauses import QUOTED, literals
from muster_protocol.codec import decode
from muster_protocol.tasks import Act, Evidence
from muster_protocol.tools import ArgumentValue
from muster_protocol.values import PLACEHOLDER, UnknownValue, fill

LOOK = "look"
"""The check of a clause no tool can decide: a fresh model is asked about the page, and quotes what it saw."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SPECIAL: dict[str, frozenset[str]] = {
    "check_title": _set("title tab"),
    "check_url": _set("url address uri path location redirect redirected redirects navigated opens opened lands link"),
    "check_dialog": _set("dialog alert prompt popup confirmation box"),
    "check_response": _set("response request status http api server endpoint answers answer returns"),
    "check_response_text": _set("response request body http api server endpoint answers answer returns"),
    "check_output": _set("output prints printed print stdout terminal command writes says"),
    "check_exit_code": _set("exit code exits command succeeds fails successfully"),
    "check_file": _set("file download downloaded saved written contains folder"),
}
"""Checks of a particular place, and the words of which a clause must have one for such a check to be about it."""

_PLAIN = _set(
    "a an the this that these those there it its and or of on in at to for with by from as is are was were be been "
    "has have had do does did will shall should must can may page pages text texts message messages screen site "
    "website view window browser show shows shown showing see sees seen visible display displays displayed displaying "
    "appear appears appeared says say read reads reading contain contains containing include includes find found "
    "present exactly now then user visitor one i you we word words line no not never none without neither nor any "
    "cannot gone hidden absent disappears disappeared removed missing"
)
"""Words that name no particular part of a page."""
_NEVER = _set("no not never none without neither nor cannot nothing nobody")
_MAYBE = _set("gone hidden absent disappears disappeared removed missing empty invisible disabled unchecked")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_OBSERVING = re.compile(
    r"(?:please |then |now )?(?:verify|confirm|assert|ensure|observe|inspect|look|see|review|view|wait|read|note|compare"
    r"|check (?:that|whether|if|for)|make sure)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:'t)?", re.UNICODE)
_NUMBER = re.compile(r"(?<![\w.,$€£])\d+(?:[.,]\d+)*(?![\w])")
_WRITING = _set("execute_command write_file http_request browser_navigate browser_tab_new")
"""Calls that can make a file, an answer or an address say anything."""
_TARGETS = ("element", "within", "role", "path", "command", "name")


def gap(clause: str, checks: Sequence[Evidence], last_act: int, values: Mapping[str, str]) -> str:
    """Return what the evidence for a clause lacks, or "". Of a check that was repeated, the last time counts."""
    if not checks:
        return f"nothing was checked for {clause!r}"
    newest = {(evidence.check, evidence.arguments): evidence for evidence in checks if evidence.call > last_act}
    late = tuple(newest.values())
    if not late:
        return f"{clause!r} was checked before the last action, not after it"
    if not all(evidence.passed for evidence in late):
        return f"a check of {clause!r} did not hold"
    chosen = [evidence for evidence in late if evidence.by == "model"]
    wrong = [unproven_by(clause, evidence, values) for evidence in chosen]
    if chosen and len(chosen) == len(late) and all(wrong):
        return wrong[0]
    bearing = [evidence for evidence in late if evidence not in chosen or not wrong[chosen.index(evidence)]]
    missing = missing_in(clause, bearing, values, numbers=len(chosen) == len(late))
    return f"the check of {clause!r} did not look for {missing!r}" if missing else ""


def unproven_by(clause: str, check: Evidence, values: Mapping[str, str]) -> str:
    """Return why a check that a model chose does not speak of the clause, or "" if it does. Total."""
    said = _words(_bare(clause))
    if check.check == LOOK:
        return ""
    special = _SPECIAL.get(check.check)
    if special is not None and not special & said:
        return f"{check.check} looks at something that {clause!r} does not speak of"
    if wrong := _polarity(clause, check, said):
        return wrong
    if special is None and not _same_subject(clause, check, values):
        return f"{check.check} did not look at what {clause!r} speaks of: name it as the element, or the part it is in"
    return ""


def missing_in(clause: str, checks: Collection[Evidence], values: Mapping[str, str], *, numbers: bool) -> str:
    """Return a literal of the clause (with `numbers`, also a bare number) that no check looked for, or ""."""
    if is_negative(clause) and any(check.check == LOOK for check in checks):
        return ""  # what is not there cannot be quoted
    looked_for = [value for check in checks for value in _looked_for(check)]
    for literal in literals(clause):
        try:
            wanted = fill(literal, values)
        except UnknownValue:
            return literal
        if not any(wanted in value if isinstance(value, str) else wanted == str(value) for value in looked_for):
            return literal
    for number in _numbers(_bare(clause)) if numbers else ():
        if not any(re.search(rf"(?<!\d){re.escape(number)}(?!\d)", str(value)) for value in looked_for):
            return number
    return ""


def _looked_for(check: Evidence) -> Iterable[str | int | float | bool | None]:
    """A model that was asked about the page must have quoted what it saw; that it was asked proves nothing."""
    return (check.seen,) if check.check == LOOK else argument_values(check.arguments)


def argument_values(arguments: str) -> Iterator[str | int | float | bool | None]:
    """Yield the values of a check's arguments, without their names; none if they cannot be read."""
    for value in _arguments(arguments).values():
        if isinstance(value, list):
            yield from value
        else:
            yield value


def guarded(expectations: Iterable[str], written: Iterable[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the literals that only the product may bring about: those expected that no written action gives away."""
    given = [_known(text, values).casefold() for text in written]
    found: list[str] = []
    for text in expectations:
        for literal in literals(text):
            known = PLACEHOLDER.search(literal) is not None or any(literal.casefold() in text for text in given)
            if len(literal) > 1 and not known and literal not in found:
                found.append(literal)
    return tuple(found)


def planted(act: Act, literals_guarded: Collection[str], *, anyhow: bool) -> str:
    """Return the guarded literal that a state-changing call of a model would bring about by itself, or "".

    What is typed into the product is its business, unless the sub-task carries out no written step (`anyhow`).
    """
    if not anyhow and act.tool not in _WRITING:
        return ""
    given = [str(value).casefold() for value in argument_values(act.arguments)]
    plain = given + [_unescaped(value) for value in given]
    return next((it for it in literals_guarded if any(it.casefold() in value for value in plain)), "")


def observes(action: str) -> bool:
    """Return whether a step says to look at something rather than to do something."""
    return _OBSERVING.match(action.strip()) is not None


def is_negative(clause: str) -> bool:
    """Return whether a clause says that something is not so."""
    said = _words(_bare(clause))
    return bool(said & _NEVER) or any(word.endswith("n't") for word in said)


def _polarity(clause: str, check: Evidence, said: frozenset[str]) -> str:
    arguments = _arguments(check.arguments)
    negated = bool(arguments.get("absent") or arguments.get("negate")) or arguments.get("count") == 0
    negated = negated or arguments.get("state") in ("disabled", "unchecked", "empty", "collapsed")
    if check.check == "check_exit_code" or (check.check == "check_count" and "count" in arguments and not negated):
        return ""
    if is_negative(clause) and not negated:
        return f"{clause!r} says that something is not so, and {check.check} looked whether it is"
    if negated and not is_negative(clause) and not said & _MAYBE and arguments.get("state") is None:
        return f"{clause!r} says that something is so, and {check.check} looked whether it is not"
    return ""


def _same_subject(clause: str, check: Evidence, values: Mapping[str, str]) -> bool:
    """Return whether the words that name the clause's subject are among those the check aimed at or saw."""
    arguments = _arguments(check.arguments)
    subject = _stems(_words(_known(_bare(clause), values)) - _PLAIN)
    aimed = [str(arguments[name]) for name in _TARGETS if arguments.get(name)]
    if not subject:  # it speaks of the page alone
        whole = _stems(_words(_known(clause, values)))
        return check.check == "check_text" or bool(_stems(_words(" ".join(aimed))) & whole)
    return bool(subject & _stems(_words(" ".join([*aimed, check.seen if check.passed else ""]))))


def _bare(clause: str) -> str:
    """Return a clause without its quoted literals."""
    return PLACEHOLDER.sub(" ", QUOTED.sub(" ", clause))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold().replace("’", "'")))


def _stems(some: Iterable[str]) -> frozenset[str]:
    """Return words without the endings of a plural, so that "item" and "items" are one."""
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in some)


def _numbers(text: str) -> tuple[str, ...]:
    spelled = [str(_NUMBERS.index(word)) for word in _WORD.findall(text.casefold()) if word in _NUMBERS[2:]]
    return (*_NUMBER.findall(text), *spelled)


def _known(text: str, values: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: values.get(match.group(1), match.group()), text)


def _unescaped(text: str) -> str:
    """Return a text without what hides a literal from a plain search: percent signs, quotes, backslashes, gaps."""
    return re.sub(r"[\"'\\]", "", unquote_plus(text))


def _arguments(text: str) -> dict[str, ArgumentValue]:
    try:
        return decode(text, dict[str, ArgumentValue])
    except msgspec.DecodeError:
        return {}
