"""How a written sentence is read: its tool calls in words, and the steps of a team's own sentence. Pure."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from muster_authoring.document import Document
from muster_authoring.own_sentence import Kind
from muster_authoring.phrase_book import OwnSentenceError, PhraseBook, Unfolding
from muster_authoring.sentence_places import Position, Span, locate
from muster_cases.case_fields import LoadedCase
from muster_grammar import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_protocol.tool_calls import ToolCall

MOST_TOLD = 40
"""Steps and claims of one sentence that are told."""


class Written(NamedTuple):
    """A sentence of a case, with its place in the file."""

    text: str
    kind: Kind
    span: Span
    given: bool = False
    """It is a precondition."""


class Meaning(NamedTuple):
    """What a sentence is read as, as Markdown, and where it stands."""

    span: Span
    text: str


def meaning_at(document: Document, lines: Sequence[str], line: int, column: int) -> Meaning | None:
    """Return what the sentence at a line and column (from 0) of a text is read as; None if there is none.

    `document` is the last reading that had cases; where the text is no longer what was read, there is none either.
    """
    if list(lines[line : line + 1]) != list(document.lines[line : line + 1]):
        return None
    here = Position(line + 1, column + 1)
    for case in _cases_above(document, here):
        for written in _written_at(case, document.lines, here):
            if written.span.exact and written.span.holds(here):
                return Meaning(written.span, _meaning_of(written, document.book))
    return None


def _meaning_of(written: Written, book: PhraseBook) -> str:
    """Return what a sentence is read as, as Markdown."""
    lines = [f"**{_title(written)}**"]
    try:
        pairs = _pairs(written, book)
    except OwnSentenceError as error:
        return "\n\n".join((*lines, str(error)))
    told: list[str] = []
    for action, expected in pairs:
        told += _told("step", action, given=written.given) if action.strip() else []
        for claim in expected.splitlines() or [""]:
            told += _told("expectation", claim, given=False) if claim.strip() else []
    own = [text for pair in pairs for text in pair if text.strip()] != [written.text.strip()]
    lines += ["stands for, in sentences of your own:"] if own else []
    more = [f"- … {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    return "\n\n".join((*lines, "\n".join((*told[:MOST_TOLD], *more))))


def _title(written: Written) -> str:
    return "Precondition" if written.given else "Step" if written.kind == "step" else "Expectation"


def _pairs(written: Written, book: PhraseBook) -> tuple[tuple[str, str], ...]:
    if written.kind == "expectation":
        return (("", Unfolding(book).expectation(written.text)),)
    pairs = Unfolding(book).step(written.text, "")
    if written.given and pairs == ((written.text, ""),):
        claims = Unfolding(book).expectation(written.text)
        return pairs if claims == written.text else (("", claims),)
    return pairs


def _told(kind: Kind, text: str, *, given: bool) -> list[str]:
    """Return the calls of a sentence, one a line, or why it is not read."""
    parse = parse_precondition if given else parse_action if kind == "step" else parse_expectation
    try:
        return [f"- {in_words(call)}" for call in parse(text)]
    except PhraseError as error:
        return [f"- not read: {' '.join(str(error).split())}"]


def in_words(call: ToolCall) -> str:
    """Return a call in words: what it does, and with what."""
    values = (
        f"{name.replace('_', ' ')} `{', '.join(value) if isinstance(value, list) else value}`"
        for name, value in call.arguments.items()
    )
    return f"**{call.tool.replace('_', ' ')}**: {', '.join(values)}".removesuffix(": ")


def _cases_above(document: Document, here: Position) -> Iterator[LoadedCase]:
    """Yield the cases that begin at or above a place, the nearest first, and then the first: a background's."""
    above = sorted((case for case in document.cases if case.line <= here.line), key=lambda case: -case.line)
    yield from islice(above, 2)
    yield from document.cases[:1]


def _written_at(case: LoadedCase, lines: tuple[str, ...], here: Position) -> Iterator[Written]:
    """Yield the sentences of the step that a place may belong to, and the preconditions."""
    job = case.test_case
    steps = [(step, line) for step, line in zip(job.steps, case.step_lines, strict=False) if line <= here.line]
    for step, line in steps[-1:]:
        action = locate(lines, line, step.action)
        yield Written(step.action, "step", action)
        after = action.end if action.exact else None
        for text in (step.expected, *step.expected.splitlines()):
            if text.strip():
                yield Written(text, "expectation", locate(lines, line, text, after))
    for text in job.preconditions:
        for begin in (case.line, 1):
            yield Written(text, "step", locate(lines, begin, text), given=True)
