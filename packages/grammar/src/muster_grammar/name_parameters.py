"""The parameters of patterns for names and values that testers write without quotes, and for names in markup. Pure."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from muster_grammar.element_kinds import (
    BESIDE,
    CHOICES,
    ENTRIES,
    FIELD_LABELS,
    HELD,
    KINDS,
    LABEL_ADJECTIVES,
    OPTION_LABELS,
    PLACES,
    PROPERTIES,
    ROLES,
    UNNAMED,
)
from muster_grammar.engine import Parameter
from muster_grammar.group_parameters import read_label
from muster_grammar.markup_texts import is_like_selector
from muster_grammar.other_nouns import NAMING, described, is_other_noun, is_value_of
from muster_grammar.pattern_parameters import NUMBER, STATE_WORDS
from muster_grammar.target_parameters import read_target, read_thing
from muster_grammar.target_parser import Target, Within
from muster_grammar.target_places import (
    besides,
    containers,
    marked_places,
    targets,
    titled_nouns,
)
from muster_grammar.tokens import LITERAL, SELECTOR, Token, Words, name
from muster_grammar.unquoted_names import DESCRIBING, is_description, is_name, is_noun
from muster_grammar.verbs import SIGHTS
from muster_grammar.vocabulary import JOINT, VAGUE, split
from muster_text.key_names import KEYS, is_chord

_LONE_KEYS = split("enter escape esc tab backspace")
"""Keys by names that hardly anything else has."""
_KEYS_ALONE = split("escape esc tab backspace pageup pagedown arrowup arrowdown arrowleft arrowright")
"""Those that are no names of buttons."""
_NO_VALUES = VAGUE | split(
    "invalid wrong incorrect random unique new different other another existing current same unknown blank empty null "
    "long short weak strong new old it them something anything nothing follows usual before required needed "
    "above below spaces blanks whitespace whitespaces numbers letters characters digits symbols emojis words texts "
    "html script"
)
"""Words that describe a value and are none."""
WHATEVER = FIELD_LABELS | split(
    "text texts value values data details information credentials input characters letters numbers digits symbols "
    "words spaces format keyword query term reply review answer feedback zero none maximum minimum max min limit "
    "option string strings script payload characters snippet"
)
"""Words for whatever is typed."""
_LISTS = (OPTION_LABELS - FIELD_LABELS) | {"country", "state", "city"}
"""Labels that only lists of options have."""
_PLAIN_VALUE = re.compile(r"[a-z][a-z-]{2,}")
_VALUES = split("keyword term sum input data digits figure letters characters credentials hashtag tag symbol")
"""What a value is called, beside the labels of fields."""
_HELD = HELD | {"grid": HELD["table"]}
"""What a table and a list hold, by the noun of the holder."""
_MEASURES = {"costs": "price", "cost": "price", "weighs": "weight", "lasts": "duration"}
"""Verbs that say which value a thing has."""
_BARS = tuple([f"in {role}"] for role in split("dialog navigation complementary menu toolbar banner contentinfo tree"))
_NO_RECORDS = split(
    "filters icons errors messages warnings headers pages badges tags labels chips stars notifications controls inputs "
    "sums totals values names words letters characters"
)
"""What a row or an item may have, rather than be."""
_ALSO_VERBS = split("notes stores records answers orders posts likes")
"""Nouns that are verbs of actions as well."""
_LANDMARKS = split("navigation banner contentinfo complementary form table")
_MOST_WORDS = 4
_DESCRIBED = r'(?:[^\" ]+(?: [^\" ]+){0,5} "|"(?: [^\" ]+){1,3})'


def _lone_key(some: Words) -> Sequence[str]:
    kept = [token for token in some if token.key not in {"key", "keys"}]
    text = kept[0].text.lower() if len(kept) == 1 else ""
    return (KEYS[text],) if text in _LONE_KEYS else ()


def _value(some: Words) -> Sequence[str]:
    """Read a value without quotes: with a capital letter, a digit or an "@", or one plain word that describes none."""
    if len(some) > _MOST_WORDS or any(token.key in (LITERAL, SELECTOR, JOINT) for token in some):
        return ()
    if some[-1].text.lower() in WHATEVER:
        return ()
    if any(token.before.strip() or token.text.lower() in _NO_VALUES or "not" in token.key.split() for token in some):
        return ()
    if len(some) > 1 and (not is_name(some) or some[0].text in ("option", "value", "item")):
        return ()
    looks = any(char.isupper() or char.isdigit() or char in "@_" for char in name(some))
    return (name(some),) if looks or (len(some) == 1 and _is_plain(some[0]) and not is_description(some)) else ()


def _is_plain(one: Token) -> bool:
    word = _PLAIN_VALUE.fullmatch(one.text) and one.key == one.text
    return bool(word) and one.text not in FIELD_LABELS and not is_noun(one.key)


def _striking(some: Words) -> Sequence[str]:
    """Read a value without quotes that is no plain word."""
    return tuple(text for text in _value(some) if not _PLAIN_VALUE.fullmatch(text))


def _proper(some: Words) -> Sequence[str]:
    """Read a value of which each word strikes: in "user name Admin" the first two may say what is entered."""
    each = all(_striking((token,)) for token in some)
    told = some[0].text.lower() in FIELD_LABELS | LABEL_ADJECTIVES
    return _striking(some) if each and not told else ()


def _titled(some: Words) -> Sequence[str]:
    """Read a text without quotes that begins with a capital letter, and is no state: "Contact details"."""
    first = some[0]
    fits = is_name(some) and first.text[:1].isupper() and bool(first.before) and not first.before.strip()
    told = first.text.lower() in _NO_VALUES | STATE_WORDS | DESCRIBING or first.key in (*SIGHTS, *VAGUE)
    return (name(some),) if fits and not told else ()


def _field_label(some: Words) -> Sequence[str]:
    """Read a label without quotes that ends as labels of fields do: "in user name", but not "in lower case"."""
    return read_label(some) if some[-1].text.lower() in FIELD_LABELS else ()


def _property(some: Words) -> Sequence[str]:
    """Read a label without quotes that ends with a noun for a value: "order status".

    A possessive is two labels, and "the title" is that of the page, with quotes after it or without.
    """
    whole = all(token.raw not in ("'s", "’s") for token in some) and some[0].key not in KINDS
    owned = whole and some[0].key not in ("its", "page title")
    return read_label(some) if owned and some[-1].text.lower() in PROPERTIES else ()


def _valued(some: Words) -> Sequence[tuple[str, str]]:
    """Read a label that ends with a noun for a value, and the value in quotes: `the status "Shipped"`."""
    said = some[:-1][: -1 if some[-2].key == "of" else None]
    named = [token.key for token in said] in (["status"], ["group"])
    labels = (said[0].key,) if named else _property(said) if said else ()
    return tuple((label, some[-1].text) for label in labels)


def _measured(some: Words) -> Sequence[tuple[str, str]]:
    label = _MEASURES[some[0].key]
    return ((label, some[1].text),) if some[1].key == LITERAL or NUMBER.fullmatch(some[1].text) else ()


def _records(some: Words) -> Sequence[bool]:
    """Read what tables and lists hold, whatever it is called: `records`, `users`; no kind of element."""
    said = {some[0].key, some[0].text.lower()}
    noun = some[0]._replace(key=some[0].text, before=" ")  # "2 notes" are no act of noting
    counted = noun.text in _ALSO_VERBS or is_other_noun(noun)
    many = noun.text.endswith("s") and counted and said.isdisjoint(_NO_RECORDS)
    return () if said.isdisjoint(ENTRIES) and not many else (True,)


def _sortable(some: Words) -> Sequence[bool]:
    return (True,) if some[-1].key in ("rows", "items") or some[-1].text.lower() == "values" else _records(some[-1:])


def _entries(some: Words) -> Sequence[Target]:
    """Read what a table or a list holds, by a noun that says no more of it: `records in the table`."""
    if len(some) < 3 or not _records(some[:1]) or some[1].key not in PLACES:
        return ()
    held = next((_HELD[token.key] for token in some[2:] if token.key in _HELD), "")
    return tuple(Target("", held, within=place, noun=held, plural=True) for place in containers(some[2:]) if held)


def _said_value(some: Words) -> Sequence[tuple[str, str]]:
    """Read a value without quotes after what it is: `password admin123`, `user name Admin`."""
    told = [token.text.lower() for token in some[:-1]]
    fits = bool(told) and told[-1] in FIELD_LABELS and all(word in FIELD_LABELS | LABEL_ADJECTIVES for word in told)
    return tuple((" ".join(told), value) for value in _proper(some[-1:])) if fits else ()


def _no_named(some: Words) -> Sequence[Target]:
    """Read `No radio button`, where the word names what is chosen."""
    noun = some[-1].key
    return (Target("No", ROLES[noun], noun=noun),) if some[0].text == "No" and noun in ROLES else ()


def _labelled(some: Words) -> Sequence[tuple[str, str]]:
    """Read a label, a colon and a value, as in a table of data."""
    at = next((at for at, token in enumerate(some) if token.key == ":"), 0)
    return tuple((label, value) for label in read_label(some[:at]) for value in _value(some[at + 1 :])) if at else ()


def _labels(some: Words) -> Sequence[tuple[str, ...]]:
    """Read several labels of fields without quotes: `username and password`."""
    cuts = [-1, *(at for at, token in enumerate(some) if token.key == JOINT), len(some)]
    parts = [some[start + 1 : end] for start, end in pairwise(cuts)]
    found = [label for part in parts if part and part[0].key != "its" for label in _field_label(part)]
    return (tuple(found),) if len(found) == len(parts) > 1 else ()


def _told_value(some: Words) -> Sequence[str]:
    """Read a value after words that only say what it is: `the user name "ada"`, `keyword "mug"`."""
    said = [token.text.lower() for token in some[:-1]]
    fits = said[-1] in FIELD_LABELS | _VALUES and all(word in LABEL_ADJECTIVES | FIELD_LABELS for word in said[:-1])
    return (some[-1].text,) if fits and some[-1].key == LITERAL else ()


def _seen(some: Words) -> Sequence[Target]:
    return _as_targets(described(some, seen=True))


def _described(some: Words) -> Sequence[Target]:
    return _as_targets(described(some, seen=False))


def _listed(some: Words) -> Sequence[Target]:
    return _as_targets(described(some, seen=True, pointed=True))


def _as_targets(found: Iterable[tuple[str, str]]) -> tuple[Target, ...]:
    named = ((text, noun) for text, noun in found if not is_value_of(noun.split()[-1].lower(), text))
    return tuple(Target(text, noun=noun) for text, noun in named if not (is_like_selector(text, "") or " > " in text))


def _list(some: Words) -> Sequence[Target]:
    found = (target for target in targets(some) if target.role in {"combobox", "list"} and not target.plural)
    return tuple(target for target in found if target.element or (target.role == "combobox" and target.which))


def _dialog(some: Words) -> Sequence[Target]:
    return tuple(target for target in targets(some) if target.role == "dialog" and target.element)


def _pressed(some: Words) -> Sequence[Target]:
    lone = some[0].text if len(some) == 1 else ""
    return () if lone.lower() in _KEYS_ALONE or is_chord(lone) else read_target(some)


def _holder(some: Words) -> Sequence[Target]:
    """Read what has a value: a field, or a name in quotes; the value of the Microphone may be a column of its row."""
    plain = all(token.key != LITERAL for token in some) and not is_noun(some[-1].key)
    return () if plain and any(token.text[:1].isupper() for token in some) else read_thing(some)


def _quoted(some: Words) -> Sequence[str]:
    return (some[0].text,)


def _choice(some: Words) -> Sequence[Target]:
    """Read what is chosen by its name alone: `"Express"`, `the "Express" plan`, `the plan named "Express"`, `Yes`."""
    before = some[-2:-1]
    if some[-1].key == LITERAL and any(one.key in NAMING or one.text.lower() not in OPTION_LABELS for one in before):
        return _seen(some)
    if some[0].key != LITERAL:  # "Select Country" does not say which
        labelled = len(some) > 1 and some[0].text.lower() in _LISTS  # "Country Norway" is an option of a list
        labelled = labelled or some[len(some) - 1].text.lower() in OPTION_LABELS
        return () if labelled or name(some).lower() in CHOICES else titled_nouns(some)
    found = (target for target in targets(some) if not (target.role or target.plural or target.noun in KINDS))
    return tuple(target for target in found if not target.within)


def _code_text(some: Words) -> Sequence[str]:
    return (some[0].text,) if some[0].raw.startswith("`") else ()


def _option(some: Words) -> Sequence[str]:
    return tuple(token.text for token in some if token.key == LITERAL and " > " not in token.text)


def _landmark(some: Words) -> Sequence[Target]:
    """Read a part that a page has only once: `the footer`."""
    role = UNNAMED.get(some[0].key, "")
    return (Target("", role, noun=some[0].key),) if role in _LANDMARKS else ()


def _bar(some: Words) -> Sequence[Within]:
    """Read a menu or a bar that needs no name: `the left navigation`."""
    return tuple(place for place in containers(some) if place in _BARS)


NAME_PARAMETERS = {
    "option": Parameter(
        r'(?:(?:option|menuitem|link|item) ")|"(?: (?:option|menuitem|link|item))?', _option, "a text in quotes"
    ),
    "beside": Parameter(
        rf"(?:{'|'.join(BESIDE)}) .+?",
        besides,
        'what something stands beside: `next to the "Total" field`, `below "A"`',
    ),
    "bar": Parameter(r".+?", _bar, "a menu, a bar or a dialog without a name: `the side menu`, `the navigation`"),
    "landmark": Parameter(r"[^\" ]+", _landmark, "a part that a page has once: `the footer`"),
    "column": Parameter(r'(?:column "|" column)', _option, 'a column by its heading: `the "Name" column`'),
    "pressed": Parameter(r".+?", _pressed, "as `{target}`; not a key that nothing else is called by: `Escape`"),
    "holder": Parameter(r".+?", _holder, "as `{thing}`; a name in quotes if it has a capital letter"),
    "quoted": Parameter(r'"', _quoted, "a text in quotes"),
    "choice": Parameter(r".+?", _choice, 'what is chosen by its name: `"Express"`, `the "Express" plan`, `Yes`'),
    "code_text": Parameter(r'"', _code_text, "a text in backticks"),
    "lone_key": Parameter(r"\S+(?: key)?", _lone_key, "`Enter`, `Escape`, `Tab` or `Backspace`"),
    "markup": Parameter(r'"', marked_places, 'a part of the page as markup has it: `".cart"`, `"#total"`'),
    "titled_noun": Parameter(
        r".+?", titled_nouns, "the whole name of an element, without quotes but with a capital letter: `Log out`"
    ),
    "bare_value": Parameter(
        r"[^\"]+?", _value, "a value without quotes: `tester`, `Test Ltd`, `a@b.test`; nothing that only describes one"
    ),
    "striking_value": Parameter(
        r"[^\"]+?", _striking, "a value without quotes, with a capital letter, a digit or an `@`: `Norway`"
    ),
    "proper_value": Parameter(
        r"[^\"]+?", _proper, "a value without quotes, each word with a capital letter, a digit or an `@`: `Ada Byron`"
    ),
    "titled": Parameter(
        r"[^\"]+?", _titled, "a text without quotes that begins with a capital letter: `Contact details`"
    ),
    "field_label": Parameter(
        r"[^\"]+?", _field_label, "a label without quotes, as labels of fields are: `user name`, `e-mail address`"
    ),
    "told_value": Parameter(
        r'\S+(?: \S+)? "', _told_value, 'a text in quotes after what it is: `the user name "ada"`, `the keyword "mug"`'
    ),
    "property": Parameter(
        r"[^\"]+?", _property, "a label without quotes that ends with a noun for a value: `order status`"
    ),
    "valued": Parameter(r'[^"]+ "', _valued, 'a value after its label: `the status "Shipped"`, `a price of "$1"`'),
    "measured": Parameter(
        rf'(?:{"|".join(_MEASURES)}) (?:"|\S*\d\S*)', _measured, 'what something costs, weighs or lasts: `costs "$1"`'
    ),
    "entries": Parameter(
        r".+?", _entries, 'what a table or a list holds: `records in the table`, `users in the "Team" list`'
    ),
    "records": Parameter(r'[^" ]+', _records, "what a table or a list holds: `records`, `users`"),
    "sortable": Parameter(
        r'(?:search )?[^" ]+', _sortable, "what stands in an order: `rows`, `orders`, `search results`"
    ),
    "said_value": Parameter(
        r'[^" ]+(?: [^" ]+){1,3}', _said_value, "a value without quotes after what it is: `the user name Admin`"
    ),
    "labels": Parameter(
        r"[^\"]+? , [^\"]+", _labels, "several labels without quotes, as labels of fields are: `username and password`"
    ),
    "no_named": Parameter(r"no \S+", _no_named, "what is called No: `the No radio button`"),
    "labelled": Parameter(r"[^\"]+ : [^\"]+", _labelled, "a label and a value without quotes: `User name: tester`"),
    "described": Parameter(_DESCRIBED, _described, 'a text and what it is: `the diff comment "Typo"`'),
    "listed": Parameter(_DESCRIBED, _listed, 'a text and what it is: `the folder "Photos"`, `the user "Ada"`'),
    "seen": Parameter(_DESCRIBED, _seen, 'a text and what it is: `the branch "main"`'),
    "dialog_element": Parameter(r".+?", _dialog, 'a dialog with its name: `the "Sure?" dialog`'),
    "dropdown": Parameter(r".+?", _list, 'a list that is called one, with its name: `the "Size" dropdown`'),
}
