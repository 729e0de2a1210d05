"""Is a check that a model chose about the clause it is bound to? Pure and total.

The parser binds phrases to their checks. A model chooses its checks itself, so each is examined: it must look at
everything the clause names and at nothing else, for the clause's own literals and with its polarity. A refused check
does not make the clause false: another model then judges the clause from the page.
"""

import re
from collections.abc import Mapping

from muster_protocol.facts import Capture, Evidence
from muster_text.clauses import literals
from muster_text.values import fill_known, placeholder_names
from muster_text.wording import (
    ABSENT,
    KINDS,
    MAYBE,
    NEVER,
    PLAIN,
    find_numbers,
    has_number,
    is_negative,
    stands_alone,
    stems,
    strip_literals,
    subject_stems,
    word_set,
    words,
)

ASK = (
    r"(?:please\s+)?ask\s+(?:an?\s+|the\s+)?"
    r"(?:person|people|somebody|someone|human|tester|user|operator|colleague)\b"
)
_ASKING = re.compile(rf"(?:^|[,.;]|\band|\bthen)\s*{ASK}", re.IGNORECASE)
_BEGINS_ASKING = re.compile(rf"\s*(?:(?:then|now)\s+)?{ASK}", re.IGNORECASE)
_FURTHER = re.compile(r"\b(?:and|then|but|before|after|once)\b|[,;&\n–—]|[.!?:](?=\s|$)", re.IGNORECASE)
"""Where a further part of an action begins."""
_BESIDE = re.compile(
    r"\s*(?:please\s+)?(?:(?:wait|remember|keep|note|store|save (?:it|that|the answer) as)\b|$)", re.IGNORECASE
)
"""Parts of an action that belong to asking and do not act on the product."""

_SPECIAL: dict[str, frozenset[str]] = {
    "title": word_set("title"),
    "address": word_set("url address uri"),
    "dialog": word_set("dialog alert prompt popup"),
    "status": word_set("response request http api server endpoint"),
    "response": word_set("response request body http api server endpoint"),
    "output": word_set("output prints printed print stdout stderr terminal command script program tool"),
    "console": word_set("console javascript js"),
    "exit": word_set("exit exits command script program tool"),
    "file": word_set("file files download downloads downloaded folder directory"),
}
"""Subjects of checks beside the page's content; a clause must have one of the words for such a check to be about it."""
_PAGE_SIDE = word_set("title address")
"""Subjects that the page shows as well; a check of these must also look at what the clause names."""
_OUTCOMES = word_set("ok succeeds succeed success successful successfully fails fail fine error errors works work") | {
    "well"
}
"""Words for how a command or request ended; its code is about a clause only if that has one of them, or a number."""
_SOURCES = {
    "output": word_set("output command prints printed terminal script program tool version"),
    "response": word_set("response request http api server endpoint"),
    "url": word_set("url address uri"),
    "title": word_set("title"),
}
"""Sources of values beside the page; an action must have one of the words to take a value from there."""
_SHOWN = word_set("element page title")
_TEXTUAL = word_set("is contains starts ends matches")
"""Subjects and relations of checks whose expected texts count as what they look at, in addition to their target."""
_MATCHES = {
    "matches": word_set("match matches pattern regular format form"),
    "starts": word_set("start starts begin begins"),
    "ends": word_set("end ends"),
    "above": word_set("more greater above over after later higher bigger larger exceeds exceed"),
    "below": word_set("less lower below under before earlier smaller fewer"),
    "same": word_set("today tomorrow yesterday day days week weeks month months year years amounts"),
    "ordered": word_set("order ordered sorted before after above below ascending descending"),
    "every": word_set("each every all none no"),
}
"""Loose comparisons; a clause must have one of the words to allow them."""
_LEAST = word_set("least minimum more greater higher")


def find_mismatch(clause: str, check: Evidence, values: Mapping[str, str]) -> str:
    """Return why a check that a model chose does not prove the clause, or "" if it does."""
    if check.relation == "judged" and check.about != "unknown":
        return ""
    return _find_off_subject(clause, check, values) or _find_unseen(clause, check, values)


def _find_off_subject(clause: str, check: Evidence, values: Mapping[str, str]) -> str:
    """Return why a check that a model chose is not about the clause, whatever it found, or "" if it is."""
    if check.about == "unknown":
        return f"{check.check} is not a check, so it proves nothing"
    if check.relation == "judged":
        return ""
    said = words(strip_literals(clause))
    special = _SPECIAL.get(check.about)
    if special is not None and not special & said:
        return f"{check.check} looks at something that {clause!r} does not mention"
    if check.about in ("exit", "status") and not (said & _OUTCOMES or find_numbers(clause)):
        return f"{check.check} proves nothing about {clause!r}"
    if wrong := _find_wrong_polarity(clause, check, said) or _find_loose_comparison(clause, check, said):
        return wrong
    if (special is None or check.about in _PAGE_SIDE) and not _aims_at_clause(
        clause, check, special or frozenset(), values
    ):
        return f"{check.check} did not look at what {clause!r} mentions: name that as the element, or as its container"
    return ""


