"""Names without quotes: which words can be one on the page ("the Login button"), and which never are. Pure."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from muster_grammar.element_kinds import BESIDE, CONTAINERS, FIELD_LABELS, PLACES, PLURALS, POSITIONS, ROLES
from muster_grammar.numerals import NUMBERS, ORDINALS, ordinal
from muster_grammar.tokens import LITERAL, SELECTOR, Token, Words, words
from muster_grammar.verbs import ACTIONS, SIGHTS
from muster_grammar.vocabulary import JOINT, split
from muster_text.key_names import KEYS

NEVER_IN_NAMES = split(
    "or not no nor never none nothing without if unless when while until except but only than as is have visible it "
    "its both either neither all every each any some many several i we you they he she with into by exactly just least "
    "outside anywhere somewhere elsewhere everywhere having instead rather"
)
UNREAD = split(
    "hardly barely scarcely nearly partly partially sometimes usually often rarely seldom frequently occasionally "
    "maybe perhaps possibly probably presumably may might could would thrice few several many much always ever "
    "briefly temporarily momentarily eventually formerly previously hitherto soon solely merely exclusively roughly "
    "approximately supposedly unable otherwise whenever nowhere somewhere elsewhere anywhere everywhere quite "
    "rather very penultimate whereas although though despite regardless instead besides unless except yesterday"
)
"""Words that limit, doubt, count or time what is said, and of which no phrase makes anything."""
DESCRIBING = split(
    "large big small tiny huge long short wide narrow new old empty blank full broken red green blue yellow grey gray "
    "black white nice different similar extra additional special single main whole entire visible hidden missing "
    "wrong right good bad unread unsaved invalid bold italic purple orange pink brown golden silver dark light high "
    "low uppercase lowercase cursive thick thin loud quick slow late early strange odd strict opaque active inactive "
    "current suggestion suggestions autocomplete correct incorrect proper improper"
)
"""Words that alone describe an element and do not name it, unless they have a capital letter."""
_STATES = split("empty blank missing broken whole entire hidden visible disabled enabled")
"""Words that never begin a name in small letters."""
PARTICLE_VERBS = split("log sign opt zoom check clock turn switch")
_NOT_A_NAME = ORDINALS.keys() | split(
    "last other same another new current top bottom selected checked enabled disabled following corresponding given "
    "appropriate relevant respective desired certain"
)
NEVER_ALONE = {JOINT} | split(
    "to so that which using via again there him them something everything anything nothing one ones twice once key keys"
)
"""What never stands in a name that has neither quotes nor a kind."""

_OURS = ORDINALS.keys() | split(
    "there page title output exit code response status dialog alert text value does standard address command content "
    "exactly screen website file"
)
"""Words that phrases are made of."""


def _slips(word: str) -> set[str]:
    """Return the word with two letters swapped, and a longer one also with a letter left out."""
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    return swapped | {word[:at] + word[at + 1 :] for at in range(len(word)) if len(word) > 4}


_NEWEST = split("newest latest oldest earliest")
_LISTED = split("shown displayed listed rendered")
"""What is said of a thing, and ends no name: "the filename shown in the panel"."""
_WHICH = split(
    "any some each every another different other valid invalid random same special existing correct wrong multiple "
    "several specific particular respective desired required appropriate past future one"
)
"""Words that say of which things one is meant, or what a value is like."""
_CONDITIONS = split("if unless when while until without instead except either")
CHOSEN = split("selected checked chosen highlighted displayed shown entered typed clicked focused")
"""What tells which thing is meant, and begins no name in small letters."""
_SORTED = split("error required available matching displayed listed found")
"""What things are that an ordinal tells one of."""
_SHOWN_IN = split("badge chip pill indicator counter")
"""What shows a value on a page, whatever the value is of: "the status badge"."""
_COME = split("opened newly just resulting appearing created added loaded") | CHOSEN | {"new"}
"""What tells of a part of the page only that it has come: "in the newly opened window"."""
_NEVER_LAST = split("to 's of as a an the")
"""Words that lead to another one, and end no name."""

SLIPS = frozenset(slip for word in _OURS for slip in _slips(word)) - _OURS - {"dose"}
"""Slips of the pen: never part of a name without quotes."""

_CLAIMED = frozenset(key for key in SIGHTS if " " in key)
"""Verbs that are never part of a name, even before a noun: "I see input value …"."""
_IN_TITLES = split("of to the")
"""Words in small letters inside a name whose other words have capital ones."""
_SYSTEM = SIGHTS.keys() | {"page title", "url", "output", "stdout", "stderr", "exit code", "response status"}
"""What never stands in a name without quotes, unless a noun follows."""

RESERVED = (
    "page title",
    "url",
    "path",
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
    "console",
    "content",
    "contents",
    "number",
    "part",
    "match",
    "tab",
    "title",
    "id",
    "object",
    "property",
    "attribute",
)
"""What is no element: without quotes no name is one of these, begins with one, or is spelled almost like one."""


_BEHIND = split(
    "message mail response request reply answer error header cookie session token payload body object event "
    "server service api json xml query process command branch commit environment variable config configuration logs"
)
"""Words of names without quotes that are of what is behind a page: "the subject of the message"."""


def is_name(some: Words) -> bool:
    """Return whether words without quotes can be a name on the page."""
    if not 1 <= len(some) <= 5 or not all(_is_word(some, at) for at in range(len(some))):
        return False
    if any(token.key in (LITERAL, SELECTOR) or "/" in token.text for token in some):  # "Next/Continue" is either
        return False
    if not all(NEVER_IN_NAMES.isdisjoint(some[at].key.split()) or _is_inside(some, at) for at in range(len(some))):
        return False
    if some[0].text.lower() in KEYS and any(token.key == "to" for token in some):
        return False  # "Enter to submit" says what the key is for
    if some[0].key == JOINT or some[-1].key == JOINT or any(token.key in _CLAIMED for token in some):
        return False
    if counts_inside(some) or all(token.text in _COME for token in some):
        return False
    if some[0].text.lower() in ORDINALS and any(token.key in ("to", "but") for token in some[1:2]):
        return False  # "third to last row"
    if any(one.key == JOINT and _is_act(two) for one, two in pairwise(some)):
        return False  # "email and click" is two parts of a sentence
    if _is_amount(some[0].key) or some[0].key == "to" or _is_place_in_line(some):
        return False
    return all(_goes_on(some, at) for at in range(len(some))) and SLIPS.isdisjoint(token.key for token in some)


def tells_no_name(said: Sequence[str]) -> bool:
    """Return whether words, whatever their letters, say which thing or when: "Any Product", "Save If Enabled"."""
    low = [word.lower() for word in said]
    return len(low) > 1 and (low[0] in _WHICH or not _CONDITIONS.isdisjoint(low[1:]))


def counts_inside(some: Words) -> bool:
    """Return whether words tell which of several things: "Table Row First Eye", "Second Row Edit"."""
    inside = any(ordinal(token.key) and token.text.isalpha() for token in some[1:-1])
    return inside or (len(some) > 1 and ordinal(some[0].key) != 0 and some[1].key in ROLES)


def _is_word(some: Words, at: int) -> bool:
    """Whether a token is a word, or the sign for "and" between two that are written large: "Save & Close"."""
    if some[at].text[:1].isalnum():
        return True
    beside = some[at - 1 : at] + some[at + 1 : at + 2]
    return some[at].text == "&" and len(beside) == 2 and all(token.text[:1].isupper() for token in beside)


def _is_act(token: Token) -> bool:
    return token.key in ACTIONS and token.text.islower() and not token.before.strip()


def _is_titled(some: Words, at: int) -> bool:
    """Whether a capital letter makes a word part of the name before it: "Remove All", but "Remove ALL" stresses it."""
    before = some[at - 1] if at else None
    return before is not None and before.text.istitle() and some[at].text.istitle() and some[at].before == " "


def _is_inside(some: Words, at: int) -> bool:
    """Whether a word that begins no name is part of one here: "Remove All", "Accept all cookies"."""
    begun = 0 < at < len(some) - 1 and some[0].text.istitle() and some[0].before != ""
    return _is_titled(some, at) or (begun and some[at].text == "all")


def _is_place_in_line(some: Words) -> bool:
    """Whether words say which of several is meant, "first" or "last Login"; "first name" and "Last page" are names."""
    if len(some) == 1 or all(ordinal(token.key) for token in some):
        return some[0].key in _NOT_A_NAME or ordinal(some[0].key) != 0
    if ordinal(some[0].key) == 0:
        return False
    if some[0].text.islower() and some[1].text in DESCRIBING | _SORTED:
        return True  # "first error field"
    named = some[0].text.islower() and any(token.text[:1].isupper() for token in some[1:])
    return named or some[0].text[:1].isdigit()


def _is_amount(key: str) -> bool:
    return key in NUMBERS or key.isdigit() or key in {"at most", "more than", "less than"}


def _goes_on(some: Words, at: int) -> bool:
    """A place word is part of a name only as in "Log in" or "Terms of Service", an article as in "End of the line"."""
    before = some[at - 1].key if at else ""
    if before == "to" and (some[at].text[:1].isdigit() or (some[at].text.islower() and some[at].key in ACTIONS)):
        return False  # "Escape to close" says what for, "date to 3 December" what is entered
    if at and some[at].before.strip():
        return before in {"of", "for", "to"} and some[at].before.strip().lower() in {"the", "a", "an"}
    if some[at].key not in PLACES and some[at].key not in BESIDE:
        return True
    if not before or before in ROLES or before in CONTAINERS:
        return False
    return before in PARTICLE_VERBS or (some[at].key in {"of", "for"} and at + 1 < len(some))


def is_description(some: Words) -> bool:
    """Return whether words before a kind of element may describe some element, and name none: `a log-in form`.

    What has a capital letter is a name, and so is what an article marks as known to all: `the login button`.
    """
    if is_marked(some):
        return False
    if any(one.text.endswith("ly") and two.text.endswith("ed") for one, two in pairwise(some[:2])):
        return True  # "the newly uploaded image"
    indefinite = some[0].before.strip().lower() in {"a", "an"}
    return indefinite or some[0].key in _STATES or (len(some) == 1 and _describes(some[0].key))


def _describes(word: str) -> bool:
    return word in DESCRIBING or (len(word) > 5 and word.endswith(("ed", "able", "ible")))


def only_describes(text: str) -> bool:
    """Return whether a text in small letters says what something is like, or which kind of thing it is, and names none.

    "large", "new branch", "check box".
    """
    some = words(text)
    if not some or text != text.lower():
        return False
    if len(some) == 1 and is_noun(some[0].key):
        return True
    first = text.split(maxsplit=1)[0]
    return first in (DESCRIBING - {"main"}) | _STATES | _NOT_A_NAME | NEVER_IN_NAMES or (
        len(text.split()) == 1 and _describes(first)
    )


def is_bare_name(some: Words) -> bool:
    """Return whether words with neither quotes nor a kind of element can be a name ("the order number")."""
    keys = [token.key for token in some]
    labelled = len(some) > 1 and some[0].text.istitle() and is_marked(some) and keys[-1] in FIELD_LABELS
    labelled = labelled or (len(some) > 1 and keys[-1] in _SHOWN_IN)
    if not is_name(some) or is_noun(keys[-1]) or (keys[0] in RESERVED and not labelled) or not _SYSTEM.isdisjoint(keys):
        return False
    said = {word for token in some for word in token.text.lower().split()}
    if len(some) > 1 and (some[0].text in CHOSEN or (some[0].text in POSITIONS and keys[-1] in CONTAINERS)):
        return False  # "the selected option text" is that of a list, "the right sidebar" tells where it is
    if keys[-1] in _NEVER_LAST or not _BEHIND.isdisjoint(said) or _is_of_owner(some):
        return False
    if _is_doing(some) or _is_counted(some) or any(token.key in _LISTED for token in some[1:]):
        return False
    if any(map(is_noun, keys[:-1])) and keys[-1] in {"value", "text", "placeholder"}:
        return False  # "input value": what the input holds
    return keys == ["age"] or not _is_like_reserved(" ".join(keys))


def _is_of_owner(some: Words) -> bool:
    """Whether lower-case words before a capitalised name say what is looked up of it, as in "price of Ladder"."""
    owned = any(one.key == "of" and two.text[:1].isupper() for one, two in pairwise(some))
    return owned and some[0].text.islower()


def _is_doing(some: Words) -> bool:
    """Whether words without an article begin with an act: "Hovering shows …"."""
    word = some[0].text.lower()
    if some[0].before or not word.endswith("ing"):
        return False
    return not ACTIONS.keys().isdisjoint((word[:-3], f"{word[:-3]}e", word[:-4]))


def _is_counted(some: Words) -> bool:
    """Whether words say which of several is meant: "the first result"; but "first name" is what a field is called."""
    said = ordinal(some[0].key) != 0 or some[0].text.lower() in _NEWEST
    plain = some[0].text.islower() or (not some[0].before and some[-1].text.islower())
    return said and len(some) > 1 and plain and some[-1].text.lower() not in FIELD_LABELS


def is_titled(some: Words) -> bool:
    """Return whether capital letters make words a name, whatever else they could mean: "Display Options"."""
    if not 1 <= len(some) <= 5 or any(token.key in (LITERAL, SELECTOR, JOINT) or "/" in token.text for token in some):
        return False
    inner = all(token.text[:1].isupper() or token.text in _IN_TITLES for token in some if token.text != "&")
    stressed = any(token.text.isupper() and token.text.lower() in NEVER_IN_NAMES for token in some)
    whole = not any(token.before.strip() for token in some[1:])
    first = some[0].before != "" and some[0].text[:1].isupper() and ordinal(some[0].key) == 0
    first = first and not counts_inside(some) and not tells_no_name([token.text for token in some])
    return inner and whole and first and not stressed and some[-1].text[:1].isupper() and some[-1].key not in ROLES


def is_marked(some: Words) -> bool:
    """Return whether words without quotes have a capital letter that the start of a sentence does not ask for."""
    return any(token.text[:1].isupper() and token.before for token in some)


def is_noun(key: str) -> bool:
    """Return whether a word is a kind of element, in the singular or plural."""
    return key in ROLES or key in PLURALS


@lru_cache(maxsize=1024)
def _is_like_reserved(words: str) -> bool:
    """Whether words are a reserved subject or a misspelt one; either is never taken for the name of an element."""
    for subject in RESERVED:
        alike = SequenceMatcher(None, words, subject)
        if alike.quick_ratio() >= 0.8 and alike.ratio() >= 0.8:
            return True
    return False
