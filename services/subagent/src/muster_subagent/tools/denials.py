"""Does the page bear out a model's "no" to a statement? Pure.

A "no" is a claim, like a "yes". It counts against the product only where the page itself shows that the statement is
false: it lacks what the statement quotes, or shows another value, the contrary, or what must not be there. All else is
undecided: whoever reads a sentence wrongly says "no", too.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from muster_subagent.tools.quotes import STATES, contrary, with_labels
from muster_text.clauses import QUOTED, literals
from muster_text.text_match import quote, squash
from muster_text.wording import (
    ADVERSE,
    KINDS,
    MAYBE,
    NEVER,
    NUMBERS,
    PLAIN,
    has_number,
    is_negative,
    stands_alone,
    stems,
    subject_stems,
    word_set,
    words,
)


class Page(NamedTuple):
    """What a page shows and says."""

    lines: Sequence[str]
    """What can be read, line by line."""
    text: str
    """All there is to read on it: lines, names, and messages that have gone since."""
    whole: bool
    """Whether there is nothing beside that."""


class Claim(NamedTuple):
    """A statement that something shows, says or is one or several values."""

    subject: str
    values: tuple[str, ...]
    any_of: bool
    """One of the values is enough."""


_VALUE = r"(?:⟦\d+⟧|[$€£¥]?\d+(?:[.,]\d+)*%?|\b(?:" + "|".join(NUMBERS[2:]) + r")\b)"
_VERB = (
    r"(?:shows?|says?|reads?|contains?|displays?|lists?|includes?|mentions?|states?|tells?(?:\s+\w+)?|is|are|equals?|costs?"
    r"|has|have|holds?|(?:comes?|amounts?|adds\s+up)\s+to|(?:opens?|starts?|begins?|ends?)\s+with|(?:is|are)\s+(?:called|named)"
    r"|(?:greets?|welcomes?)(?:\s+\w+)?(?:\s+with|\s+as)?)"
)
_LEAD = r"(?:(?:exactly|now|the|a|an|text|texts|message|words?|value|label|both|also|still|in\s+total)\s+)*"
_PLACE = (
    r"(?:\s+(?:in|on|at|under|below|above|beside|next\s+to|within|inside|for|items?|pieces?|products?)"
    r"(?:\s+[\w-]+){0,5})?"
)
_CLAIM = re.compile(
    rf"(?P<subject>[^⟦]*?)\b{_VERB}\s+{_LEAD}"
    rf"(?P<values>{_VALUE}(?:\s*(?:,|,?\s*(?:and|or))\s*{_LEAD}{_VALUE})*){_PLACE}\s*",
    re.IGNORECASE,
)
_ONE = re.compile(_VALUE, re.IGNORECASE)
_TURNED = (
    NEVER
    | MAYBE
    | word_set(
        "fails failed refuses refused unable impossible declines stops stopped ceases vanishes vanished deleted closes "
        "closed cleared replaced replaces that which who whose whom where when whenever if unless until while before "
        "after once instead rather except than other only old former previous any either false true else between about "
        "around roughly most least"
    )
)
"""Words around a value after which it need not be shown for the statement to be true."""
_BESIDE = word_set("title url address")
"""What is not on a page itself."""
_CURRENCIES = frozenset("$€£¥")
_SUPPOSED = word_set(
    "if unless until when while once would might may should or whether before after other others instead already any"
)
"""Words of sentences that do not say what is so."""
_AUXILIARY = word_set(
    "is are was were has have had been be being could can cannot would will did does do sorry your the"
)
_HEAD = re.compile(r"^(.*?)\b(?:is|are|was|were|has|have)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_GROUPED = re.compile(r"(?<=\d)[.,'](?=\d)")


def find_refutation(statement: str, said: str, page: Page) -> str:
    """Return what on the page shows that a statement is false, or ""; `said` is what a model quotes against it."""
    if is_negative(statement):
        return _find_denied(statement, page)
    claim = claim_of(statement)
    if words(statement) & _BESIDE:
        return ""
    if claim is not None:
        return _find_absent(claim, page) or _find_other(claim, page)
    if literals(statement):
        return ""
    return _find_contrary(statement, said, page)


def claim_of(statement: str) -> Claim | None:
    """Return what a statement claims to be shown, or None if its words leave that open."""
    quoted = [squash(text) for text in literals(statement)]
    numbers = iter(range(len(quoted)))
    marked = QUOTED.sub(lambda _: f"⟦{next(numbers)}⟧", statement.translate({ord("⟦"): "[", ord("⟧"): "]"})).strip(" .")
    found = _CLAIM.fullmatch(marked)
    if found is None:
        return None
    around = words(marked[: found.start("values")] + " " + marked[found.end("values") :])
    joined = words(_ONE.sub(" ", found["values"]))
    if around & _TURNED or found["subject"].rstrip().casefold().endswith(" to"):
        return None
    values = tuple(quoted[int(it[1:-1])] if it.startswith("⟦") else it for it in _ONE.findall(found["values"]))
    return Claim(found["subject"], values, "or" in joined)


def _find_denied(statement: str, page: Page) -> str:
    """Return the line that shows what a statement says is nowhere; of what it says is not in some place, nothing."""
    turns = [word for word in words(QUOTED.sub(" ", statement)) if word in NEVER or word.endswith("n't")]
    if len(turns) != 1 or subject_stems(statement) or words(statement) & STATES:
        return ""
    shown = (line for text in literals(statement) for line in page.lines if stands_alone(squash(line), squash(text)))
    found = next(shown, "")
    return f"the page shows {quote(found)}" if found else ""


def _find_absent(claim: Claim, page: Page) -> str:
    """Return which quoted value or amount the page has nowhere, or ""."""
    if not page.whole or any(_is_count(value) for value in claim.values):
        return ""
    has = f" {_tokens(page.text)} "
    missing = [value for value in claim.values if _tokens(value) and f" {_tokens(value)} " not in has]
    if not missing or (claim.any_of and len(missing) < len(claim.values)):
        return ""
    return f"{quote(missing[0])} is nowhere on the page"


def _is_count(value: str) -> bool:
    return value.isdecimal() or value.casefold() in NUMBERS


def _tokens(text: str) -> str:
    """Return the words and numbers of a text, without case, marks and separators within numbers."""
    flat = _GROUPED.sub("", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(re.findall(r"[^\W_]+", "".join(one for one in flat if unicodedata.category(one) != "Cf")))


def _find_other(claim: Claim, page: Page) -> str:
    """Return the line that shows another number for the subject of a claim; "" if one may show the right one."""
    about = subject_stems(claim.subject) - stems(KINDS)
    figures = [value for value in claim.values if re.search(r"\d", value) or value.casefold() in NUMBERS]
    if not about or len(claim.values) != 1 or not figures:
        return ""
    other = ""
    for line in with_labels(page.lines):
        have = stems(word for word in words(line) if not word[:1].isdigit())
        if not about <= have:
            continue
        if _has_figure(line, figures[0]):
            return ""
        if re.search(r"\d", line) and not have - about - stems(PLAIN | KINDS):
            other = other or f"the page shows {quote(line)}"
    return other


def _has_figure(line: str, value: str) -> bool:
    if value.casefold() in NUMBERS:
        return has_number(line, str(NUMBERS.index(value.casefold())))
    in_line, in_value = _CURRENCIES & set(line), _CURRENCIES & set(value)
    if in_line and in_value and not in_line & in_value:
        return False
    return f" {_tokens(value)} " in f" {_tokens(line)} " or has_number(line, value)


def _find_contrary(statement: str, said: str, page: Page) -> str:
    """Return the sentence that a model quotes and that says the contrary of the very subject, or ""."""
    head, about = _HEAD.match(statement), subject_stems(statement)
    subject = subject_stems(head[1]) if head else frozenset[str]()
    if not subject or contrary(statement) or words(statement) & _SUPPOSED:
        return ""
    if any(about <= stems(words(it)) and not contrary(it) for line in page.lines for it in _sentences(line)):
        return ""
    known = about | stems(PLAIN | NEVER | ADVERSE | KINDS | _AUXILIARY)
    for sentence in (it for line in page.lines for it in _sentences(line)):
        have = stems(words(sentence))
        quoted = said and (
            sentence.casefold() in squash(said).casefold() or squash(said).casefold() in sentence.casefold()
        )
        sure = contrary(sentence) and "?" not in sentence and not words(sentence) & _SUPPOSED
        if quoted and sure and subject <= have and not {word for word in have - known if not word.isdigit()}:
            return "" if has_number(sentence, "0") else f"the page shows {quote(sentence)}"
    return ""


def _sentences(line: str) -> Iterator[str]:
    return (found for part in _SENTENCE.split(line) if (found := squash(part)))
