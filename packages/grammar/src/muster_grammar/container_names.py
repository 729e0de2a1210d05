"""Reads the names of parts of a page: `the "Cart" section`, `the row with "Ada"`, `the task "build"`. Pure."""

from muster_grammar.element_kinds import CONTAINERS, DRAWN, UNNAMED
from muster_grammar.markup_texts import is_like_selector
from muster_grammar.other_nouns import is_acronym, is_definite, is_other_noun
from muster_grammar.target_parser import NAMED, between
from muster_grammar.tokens import LITERAL, Words, name
from muster_grammar.unquoted_names import CHOSEN, is_name, is_titled
from muster_grammar.vocabulary import split

_HOLDERS = CONTAINERS | {"element"}
_UNSEEN = split("email e-mail mail log pdf csv xml json sms")
"""Nouns of what is no part of the page, though it may be shown there."""
_MANNERS = split(
    "format style language mode order size colour color kind case way manner sort currency font status state reason "
    "example instance category version step"
)
"""Nouns that with a text say how something is, and not where: "in format "pdf""."""
_HOLDING = split("task event job module package")
"""Nouns of parts of a page that are those of what stands behind one, too."""
_MESSAGES = split("message notification")
"""Nouns of messages that may contain buttons and links."""
_MOST_NOUNS = 3
_MOST_PLAIN = 2
_ALSO_SORTS = split("search user message task order product")
_NO_PARTS = split(
    "background foreground middle center centre end beginning start corner side meantime morning evening past future "
    "backend frontend system terminal log logs inbox mailbox device phone desktop account case situation process way "
    "rest world store shop market clipboard cache history session network screenshot report reports site registry "
    "viewport console shell inspector source code memory cloud queue email sms pdf document spreadsheet csv export "
    "download downloads"
)
"""Nouns that name a time, a manner or another place, and no part of the page."""


def container_name(some: Words) -> str:
    """Return the name of the part that words call one; nothing if they do not."""
    match [token.key for token in some]:
        case [one, noun] if one == LITERAL and (noun in _HOLDERS or is_other_noun(some[1]) or is_acronym(some[1])):
            return "" if is_like_selector(some[0].text, noun) else some[0].text
        case [one, _, noun] if one == LITERAL and noun in CONTAINERS and is_other_noun(some[1]):
            return "" if is_like_selector(some[0].text, noun) else some[0].text
        case [one, "text"] if one == LITERAL and some[1].text.lower() in _MESSAGES:
            return some[0].text
        case ["row" | "item" | "listitem" | "card", "of", one] if one == LITERAL:
            return some[-1].text
        case [noun, *_, one] if noun in _HOLDERS and one == LITERAL and between(some[1:-1]) in NAMED:
            return "" if is_like_selector(some[-1].text, noun) else some[-1].text
        case [*_, one] if one == LITERAL and _are_nouns(some[:-1]):
            return "" if is_like_selector(some[-1].text, "") else some[-1].text
        case [*_, noun] if noun in CONTAINERS and is_name(some[:-1]):
            return name(some[:-1])
        case [_, *_] if is_definite(some) and is_titled(some[:-1]) and is_other_noun(some[-1]):
            return name(some)  # "the Home feed" may be called so as a whole
        case _:
            return ""


def is_bare_part(some: Words) -> bool:
    """Return whether an article and plain nouns say what a part of the page is: `the cart`, `the search results`."""
    if not 1 <= len(some) <= _MOST_PLAIN or some[0].before.strip().lower() != "the":
        return False
    bare = (some[0]._replace(before=" "), *some[1:])
    if some[0].text in CHOSEN:  # "the chosen product" is one of many
        return False
    if not all(is_other_noun(token) or token.text in _ALSO_SORTS for token in bare):
        return False
    if some[-1].key in UNNAMED or (len(some) == 1 and some[0].key in CONTAINERS):
        return False  # "the sidebar" is told by its kind
    return some[-1].text.lower() not in _UNSEEN | _MANNERS | DRAWN | _NO_PARTS and is_other_noun(bare[-1])


def _are_nouns(some: Words) -> bool:
    """Return whether words before a name say what is called so: `the flat question`, `task`."""
    if not 1 <= len(some) <= _MOST_NOUNS or some[-1].text.lower() in _UNSEEN:
        return False
    bare = (some[0]._replace(before=" "), *some[1:])
    if not all(is_other_noun(token) or token.text in _HOLDING for token in bare):
        return False
    return is_definite(some) or bare[-1].text not in _MANNERS


def noun_of(some: Words) -> str:
    """Return the noun of a part of a page among words."""
    return next((token.key for token in some if token.key in CONTAINERS), "")
