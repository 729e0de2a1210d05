"""Does a check that a model chose speak of the clause it is bound to? Pure and total.

Phrases are bound to their checks by the parser. A model binds them itself, so its binding is examined: the check must
aim at all that the clause names and at nothing else, for the clause's own literals and with its polarity. What is
refused here is not false: a fresh pair of eyes looks instead.
"""

import re
from collections.abc import Mapping

import msgspec

from muster_protocol.codec import decode
from muster_protocol.facts import Act, Capture, Evidence
from muster_protocol.tool_calls import ArgumentValue
from muster_text.clauses import literals
from muster_text.values import PLACEHOLDER, names
from muster_text.wording import (
    KINDS,
    MAYBE,
    NEVER,
    PLAIN,
    bare,
    has_number,
    is_negative,
    numbers,
    stands_alone,
    stems,
    subject,
    word_set,
    words,
)

LOOK = "look"
"""The check of a clause no tool can decide: a fresh model is asked about the page, and quotes what it saw."""

ASKED = "ask_person"
"""The call that asks a person. What somebody says is no value of the product unless the step says to ask."""
_ASK = (
    r"(?:please\s+)?ask\s+(?:an?\s+|the\s+)?"
    r"(?:person|people|somebody|someone|human|tester|user|operator|colleague)\b"
)
_ASKING = re.compile(rf"(?:^|[,.;]|\band|\bthen)\s*{_ASK}", re.IGNORECASE)
_BEGINS_ASKING = re.compile(rf"\s*(?:(?:then|now)\s+)?{_ASK}", re.IGNORECASE)
_FURTHER = re.compile(r"\b(?:and|then|but|before|after|once)\b|[,;&\n–—]|[.!?:](?=\s|$)", re.IGNORECASE)
"""Where a further part of an action begins."""
_BESIDE = re.compile(
    r"\s*(?:please\s+)?(?:(?:wait|remember|keep|note|store|save (?:it|that|the answer) as)\b|$)", re.IGNORECASE
)
"""Parts of an action that belong to asking and do nothing to the product."""

_SPECIAL: dict[str, frozenset[str]] = {
    "check_title": word_set("title"),
    "check_url": word_set("url address uri"),
    "check_dialog": word_set("dialog alert prompt popup"),
    "check_response": word_set("response request http api server endpoint"),
    "check_response_text": word_set("response request body http api server endpoint"),
    "check_output": word_set("output prints printed print stdout stderr terminal command script program tool"),
    "check_exit_code": word_set("exit exits command script program tool"),
    "check_file": word_set("file files download downloads downloaded folder directory"),
}
"""Checks of a particular place, and the words of which a clause must have one for such a check to be about it."""
_PAGE_SIDE = word_set("check_title check_url")
"""Special checks of what a look can decide as well; they must aim as well as any."""
_OUTCOMES = word_set("ok succeeds succeed success successful successfully fails fail fine error errors works work") | {
    "well"
}
"""Words for how a command or a request ended; without one, or a number, its code says nothing of a clause."""
_SOURCES = {
    "output": word_set("output command prints printed terminal script program tool version"),
    "response": word_set("response request http api server endpoint"),
    "url": word_set("url address uri"),
    "title": word_set("title"),
}
"""What values may be taken from beside the page, and the words of which an action must have one."""
_TARGETS = ("element", "within", "path", "command", "name", "text", "value", "title")
_SEEN = word_set("check_text check_value check_visible")
"""Checks whose outcome shows what they found, whole."""
_MATCHES = {
    "matches": word_set("match matches pattern regular format form"),
    "starts": word_set("start starts begin begins"),
    "ends": word_set("end ends"),
}
"""Loose comparisons, and the words of which a clause must have one to mean them."""


def arguments_of(made: Evidence | Act | Capture) -> dict[str, ArgumentValue]:
    """Return the arguments of a check or an act; none if they cannot be read."""
    try:
        return decode(made.arguments, dict[str, ArgumentValue])
    except msgspec.DecodeError:
        return {}


def unproven_by(clause: str, check: Evidence, values: Mapping[str, str]) -> str:
    """Return why a check that a model chose does not speak of the clause, or "" if it does."""
    if check.check == LOOK:
        return ""
    if not check.check.startswith("check_"):
        return f"{check.check} is no check, so it proves nothing"
    said, arguments = words(bare(clause)), arguments_of(check)
    special = _SPECIAL.get(check.check)
    if special is not None and not special & said:
        return f"{check.check} looks at something that {clause!r} does not speak of"
    if check.check in ("check_exit_code", "check_response") and not (said & _OUTCOMES or numbers(clause)):
        return f"{check.check} says nothing of {clause!r}"
    if wrong := _polarity(clause, check, said) or _comparison(clause, check, said):
        return wrong
    if (special is None or check.check in _PAGE_SIDE) and not _aims(clause, arguments, special or frozenset(), values):
        return f"{check.check} did not look at what {clause!r} speaks of: name it as the element, or the part it is in"
    return _unseen(clause, check, values)


