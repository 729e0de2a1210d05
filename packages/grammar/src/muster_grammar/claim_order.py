"""Claims in another order of words: a place before the comma, "neither … nor". Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from muster_grammar.element_kinds import BESIDE, PLACES, PLURALS, ROLES
from muster_grammar.tokens import LITERAL, Words
from muster_grammar.verbs import SIGHTS
from muster_grammar.vocabulary import JOINT

_VERBS = frozenset(SIGHTS)
_SEES = frozenset(("page show", "page not show"))
_LEADING = PLACES | BESIDE.keys()


class Unit(NamedTuple):
    """A claim, and the clauses that it is told in."""

    clauses: tuple[str, ...]
    words: Words
    lead: Words = ()
    """The place that stands before it."""
    begins: bool = False
    """Whether it begins a sentence, which has a subject and a verb of its own."""


def with_leads(text: str, units: Sequence[tuple[str, Words]]) -> list[Unit]:
    """Return units, each with the place named before it, as in `In the "A" row, …`; a place holds to the end of its
    sentence."""
    told: list[Unit] = []
    lead: tuple[str, Words] = ("", ())
    at = end = 0
    for index, (clause, words) in enumerate(units):
        at = text.find(clause, end) if index == 0 or units[index - 1][0] != clause else at
        joint = text[end:at] if at >= end else ""
        if lead[0] and any(mark in joint for mark in ".;\n"):
            lead = ("", ())
        end = at + len(clause)
        place = _place(words)
        if (
            place
            and place == words
            and index + 1 < len(units)
            and units[index + 1][0] != clause
            and text[end : end + 1] == ","
        ):
            lead = (clause, _inside(place))
            continue
        if place and place != words:  # `In the menu, "A"`, which goes on with `and "B" are shown`
            lead = (clause, _inside(place))
        said = words[len(place) + 1 :] if place else words
        clauses = tuple(dict.fromkeys((lead[0] or clause, clause)))
        told.append(Unit(clauses, said or words, lead[1], begins="." in joint))
    return told


def _place(some: Words) -> Words:
    """Return the place that words begin with, up to a comma or their end; nothing if there is none."""
    cut = next((at for at, token in enumerate(some) if token.key == JOINT), len(some))
    told = some[:cut]
    return told if len(told) > 1 and told[0].key in _LEADING and _verb(told) is None else ()


def _inside(place: Words) -> Words:
    """Return a place as it is written inside of a sentence."""
    return (place[0]._replace(text=place[0].text.lower(), before=" "), *place[1:])


def placed(unit: Unit) -> tuple[Words, ...]:
    """Return the ways to say the place of a unit where it belongs: behind its subject, or at its end."""
    if not unit.lead:
        return (unit.words,)
    at = _verb(unit.words)
    behind = (*unit.words, *unit.lead)
    if not at or unit.words[at].key in _SEES:
        return (behind,)
    before, after = unit.words[:at], unit.words[at:]
    named = unit.lead[0].key == "in" and any(token.key == LITERAL for token in unit.lead)
    owning = (unit.lead[0]._replace(key="of"), *unit.lead[1:]) if named else unit.lead
    return tuple(dict.fromkeys(((*before, *unit.lead, *after), (*before, *owning, *after), behind)))


def both_denied(some: Words) -> tuple[Words, ...]:
    """Return `"A" is not enabled` and `"B" is not enabled` for `neither "A" nor "B" is enabled`; else what it is given.

    A noun behind the second name is that of the first as well.
    """
    keys = [token.key for token in some]
    start = keys.index("neither") + 1 if "neither" in keys else 0
    if not start or keys.count("nor") != 1 or JOINT in keys:
        return (some,)
    middle, seen = keys.index("nor"), start > 1
    at = start - 2 if seen else _verb(some) or len(some)
    end = len(some) if seen else at
    if not start < middle < end - 1 or at == len(some) or not (denied := _denied(some[at].key)):
        return (some,)
    one, other = some[start:middle], some[middle + 1 : end]
    if one[-1].key == LITERAL and len(other) > 1 and other[-1].key in ROLES.keys() | PLURALS.keys():
        one = (*one, other[-1])
    verb = some[at]._replace(key=denied)
    return tuple((verb, *part) if seen else (*part, verb, *some[at + 1 :]) for part in (one, other))


def _denied(verb: str) -> str:
    """Return a verb with "not"; nothing for one that has "not" or is not known to take it."""
    if verb == "page show":
        return "page not show"
    first, _, rest = verb.partition(" ")
    return f"is not {rest}".strip() if first == "is" and not rest.startswith("not") else ""


def _verb(some: Words) -> int | None:
    return next((at for at, token in enumerate(some) if token.key in _VERBS or token.key.startswith("is ")), None)
