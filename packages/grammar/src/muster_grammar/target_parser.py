"""The heads of targets: an element by its name, kind, type and place in line ("the first "Edit" link"). Pure.

Every function yields all readings; none means that the words cannot mean this.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from muster_grammar.element_kinds import (
    ADJECTIVES,
    CONTAINERS,
    DEEDS,
    FIELD_NOUNS,
    FIELD_ROLES,
    OFFERED,
    PLURALS,
    POSITIONS,
    ROLES,
    SECTIONS,
)
from muster_grammar.markup_texts import SELECTORS, TAGGED, is_like_selector, looks_of, markup_role
from muster_grammar.numerals import end_of_list, ordinal
from muster_grammar.other_nouns import TYPED, is_definite, is_other_noun, is_sort, is_sort_of_named, is_value_of
from muster_grammar.tokens import LITERAL, SELECTOR, Token, Words, name
from muster_grammar.unquoted_names import is_bare_name, is_description, is_marked, is_name, is_noun
from muster_grammar.vocabulary import JOINT, split
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of
from muster_protocol.tool_calls import ArgumentValue

Within = str | list[str]
"""Where an element is, as tools take it."""


class Target(NamedTuple):
    """An element as tools want it described, and the noun that the sentence used for it."""

    element: str
    role: str = ""
    within: Within = ""
    noun: str = ""
    plural: bool = False
    sure: bool = True
    """Whether a page without it proves that it is not there: a name in quotes or with a capital letter, or many of a
    kind. Other words may only describe ("broken images"), and an ordinal counts what was never that many."""
    ordinal: int = 0
    trait: str = ""
    """The type that tells a field or button without a name: `search`, `submit`."""
    exact: bool = False
    """Only its whole name counts: a name with neither quotes nor a kind."""
    any_field: bool = False
    """It is called a field and nothing more: a text field or a list."""
    which: bool = True
    """Whether it says which one is meant: "a row" is any of them, and does for a check alone."""

    def arguments(self, *, field: bool = False) -> dict[str, ArgumentValue]:
        """Return the tool arguments; with `field` the role is left out where the tool means a field anyway."""
        role = "" if field and self.element and self.role in FIELD_ROLES else self.role
        role = "field" if self.any_field else role
        own = Narrowing(
            relations=narrowing_of(self.within).relations, ordinal=self.ordinal, trait=self.trait, exact=self.exact
        )
        given: dict[str, ArgumentValue] = {"role": role, "within": own.argument()}
        found: dict[str, ArgumentValue] = {"element": self.element}
        return found | {key: value for key, value in given.items() if value}

    @property
    def is_label(self) -> bool:
        """Whether it may be the label of a value: a name, and no more beside it than a place."""
        return bool(self.element) and self.role not in MARKS and not (self.ordinal or self.trait or self.exact)

    @property
    def is_found(self) -> bool:
        """Whether there is something to find it by: a word such as "control" is neither a name nor a role."""
        return bool(self.element or self.role or self.any_field)


class Head(NamedTuple):
    """A target, and the relations that its head alone tells."""

    target: Target
    relations: tuple[Relation, ...] = ()


NAMED = frozenset(
    (
        *("", "named", "called", "labelled", "labeled", "titled", "with", "contain", "for", "to", "saying", "reading"),
        *(
            "with text",
            "with name",
            "with label",
            "with page title",
            "with alt",
            "with alt text",
            "with caption",
            "contain text",
            "that is",
            "which is",
        ),
        *(
            "that contain",
            "which contain",
            "that contain text",
            "that has text",
            "whose text is",
            "whose name is",
            "whose label is",
        ),
        *("by text", "by label", "by name"),
    )
)
"""What may stand between a noun and the literal that names it."""
MARKS = SELECTORS | {"test id"}
"""In place of a role: what points at markup."""
_CALLED = NAMED & {
    "named",
    "called",
    "labelled",
    "labeled",
    "titled",
    "with text",
    "with name",
    "with label",
    "that is",
}
"""What may stand between a noun and a name without quotes."""
_TOLD = _CALLED - {"that is"}
"""What says that the literal after it is a name, whatever it looks like."""
_TEST_ID = "with testid"
_MARKUP = {
    "with id": "#",
    "with id attribute": "#",
    "with class": ".",
    "with class of": ".",
    "with css class": ".",
    "with class name": ".",
}
_BY_SELECTOR = frozenset(
    f"{how} {what}" for how in ("with", "by") for what in ("css", "selector", "css selector", "xpath")
)
_IDENTIFIER = re.compile(r"[A-Za-z_][\w-]*")
_ADDRESS = re.compile(r"/|\$\{|\w+://|mailto:")
_PARTS = SECTIONS | {"menu"}
"""Nouns of parts of a page, of which a name in small letters needs an article."""
_BOXES = split("checkbox radio")
_POINTED = split("button link icon")
_ENDINGS = CONTAINERS | {"page", "column", "text"}
_OF_BROWSERS = frozenset((("tab", "with name"), ("tab", "with page title")))
"""What may as well be one of the browser's."""
_ONLY_NAMED = split("tab tabs")
"""Without a name this is none of the page's elements: a tab of the browser, a key."""