def asks_person(action: str) -> bool:
    """Return whether an action says to ask a person, rather than the product or anything else."""
    return _ASKING.search(bare(action)) is not None


def only_asks_person(action: str) -> bool:
    """Return whether an action says to ask a person and, but for keeping the answer, nothing else."""
    plain = bare(action)
    begins = _BEGINS_ASKING.match(plain)
    return begins is not None and all(_BESIDE.match(part) for part in _FURTHER.split(plain[begins.end() :])[1:])


def taken_elsewhere(action: str, capture: Capture) -> str:
    """Return why a value was not taken from what the action speaks of, or ""."""
    arguments = arguments_of(capture)
    if capture.tool == ASKED:
        return "" if asks_person(action) else f"${{{capture.name}}} was asked of a person, not taken from what is"
    source = str(arguments.get("source") or "page")
    named = stems(words(_known(action, {}))) | stems(words(capture.name)) | stems(words(" ".join(names(action))))
    if source != "page":
        return "" if source in named or _SOURCES[source] & named else f"${{{capture.name}}} was taken from the {source}"
    aimed = stems(words(" ".join(str(arguments.get(name) or "") for name in ("element", "within")))) - stems(PLAIN)
    strange = sorted(aimed - named - stems(KINDS))
    pattern = str(arguments.get("pattern") or "")
    if not aimed and pattern and pattern in literals(action):
        return ""  # the step itself says what is to be looked for
    if not aimed:
        return f"${{{capture.name}}} was taken from anywhere on the page"
    return f"${{{capture.name}}} was taken from {strange[0]!r}, which the step does not speak of" if strange else ""


def _negated(arguments: Mapping[str, ArgumentValue]) -> bool:
    denied = bool(arguments.get("absent") or arguments.get("negate")) or arguments.get("count") == 0
    return denied or arguments.get("state") in ("disabled", "unchecked", "empty", "collapsed")


def _polarity(clause: str, check: Evidence, said: frozenset[str]) -> str:
    arguments = arguments_of(check)
    negated, negative = _negated(arguments), is_negative(clause)
    if check.check == "check_exit_code" or (check.check == "check_count" and "count" in arguments and not negated):
        return ""
    if negative and not negated:
        return f"{clause!r} says that something is not so, and {check.check} looked whether it is"
    if negated and not negative and not said & MAYBE and arguments.get("state") is None:
        return f"{clause!r} says that something is so, and {check.check} looked whether it is not"
    return ""


def _comparison(clause: str, check: Evidence, said: frozenset[str]) -> str:
    """Return why a check compares more loosely than the clause, or ""."""
    arguments = arguments_of(check)
    match, comparison = str(arguments.get("match", "")), arguments.get("comparison", "is")
    if match in _MATCHES and not _MATCHES[match] & said:
        return f"{check.check} compared loosely ({match}), which {clause!r} does not say"
    if check.check != "check_count":
        return ""
    if comparison == "at_most" and not said & word_set("most maximum fewer less up"):
        return f"{clause!r} does not speak of a largest number"
    if comparison == "at_least" and numbers(clause) and not said & word_set("least minimum more"):
        return f"{clause!r} does not speak of a smallest number"
    return ""


def _aims(
    clause: str, arguments: Mapping[str, ArgumentValue], special: frozenset[str], values: Mapping[str, str]
) -> bool:
    """Return whether a check aims at everything the clause names, and at nothing that it does not name."""
    wanted = (subject(_known(clause, values)) | subject(clause)) - stems(special)
    wanted = wanted - KINDS or wanted
    texts = [str(arguments[name]) for name in _TARGETS if arguments.get(name)]
    texts.append(str(arguments.get("role") or "").removeprefix("list"))
    aimed = stems(words(" ".join(texts)))
    named = stems(words(_known(clause, values))) | stems(PLAIN - NEVER) | stems(KINDS)
    strange = {word for word in aimed - named if not word[:1].isdigit()}
    if not wanted:  # it speaks of the page alone
        return not strange and bool(texts)
    return wanted <= aimed and not strange


def _unseen(clause: str, check: Evidence, values: Mapping[str, str]) -> str:
    """Return why what a check found is not what the clause names, or ""."""
    if _negated(arguments_of(check)):
        return ""
    for literal in (_known(text, values) for text in literals(clause)):
        there = literal in check.seen
        if (there or check.check in _SEEN) and not stands_alone(check.seen, literal):
            return f"{check.check} saw {literal!r} only as a part of something else, or not at all"
    missing = [it for it in numbers(clause) if check.check in _SEEN and not has_number(check.seen, it)]
    return f"{check.check} did not see {missing[0]!r}" if missing else ""


def _known(text: str, values: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: values.get(match.group(1), match.group()), text)
