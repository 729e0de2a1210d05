"""Reads what a sentence is about: an element, the container it is in, a name without quotes. Pure.

Every function returns all readings; none means that the words cannot mean this.
"""

from collections.abc import Callable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from muster_grammar.element_kinds import CONTAINERS, FIELD_ROLES, PLACES, PLURALS, ROLES, UNNAMED
from muster_grammar.numerals import NUMBERS, ORDINALS
from muster_grammar.tokens import LITERAL, Words, name
from muster_grammar.vocabulary import JOINT, SIGHTS, split


class Target(NamedTuple):
    """An element as tools want it described, and the noun that the sentence used for it."""

    element: str
    role: str = ""
    within: str = ""
    noun: str = ""
    plural: bool = False
    sure: bool = True
    """Whether its name is marked as one, by quotes or a capital letter; what is not may describe ("broken images")."""

    def arguments(self, *, field: bool = False) -> dict[str, str]:
        """Return the tool arguments; with `field` the role is left out where the tool means a field anyway."""
        role = "" if field and self.role in FIELD_ROLES else self.role
        given = {"role": role, "within": self.within}
        return {"element": self.element} | {key: value for key, value in given.items() if value}


_NAMED = frozenset(
    ("", "named", "called", "labelled", "labeled", "titled", "with text", "with name", "with", "contain", "for", "to")
)
"""What may stand between a noun and the literal that names it."""

_NEVER_IN_NAMES = split(
    "or not no nor never none nothing without if unless when while until except but only than as is have visible it "
    "both either neither all every each any some many several i we you they he she with into by exactly just least"
)
_PARTICLE_VERBS = split("log sign opt zoom check clock turn switch")
_NOT_A_NAME = ORDINALS.keys() | split(
    "last other same another new current top bottom selected checked enabled disabled"
)

_OURS = ORDINALS.keys() | split(
    "there page title output exit code response status dialog alert text value does standard address command content "
    "exactly screen website file"
)
"""Words that phrases are made of."""


def _slips(word: str) -> set[str]:
    """Return the word with two letters swapped, and a longer one also with a letter left out."""
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    return swapped | {word[:at] + word[at + 1 :] for at in range(len(word)) if len(word) > 4}


_SLIPS = frozenset(slip for word in _OURS for slip in _slips(word)) - _OURS
"""Slips of the pen: never part of a name without quotes."""

_SYSTEM = SIGHTS.keys() | {"page title", "url", "output", "stdout", "stderr", "exit code", "response status"}
"""What never stands in a name without quotes, unless a noun follows."""

RESERVED = (
    "page title",
    "url",
    "page",
    "output",
    "stdout",
    "stderr",
    "exit code",
    "response",
    "response status",
    "response body",
    "dialog",
    "dialog text",
    "alert",
    "alert text",
    "command",
    "command output",
    "file",
    "download",
    "text",
    "value",
    "status",
    "browser",
    "content",
    "contents",
    "number",
    "part",
    "match",
    "tab",
    "title",
)
"""What is no element: without quotes no name is one of these, begins with one, or is spelled almost like one."""


def targets(some: Words) -> tuple[Target, ...]:
    """Return the elements that the words may describe, singular or plural."""
    return _placed(some, _heads)


def things(some: Words) -> tuple[Target, ...]:
    """Return the elements that the words may describe, or name with neither quotes nor a noun ("the order number")."""
    return _placed(some, _heads) or _placed(some, _bare_names)


def containers(some: Words) -> tuple[str, ...]:
    """Return the texts that may name the container that the words describe."""
    match [token.key for token in some]:
        case [one] if one == LITERAL:
            return (some[0].text,)
        case [one, noun] if one == LITERAL and noun in CONTAINERS:
            return (some[0].text,)
        case [noun] if noun in UNNAMED:
            return (UNNAMED[noun],)
        case [noun, *between, one] if noun in CONTAINERS and one == LITERAL and " ".join(between) in _NAMED:
            return (some[-1].text,)
        case [*_, noun] if noun in CONTAINERS and is_name(some[:-1]):
            return (name(some[:-1]),)
        case _:
            return ()