def heads(some: Words) -> Iterator[Head]:
    """Yield the elements that words describe, without a place: `the second "Edit" link`."""
    number, rest = counted(some)
    if number and len(rest) > 1 and rest[-1].key in _POINTED and rest[0].text in OFFERED:  # "first edit link"
        yield from (Head(one.target._replace(ordinal=number, sure=False)) for one in _kinds(rest))
        return
    yield from _kinds(some)
    quoted = any(token.key == LITERAL for token in rest)
    for one in _kinds(rest) if number else ():
        target = one.target
        told = quoted or not target.element or (target.sure and some[0].text.islower())  # "first name" is a name
        if told and not (target.plural or target.ordinal):
            yield one._replace(target=target._replace(ordinal=number, sure=False))


def counted(some: Words) -> tuple[int, Words]:
    """Return the ordinal that words begin with, from 1 or -1 for the last, and the rest; 0: they begin with none."""
    number = (ordinal(some[0].key) or end_of_list(some[0].text, some[1].key)) if len(some) > 1 else 0
    return (number, some[1:]) if number else (0, some)


def _kinds(some: Words) -> Iterator[Head]:
    match [token.key for token in some]:
        case [one] if one == LITERAL:
            if not is_like_selector(some[0].text, ""):
                yield Head(Target(some[0].text))
        case [one] if one == SELECTOR:
            yield Head(Target(some[0].text, markup_role(some[0].text), noun="element"))
        case [one, "column"] | ["column", one] if one == LITERAL:
            heading = next(token.text for token in some if token.key == LITERAL)
            yield Head(_target("", "cell"), (Relation("in_column", heading),))
        case ["dialog", "with" | "contain", *rest] if rest[:1] != ["page title"]:
            yield Head(_target("", "dialog"))  # what a dialog says is not its name
        case [first, *_, last] if LITERAL in (first, last):
            yield from _quoted(some)
        case [noun, *_] if is_noun(noun) and (called := _called(some)):
            yield Head(_target(name(called), noun))
        case [noun, _, *_] if noun in ROLES and _follows_titled(some):
            yield Head(_target(name(some[1:]), noun)._replace(sure=False))
        case [noun] | [noun, _] if is_noun(noun) and noun not in _ONLY_NAMED:
            yield from _unnamed(some, noun)
        case _:
            yield from _named_before(some)


