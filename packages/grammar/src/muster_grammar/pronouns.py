"""Puts what "it" stands for in its place: `find the "Save" button and click it`. Pure."""

from muster_grammar.element_kinds import FIELD_NOUNS, ROLES
from muster_grammar.tokens import LITERAL, Words
from muster_grammar.vocabulary import JOINT, split

_POINTING = split("find hover focus")
"""Verbs that only lead to a thing: what follows is done to the same."""
_TOUCHING = split("click open expand press")
"""Verbs after which another thing may have come; a field or a list is still the same."""
_LASTING = FIELD_NOUNS | split("textbox searchbox dropdown combobox field input")


def without_pronouns(some: Words) -> Words:
    """Return words with the element of the act before in place of "it"; as they are where it may be another one."""
    if not any(token.key == "it" for token in some):
        return some
    said: list[Words] = []
    start = 0
    for at in (*(at for at, token in enumerate(some) if token.key == JOINT and at), len(some)):
        said.append(_named(some[start:at], said[-1] if said else ()))
        start = at
    return tuple(token for part in said for token in part)


def _named(part: Words, before: Words) -> Words:
    thing = _thing(before)
    at = next((at for at, token in enumerate(part) if token.key == "it"), 0)
    return (*part[:at], *thing, *part[at + 1 :]) if thing and at else part


def _thing(part: Words) -> Words:
    """Return what an act is about, where the same thing is there after it."""
    bare = part[1:] if part and part[0].key == JOINT else part
    verb = bare[0].key if bare else ""
    thing = bare[1:]
    named = any(token.key == LITERAL for token in thing) and len(thing) < 4
    if verb in _POINTING and named and any(token.key in ROLES for token in thing[1:]):
        return thing
    return thing if verb in _TOUCHING and named and any(token.key in _LASTING for token in thing) else ()
