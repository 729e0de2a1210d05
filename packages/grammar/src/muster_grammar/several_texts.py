"""Rows and items that are told by several texts: `the row with "Ada" and "Admin"` holds both. Pure."""

from collections.abc import Iterator

from muster_grammar.element_kinds import KINDS, PLACES
from muster_grammar.target_parser import NAMED, between
from muster_grammar.tokens import LITERAL, Token, Words
from muster_grammar.verbs import SIGHTS
from muster_grammar.vocabulary import JOINT, split

_HOLDERS = split("row item listitem card tile")
"""Nouns of parts of which a page has many alike, which it may take several texts to tell apart."""
_MOST_BETWEEN = 4
_INSIDE = Token("in", "in", " ", "in")
HOLDING = "holding"
"""The key between the noun and the text of a part that holds the target; a part of another kind is not meant."""
_VERBS = split("is have contain show start end match equal")
"""First words of the keys of verbs that claim something of what stands before them."""
_DENYING = split("not without") | {"is not visible", "page not show"}


def nested(some: Words) -> Words:
    """Return words with `the row with "Admin" in the row with "Ada"` for `the row with "Ada" and "Admin"`.

    Each text is then looked for in what the others tell, so that one row has to hold them all. A denial is left as it
    is: that there is no such row says nothing of a row with one of the texts. In `"A" is visible in the row with "Ada"
    and "B" is visible` the last text is what the next claim is about.
    """
    if any(token.key in _DENYING for token in some):
        return some
    kept: list[Token] = []
    at = 0
    while at < len(some):
        told = _texts_after(some, at)
        if told is None:
            kept.append(some[at])
            at += 1
            continue
        start, end, texts = told
        holding = some[start - 1]._replace(key=HOLDING)
        is_place = at > 0 and some[at - 1].key in PLACES
        kept += [some[at], holding, texts[-1]] if is_place else [*some[at:start], texts[-1]]
        for text in texts[-2::-1]:
            kept += [_INSIDE, some[at], holding, text]
        at = end
    return tuple(kept)


def _texts_after(some: Words, at: int) -> tuple[int, int, tuple[Token, ...]] | None:
    """Return where the texts that tell the part at a word begin and end, if these are several, and the texts."""
    if some[at].key not in _HOLDERS:
        return None
    ahead = range(at + 1, min(at + _MOST_BETWEEN, len(some)))
    start = next((to for to in ahead if some[to].key == LITERAL), 0)
    if not start or not _holds(some[at + 1 : start]):
        return None
    texts = [some[start], *_joined(some[start + 1 :])]
    end = start + 2 * len(texts) - 1
    if end < len(some) and _claims(some[end]) and _is_place_of_claim(some[:at]):
        texts, end = texts[:-1], end - 2
    in_column = any(token.key == "column" for token in some[end : end + 3]) and some[end].key in PLACES
    return None if len(texts) == 1 or in_column else (start, end, tuple(texts))


def _is_place_of_claim(before: Words) -> bool:
    """Return whether a claim has its verb, and what follows its words is where that holds."""
    joint = max((at for at, token in enumerate(before) if token.key == JOINT), default=-1)
    return bool(before) and before[-1].key in PLACES and any(_claims(token) for token in before[joint + 1 :])


def _claims(token: Token) -> bool:
    """Return whether a word is the verb of a claim."""
    return token.key in SIGHTS or token.key.partition(" ")[0] in _VERBS


def _holds(some: Words) -> bool:
    """Return whether words between a noun and a text say that the one holds the other."""
    return bool(some) and between(some) in NAMED and some[-1].key in {"with", "contain", "text", "texts"}


def _joined(some: Words) -> Iterator[Token]:
    """Yield the texts that joints add to one before; not one that names something itself: `and the "Save" button`."""
    for joint, text, after in zip(some[::2], some[1::2], (*some[2::2], None), strict=False):
        if (joint.key, text.key) != (JOINT, LITERAL) or text.before.strip() or (after and after.key in KINDS):
            return
        yield text
