"""Nouns of things on a page that are no kind of element: "the "Create" wizard", "the node "api"". Pure.

Which nouns there are nobody knows, but the other words of English that may stand there are few.
"""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from muster_grammar.element_kinds import BESIDE, CONTAINERS, PLACES, PLURALS, PROPERTIES, ROLES
from muster_grammar.numerals import NUMBERS, ordinal
from muster_grammar.tokens import LITERAL, Token, Words
from muster_grammar.unquoted_names import DESCRIBING, UNREAD
from muster_grammar.verbs import ACTIONS, SIGHTS
from muster_grammar.vocabulary import VAGUE, split

ARTICLES = frozenset(("a", "an", "the", "this", "that"))

SORTS = split(
    "html sub nav navigation input text action primary secondary main rich plain form menu toggle submit search "
    "select single multi multiline numeric date email page floating"
)
"""Words between a name and its kind that only say more of the kind: `the "Content" HTML field`."""

TYPED = split("html rich plain text multiline numeric")
"""Sorts of fields that are typed into."""

_CLOSED = UNREAD | split(
    "about across against again along among around aside away back behind between beyond but by down during else "
    "ever even except far first here how instead into last later less like likewise maybe more most much near "
    "nearby never next no none nor not now off often once only onto or other otherwise out outside over past per "
    "perhaps plus quite rather same since so some sometimes soon still than then there through throughout thus till "
    "times to together too toward towards twice until up upon very via when whenever where whether which while who "
    "whose with without yet as at if unless and is are was has have had be been may might could would should must "
    "can will shall its his her their our my your me us them him it he she they we you own such half previous "
    "following another new old final initial current other ought do does did exact today tomorrow yesterday "
    "anywhere everywhere everything anything nothing all both each every either neither any nowhere somewhere "
    "elsewhere halfway midway apart anyhow anyway somehow somewhat altogether almost beforehand just least fewer "
    "earlier later cannot finally immediately duplicates repeats repetitions gaps"
)
"""Words of which English has no more, and which are no nouns; and nouns of what is between things, which are none."""
_ADJECTIVES = split(
    "top bottom left right upper lower middle inner outer total average minimum maximum recent duplicate double triple "
    "unique random favourite favorite"
)
"""Words that may stand for a thing, and before a noun say which of several, where or how many."""
_NO_SUPERLATIVES = split(
    "test guest quest rest nest chest crest vest pest zest request interest harvest forest manifest contest protest "
    "digest conquest bequest inquest"
)
"""Nouns that end as superlatives do."""
_GERMAN = split("irgendein irgendeine irgendeinen kein keine keinen nicht nie niemals ohne jede jeden jedes jeder alle")
"""Such words of German: a part of a German sentence is read as English if a word of it is unknown."""
_ELSEWHERE = split(
    "file directory folder path cookie header branch object service server process database environment variable key "
    "test suite spec class method function module package repository repo commit config property event request "
    "response hook queue topic bucket schema json xml api endpoint script command job task parameter argument flag "
    "attribute part url address title page text value placeholder option options content output code status id "
    "selector browser window column columns tab tabs screenshot alert dialog download time date day second minute "
    "pixel px character letter word line"
)
"""Nouns of what is no part of a page, or that have phrases of their own."""
_SEEN = split(
    "branch object service key request event job task repository commit environment code test module package class "
    "topic bucket queue suite process server database"
)
"""Those of them that a page may well list, where a sentence says that they are seen."""
_STEPS = frozenset(("step",))
_POINTED = _SEEN | split("file folder directory document page date day time word line letter")
"""Those that an act points at, or that a part of the page holds."""
_NO_ACRONYMS = split("pdf csv sms url api json xml html css sql http cli yaml uri ip")
NAMING = split("named called labelled labeled titled saying reading stating")
"""Words that say that a name or a text follows."""
_BETWEEN = NAMING | {"with", "with text", "with title"}
_NOTED = split("note record store answer")
"""Verbs that with an article are nouns: `the note "Call Ada"`."""
_MOST_NOUNS = 3
_WORD = re.compile(r"[a-z][a-z-]{2,}")
_COUNT = re.compile(r"[-+]?\d+")
_AMOUNT = re.compile(r"[^\w\s]{0,2}\s?\d[\d.,' ]*\s?(?:[^\w\s]|[A-Z]{3}|[kKMG]i?B)?")


_KINDS = ROLES.keys() - CONTAINERS
"""Kinds that say more of another one, "the "Menu" toggle button"; the "A" row menu is one of a row."""


def is_acronym(token: Token) -> bool:
    """Return whether a word is a noun of a few capital letters, of which there are those of no part of a page."""
    return (
        2 <= len(token.text) <= 5
        and token.text.isalpha()
        and token.text.isupper()
        and (token.text.lower() not in _NO_ACRONYMS | _CLOSED)
    )