def regions(some: Words) -> tuple[str, ...]:
    """Return the texts that may name a container that the words call one (`the "Cart" section`), never a mere name."""
    unnamed = len(some) == 1 and (some[0].key == LITERAL or some[0].key == "dialog")
    return () if unnamed else containers(some)


def is_name(some: Words) -> bool:
    """Return whether words without quotes can be a name on the page."""
    if not 1 <= len(some) <= 5 or not all(token.text[:1].isalnum() for token in some):
        return False
    if any(token.key == LITERAL or not _NEVER_IN_NAMES.isdisjoint(token.key.split()) for token in some):
        return False
    if some[0].key == JOINT or some[-1].key == JOINT:
        return False
    if _is_amount(some[0].key) or some[0].key == "to" or _is_place_in_line(some):
        return False
    return all(_goes_on(some, at) for at in range(len(some))) and _SLIPS.isdisjoint(token.key for token in some)


def _is_place_in_line(some: Words) -> bool:
    """Whether words say which of several is meant, "first" or "last Login"; "first name" and "Last page" are names."""
    if len(some) == 1:
        return some[0].key in _NOT_A_NAME
    counted = some[0].key in ORDINALS or some[0].key == "last"
    return counted and some[0].text.islower() and any(token.text[:1].isupper() for token in some[1:])


def _is_amount(key: str) -> bool:
    return key in NUMBERS or key.isdigit() or key in {"at most", "more than", "less than"}


def _goes_on(some: Words, at: int) -> bool:
    """A place word is part of a name only as in "Log in" or "Terms of Service", an article as in "End of the line"."""
    before = some[at - 1].key if at else ""
    if at and some[at].before.strip():
        return before in {"of", "for", "to"} and some[at].before.strip().lower() in {"the", "a", "an"}
    if some[at].key not in PLACES:
        return True
    if not before or before in ROLES or before in CONTAINERS:
        return False
    return before in _PARTICLE_VERBS or (some[at].key in {"of", "for"} and at + 1 < len(some))


def _placed(some: Words, head: Callable[[Words], tuple[Target, ...]]) -> tuple[Target, ...]:
    found = list(head(some))
    for at in range(1, len(some) - 1):
        if some[at].key in PLACES:
            found += [
                target._replace(within=within) for target in head(some[:at]) for within in containers(some[at + 1 :])
            ]
    return tuple(dict.fromkeys(found))


def _heads(some: Words) -> tuple[Target, ...]:
    noun, sure = "", True
    match [token.key for token in some]:
        case [one] if one == LITERAL:
            return (Target(some[0].text),)
        case ["dialog", "with" | "contain", *_]:
            element = ""  # what a dialog says is not its name
        case [noun]:
            element = ""
        case [one, noun] if one == LITERAL:
            element = some[0].text
        case [noun, *between, one] if one == LITERAL and " ".join(between) in _NAMED:
            element = some[-1].text
        case [*_, noun] if is_name(some[:-1]):
            element, sure = name(some[:-1]), _is_marked(some[:-1])
        case _:
            return ()
    return (_target(element, noun)._replace(sure=sure),) if _is_noun(noun) else ()


def _is_marked(some: Words) -> bool:
    """Return whether words without quotes have a capital letter that the start of a sentence does not ask for."""
    return any(token.text[:1].isupper() and token.before for token in some)


def _bare_names(some: Words) -> tuple[Target, ...]:
    keys = [token.key for token in some]
    if not is_name(some) or _is_noun(keys[-1]) or keys[0] in RESERVED or not _SYSTEM.isdisjoint(keys):
        return ()
    return () if _is_like_reserved(" ".join(keys)) else (Target(name(some), sure=_is_marked(some)),)


def _is_noun(key: str) -> bool:
    return key in ROLES or key in PLURALS


def _target(element: str, noun: str) -> Target:
    singular = PLURALS.get(noun, noun)
    return Target(element, ROLES[singular], noun=singular, plural=noun in PLURALS)


@lru_cache(maxsize=1024)
def _is_like_reserved(words: str) -> bool:
    """Whether words are a reserved subject or a misspelt one; either is never taken for the name of an element."""
    for subject in RESERVED:
        alike = SequenceMatcher(None, words, subject)
        if alike.quick_ratio() >= 0.8 and alike.ratio() >= 0.8:
            return True
    return False
