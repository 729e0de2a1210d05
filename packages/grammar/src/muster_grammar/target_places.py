"""Reads what a sentence points at: a head (`the first "Edit" link`) and the places it is in (`in the "A" row`). Pure.

Every function returns all readings; none means that the words cannot mean this.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from muster_grammar.container_names import container_name, is_bare_part, noun_of
from muster_grammar.element_kinds import BESIDE, CONTAINERS, DEEDS, FIELD_NOUNS, HELD, PLACES, POSITIONS, UNNAMED
from muster_grammar.markup_texts import is_like_selector, looks_of, markup_role
from muster_grammar.numerals import ordinal
from muster_grammar.other_nouns import is_other_noun
from muster_grammar.several_texts import HOLDING
from muster_grammar.target_parser import (
    Head,
    Target,
    Within,
    bare_heads,
    counted,
    heads,
)
from muster_grammar.tokens import LITERAL, SELECTOR, Words, name
from muster_grammar.unquoted_names import NEVER_ALONE, is_bare_name, is_marked, is_name, is_noun, is_titled
from muster_grammar.vocabulary import split
from muster_protocol.narrowing import Narrowing, Relation

MOST_PLACES = 4
"""Places that a target may have, each in the next."""
_LONGEST_HEAD = 16
"""Words of an element or container without its places; a text in quotes is one."""
_LONGEST_OWNER = 8
"""Words before a possessive "'s"."""
NOT_ON_PAGES = split(
    "chrome chromium firefox safari edge browser android ios iphone ipad windows linux mac macos desktop mobile tablet "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december english german french spanish page order case url "
    "pdf csv xml json sms excel outlook gmail hover database email mobile desktop background webview"
)
"""Words of names after "in" and "on" that are of no part of a page."""
_HELD_TOO = split("task event message note comment file job request answer")
"""Nouns that in a list are its items, though elsewhere they mean something else."""
_TOLD_APART = frozenset(("table",))
"""Kinds of parts that may share their name with another part, such as a table with the tab it is on."""
_JOINING = split("on of for")
"""Words between two names with capital letters that may as well be in one."""
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
        if relations and some[end].key in _JOINING and is_titled(some[end + 1 :]):
            continue  # "Cash on Delivery" is one name
        if _is_plain_noun(head) and (not relations or (is_marked(head) and not _is_deed(head, relations))):
            where = Narrowing(relations=relations).argument()
            found.append(Target(name(head), within=where, sure=is_marked(head), exact=True))
    return tuple(found)


def titled_nouns(some: Words) -> tuple[Target, ...]:
    """Return the element that words without quotes and kind name, if they have a capital letter ("hover over Help")."""
    return tuple(target for target in plain_nouns(some) if target.sure)


def _is_deed(some: Words, relations: tuple[Relation, ...]) -> bool:
    """Return whether "Edit First Name in the grid" may be what is done to one of many, rather than a name."""
    many = any(relation.role in {"table", "list", "tree"} and not relation.anchor for relation in relations)
    return many and len(some) > 1 and some[0].text.lower() in DEEDS


def _is_plain_noun(some: Words) -> bool:
    keys = [token.key for token in some]
    left_out = some[0].before.strip()
    if left_out.lower() in ("a", "an"):
        return False  # "a Person" is any of them
    if left_out[:1].isupper() or (left_out and not is_marked(some)):
        return False  # "My" of "My account" is part of the name; "the thumbnail" is a kind of thing
    if some[-1].key == "page":
        return False  # "Find Patient App" may be the app "Find Patient"
    if is_titled(some):
        return True
    if len(keys) > 3 or not is_bare_name(some) or not NEVER_ALONE.isdisjoint(keys):
        return False
    if some[0].text[:1].islower() and any(not token.text.islower() for token in some[1:]):
        return False  # "exemption FRA2" is an exemption, which the page may well not call one
    return not (is_noun(keys[0]) or ordinal(keys[0]) or not PLACES.isdisjoint(keys[1:-1]))


def parts(some: Words) -> tuple[Within, ...]:
    """Return what may tell the container that words after "in" describe: "the cart", too, is one."""
    return containers(some) or ((name(some),) if is_bare_part(some) else ())


def containers(some: Words) -> tuple[Within, ...]:
    """Return what may tell the container that the words describe."""
    found = [Narrowing(relations=relations).argument() for relations in _regions(some)]
    return tuple(place for at, place in enumerate(found) if place not in found[:at])


def regions(some: Words) -> tuple[Within, ...]:
    """Return what may tell a container that the words call one (`the "Cart" section`), never a mere name."""
    unnamed = len(some) == 1 and (some[0].key == LITERAL or some[0].key == "dialog")
    unnamed = unnamed or (some[0].key == LITERAL and len(some) > 1 and some[1].key in PLACES)
    return () if unnamed or is_titled(some) or any(token.key == "element" for token in some) else containers(some)


# ---- places


def _placed(some: Words, head: Callable[[Words], Iterator[Head]]) -> tuple[Target, ...]:
    found: list[Target] = []
    for end, relations in _tails(some):
        for one in _owned(some[:end], head):
            target = _item_of(_with(one, _owning(one, relations, some[end:])), relations)
            within_limit = len(one.relations) + len(relations) <= MOST_PLACES
            if target not in found and within_limit and _is_cell(one, relations):
                found.append(target)
        found += [held for held in _held(some[:end], relations) if held not in found]
    return tuple(found)


def _held(some: Words, relations: tuple[Relation, ...]) -> Iterator[Target]:
    """Yield which of those that a list or a table holds, whatever they are called: `the first product in the list`."""
    number, rest = counted(some)
    role = HELD.get(relations[0].role, "") if relations and relations[0].how == "in" else ""
    if number and role and len(rest) == 1 and (is_other_noun(rest[0]._replace(before="")) or rest[0].text in _HELD_TOO):
        yield Target("", role, Narrowing(relations=relations).argument(), role, sure=False, ordinal=number)


def _item_of(target: Target, relations: tuple[Relation, ...]) -> Target:
    """Return the target; as an "item" of a table, a row: a table holds no list."""
    in_table = bool(relations) and relations[0].how == "in" and relations[0].role == "table"
    return target._replace(role="row") if in_table and target.noun == "item" and target.role == "listitem" else target


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
    found = _beside(some) if some[0].key in BESIDE else (*_regions(some[1:]), *_markup(some), *_bare_part(some[1:]))
    return tuple(dict.fromkeys(relations for relations in found if len(relations) <= MOST_PLACES))


def _bare_part(some: Words) -> Iterator[tuple[Relation, ...]]:
    """Yield the part that plain nouns call so: `the cart`."""
    if some and is_bare_part(some):
        yield (Relation("in", name(some)),)


def _markup(some: Words) -> Iterator[tuple[Relation, ...]]:
    """Yield the place that `within ".cart"` points at; after other words than "within" it may be a text of the page."""
    if some[0].text.lower() == "within" and len(some) == 2:
        yield from ((Relation("in", text, markup_role(text)),) for text in selectors(some[1:]))


def selectors(some: Words) -> tuple[str, ...]:
    """Return the selector that a text in quotes is like."""
    return (some[0].text,) if len(some) == 1 and some[0].key == LITERAL and is_like_selector(some[0].text, "") else ()


def _beside(some: Words) -> Iterator[tuple[Relation, ...]]:
    """Yield what `below "Email"` says, also with the places of what it is beside."""
    how = BESIDE[some[0].key]
    for end, relations in _tails(some[1:]):
        told = some[1 : end + 1]
        if [token.key for token in told] == ["text", LITERAL]:
            told = told[1:]
        for one in heads(told) if not (named := container_name(told)) or any(heads(told)) else (Head(Target(named)),):
            target = one.target
            if target.is_found and not (target.plural or one.relations):
                role = "field" if target.trait or target.noun in FIELD_NOUNS else target.role
                yield (Relation(how, target.element or target.trait, role, target.ordinal), *relations)


def besides(some: Words) -> tuple[Within, ...]:
    """Return what `next to "Email"` may say."""
    return tuple(Narrowing(relations=relations).argument() for relations in _places(some))


def _regions(some: Words) -> Iterator[tuple[Relation, ...]]:
    """Yield the containers that words describe, the innermost first."""
    for end, relations in _tails(some):
        for relation in _region(some[:end]):
            if not (relation.role in {"row", "listitem"} and _is_of_one(relation, some[end:])):
                yield (relation, *relations)


def _is_of_one(relation: Relation, tail: Words) -> bool:
    """Return whether a row or an item is told by what it is for: `the row for "B"` is the row "B"."""
    if relation.anchor or relation.ordinal or len(tail) < 2 or tail[0].key not in _OWNERS:
        return False
    owner = tail[1]
    return owner.key == LITERAL or (not owner.before.strip() and is_titled(tail[1:2]))


def _region(some: Words) -> Iterator[Relation]:
    number, rest = counted(some)
    keys = [token.key for token in rest]
    if not number and (found := _one_region(rest)):
        yield found
        return
    match keys:
        case [noun] if noun in UNNAMED:
            yield Relation("in", "", UNNAMED[noun], number)
        case [*before, noun] if before and _are_positions(rest[:-1]):
            if noun in UNNAMED:
                yield Relation("in", "", UNNAMED[noun], number)
        case _:
            if text := container_name(rest):
                noun = noun_of(rest)
                yield Relation("in", text, UNNAMED.get(noun, "") if number or noun in _TOLD_APART else "", number)


def _one_region(some: Words) -> Relation | None:
    """Return the container that words tell which never count it."""
    match [token.key for token in some]:
        case [one, "element" | "container"] | ["element" | "container", one] if one == LITERAL:
            text = _literal_in(some)
            looks = looks_of(text)
            role = markup_role(text) if looks == "selector" else ""
            return Relation("in", text, role) if looks != "unclear" else None
        case [noun, between, one] if between == HOLDING and one == LITERAL:
            return Relation("in", some[-1].text, UNNAMED.get(noun, ""))
        case [one] if one == SELECTOR:
            return Relation("in", some[0].text, markup_role(some[0].text))
        case [one] if one == LITERAL:
            return None if is_like_selector(some[0].text, "") else Relation("in", some[0].text)
        case ["dropdown"] if "menu" in some[0].text.lower():
            return Relation("in", "", "menu")
        case [noun, digits] if noun in UNNAMED and digits.isdecimal():
            return Relation("in", "", UNNAMED[noun], int(digits))
        case [one, "column"] | ["column", one] if one == LITERAL:
            return Relation("in_column", _literal_in(some))
        case _ if is_titled(some) and not _is_elsewhere(some):
            return Relation("in", name(some))
        case [_, *_, "column"] if is_name(some[:-1]) and not _are_positions(some[:-1]):
            return Relation("in_column", name(some[:-1]))
        case _:
            return None


def _is_elsewhere(some: Words) -> bool:
    """Return whether a name with a capital letter is a kind's, or that of a browser, a system, a day, a language."""
    return some[-1].key in CONTAINERS or any(token.text.lower() in NOT_ON_PAGES for token in some)


