"""Whether a model's quote from a page supports the statement that it affirms. Pure.

The quote need not prove the statement, but it must be the best the page has: with what the statement names, from the
line that speaks most of it, and not one that says the contrary.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from muster_devices.screen import Screen
from muster_text.clauses import literals
from muster_text.text_match import quote, squash
from muster_text.wording import (
    ADVERSE,
    NEVER,
    find_numbers,
    has_number,
    is_negative,
    stands_alone,
    stems,
    subject_stems,
    word_set,
    words,
)

_LOOKS = word_set(
    "looks look colour color coloured colored red green blue yellow black white grey gray image picture photo icon "
    "logo chart graph map layout aligned align overlap overlaps centred centered bold highlighted drawn video"
)
"""Words of statements about how something looks, for which there may be nothing to quote."""
STATES = word_set(
    "enabled disabled pressed clicked clickable editable checked selected active available empty focused changed used"
)
"""Words of statements about a state: what they deny is not that something is there."""
_NONE_OF = re.compile(r"\b(?:no|without|neither|nor)\s+((?:[\w-]+\s+){0,2}[\w-]+)", re.IGNORECASE)


def against(statement: str, words_quoted: str, lines: Sequence[str], *, pictured: bool) -> str:
    """Return what speaks against a yes with this quote from the page, or ""; `lines` are what the page shows."""
    said = squash(words_quoted)
    if is_negative(statement):
        return _denied(statement, lines)
    if not said:
        return "" if pictured and _of_looks(statement) else "it quotes nothing that shows it"
    wanted = [squash(text) for text in literals(statement)]
    missing = [text for text in wanted if not stands_alone(said.casefold(), text.casefold())]
    missing += [number for number in find_numbers(statement) if not has_number(said, number)]
    if missing:
        return f"its quote does not have {quote(missing[0])}"
    if contrary(said) and not contrary(statement) and not any(contrary(text) for text in wanted):
        return f"its quote {quote(said)} speaks against it"
    named = [*wanted, *find_numbers(statement)]
    return _from_elsewhere(statement, said, lines, named) if named else ""


def is_own_input(words_quoted: str, entered: Collection[str], lines: Sequence[str], screen: Screen) -> bool:
    """Return whether a quote stands nowhere but in fields that hold what the step has entered itself."""
    said, typed = squash(words_quoted).casefold(), {squash(text) for text in entered}
    own = [squash(one.content) for one in screen.elements if one.value is not None and squash(one.content) in typed]
    if not said or not own:
        return False
    rest = list(lines)[::-1]  # what fields hold comes last
    for text in own:
        if text in rest:
            rest.remove(text)
    named = (one.name for one in screen.elements if one.value is None)
    names = (name for name in named if not any(text in name for text in own))  # a row is called like what is in it
    beside = squash(" ".join([*rest[::-1], *names, screen.place.title, screen.place.address]))
    return said not in beside.casefold()


def _of_looks(statement: str) -> bool:
    return bool(words(statement) & _LOOKS) and not literals(statement) and not find_numbers(statement)


def contrary(text: str) -> bool:
    """Return whether a text denies something, or tells of a failure."""
    said = words(text)
    return bool(said & (NEVER | ADVERSE)) or any(word.endswith("n't") for word in said)


def _denied(statement: str, lines: Sequence[str]) -> str:
    """Return what the page shows of what a statement says is not there, or ""."""
    if not words(statement) & STATES:
        for text in literals(statement):
            found = next((line for line in lines if stands_alone(squash(line), squash(text))), "")
            if found:
                return f"{quote(text)} is on the page: {quote(found)}; where it must not be has to be checked by a tool"
    for thing in _NONE_OF.findall(statement):
        nouns = sorted(subject_stems(thing))[:3]
        for line in lines:
            if stems(words(line)) & frozenset(nouns) and not words(line) & NEVER and not has_number(line, "0"):
                return f"the page shows {quote(line)}"
    return ""


def _from_elsewhere(statement: str, said: str, lines: Sequence[str], named: Sequence[str]) -> str:
    """Return a line that speaks of more of the statement than the one that has what it names, or ""."""
    about = subject_stems(statement)
    own = max((_spoken(line, about) for line in _own_lines(said, lines, named)), default=_spoken(said, about))
    figures = any(re.search(r"\d", text) for text in named)
    for line in with_labels(lines):
        rival = figures and re.search(r"\d", line) and not any(_has(line, text) for text in named)
        if rival and _spoken(line, about) > own:
            return f"its quote is of something else: {quote(line)} speaks more of it"
    return ""


def _own_lines(said: str, lines: Sequence[str], named: Sequence[str]) -> Iterable[str]:
    """Yield the lines that the quote may be from and that have what the statement names."""
    for line in with_labels(lines):
        flat = squash(line).casefold()
        if any(_has(line, text) for text in named) and (said.casefold() in flat or flat in said.casefold()):
            yield line


def with_labels(lines: Sequence[str]) -> Iterable[str]:
    """Yield lines, each with the one before it if that is a label: a line without figures."""
    for before, line in zip(("", *lines), lines, strict=False):
        yield f"{before} {line}" if before and not re.search(r"\d", before) else line


def _has(line: str, text: str) -> bool:
    return stands_alone(squash(line).casefold(), text.casefold()) or has_number(line, text)


def _spoken(line: str, about: frozenset[str]) -> tuple[int, int]:
    """Return how much a line speaks of something: words in common, then the fewer others the better."""
    have = stems(word for word in words(line) if not word[:1].isdigit())
    return len(have & about), -len(have - about)