def _quoted(some: Words) -> Iterator[Head]:
    """Yield what a kind and a name in quotes say, whichever stands first: `the button named "Save"`."""
    match [token.key for token in some]:
        case [noun, *_, last] if is_noun(noun) and last == LITERAL:
            said = between(some[1:-1])
            yield from () if (noun, said) in _OF_BROWSERS else _named_after(noun, said, some[-1].text)
        case [one, *_, noun] if one == LITERAL and is_noun(noun) and all(map(is_sort_of_named, some[1:-1])):
            yield from _of_sort(some[1:-1], _named_after(noun, "", some[0].text))
        case [_, noun, *_, one] if one == LITERAL and is_noun(noun) and is_sort(some[0]):
            yield from _of_sort(some[:1], _kinds(some[1:]))
        case [_, _, noun, one] if one == LITERAL and is_noun(noun) and is_sort(some[0]) and is_sort(some[1]):
            yield from _of_sort(some[:2], _kinds(some[2:]))
        case [_, "item", one] if one == LITERAL and is_other_noun(some[0]._replace(before=" ")):
            yield from _of_sort(some[:1], _kinds(some[1:]))
        case [one, _] if one == LITERAL:
            yield from _other(some)
        case [one, _, _] if one == LITERAL and is_other_noun(some[1]):
            yield from _other((some[0], some[2]))
        case [_, _] if is_definite(some):
            yield from _other(some)
        case _:
            return


def _named_after(noun: str, between: str, text: str) -> Iterator[Head]:
    """Yield what `button named "Save"` says."""
    if between == _TEST_ID:
        yield Head(Target(text, "test id", noun=noun))
    elif between in _BY_SELECTOR:
        yield Head(Target(text, markup_role(text), noun="element"))
    elif between in _MARKUP:
        if _IDENTIFIER.fullmatch(text):
            yield Head(Target(f"{_MARKUP[between]}{text}", "css", noun="element"))
    elif between in _TOLD:
        yield Head(_target(text, noun))
    elif between not in NAMED:
        return
    elif between == "to" and _ADDRESS.match(text):
        return  # where a link leads to is not how it is called
    elif (looks := looks_of(text, noun)) == "selector":
        yield Head(Target(text, markup_role(text), noun="element", plural=noun in PLURALS))
    elif (looks == "name" or noun in TAGGED) and not (between == "for" and ROLES.get(noun)):
        yield Head(_target(text, noun)._replace(sure=looks == "name"))  # what is "for" it: see `target_places`


def _named_before(some: Words) -> Iterator[Head]:
    """Yield what `"Save" button` or `Save button` says."""
    noun = some[-1].key if len(some) > 1 else ""
    if len(some) == 2 and some[0].key == LITERAL and is_noun(noun):
        yield from _named_after(noun, "", some[0].text)
    elif is_noun(noun) and not some[len(some) - 1].before.strip():  # "fill out this field" is what to do with one
        yield from _unquoted(some[:-1], noun)


def _of_sort(sorts: Words, found: Iterable[Head]) -> Iterator[Head]:
    """Yield elements of a sort: an "HTML field" is one that is typed into."""
    typed = not TYPED.isdisjoint(token.text.lower() for token in sorts)
    for head in found:
        role = "textbox" if typed and head.target.noun in FIELD_NOUNS else head.target.role
        if head.target.noun == "item" and sorts:  # a "breadcrumb item" is hardly one of a list
            role = ""
        yield head._replace(target=head.target._replace(role=role))


def _other(some: Words) -> Iterator[Head]:
    """Yield what `the "Create" wizard` or `the node "api"` says."""
    literal, noun = some if some[0].key == LITERAL else some[::-1]
    shared = some[0].key == LITERAL and noun.text.endswith("s")  # `"A" and "B" workloads`
    bare = noun if some[0].key == LITERAL else noun._replace(before=" ")
    if literal is some[1] and is_value_of(noun.text.lower(), literal.text):
        return  # it says what a label has, not how something is called
    if is_other_noun(bare) and not shared and not is_like_selector(literal.text, ""):
        yield Head(Target(literal.text, noun=noun.key))


