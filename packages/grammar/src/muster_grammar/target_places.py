"""Reads what a sentence points at: a head (`the first "Edit" link`) and the places it is in (`in the "A" row`). Pure.

Every function returns all readings; none means that the words cannot mean this.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from muster_grammar.element_kinds import BESIDE, CONTAINERS, FIELD_NOUNS, PLACES, POSITIONS, UNNAMED
from muster_grammar.numerals import ordinal
from muster_grammar.target_parser import NAMED, Head, Target, Within, bare_heads, counted, heads, is_like_selector
from muster_grammar.tokens import LITERAL, Words, name
from muster_grammar.unquoted_names import NEVER_ALONE, is_bare_name, is_marked, is_name, is_noun
from muster_grammar.vocabulary import split
from muster_protocol.narrowing import Narrowing, Relation

MOST_PLACES = 4
"""Places that a target may have, each in the next."""
_LONGEST_HEAD = 16
"""Words of an element or container without its places; a text in quotes is one."""
_LONGEST_OWNER = 8
"""Words before a possessive "'s"."""
_OWNERS = split("of for")
"""Words after which an element without a name is told by its own name or by what it is in."""


def targets(some: Words) -> tuple[Target, ...]:
    """Return the elements that the words may describe, singular or plural."""
    return _placed(some, heads)


def things(some: Words) -> tuple[Target, ...]:
    """Return the elements that the words may describe, or name with neither quotes nor a noun ("the order number")."""
    return _placed(some, heads) or _placed(some, bare_heads)


def plain_nouns(some: Words) -> tuple[Target, ...]:
    """Return the element that words without quotes and kind name by its whole name ("click Login").

    With a place it needs a capital letter ("click Browse in the "Account" section").
    """
    found: list[Target] = []
    for end, relations in _tails(some):
        head = some[:end]
        if _is_plain_noun(head) and (not relations or is_marked(head)):
            where = Narrowing(relations=relations).argument()
            found.append(Target(name(head), within=where, sure=is_marked(head), exact=True))
    return tuple(found)


def _is_plain_noun(some: Words) -> bool:
    keys = [token.key for token in some]
    if some[0].before.strip()[:1].isupper():
        return False  # "My" of "My account" is part of the name, though it is left out
    if len(keys) > 3 or not is_bare_name(some) or not NEVER_ALONE.isdisjoint(keys):
        return False
    return not (is_noun(keys[0]) or ordinal(keys[0]) or not PLACES.isdisjoint(keys[1:-1]))


def containers(some: Words) -> tuple[Within, ...]:
    """Return what may tell the container that the words describe."""
    found = [Narrowing(relations=relations).argument() for relations in _regions(some)]
    return tuple(place for at, place in enumerate(found) if place not in found[:at])


def regions(some: Words) -> tuple[Within, ...]:
    """Return what may tell a container that the words call one (`the "Cart" section`), never a mere name."""
    unnamed = len(some) == 1 and (some[0].key == LITERAL or some[0].key == "dialog")
    return () if unnamed else containers(some)


# ---- places


def _placed(some: Words, head: Callable[[Words], Iterator[Head]]) -> tuple[Target, ...]:
    found: list[Target] = []
    for end, relations in _tails(some):
        for one in _owned(some[:end], head):
            target = _with(one, _owning(one, relations, some[end:]))
            within_limit = len(one.relations) + len(relations) <= MOST_PLACES
            if target not in found and within_limit and _is_cell(one, relations):
                found.append(target)
    return tuple(found)


def _is_cell(head: Head, relations: tuple[Relation, ...]) -> bool:
    """Return whether `the "Email" column` means its cell in the row that a place names; True for any other head."""
    if not any(relation.how == "in_column" for relation in head.relations):
        return True
    return bool(relations) and bool(relations[0].anchor or relations[0].role == "row")


def _owning(head: Head, relations: tuple[Relation, ...], tail: Words) -> tuple[Relation, ...]:
    """Return the places, the first as an owner if it is that: "the checkbox of "Milk"" may be called so itself."""
    owner = relations and not head.target.element and tail[0].key in _OWNERS
    if not owner or relations[0] != Relation("in", relations[0].anchor):
        return relations
    return (Relation("of", relations[0].anchor), *relations[1:])


def _tails(some: Words) -> Iterator[tuple[int, tuple[Relation, ...]]]:
    """Yield where a head may end, with the places that follow it; first that it is all there is."""
    if len(some) <= _LONGEST_HEAD:
        yield len(some), ()
    for at in range(1, min(len(some) - 1, _LONGEST_HEAD + 1)):
        if some[at].key in BESIDE or some[at].key in PLACES:
            for relations in _places(some[at:]):
                yield at, relations


@lru_cache(maxsize=4096)
def _places(some: Words) -> tuple[tuple[Relation, ...], ...]:
    """Return the places that words say which begin with a place word; known once read, since tails share their ends."""
    found = _beside(some) if some[0].key in BESIDE else _regions(some[1:])
    return tuple(dict.fromkeys(relations for relations in found if len(relations) <= MOST_PLACES))


def _beside(some: Words) -> Iterator[tuple[Relation, ...]]:
    """Yield what `below "Email"` says, also with the places of what it is beside."""
    how = BESIDE[some[0].key]
    for end, relations in _tails(some[1:]):
        for one in heads(some[1 : end + 1]):
            target = one.target
            if target.is_found and not (target.plural or target.trait or one.relations):
                role = target.role or ("field" if target.noun in FIELD_NOUNS else "")
                yield (Relation(how, target.element, role, target.ordinal), *relations)


def _regions(some: Words) -> Iterator[tuple[Relation, ...]]:
    """Yield the containers that words describe, the innermost first."""
    for end, relations in _tails(some):
        for relation in _region(some[:end]):
            yield (relation, *relations)


def _region(some: Words) -> Iterator[Relation]:
    number, rest = counted(some)
    keys = [token.key for token in rest]
    match keys:
        case [one] if one == LITERAL and not number:
            if not is_like_selector(rest[0].text):
                yield Relation("in", rest[0].text)
        case [noun] if noun in UNNAMED:
            yield Relation("in", "", UNNAMED[noun], number)
        case [noun, digits] if noun in UNNAMED and digits.isdecimal() and not number:
            yield Relation("in", "", UNNAMED[noun], int(digits))
        case [*before, noun] if before and _are_positions(rest[:-1]):
            if noun in UNNAMED:
                yield Relation("in", "", UNNAMED[noun], number)
        case [one, "column"] | ["column", one] if one == LITERAL and not number:
            yield Relation("in_column", next(token.text for token in rest if token.key == LITERAL))
        case [*before, "column"] if is_name(rest[:-1]) and before and not number:
            yield Relation("in_column", name(rest[:-1]))
        case _:
            if text := _container_name(rest):
                yield Relation("in", text, UNNAMED.get(_noun_of(rest), "") if number else "", number)


def _are_positions(some: Words) -> bool:
    return all(token.text in POSITIONS for token in some)


def _container_name(some: Words) -> str:
    match [token.key for token in some]:
        case [one, noun] if one == LITERAL and noun in CONTAINERS:
            return "" if is_like_selector(some[0].text, noun) else some[0].text
        case [noun, *between, one] if noun in CONTAINERS and one == LITERAL and " ".join(between) in NAMED:
            return "" if is_like_selector(some[-1].text, noun) else some[-1].text
        case [*_, noun] if noun in CONTAINERS and is_name(some[:-1]):
            return name(some[:-1])
        case _:
            return ""


def _noun_of(some: Words) -> str:
    return next((token.key for token in some if token.key in CONTAINERS), "")


_QUOTED = re.compile(r"(?:\"([^\"]+)\"|“([^”]+)”)")


def _unquoted(text: str) -> str:
    """Return a name without quotes of its own: the name of `"Save"` in backticks is Save."""
    quoted = _QUOTED.fullmatch(text)
    return (quoted[1] or quoted[2]) if quoted else text


def _with(head: Head, relations: tuple[Relation, ...]) -> Target:
    target, all_relations = head.target._replace(element=_unquoted(head.target.element)), (*head.relations, *relations)
    where = Narrowing(relations=all_relations).argument()
    known = target.sure and (bool(target.element or all_relations) or target.plural)
    return target._replace(within=where, sure=known)


def _owned(some: Words, head: Callable[[Words], Iterator[Head]]) -> Iterator[Head]:
    """Yield the heads that words may be, also in what a possessive names (`"Backpack"'s price`)."""
    yield from head(some)
    near = range(1, min(len(some) - 1, _LONGEST_OWNER))
    if at := next((at for at in near if some[at].raw in ("'s", "’s")), 0):
        for one in (*heads(some[at + 1 :]), *bare_heads(some[at + 1 :])):
            for relation in _region(some[:at]):
                yield Head(one.target, (*one.relations, relation))


# ---- as parameters of phrases


def read_target(some: Words) -> tuple[Target, ...]:
    """Return the single elements that words may describe."""
    """Read an element that an action or a state is about; `the text "More"` is one, too."""
    if len(some) > 1 and some[0].key == "text" and some[1].key == LITERAL:
        some = some[1:]
    return tuple(target for target in targets(some) if not target.plural and target.is_found)


def read_element(some: Words) -> tuple[Target, ...]:
    """Return those whose kind is named."""
    return tuple(target for target in targets(some) if target.noun and target.is_found and not _is_mere_dialog(target))


def _is_mere_dialog(target: Target) -> bool:
    """The dialog without more is what the browser or the page has opened: there are phrases of its own for it."""
    return target == Target("", "dialog", noun="dialog", sure=target.sure)


def read_elements(some: Words) -> tuple[Target, ...]:
    """Return the kinds of elements that words may describe, one or many."""
    return tuple(
        target for target in targets(some) if target.noun and (target.element or target.role not in {"", "dialog"})
    )


def read_thing(some: Words) -> tuple[Target, ...]:
    """Return the single elements that words may describe, or name with neither quotes nor a kind."""
    return tuple(target for target in things(some) if not target.plural and target.is_found)
