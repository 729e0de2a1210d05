"""Claims as checklists shorten them: without "the page", without "is", without a verb. Pure.

A claim that no phrase reads is read again in full. What a part after "and" leaves out is that of the part before it
(`compounds.carried`), so only the first claim of a sentence is taken for one about the page.
"""

from collections.abc import Iterator

from muster_grammar.element_kinds import BESIDE, CONTAINERS, OPTION_LABELS, PLACES, PLURALS, PROPERTIES, ROLES
from muster_grammar.engine import Reading
from muster_grammar.numerals import NUMBERS
from muster_grammar.other_nouns import is_other_noun
from muster_grammar.pattern_parameters import STATE_WORDS
from muster_grammar.tokens import LITERAL, Token, Words
from muster_grammar.verbs import SIGHTS
from muster_grammar.vocabulary import split

_SHOWING = frozenset(("show", "contain", "have"))
_ASKING = frozenset(("verify", "check", "confirm", "expect"))
_SEEN = {
    **dict.fromkeys(("shown", "displayed", "present", "listed"), "is visible"),
    **dict.fromkeys(("hidden", "gone", "missing", "absent"), "is not visible"),
}
"""Last words of claims that leave out "is", and the verb that each stands for."""
_STANDING = (PLACES | BESIDE.keys()) - {"of", "for", "from"}
_COME_TO = split("form section panel dialog wizard")
"""What one is led to, and what is not there before."""
_CHANGED = split("updated changed set increased decreased reduced")
_FILLED = split("filled populated auto-filled autofilled auto-populated autopopulated prefilled pre-filled")
_BY_ITSELF = frozenset(("auto", "automatically"))
_TITLES = frozenset(("title", "header"))
_NAMED = frozenset(("page title", "url"))
"""What has a value and is no element: `Title: "Home"`."""
_SIGHT_CALLS = frozenset(("check_text", "check_visible", "check_dialog"))
_COUNTING = NUMBERS.keys() | {"exactly", "at least", "at most", "more than", "less than"}
_LONGEST_LABEL = 3
"""Words of a label before its value."""
_MESSAGES = frozenset(("message", "notification", "toast", "snackbar", "tooltip", "error", "warning"))
_OUTCOMES = frozenset(("success", "failure", "confirmation"))
"""Kinds of messages. Unlike a status, they have no value."""
_MOST_SORTS = 3
_NOUNS = ROLES.keys() | PLURALS.keys() | {"text", "alert"}


def whole_claims(some: Words) -> Iterator[Words]:
    """Yield a claim with the words that it leaves out."""
    if not some:
        return
    rules = (
        _of_presence,
        _of_page,
        _with_is,
        _compared,
        _named,
        _counted,
        _of_message,
        _of_new,
        _come,
        _shown,
        _placed,
    )
    for rule in rules:
        if whole := rule(some):
            yield whole


def seen_things(some: Words) -> Words:
    """Return `the error "Wrong password" is visible` for `error: "Wrong password"`; nothing for what is no message.

    What only tells the sort of message is left out: `Success: "Saved"`.
    """
    told = some[1:] if some and some[0].key in _ASKING else some
    keys = [token.key for token in told]
    at = next((at for at, key in enumerate(keys) if key in BESIDE and LITERAL in keys[:at]), len(keys))
    if keys[:at].count(LITERAL) != 1 or _has_verb(told):
        return ()
    is_message = "text" in keys[:at] or (keys[0] in _OUTCOMES and keys[1:at] == [LITERAL])
    return (*told[keys[0] in _OUTCOMES : at], _word("is visible"), *told[at:]) if is_message else ()


def are_sights(readings: tuple[Reading, ...]) -> bool:
    """Return whether readings say no more than what is seen: `status "Shipped"` may be a value."""
    return all(call.tool in _SIGHT_CALLS for reading in readings for call in reading.calls)


def _of_presence(some: Words) -> Words:
    """Return `the Save button is visible` for `verify the presence of the Save button`."""
    told = some[1:] if some[0].key in _ASKING else some
    noun = told[0].text.lower() if len(told) > 2 else ""
    of = [token.key for token in told[1:2]] == ["of"]
    present = noun in ("presence", "visibility", "availability", "existence")
    if not of or not (present or noun == "absence") or _has_verb(told):
        return ()
    return (*told[2:], _word("is visible" if present else "is not visible"))


def _of_page(some: Words) -> Words:
    """Return `the page shows "A"` for `shows "A"` and `must show "A"`."""
    match [token.key for token in some[:2]]:
        case ["not", verb] if verb in _SHOWING:
            return (some[1]._replace(key="page not show"), *some[2:])
        case [verb, *_] if verb in _SHOWING | {"find"} and len(some) > 1:
            return (some[0]._replace(key="page show"), *some[1:])
        case _:
            return ()


def _with_is(some: Words) -> Words:
    """Return `the "Save" button is disabled` for `"Save" button disabled`."""
    if len(some) < 2 or _has_verb(some) or not any(token.key in _NOUNS | {LITERAL} for token in some[:-1]):
        return ()
    last = some[-1]
    at = next((at for at in range(1, len(some) - 1) if some[at].key in _SEEN and _leads(some[at + 1 :])), -1)
    at = at if at > 0 else len(some) - (2 if last.key == LITERAL and _is_message(some[0]) else 1)
    if seen := _SEEN.get(some[at].key):
        return (*some[:at], some[at]._replace(key=seen), *some[at + 1 :])
    return (*some[:-1], _word("is"), last) if last.key in STATE_WORDS else ()


