"""The parameters of patterns that stand for several things at once, and for names without quotes and kind. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from muster_grammar.asides import UNLABELLED
from muster_grammar.element_kinds import FIELD_LABELS, PLACES, PLURALS, ROLES
from muster_grammar.engine import Parameter
from muster_grammar.name_boundaries import says_more
from muster_grammar.other_nouns import NAMING
from muster_grammar.pattern_parameters import NUMBER
from muster_grammar.target_parser import Target
from muster_grammar.target_places import targets, things
from muster_grammar.tokens import LITERAL, Words, name
from muster_grammar.unquoted_names import is_name, is_noun
from muster_grammar.vocabulary import JOINT, split
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of
from muster_text.amounts import amount_of
from muster_text.key_names import MODIFIERS
from muster_text.values import PLACEHOLDER

_LINKS = PLACES | {"to", "as", "with", "at", "by"}
"""Words that lead to something else than a name."""
_DESCRIBED = UNLABELLED | split("right random registered unregistered nonexistent non-existent")
"""Words that describe a value, and begin no label."""
_RANKING = split("most least latest newest oldest recent")
_ALL = ("both", "all", "all of", "both of", "following")
_QUANTIFIERS = {
    "each": False,
    "every single": False,
    "each single": False,
    "every": False,
    "all": False,
    "all of": False,
    "each of": False,
    "none of": True,
    "no": True,
}
"""Words for all of a kind, and whether none is meant."""
_RELATIONS = {
    **dict.fromkeys(("more than", "greater than", "higher than", "bigger than", "larger than", "above"), "above"),
    **dict.fromkeys(("later than", "after", "over"), "above"),
    **dict.fromkeys(("less than", "lower than", "smaller than", "below", "under", "earlier than", "before"), "below"),
    "at least": "at_least",
    "at most": "at_most",
    **dict.fromkeys(("more than or is", "is or more than", "equal to or greater than", "> is", "> =", "≥"), "at_least"),
    **dict.fromkeys(("less than or is", "is or less than", "< is", "< =", "≤"), "at_most"),
    **{">": "above", "<": "below", "is >": "above", "is <": "below"},
}
_OR = {
    **dict.fromkeys(("more", "higher", "above", "greater", "later"), "at_least"),
    **dict.fromkeys(("less", "lower", "below", "fewer", "earlier"), "at_most"),
}
_TO = {
    **dict.fromkeys(("between", "in range between", "in range of between"), (JOINT, "to")),
    **dict.fromkeys(("from", "in range", "in range from", "in range of", "within range", "within range of"), ("to",)),
}
"""What leads to a range, and the words between its ends."""
_SPAN = re.compile("|".join(_TO))
_DESCENDING = split("descending desc decreasing falling reverse-alphabetical highest newest latest largest longest z-a")
_ASCENDING = split(
    "ascending asc increasing rising alphabetical alphabetically lowest oldest earliest smallest cheapest shortest a-z"
)
_RANGES = {
    **dict.fromkeys(
        (("low", "high"), ("a", "z"), ("lowest", "highest"), ("oldest", "newest"), ("smallest", "largest")), False
    ),
    **dict.fromkeys(
        (("high", "low"), ("z", "a"), ("highest", "lowest"), ("newest", "oldest"), ("largest", "smallest")), True
    ),
}
"""From what to what values go, and whether they fall."""
ATTRIBUTES = {"placeholder": "placeholder", "placeholder text": "placeholder", "alt text": "alt"}
"""What testers call attributes of elements that people see."""


class Bound(NamedTuple):
    """What an amount is compared with."""

    relation: str
    text: str


Amounts = tuple[Bound, ...]


COMPLAINTS = split("error warning message messages fehler fehlermeldung meldung warnung")
"""Nouns of messages that stand beside what they are about."""


class Every(NamedTuple):
    """All elements of a kind."""

    target: Target
    none: bool
    """Of none of them what follows is so."""


def read_label(some: Words) -> Sequence[str]:
    """Read the name of a field that has neither quotes nor a kind: `username`, `first name`, `its price`."""
    rest = some[1:]
    if some[0].key == "its" and rest and not (some[0].before.strip() or rest[0].before.strip()):
        return read_label(rest)
    if not any(char.isalpha() for char in name(some)):  # "Choose 10:30 as Start"
        return ()
    if some[0].key in _LINKS | _DESCRIBED or some[-1].key in _LINKS | NAMING:
        return ()
    if any(token.text.lower() in _RANKING for token in some):  # "the most recent type" is that of one of several
        return ()
    if JOINT in (keys := {token.key for token in some}) and "to" in keys:  # "Email to a@b.test and Phone"
        return ()
    if JOINT in keys and some[-1].text.lower() in FIELD_LABELS:  # "Name and Email" are two
        return ()
    if len(some) == 1 and some[0].key == "page title":  # what is typed is no title of the page
        return (name(some),)
    bare = [one for one in things(some) if not (one.role or one.noun or one.within)]
    return tuple(one.element for one in bare if all(token.key != LITERAL for token in some))


def _literal(some: Words) -> Sequence[str]:
    return (some[0].text,) if some[0].key == LITERAL or NUMBER.fullmatch(some[0].text) else ()


def _own_text(some: Words) -> Sequence[str]:
    """Read a text that is a value: an article makes it what has one, as in `choose 5 as the "Start"`."""
    return () if some[0].before.strip() else _literal(some)


def _plain_label(some: Words) -> Sequence[str]:
    """Read a label that is no value itself: `size`, but not `account 12`."""
    return () if some[0].key == "its" or any(char.isdigit() for char in name(some)) else read_label(some)


def _complaint(some: Words) -> Sequence[str]:
    """Read the text of an error or a warning; "the text" and "the message" may be what an element itself says."""
    said = {word for token in some if token.key != LITERAL for word in token.text.lower().split()}
    text = next(token.text for token in some if token.key == LITERAL)
    return (text,) if said & COMPLAINTS and text else ()


def _group(some: Words) -> Sequence[tuple[Target, ...]]:
    """Read several named elements of one kind: `the "From" and "To" fields`, `the buttons "A", "B" and "C"`."""
    named = [token for token in some if token.key == LITERAL]
    noun = next((token for token in some if is_noun(token.key)), None)
    parted = all(
        LITERAL not in (one.key, other.key) or one.key != other.key or other.before.strip()
        for one, other in pairwise(some)
    )
    if len(named) < 2 or noun is None or not parted:
        return ()
    found = [targets((literal, noun)) for literal in named]
    return (tuple(one[0] for one in found),) if all(len(one) == 1 and one[0].plural for one in found) else ()


def _kinds(some: Words) -> Sequence[Target]:
    noun = some[0].key
    return (Target("", ROLES[PLURALS[noun]], noun=PLURALS[noun], plural=True),) if noun in PLURALS else ()


def _changed(some: Words) -> Sequence[Target]:
    return tuple(target for target in targets(some) if target.element and not target.plural)


def _textbox(some: Words) -> Sequence[Target]:
    called = (target for target in targets(some) if target.is_found and not target.plural)
    return tuple(target for target in called if target.role == "textbox" or target.noun in {"field", "input"})


def _stateful(some: Words) -> Sequence[Target]:
    """Read an element by its name; a plural that is left of a list of names means the one that is named."""
    bare = some[1:] if len(some) > 1 and some[0].key == "text" and some[1].key == LITERAL else some
    listed = len(bare) == 2 and LITERAL in (bare[0].key, bare[1].key)
    found = (target for target in targets(bare) if target.is_found and (target.element or target.role != "dialog"))
    return tuple(target._replace(plural=False) for target in found if listed or not target.plural)


def _alert_button(some: Words) -> Sequence[str]:
    return (some[-1].text,)


def _slider(some: Words) -> Sequence[Target]:
    return tuple(target for target in targets(some) if target.role == "slider")


def _gauge(some: Words) -> Sequence[Target]:
    return tuple(target for target in targets(some) if target.role in {"slider", "progressbar"})


def _bound(relation: str, some: Words) -> Sequence[Bound]:
    one = some[0] if len(some) == 1 else None
    if one is None or (one.key != LITERAL and not NUMBER.fullmatch(one.text)):
        return ()
    return (Bound(relation, one.text),) if is_amount(one.text) else ()


def is_amount(text: str) -> bool:
    """Return whether a text may be compared by what it amounts to: a remembered value, a number, a sum, a date."""
    return bool(PLACEHOLDER.search(text) or amount_of(text))


def _amounts(some: Words) -> Sequence[Amounts]:
    keys = [token.key for token in some]
    if span := _SPAN.fullmatch(" ".join(keys[:-3])) if len(keys) > 3 else None:
        known = keys[-2] in _TO[span[0]]
        low, high = _bound("at_least", some[-3:-2]), _bound("at_most", some[-1:])
        return ((*low, *high),) if known and low and high else ()
    if keys[1:-1] == ["or"] and keys[-1] in _OR:
        return tuple((one,) for one in _bound(_OR[keys[-1]], some[:1]))
    relation = _RELATIONS.get(" ".join(keys[:-1]), "")
    found = _bound(relation, some[-1:]) if relation else ()
    return (tuple(found),) if found else ()


def _every(some: Words) -> Sequence[Every]:
    size = next((size for size in (3, 2, 1) if " ".join(token.key for token in some[:size]) in _QUANTIFIERS), 0)
    if not size or len(some) == size:
        return ()
    quantifier = " ".join(token.key for token in some[:size])
    single = quantifier.removesuffix(" single") in {"each", "every", "no", "not"}
    found = [one for one in targets(some[size:]) if one.role and one.plural != single]
    return tuple(Every(_by_column(one), _QUANTIFIERS[quantifier]) for one in found if one.sure or not one.element)


def _by_column(target: Target) -> Target:
    """Return the cells of a column for `every "Year" cell`: none of them is called Year."""
    if target.role != "cell" or not target.element:
        return target
    where = Narrowing(relations=(Relation("in_column", target.element), *narrowing_of(target.within).relations))
    return target._replace(element="", within=where.argument())


def _all_kinds(some: Words) -> Sequence[Every]:
    """Read `the radio buttons`, which are all of them."""
    if some[0].before.lower().split()[-1:] != ["the"] or some[0].key not in PLURALS:
        return ()
    return tuple(Every(one, none=False) for one in targets(some) if one.role and one.plural and not one.element)


def _direction(some: Words) -> Sequence[bool]:
    said = [token.text.lower() for token in some if token.key not in {JOINT, "from", "to", "in", "order", "first"}]
    if any(token.key == "first" for token in some) and not said[0].endswith("est"):  # "newest first"
        return ()
    if len(said) == 2:
        return tuple(falls for ends, falls in _RANGES.items() if ends == tuple(said))
    return (said[0] in _DESCENDING,) if len(said) == 1 and said[0] in _DESCENDING | _ASCENDING else ()


def _letters(some: Words) -> Sequence[bool]:
    """Read a direction that says nothing of what is compared: the newest may be anywhere in the alphabet."""
    return () if any(token.text.lower().endswith("est") for token in some) else _direction(some)


def _attribute(some: Words) -> Sequence[str]:
    return (ATTRIBUTES[" ".join(token.key for token in some)],)


def _link(some: Words) -> Sequence[Target]:
    return tuple(target for target in targets(some) if target.role == "link" and target.element)


def _modifiers(some: Words) -> Sequence[str]:
    held = [token.text for token in some if token.key not in {"key", "keys"}]
    keys = [MODIFIERS.get(key.strip().lower(), "") for key in held[0].split("+")] if len(held) == 1 else [""]
    return ("+".join(keys),) if all(keys) else ()


def _is_entry(some: Words) -> bool:
    """Return whether words name an entry of a menu, with or without quotes; "Save as" is one.

    What is done or seen next may follow an arrow, too: "Fill in the form", "Dialog closes".
    """
    if len(some) == 1 and some[0].key == LITERAL:
        return True
    return not says_more(name(some)) and is_name(some[:-1] if some and some[-1].key == "as" else some)


def _is_described(some: Words) -> bool:
    """Return whether words tell what is done, a page, a kind or any of several, rather than the entry of a menu."""
    said = name(some)
    told = (len(some) > 2 and said[:1].islower()) or said.endswith(" page") or is_noun(said.rpartition(" ")[2])
    first = next(iter(some), None)
    return first is not None and first.key != LITERAL and (told or first.before.strip().lower() in ("a", "an"))


def _path(some: Words) -> Sequence[tuple[str, ...]]:
    """Read the names between ">"; one literal may hold them all."""
    if len(some) == 1 and some[0].key == LITERAL:
        parts = tuple(part.strip() for part in some[0].text.split(" > "))
        return (parts,) if len(parts) > 1 and all(parts) else ()
    cuts = [-1, *(at for at, token in enumerate(some) if token.key == ">"), len(some)]
    names = [some[start + 1 : end] for start, end in pairwise(cuts)]
    quoted = {len(part) == 1 and part[0].key == LITERAL for part in names}
    plain = len(quoted) == 1 and all(map(_is_entry, names)) and not any(map(_is_described, names))
    return (tuple(name(part) for part in names),) if plain and len(names) > 1 else ()


GROUP_PARAMETERS: dict[str, Parameter] = {
    "label": Parameter(r"[^\"]+?", read_label, "the name of a field without quotes: `username`, `first name`"),
    "complaint": Parameter(r'(?:text "|" text)', _complaint, 'an error in quotes: `the error "Required"`'),
    "literal": Parameter(r'(?:"|\S*\d\S*)', _literal, "as `{text}`, without a word before it"),
    "own_text": Parameter(r'(?:"|\S*\d\S*)', _own_text, "as `{literal}`, without an article"),
    "plain_label": Parameter(r"[^\"]+?", _plain_label, "as `{label}`, without a digit"),
    "group": Parameter(
        rf'(?:(?:{"|".join(_ALL)}) )?(?:"(?: (?:, )?")+ \S+|\S+ "(?: (?:, )?")+)',
        _group,
        'several named elements of one kind: `the "From" and "To" fields`',
    ),
    "kinds": Parameter(r"\S+", _kinds, "many of a kind, without a name: `fields`, `buttons`"),
    "field": Parameter(r"(?:(?! from ).)+?", _changed, "as `{target}`, without `from`"),
    "textbox": Parameter(
        r".+?", _textbox, 'a text field that is called one: `the "Note" text box`, `the "Note" field`'
    ),
    "stateful": Parameter(
        r".+?", _stateful, 'as `{target}`; also one of several: `the "Name"` of `the "Name" and "Mail" fields`'
    ),
    "slider": Parameter(r".+?", _slider, 'a slider with its name: `the "Volume" slider`'),
    "gauge": Parameter(r".+?", _gauge, 'a slider or a progress bar: `the "Upload" progress bar`'),
    "amounts": Parameter(
        rf"(?:(?:{'|'.join(_RELATIONS)}) \S+|\S+ or (?:{'|'.join(_OR)})|(?:{'|'.join(_TO)}) \S+ (?:,|to) \S+)",
        _amounts,
        '`more than 10`, `at least "$5"`, `less than ${total}`, `at most 3`, `between 10 and 20`, `later than` a date',
    ),
    "every": Parameter(
        rf"(?:{'|'.join(_QUANTIFIERS)}) .+?",
        _every,
        'all elements of a kind: `each row in the "Orders" table`, `all checkboxes`, `none of the buttons`',
    ),
    "all_kinds": Parameter(
        rf"(?:{'|'.join(PLURALS)}).*?", _all_kinds, "all elements of a kind, with an article: `the radio buttons`"
    ),
    "direction": Parameter(
        rf"(?:, )?(?:in )?(?:{'|'.join((*_ASCENDING, *_DESCENDING))})(?: order| first)?|(?:from )?\S+ to \S+",
        _direction,
        "`ascending`, `in descending order`, `alphabetically`, `from low to high`, `newest first`",
    ),
    "plain_direction": Parameter(
        r"(?:, )?(?:(?:in )?\S+(?: order)?|(?:from )?\S+ to \S+)",
        _letters,
        "`ascending`, `in descending order`, `alphabetically`, `from A to Z`",
    ),
    "attribute": Parameter(rf"(?:{'|'.join(reversed(ATTRIBUTES))})", _attribute, "`placeholder` or `alt text`"),
    "alert_button": Parameter("ok|dismiss", _alert_button, "`OK` or `Cancel`"),
    "link": Parameter(r".+?", _link, 'a link with its name: `the "Help" link`'),
    "modifiers": Parameter(r"(?:key )?\S+(?: key)?", _modifiers, "a key that is held: `Ctrl`, `Shift`, `Ctrl+Shift`"),
    "path": Parameter(
        r'(?:"|[^,>]+?(?: > [^,>]+?)+)', _path, 'the way through menus: `File > Save as`, `"File" > "Save as"`'
    ),
}
