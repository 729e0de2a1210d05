"""Which words without quotes name nothing: those that ask, count, judge, describe, or say what was done. Pure."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from muster_grammar.element_kinds import FIELD_LABELS, PLURALS, ROLES
from muster_grammar.numerals import ORDINALS
from muster_grammar.told_sentences import Told, names_of
from muster_grammar.vocabulary import VAGUE, split
from muster_protocol.tool_calls import ToolCall

_ASKING = split("verify verifies validate validates ensure ensures assert asserts observe observes")
_VERBS = split("is are be was were should has so neither saying stating")
_EACH = split("all both each every")
_FIRST_OF = ORDINALS.keys() | {"last"}
_LABELLED = split("name names login line page address")
"""Nouns whose names may begin with "first" or "last": "last name", "second address line"."""
_JUDGING = VAGUE - {"some", "valid"} | {"random", "successful", "incorrectly", "wrongly", "unsuccessfully"}
_WHICH = split("following previous corresponding respective appropriate selected")
COME = split("created added generated uploaded newly recently entered deleted edited updated changed")
"""What tells of a thing only what was done to it."""
_PAGES = split("pages screens hover")
BEHIND = re.compile(r"e?-?mail(?:'s)? (?:body|subject|content|text)|message body|e?-?mails?", re.IGNORECASE)
"""What a page may show of a mail is not known to be the mail."""
_LONG_KIND = re.compile(r"\w (?:drop[- ]down|light)$")
_AGAIN = re.compile(r" (?:now|again|still|already|yet|currently|also)\b")
_ACTS = re.compile(
    r"\band (?:then )?(?:click|tap|press|enter|type|navigate|verify|check that|go to)\b"
    r"|\b(?:clicks|taps|selects|enters)\b|\w (?:\w+ times|twice|once)$",
    re.IGNORECASE,
)
_VALID = re.compile(r"(?:in)?valid\b")
_PART_OF = re.compile(r" \w+-(?:tab|menu|section|panel|button|link|field)$")
"""A compound that tells a kind: "Orders sub-tab"."""
_NOUNS_IN_LY = split("reply family supply assembly monthly weekly daily hourly yearly quarterly only apply italy july")
_OF_WHOLE = re.compile(r" of (?:the )?(?:page|screen|(?:web)?site|app|application|window|browser)$", re.IGNORECASE)
"""Endings of phrases about the whole page, which are no labels: "language of the page"."""
_TAILS = _FIRST_OF | split(
    "before after next then too earlier immediately finally previous different other another same about "
    "around most half till until only just alone once twice either neither while when if without fewer least every any "
    "some each almost even cannot"
)
"""Words that follow a name or a value and are none of its own: "Enter Ada last"."""
_SEVERAL = PLURALS.keys() | split("controls elements")
_DONE = split("searched found mentioned opened filtered filled selected attached") | (COME - {"newly", "recently"})
"""What ends words that tell a thing by what was done to it: "the Id searched"."""
_LISTS = split("dropdown drop-down list select menu combobox")


def problems_of_names(told: Told) -> Iterator[str]:
    """Yield what is wrong with names that stand without quotes."""
    for call in told.calls:
        for name in filter(told.is_plain, names_of(call)):
            if _is_no_name(name, call, begins=told.bare.startswith(name)):
                yield f'"{name}" may describe more than it names: put what it is called in quotes.'
            if not told.claim and _AGAIN.match(told.bare, told.bare.casefold().find(name.casefold()) + len(name)):
                yield f'"{name}" may go on: put what it is called in quotes.'
            if told.claim and call is told.calls[0] and _is_before_several(told.bare, name):
                yield f'"{name}" may be what these are for: put in quotes what each of them is called.'
            if (
                not told.claim
                and " " in name
                and name.rsplit(maxsplit=1)[-1] in _DONE
                and not call.arguments.get("role")
            ):
                yield f'"{name}" tells what was done to it: put what it is called in quotes.'
            if name.endswith("ing") and name.islower() and f"for {name}" in told.bare:
                yield f'"{name}" says what for: name in quotes what it is done to.'


def _is_before_several(bare: str, name: str) -> bool:
    """Return whether the noun after a name is one of several things: "Media controls" are not called "Media"."""
    after = bare[bare.casefold().find(name.casefold()) + len(name) :].split()
    return bool(after) and after[0].lower() in _SEVERAL


def _is_no_name(name: str, call: ToolCall, *, begins: bool) -> bool:
    """Return whether a name rather describes; a capital letter tells nothing of one that begins the sentence."""
    said = name.split()
    if not _ASKING.isdisjoint(said) or (begins and len(said) > 1 and said[0].lower() in _ASKING):
        return True
    if not _JUDGING.isdisjoint(one for one in said if one.islower()) or not _VERBS.isdisjoint(said):
        return True
    lowered = begins or said[0].islower() or call.tool in ("check_state", "check_value")
    if len(said) > 1 and said[0].lower() in _EACH and said[1].islower() and lowered:
        return True
    if len(said) > 1 and said[0] in _FIRST_OF and said[1].lower() not in _LABELLED:
        return True
    if (" " in name and BEHIND.fullmatch(name)) or name in _PAGES or _LONG_KIND.search(name):
        return True
    if (name.islower() and "for" in said) or is_tailed(said):
        return True
    if not (call.arguments.get("role") or said[-1].lower() in FIELD_LABELS or ROLES.keys().isdisjoint(said[1:-1])):
        return True
    if call.arguments.get("role") == "option" and said[-1].lower() in _LISTS:
        return True  # the option that the "filter dropdown" shows
    if "page" in said[1:-1] or _OF_WHOLE.search(name) or _is_two(said) or _is_more(name):
        return True
    return (said[0] in COME and not call.arguments.get("role") and len(said) > 1) or _is_slip(said[0])


def _is_more(name: str) -> bool:
    """Return whether words tell another act, a manner, or what kind of thing is meant."""
    *led, last = name.split(" ")
    tells_manner = bool(led) and last.islower() and last.endswith("ly") and last not in _NOUNS_IN_LY
    return tells_manner or bool(_ACTS.search(name) or _VALID.match(name) or _PART_OF.search(name))


def _is_two(said: Sequence[str]) -> bool:
    """Return whether words name a page and a field of it: "Personal Details first name"."""
    titled = len(said) > 2 and said[0].istitle() and said[1].istitle()
    return titled and said[-1].islower() and said[-1] in FIELD_LABELS


def is_tailed(said: Sequence[str]) -> bool:
    """Return whether words go on behind a name or a value: "Enter Ada last"."""
    return len(said) > 1 and said[-1] in _TAILS and not (said[0].isalpha() and said[0][:1].islower())


@lru_cache(maxsize=1024)
def _is_slip(word: str) -> bool:
    """Return whether a word is a slip of the pen for one that tells which of several is meant."""
    return word.islower() and any(word != one and SequenceMatcher(None, word, one).ratio() >= 0.88 for one in _WHICH)