def _literal_in(some: Words) -> str:
    return next(token.text for token in some if token.key == LITERAL)


def marked_places(some: Words) -> tuple[Within, ...]:
    """Return the place that a selector alone points at, after "within"."""
    return tuple(Narrowing(relations=(Relation("in", text, markup_role(text)),)).argument() for text in selectors(some))


def _are_positions(some: Words) -> bool:
    """Return whether words say where something is; the first word of a sentence may have a capital letter for that."""
    return all((token.text if token.before else token.text.lower()) in POSITIONS for token in some)


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


def _is_mixed(some: Words) -> bool:
    """Return whether words without quotes begin with a capital letter and go on in small ones: whose is it?"""
    small = len(some) > 2 and any(token.text.islower() for token in some[1:])
    return small and any(token.text[:1].isupper() for token in some[:1]) and all(token.key != LITERAL for token in some)


def _owned(some: Words, head: Callable[[Words], Iterator[Head]]) -> Iterator[Head]:
    """Yield the heads that words may be, also in what a possessive names (`"Backpack"'s price`)."""
    yield from head(some)
    near = range(1, min(len(some) - 1, _LONGEST_OWNER))
    at = next((at for at in near if some[at].raw in ("'s", "’s")), 0)
    if at and not _is_mixed(some[:at]):
        for one in (*heads(some[at + 1 :]), *bare_heads(some[at + 1 :])):
            for relation in (*_region(some[:at]), *(place for (place,) in _bare_part(some[:at]))):
                yield Head(one.target, (*one.relations, relation))