def is_other_noun(token: Token, *, seen: bool = False) -> bool:
    """Return whether a word can be a noun for a thing on a page that no kind of element is called by.

    With `seen` the sentence says that people see it.
    """
    word = token.text.lower() if not token.before and token.text.istitle() else token.text
    if seen and word in _SEEN:
        return True
    if not _WORD.fullmatch(word) or token.key != word or token.before.strip():
        return False
    if word in ROLES or word in PLURALS or word in PLACES or word in BESIDE:
        return False
    verbs = word in ACTIONS or word in SIGHTS or word.endswith(("ly", "ing", "ible", "able")) or _is_participle(word)
    told = word in _CLOSED | _ADJECTIVES | _GERMAN | _ELSEWHERE | VAGUE | DESCRIBING
    return not (verbs or told or _tells_which(word) or word in NUMBERS or _is_like_kind(word))


def _tells_which(word: str) -> bool:
    """Return whether a word is an ordinal or a superlative: "third", "second-last", "cheapest"."""
    superlative = word.endswith("est") and word not in _NO_SUPERLATIVES
    return superlative or ordinal(word.partition("-")[0]) != 0


def _is_participle(word: str) -> bool:
    return word.endswith("ed") and not word.endswith("eed")  # a feed is a noun


@lru_cache(maxsize=1024)
def _is_like_kind(word: str) -> bool:
    """Whether a word is spelled almost like a kind of element: a slip of the pen."""
    kinds = (*ROLES, *CONTAINERS, "text", "column")
    return word not in kinds and any(SequenceMatcher(None, word, kind).ratio() >= 0.85 for kind in kinds)


def is_value_of(noun: str, text: str) -> bool:
    """Return whether a text after a noun is what the noun has and no name: `total "5"`, `shipping "39,00 €"`."""
    return bool(_AMOUNT.fullmatch(text)) and (noun in PROPERTIES or not _COUNT.fullmatch(text))


def is_definite(some: Words) -> bool:
    """Return whether words begin with an article: what follows a name then is a noun, and no word of another kind."""
    return some[0].before.strip().lower() in ARTICLES


def is_sort(token: Token) -> bool:
    """Return whether a word before a kind of element only says more of the kind."""
    word = token.text.lower()
    acronym = token.text.isupper() and word not in _CLOSED | _ELSEWHERE
    return acronym or token.key in SORTS or word in SORTS or (token.key in _KINDS and not token.before.strip())


def is_sort_of_named(token: Token) -> bool:
    """Return whether that is so of a word between a name and its kind, where adjectives never stand."""
    return is_sort(token) or is_other_noun(token)


def _plain(token: Token) -> Token:
    """Return a noun that is written with a capital letter as others are; "data" is folded, and a noun here."""
    written = token.text.lower() if token.text[:1].isupper() and not token.text.isupper() else token.text
    if token.key in _POINTED | _STEPS:  # of another language
        return token._replace(text=token.key)
    return token._replace(text=written, key="data" if written == "data" else token.key)


def described(some: Words, *, seen: bool, pointed: bool = False) -> tuple[tuple[str, str], ...]:
    """Return the text and the noun of `the diff comment "Typo"`, `a flash with "Saved"`, `"Bug 4" issue`.

    With `seen` the sentence says that people see it, with `pointed` that it is pointed at. A plural behind a text is
    that of others, too.
    """
    at = next((at for at, token in enumerate(some) if token.key == LITERAL), -1)
    before, after = some[:at], some[at + 1 :]
    if at < 0 or bool(before) == bool(after):
        return ()
    size = next((size for size in (2, 1) if " ".join(token.key for token in before[-size:]) in _BETWEEN), 0)
    nouns = before[: len(before) - size] or after
    if seen and [token.text.lower() for token in nouns] == ["page", "header"]:
        return ((some[at].text, "page header"),)  # a mere "header" is that of a response, or a part of the page
    if not 1 <= len(nouns) <= _MOST_NOUNS or (after and after[-1].text.endswith("s")):
        return ()
    first = nouns[0]._replace(before=" ")
    if is_definite(nouns) and first.text.lower() in _NOTED:
        first = first._replace(key=first.text.lower())
    bare = tuple(_plain(token) for token in (first, *nouns[1:]))
    fits = all(
        is_other_noun(token, seen=seen)
        or (token.key == "text" and token != bare[0])
        or (pointed and token.text in _POINTED)
        or (token.key in ROLES and token != bare[-1])  # "table information"
        for token in bare
    )
    return ((some[at].text, nouns[-1].key),) if fits else ()
