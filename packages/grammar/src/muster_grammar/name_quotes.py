"""Puts quotes around what may be a name in a sentence without them: words that begin with a capital letter. Pure.

Where a name ends nobody knows who does not know the page: each end is tried, the longest name first.
"""

import re
from collections.abc import Iterator
from itertools import islice, product

from muster_grammar.element_kinds import CONTAINERS, PLURALS, ROLES
from muster_grammar.name_boundaries import DEEDS, SHOWN
from muster_grammar.vocabulary import split

MOST_WORDINGS = 24
"""Wordings that are tried of one sentence."""
_MOST_WORDS = 7
_NO_NAMES = split(
    "i stdout stderr json http https url api css html ui user users given when then and but ndjson ip id ok the a an "
    "all both each every some any neither either only ctrl shift alt cmd enter tab esc escape "
    "no not verify check this that these page alert search you we they it there on in at exactly nothing one two three "
    "four five six seven eight nine ten"
)
_COUNTING = split("number count amount list total only")
"""What begins a sentence about how many there are."""
_NEVER_INSIDE = split(
    "is are was were be should must will would can has have had and or on which that with when then "
    "verify its it's stating"
)
"""Words that end a name: what follows says something of it."""
_LEADING = split("in on at from as for")
"""Words that with an article lead to something else."""
_BEFORE = split("page screen view tab tabs and or in on at from of for to as with into is are was should must will has")
"""Words that a name may end before."""
_KINDS = ROLES.keys() | PLURALS.keys() | CONTAINERS | {"page"}
_ENDS = _BEFORE | _KINDS
_NAMING = DEEDS | split(
    "the a an in on from for of to into as is be and or named called titled labelled click select press open see"
)
"""Words that a name at the start of a sentence does not follow: it may be the first word."""


def with_names_quoted(text: str) -> Iterator[str]:
    """Yield wordings of a sentence with all its names in quotes, those with the longest names first."""
    words = text.split(" ")
    starts = [at for at in range(len(words)) if _begins(words, at)]
    choices = [_ends(words, start) for start in starts]
    if not starts or len(starts) > 4:
        return
    seen: set[str] = set()
    for ends in islice(product(*choices), 4 * MOST_WORDINGS):
        wording = _quoted(words, dict(zip(starts, ends, strict=True)))
        if wording not in seen and wording != text and len(seen) < MOST_WORDINGS:
            seen.add(wording)
            yield wording


def _begins(words: list[str], at: int) -> bool:
    """Return whether a name begins with a word: it has a capital letter, and the word before is none of the name."""
    word = words[at]
    if not word[:1].isupper() or "+" in word or word.lower().strip(",.") in _NO_NAMES:
        return False
    if at == 0:
        return word.lower() not in _COUNTING and any(one.lower() in _ENDS for one in words[1:4]) and _is_marked(words)
    return words[at - 1].lower() in _NAMING or words[at - 1].endswith("s") or not words[at - 1][:1].isupper()


def _is_marked(words: list[str]) -> bool:
    """Return whether more than the place of the first word makes it a name that is seen: "Shipping cost" is a thing.

    What the page is called stands in quotes, whatever it is.
    """
    first = words[0]
    second = words[1] if len(words) > 1 else ""
    marked = not first[1:].islower() or second[:1].isupper() or second[:1].isdigit()
    return marked or second in ("page", "screen") or SHOWN.isdisjoint(words)


def _ends(words: list[str], start: int) -> list[int]:
    """Return where a name may end that begins with a word, the longest first; 0 means that it is no name."""
    last = min(len(words), start + _MOST_WORDS)
    stop = next((at for at in range(start, last) if "«" in words[at]), last)
    stop = next((at for at in range(start + 1, stop) if _breaks(words, at)), stop)
    joint = next((at + 1 for at in range(start, stop) if words[at].endswith((",", ";", ":", "."))), stop)
    found = [end for end in range(joint, start, -1) if end in (joint, len(words)) or words[end].lower() in _ENDS]
    found = [end for end in found if not any("/" in word for word in words[start:end])]
    kinds = [end for end in found if end < len(words) and words[end].lower() in _KINDS]
    return [*(kinds[-1:] or found), 0]


def _breaks(words: list[str], at: int) -> bool:
    """Return whether a word is no part of the name before it: "is", "and", the "to" of "Yes to adding another file"."""
    gerund = words[at].lower() == "to" and at + 1 < len(words) and words[at + 1].endswith("ing")
    place = words[at].lower() in _LEADING and words[at + 1 : at + 2] in (["the"], ["a"], ["an"])
    return gerund or place or words[at].lower() in _NEVER_INSIDE


def _quoted(words: list[str], names: dict[int, int]) -> str:
    told: list[str] = []
    at = 0
    while at < len(words):
        end = names.get(at, 0)
        if end > at:
            name = " ".join(words[at:end])
            bare = re.sub(r"[,.;:]+$", "", name)
            told.append(f'"{bare}"{name[len(bare) :]}')
            at = end
        else:
            told.append(words[at])
            at += 1
    return " ".join(told)