def _leads(some: Words) -> bool:
    """Return whether words lead to where something is: "under Name", "in the header", but not "in red"."""
    first = next(iter(some)).key
    placed = first in PLACES and [token.before.strip().lower() for token in some[1:2]] == ["the"]
    return placed or first in BESIDE


def _compared(some: Words) -> Words:
    """Return `the status is "Open"` for `verify the status as "Open"` and `status updated to "Open"`."""
    keys = [token.key for token in some]
    if len(some) > 3 and _tells_value(keys) and not _has_verb(some):
        led = some[:-4] if keys[-4] in _BY_ITSELF else some[:-3]
        return (*led, _word("is"), some[-1]) if led else ()
    if len(some) < 4 or keys[0] not in _ASKING or keys.count("as") != 1 or keys[-2:] != ["as", LITERAL]:
        return ()
    return (*some[1:-2], some[-2]._replace(key="is"), some[-1]) if not _has_verb(some[1:]) else ()


def _tells_value(keys: list[str]) -> bool:
    """Return whether a participle says which value something has: "displayed as "Open"", "auto filled with "A""."""
    *_, done, to, literal = keys
    shown = (to == "as" and done in ("displayed", "shown")) or (to == "with" and done in _FILLED)
    return literal == LITERAL and (shown or (to == "to" and done in _CHANGED))


def _counted(some: Words) -> Words:
    """Return `there are 3 rows in the table` for `3 rows in the table`."""
    counts = some[0].key.isdecimal() or some[0].key in _COUNTING
    return (_word("page show"), *some) if counts and len(some) > 1 and not _has_verb(some) else ()


def _of_message(some: Words) -> Words:
    """Return `the message "A" is visible` for `the order confirmation message "A" is visible`: any noun says which."""
    at = next((at for at, token in enumerate(some) if _is_message(token)), 0)
    led = some[1:at] if some[0].key == "page show" else some[:at]
    sorts = bool(led) and len(led) <= _MOST_SORTS and all(map(_is_sort_of_message, led))
    return (*some[: at - len(led)], *some[at:]) if sorts and any(token.key == LITERAL for token in some) else ()


def _is_message(token: Token) -> bool:
    return token.key == "text" and token.text.split()[-1].lower().removesuffix("s") in _MESSAGES


def _is_sort_of_message(token: Token) -> bool:
    """Return whether a word before "message" only says which message is meant."""
    bare = token._replace(before="", key=token.text.lower(), text=token.text.lower())
    return is_other_noun(bare) or bare.key.endswith("ing") or bare.key in ("order", "password", "email", "validation")


def _of_new(some: Words) -> Words:
    """Return `the row "A" is visible` for `a new row "A" is visible`: no check tells whether it was there before."""
    start = 1 if some[0].key == "page show" else 0
    new = len(some) > start + 2 and some[start].text.lower() == "new" and some[start].before.strip() != "the"
    return (*some[:start], *some[start + 1 :]) if new and some[start + 2].key == LITERAL else ()


def _come(some: Words) -> Words:
    """Return `the "Ada" form is visible` for `redirected to the "Ada" form`; a tab is there before one is on it."""
    match [token.key for token in some]:
        case ["i is on", *name, noun] if name == [LITERAL] and noun in _COME_TO:
            return (*some[1:], _word("is visible"))
        case _:
            return ()


def _shown(some: Words) -> Words:
    """Return `the form shows "New user"` for `the form shows "New user" title` or `the title "New user"`."""
    *led, one, two = some if len(some) > 2 else (*some, *some[:2])
    title, said = (two, one) if one.key == LITERAL else (one, two)
    titled = title.text.lower() in _TITLES and said.key == LITERAL and led[-1:] and led[-1].key == "show"
    whole = (*led, said) if titled else ()
    return _of_page(whole) if whole and led[0].key == "show" else whole


def _placed(some: Words) -> Words:
    """Return `"Ada" is visible in the list` for `"Ada" in the list`."""
    keys = [token.key for token in some]
    if len(keys) < 3 or keys[0] != LITERAL or keys[1] not in _STANDING or _has_verb(some):
        return ()
    ends = keys[-1] in _NOUNS | CONTAINERS | {LITERAL, "column"} or (len(keys) == 3 and some[-1].before.strip())
    return (*some[:1], _word("is visible"), *some[1:]) if ends else ()


def _named(some: Words) -> Words:
    """Return `the title is "Home"` for `title: "Home"`, `the total is "$9"` for `total: "$9"`."""
    told = some[1:] if some[0].key in _ASKING else some
    keys = [token.key for token in told]
    if not 1 < len(keys) <= _LONGEST_LABEL + 1 or keys[-1] != LITERAL or LITERAL in keys[:-1] or _has_verb(told):
        return ()
    titled = keys[:-1] == ["dialog", "page title"]
    named = titled or (keys[-2] in _NAMED | PROPERTIES | OPTION_LABELS and _NOUNS.isdisjoint(keys))
    return (*told[:-1], _word("is"), told[-1]) if named else ()


def _has_verb(some: Words) -> bool:
    return any(token.key in SIGHTS or token.key.startswith(("is ", "not")) for token in some)


def _word(key: str) -> Token:
    return Token(key, key, " ", key)