def _called(some: Words) -> Words:
    """Return the name without quotes of `button labelled Save`; it has a capital letter."""
    for size in (3, 2, 1):
        rest = some[1 + size :]
        if rest and between(some[1 : 1 + size]) in _CALLED and is_name(rest) and rest[0].text[:1].isupper():
            return rest
    return ()


def _follows_titled(some: Words) -> bool:
    """Return whether a name with a capital letter and without quotes follows a kind: `the checkbox Remember me`."""
    noun, first, last, rest = some[0], some[1], some[len(some) - 1], some[1:]
    told = noun.text.islower() or (noun.key in _BOXES and len(rest) > 1)  # "Image Resizer" is a name
    titled = told and first.before == " " and first.text[:1].isupper() and not first.text.isupper()
    return titled and is_name(rest) and not is_noun(last.key) and last.key not in _ENDINGS


def between(some: Words) -> str:
    """Return the words between a noun and its name, with the "that" which is left out elsewhere."""
    said = " ".join(token.key for token in some)
    return f"that {said}" if some and some[0].before.strip().lower() == "that" else said


def _unnamed(some: Words, noun: str) -> Iterator[Head]:
    """Yield what `table` or `row 3` says."""
    target = _target("", noun)._replace(which=some[0].before.strip().lower() not in ("a", "an"))
    if len(some) > 1 and some[1].key.isdecimal():
        yield Head(target._replace(ordinal=int(some[1].key), sure=False, any_field=target.noun in FIELD_NOUNS))
    elif len(some) > 1:
        yield from _named_before(some)
    elif noun == "logo":  # a kind of picture that is called what it is
        yield Head(target._replace(element="logo", sure=False))
    elif noun == "searchbox":
        yield Head(target._replace(trait="search", sure=False))
    else:
        is_area = target.role == "textbox" and "area" in name(some).lower()
        yield Head(target._replace(trait="multiline" if is_area else "", any_field=target.noun in FIELD_NOUNS))


def _unquoted(some: Words, noun: str) -> Iterator[Head]:
    """Yield what `Login button` or `search field` says: a name, or a type of field or button."""
    singular = PLURALS.get(noun, noun)
    match some:
        case [one] if not is_marked(some) and singular in ADJECTIVES.get(one.key, ()):
            if noun in PLURALS:
                return  # how many are of the type?
            target = _target("", noun)
            yield Head(target._replace(role=target.role or "textbox", trait=one.key, sure=False))
        case _ if noun in _PARTS and not is_marked(some) and not some[0].before.strip():
            return  # "editor menu": what is called so?
        case _ if noun in PLURALS and (not ROLES[singular] or any(token.key == JOINT for token in some)):
            return  # "New Item fields": those of what is called so; "Edit and Delete buttons" are two
        case [one] if one.text == "page":
            return  # "the page link": of the page is all that it shows
        case [one] if noun in CONTAINERS and (one.text in POSITIONS or one.text.lower() in DEEDS or _is_kind(one)):
            return  # "the context menu": of several that one; "Delete card" deletes one; "the row menu" is a row's
        case [first, *rest] if first.text.islower() and any(one.text.istitle() for one in rest) and is_noun(noun):
            return  # "room select Add button": which of the words are its name?
        case _ if is_name(some) and not is_description(some) and (noun not in PLURALS or is_marked(some)):
            yield Head(_target(name(some), noun)._replace(sure=is_marked(some)))
        case _:
            return


def _is_kind(one: Token) -> bool:
    return one.text.islower() and (one.key in CONTAINERS or is_noun(one.key))


def bare_heads(some: Words) -> Iterator[Head]:
    """Yield the element that words name with neither quotes nor a kind: `the order number`."""
    if is_bare_name(some):
        yield Head(Target(name(some), sure=is_marked(some)))


def _target(element: str, noun: str) -> Target:
    singular = PLURALS.get(noun, noun)
    return Target(element, ROLES[singular], noun=singular, plural=noun in PLURALS)