def find_no_refutation(clause: str, check: Evidence, values: Mapping[str, str]) -> str:
    """Return why a check that a model chose and that does not hold says nothing against the clause, or "" if it does:
    it looked elsewhere, for something else, or saw what the clause wants."""
    if check.relation == "judged":
        return "" if check.grounded else f"a model denied {clause!r}, and nothing on the page bears that out"
    if off := _find_off_subject(clause, check, values):
        return off
    said = fill_known(clause, values)
    wanted = tuple(map(str, check.wanted))
    strange = next(
        (it for it in wanted if not (stands_alone(said.casefold(), it.casefold()) or has_number(said, it))), ""
    )
    strange = strange or next(
        (it for it in check.target if stems([it]) <= KINDS and not stems([it]) & stems(words(said))), ""
    )
    if strange:
        return f"{check.check} looked for {strange!r}, which {clause!r} does not say"
    missing = next((it for it in literals(said) if not any(it in text for text in (*wanted, *check.target))), "")
    if missing:
        return f"{check.check} did not look for {missing!r}"
    seen = check.seen.casefold()
    if not check.denied and wanted and all(stands_alone(seen, it.casefold()) for it in wanted):
        return f"{check.check} saw what {clause!r} wants, but compared it more strictly"
    return ""


def asks_person(action: str) -> bool:
    """Return whether an action says to ask a person."""
    return _ASKING.search(strip_literals(action)) is not None


def only_asks_person(action: str) -> bool:
    """Return whether an action says only to ask a person, and perhaps to keep the answer."""
    plain = strip_literals(action)
    begins = _BEGINS_ASKING.match(plain)
    return begins is not None and all(_BESIDE.match(part) for part in _FURTHER.split(plain[begins.end() :])[1:])


def find_wrong_source(action: str, capture: Capture) -> str:
    """Return why a value was not taken from the source that the action mentions, or ""."""
    source = capture.source
    if source == "person":
        return "" if asks_person(action) else f"${{{capture.name}}} is a person's answer, not read from the product"
    if source == "unknown":
        return f"the source of ${{{capture.name}}} is unknown"
    named = (
        stems(words(fill_known(action, {})))
        | stems(words(capture.name))
        | stems(words(" ".join(placeholder_names(action))))
    )
    if source != "page":
        return "" if source in named or _SOURCES[source] & named else f"${{{capture.name}}} was taken from the {source}"
    aimed = stems(words(" ".join(capture.target))) - stems(PLAIN)
    strange = sorted(aimed - named - stems(KINDS))
    if not aimed and capture.pattern and capture.pattern in literals(action):
        return ""  # the step itself contains the pattern
    if not aimed:
        return f"${{{capture.name}}} was taken from the page as a whole: name the element it is in"
    return f"${{{capture.name}}} was taken from {strange[0]!r}, which the step does not mention" if strange else ""


def _find_wrong_polarity(clause: str, check: Evidence, said: frozenset[str]) -> str:
    denied, negative = check.denied, is_negative(clause)
    if check.about == "exit" or (check.about == "count" and not denied):
        return ""
    if said & ABSENT and check.relation != "state" and (negative or not denied):
        return f"{clause!r} says that something is gone, but {check.check} checked that it is there"
    if negative and not denied:
        return f"{clause!r} denies something, but {check.check} checked that it is so"
    if denied and not negative and not said & MAYBE and check.relation != "state":
        return f"{clause!r} states something, but {check.check} checked that it is not so"
    return ""


def _find_loose_comparison(clause: str, check: Evidence, said: frozenset[str]) -> str:
    """Return why a check compares more loosely than the clause, or ""."""
    relation = check.relation
    if relation == "unknown" or (relation in _MATCHES and not _MATCHES[relation] & said):
        return f"{check.check} compared loosely ({relation}), which {clause!r} does not allow"
    if relation == "at_most" and not said & word_set("most maximum fewer less lower up between"):
        return f"{clause!r} does not mention an upper limit"
    amount = check.about != "count" or bool(find_numbers(clause))
    if relation == "at_least" and amount and not said & (_LEAST | {"between"}):
        return f"{clause!r} does not mention a lower limit"
    return ""


def _aims_at_clause(clause: str, check: Evidence, special: frozenset[str], values: Mapping[str, str]) -> bool:
    """Return whether a check looks at everything the clause names, and at nothing else."""
    wanted = (subject_stems(fill_known(clause, values)) | subject_stems(clause)) - stems(special)
    wanted = wanted - KINDS or wanted
    textual = check.about in _SHOWN and check.relation in _TEXTUAL
    aimed = stems(words(" ".join(map(str, (*check.target, *(check.wanted if textual else ()))))))
    named = stems(words(fill_known(clause, values))) | stems(PLAIN - NEVER) | stems(KINDS)
    strange = {word for word in aimed - named if not word[:1].isdigit()}
    if not wanted:  # the clause is about the page as a whole
        return not strange
    return wanted <= aimed and not strange


def _find_unseen(clause: str, check: Evidence, values: Mapping[str, str]) -> str:
    """Return the literal or number of the clause that a check did not find, as a reason, or ""."""
    if check.denied:
        return ""
    for literal in (fill_known(text, values) for text in literals(clause)):
        there = literal in check.seen
        if (there or not check.partial) and not stands_alone(check.seen, literal):
            return f"{check.check} found {literal!r} only as part of another text, or not at all"
    missing = [it for it in find_numbers(clause) if not check.partial and not has_number(check.seen, it)]
    return f"{check.check} did not find {missing[0]!r}" if missing else ""
