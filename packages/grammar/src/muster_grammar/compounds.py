"""Compound sentences: several actions in one, clauses that leave out their subject or their verb. Pure."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from muster_grammar.element_kinds import CONTAINERS, FIELD_LABELS, LABEL_ADJECTIVES, PLACES, PLURALS, ROLES
from muster_grammar.engine import Calls, Phrase, Reading
from muster_grammar.errors import TooLong
from muster_grammar.other_nouns import is_other_noun
from muster_grammar.pattern_parameters import STATE_WORDS
from muster_grammar.tokens import LITERAL, Token, Words, first_word, source
from muster_grammar.verbs import ACTIONS, SIGHTS
from muster_grammar.vocabulary import JOINT, split
from muster_text.key_names import MODIFIERS

MOST_PARTS = 100
"""Parts that joints ("and", "then", commas) may make of a sentence."""
MOST_JOINTS, MOST_WORDS = 3, 80
"""Of one action: joints ("Terms and Conditions") and, if it has any, words; literals are joined freely."""
MOST_TOLD = 8
"""Readings of a sentence that is ambiguous."""

NOUNS = frozenset((*ROLES, *CONTAINERS))

Find = Callable[[Words], tuple[Reading, ...]]

ACTORS = split(
    "i we you they he she user visitor customer tester shopper student teacher employee manager seller buyer guest "
    "member patient doctor operator instructor learner admin administrator agent nurse"
)
"""Words for who acts or sees, as "I" does."""
_DONE_BY_PEOPLE = split("click double-click right-click type fill select choose press leave upload hover") | {
    "page show"
}
"""Verbs of what nothing but people do."""
_MOST_ACTING = 2
_NO_PEOPLE = MODIFIERS.keys() | split(
    "nobody none someone anybody script cursor mouse keyboard wheel test form query robot force auto multi mass bulk"
)
"""Nouns of what does such things in another way, and of nobody who does them."""
_ASKING = split("verify check confirm expect wait")
"""Verbs after which a sentence of its own may stand: "Check customer clicks …"."""
_OPENERS = frozenset(("given", "when", "first", "next", "finally", "lastly", JOINT))
_LEADING = _OPENERS | ACTORS
_WHICH = frozenset(("first", "next"))
_PLACES = ("page", "terminal", "shell", "console", "browser")
_ENDINGS = frozenset((where, place) for where in ("on", "in") for place in _PLACES)
PAGE_ENDINGS = frozenset((where, place) for where in ("on", "in") for place in ("page", "browser"))
"""Those that say nothing of what is seen: a terminal and a console show other texts than the page."""
_VERBS = frozenset(SIGHTS)
SEES = frozenset(("page show", "page not show"))
_SEEN = frozenset(("is visible", "is not visible"))
_DENIAL = {"is": "is not", "is not": "is"}
_PAGE = {False: "page show", True: "page not show"}


def trimmed(some: Words, starts: Collection[str], endings: Collection[tuple[str, ...]] = _ENDINGS) -> Words:
    """Leave out who does it, "first", "finally" before a word that starts a phrase; and "on the page" at the end."""
    at = 2 if tuple(token.key for token in some[:2]) in endings else 0
    while at + 1 < len(some) and some[at].key in _LEADING and not _is_counted(some[at]):
        at += 1
    at += _acting(some[at:])
    rest = some[at:]
    kept = rest if at and rest and not {rest[0].key, first_word(rest)}.isdisjoint(starts) else some
    return kept[:-2] if tuple(token.key for token in kept[-2:]) in endings and len(kept) > 2 else kept


def _acting(some: Words) -> int:
    """Return how many words say who does it, or sees it, whatever they are called: "Librarian clicks".

    Only verbs that nothing but people do tell that, in the form that follows who does it.
    """
    size = next((at for at, token in enumerate(some[: _MOST_ACTING + 1]) if token.key in _DONE_BY_PEOPLE), 0)
    verb = some[size].text.lower().split()[0] if size else ""
    called = some[:size]
    known = not called or called[0].text.istitle() or bool(called[0].before.strip())
    bare = (token._replace(before="" if token.text.istitle() else " ") for token in called)
    nouns = [is_other_noun(token) and token.key not in _NO_PEOPLE for token in bare]
    if nouns == [False, True] and called[0].key in ACTIONS and called[0].key not in _ASKING:
        nouns[0] = called[1].text.islower()  # "Store clerk": a verb that a noun follows who does something
    return size if verb.endswith("s") and known and all(nouns) else 0


def _is_counted(token: Token) -> bool:
    """Whether an article makes "first" say which one: "the first page", "the next user"."""
    return token.key in _WHICH and bool(token.before.strip())


class Before(NamedTuple):
    """What the part before was: a part that leaves out its verb takes the same one, in the same phrase."""

    verb: Token
    phrase: Phrase


def sequences(some: Words, find: Find) -> tuple[Calls, ...]:
    """Return the ways to read a sentence as one action or several, `MOST_TOLD` at most; parts may leave out their verb
    only if needed.

    Raises:
        TooLong: it has too many parts.
    """
    parts = _parts(some)
    if len(parts) > MOST_PARTS:
        raise TooLong(source(some), f"it joins {len(parts)} parts, and {MOST_PARTS} are the most: write several steps")
    complete = _Sequences(parts, find, elliptic=False).read(0, None)
    return complete or (_Sequences(parts, find, elliptic=True).read(0, None) if len(parts) > 1 else ())


def unreadable(some: Words, find: Find) -> Words:
    """Return the first part of a sentence that is no phrase, or all of it."""
    parts = _parts(some)
    return next((_joined((part,)) for part in parts if not find(_joined((part,)))), some) if len(parts) > 1 else some


def ends_sentence(joint: Token) -> bool:
    """Return whether a joint is a full stop: what follows it has a verb of its own."""
    return joint.key == JOINT and joint.raw in {".", "!"}


class _Sequences:
    """Reads the parts of one sentence. What follows a part is read once, so that the work grows with the sentence."""

    def __init__(self, parts: tuple[Words, ...], find: Find, *, elliptic: bool) -> None:
        self._parts, self._find, self._elliptic = parts, cache(find), elliptic
        self._known: dict[tuple[int, Token | None, int], tuple[Calls, ...]] = {}

    def read(self, start: int, before: Before | None) -> tuple[Calls, ...]:
        """Return the distinct ways to read the parts from one on."""
        if start == len(self._parts):
            return ((),)
        key = (start, before.verb, id(before.phrase)) if before else (start, None, 0)
        if key not in self._known:
            self._known[key] = tuple(islice(_distinct(self._ways(start, before)), MOST_TOLD))
        return self._known[key]

    def _ways(self, start: int, before: Before | None) -> Iterator[Calls]:
        before = None if ends_sentence(self._parts[start][0]) else before
        for end in _ends(self._parts, start):
            for verb, reading in self._readings(_joined(self._parts[start:end]), before):
                for rest in self.read(end, Before(verb, reading.phrase) if self._elliptic else None):
                    yield reading.calls + rest

    def _readings(self, part: Words, before: Before | None) -> Iterable[tuple[Token, Reading]]:
        if readings := self._find(part):
            return [(part[0], reading) for reading in readings]
        if before is None or not before.phrase.elliptic or not part or not _is_named_at_first(part):
            return []
        rest = part[1:] if part[0].key == "on" and len(part) > 1 else part
        with_verb = self._find((before.verb, *rest))
        return [(before.verb, reading) for reading in with_verb if reading.phrase is before.phrase]


def _is_named_at_first(part: Words) -> bool:
    """Return whether words without a verb begin with what a verb acts on: a literal, an article, a name, a noun.

    A word in small letters without an article is a verb that is not known: "clear" in `Click "X" and clear the field`,
    or one that is also a noun: "select".
    """
    start = 1 if len(part) > 1 and part[0].key == "on" else 0
    first, last = part[start], part[len(part) - 1]
    if first.key == LITERAL or first.before.strip() or not first.text[:1].islower():
        return True
    if last.key == LITERAL and _is_label([token.key for token in part[start:-1] if token.key != "as"]):
        return True  # `password "x"` after `username "y"`
    return first.key in NOUNS and first.key not in ACTIONS


def _is_label(some: Sequence[str]) -> bool:
    """Return whether words without a verb are the label of a field: none of them could be one."""
    known = all(word in FIELD_LABELS or word in LABEL_ADJECTIVES for word in some)
    return bool(some) and known and some[-1] in FIELD_LABELS and some[0] not in ACTIONS


def _ends(parts: tuple[Words, ...], start: int) -> Iterator[int]:
    """Yield where a phrase that begins with a part may end: it holds lists of literals, and few joints beside these."""
    joints = words = 0
    for at in range(start, len(parts)):
        after_joint = tuple(token.key for token in parts[at][1:3])
        if at > start and after_joint[:1] != (LITERAL,) and after_joint != ("text", LITERAL):
            joints += 1
        words += len(parts[at])
        if at > start and (joints > MOST_JOINTS or words > MOST_WORDS):
            return
        yield at + 1


def _parts(some: Words) -> tuple[Words, ...]:
    """Return the words between joints; each part but the first keeps the joint before it as its first word."""
    cuts = [at for at, token in enumerate(some) if token.key == JOINT]
    return tuple(some[start:end] for start, end in zip([0, *cuts], [*cuts, len(some)], strict=True) if end > start)


def _joined(parts: tuple[Words, ...]) -> Words:
    whole = tuple(token for part in parts for token in part)
    return whole[1:] if whole[0].key == JOINT else whole


def _distinct(found: Iterable[Calls]) -> Iterator[Calls]:
    told: list[Calls] = []
    for calls in found:
        if calls not in told:
            told.append(calls)
            yield calls


def with_shared_noun(some: Words, before: Words, after: Words) -> Words:
    """Return a clause with the noun that its names share with those of the clause after or before it.

    `I see the "A"` before `"B" links` is about a link, and so is `"B" is visible` after `the links "A"`. A noun of
    their own is theirs alone, and a clause of its own verb takes none from one that has a verb, too.
    """
    names = _names_at_end(some)
    if names and len(after) > 1 and after[0].key == LITERAL and _tells_kinds(after[1]):
        own = names < len(some) and _tells_kind(some[len(some) - names - 1])
        return some if own else (*some, after[1])
    told = len(before) - _names_at_end(before) - 1
    shares = 0 <= told < len(before) - 1 and _tells_kinds(before[told]) and not _are_claims(before, some)
    if shares and len(some) > 1 and some[0].key == LITERAL and not _tells_kind(some[1]):
        return (before[told], *some)
    return some


def without_both(some: Words, following: Sequence[Words]) -> Words:
    """Return `the "A"` for `both the "A"`, before `and "B" buttons are visible`: each of two is checked anyway.

    What is denied of both may be so of one of them.
    """
    if not following or any("not" in token.key.split() for part in (some, *following) for token in part):
        return some
    names = (some[at + 1 : at + 3] for at, token in enumerate(some) if token.key == "both")
    named = all(LITERAL in (token.key for token in pair) for pair in names)  # not "both rows contain"
    return tuple(token for token in some if token.key != "both") if named else some


def with_shared_place(some: Words, following: Sequence[Words]) -> Words:
    """Return a clause with the place that stands after the last of several names: `I see "A", "B" and "C" in the menu`.

    The names between are clauses of their own, of nothing but names, and maybe the noun that all have. A place that a
    verb follows is part of a subject: `The URL contains "A"` takes none from `the "Price" of "Mug" is "3"`.
    """
    kind = some[-1].key if len(some) > 1 and _tells_kind(some[-1]) else ""
    if not (kind or _names_at_end(some)):
        return some
    for later in following:
        size = next((at for at, token in enumerate(later) if _ends_name(token, kind)), len(later))
        at = size + (size < len(later) and _tells_kind(later[size]))
        if not size or (kind and at == size):
            return some
        if at < len(later):
            shares = later[at].key in PLACES and not _are_claims(some, later)
            return (*some, *later[at if kind else size :]) if shares else some
    return some


def _ends_name(token: Token, kind: str) -> bool:
    """Return whether a word ends the name before it: the kind that all names have, or any word but a literal."""
    return PLURALS.get(token.key, token.key) == PLURALS.get(kind, kind) if kind else token.key not in (LITERAL, JOINT)


def _are_claims(some: Words, later: Words) -> bool:
    """Return whether each of two clauses has a verb, so that neither needs anything of the other."""
    return _verb(some) is not None and _verb(later) is not None


def _names_at_end(some: Words) -> int:
    """Return how many words at the end are literals, or join them."""
    return next((at for at, token in enumerate(reversed(some)) if token.key not in (LITERAL, JOINT)), len(some))


def _tells_kind(token: Token) -> bool:
    return token.key in NOUNS or _tells_kinds(token) or token.key in ("text", "column")


def _tells_kinds(token: Token) -> bool:
    return token.key in PLURALS or token.key == "columns"


def carried(some: Words, before: Words, after: Words) -> tuple[Words, ...]:
    """Return what a clause may say in full when it leaves out what the clause before or after it says.

    `contains "B"` takes the subject before it, `enabled` its subject and verb, `not "B"` both with the verb negated;
    `the text "A"` takes the verb of the clause after it.
    """
    at = _verb(before)
    candidates = list(_with_subject(some, before[:at], before[at])) if some and at is not None else []
    if at is not None and some and some[-1].key in _DENIAL:
        candidates += _answered(some, before[at:])
    end = _verb(after)
    if _verb(some) is None and some and end and (some[0].key != "text" or after[end].key in _SEEN):
        named = max((at for at in range(end) if after[at].key == LITERAL), default=end - 1)
        own = _tells_kind(some[-1]) or some[0].key == "text"
        candidates.append((*some, *after[end if own else named + 1 :]))
    return tuple(candidates)


def _answered(some: Words, claim: Words) -> Iterable[Words]:
    """Yield `"B" is not checked` for `"B" is not` behind `"A" is checked`, and `"B" is checked` the other way round."""
    short, verb = some[-1], claim[0]
    said, _, sight = verb.key.rpartition(" ")
    if verb.key == _DENIAL[short.key] and claim[1:] and claim[1].text.lower() in STATE_WORDS:
        yield (*some[:-1], short, *claim[1:])
    elif said == _DENIAL[short.key]:
        yield (*some[:-1], short._replace(key=f"{short.key} {sight}"), *claim[1:])


def _with_subject(some: Words, subject: Words, verb: Token) -> Iterable[Words]:
    """Yield the words with the subject and verb of the clause before, as far as they lack them."""
    negated = some[0].key == "not"
    rest = some[1:] if negated else some
    own_verb = bool(rest) and rest[0].key in _VERBS
    if verb.key in {"page show", "page not show"}:
        said = verb._replace(key="page not show" if negated else verb.key)
        yield (said._replace(key=_PAGE[negated]), *rest[1:]) if own_verb else (said, *rest)
    elif own_verb:
        yield (*subject, *some)
    elif verb.key in _SEEN:
        yield (*some, verb)
        if rest and rest[0].key != LITERAL:
            yield (*subject, verb._replace(key="is"), *some)
    elif negated:
        yield (*subject, verb._replace(key="is not"), *rest) if verb.key == "is" else (*subject, some[0], verb, *rest)
    else:
        yield (*subject, verb, *some)


def with_verb(following: Sequence[Words]) -> Words:
    """Return the first of the clauses after one that has a verb, where those between are elements of the same list."""
    at = next((at for at, some in enumerate(following) if _verb(some) is not None), len(following))
    listed = all(some and (_tells_kind(some[-1]) or some[-1].key == LITERAL) for some in following[:at])
    return following[at] if at < len(following) and listed else next(iter(following), ())


def _verb(some: Words) -> int | None:
    return next((at for at, token in enumerate(some) if token.key in _VERBS), None)
