"""Finds what is wrong with sentences of your own before a case uses them. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence

from muster_authoring.own_sentence import PARAMETER, Kind, OwnSentence, Said, Value, filled, is_parameter, parts_of
from muster_authoring.phrase_book import (
    OwnSentenceError,
    PhraseBook,
    Unfolding,
    reads_action,
    reads_expectation,
)
from muster_authoring.phrase_files import MOST_SAID, MOST_SENTENCES
from muster_cases.case_problems import Problem
from muster_text.clauses import split_clauses
from muster_text.sentences import action_excess

SAMPLES = (Value('"text"', "text"), Value("2", "2"), Value('"${value}"', "${value}"))
"""Values to try a sentence with: a literal, a number, a variable. Which of them fits, its steps decide."""


def find_problems(book: PhraseBook) -> list[Problem]:
    """Return what is wrong with the sentences of a book, each problem with its place."""
    if excess := _excess(book.sentences):
        return [Problem(book.sentences[0].source, 0, 0, f"the files for one case teach {excess}")]
    found = list(_overlaps(book))
    for own in book.sentences:
        wrong = _flaws(own)
        found += [_problem(own, text) for text in wrong]
        if not wrong:
            found += [Problem(own.source, said.line, said.column, text) for said, text in _unread(book, own)]
            found += [_problem(own, text) for text in _growth(book, own)]
    return found


def _excess(sentences: Sequence[OwnSentence]) -> str:
    """Return by how much there is too much to be checked; empty if there is not."""
    said = sum(len(own.body) for own in sentences)
    if len(sentences) > MOST_SENTENCES:
        return f"{len(sentences):,} sentences; the limit is {MOST_SENTENCES:,}"
    return f"sentences of {said:,} steps and claims; the limit is {MOST_SAID:,}" if said > MOST_SAID else ""


def _problem(own: OwnSentence, text: str) -> Problem:
    return Problem(own.source, own.line, own.column, f"«{own.text}» {text}")


def _overlaps(book: PhraseBook) -> Iterator[Problem]:
    for alike in book.alike.values():
        for at, own in enumerate(alike):
            if other := next((one for one in alike[:at] if one.overlaps(own)), None):
                yield _problem(own, f"can be read as «{other.text}» too, which {other.place} teaches")


def _flaws(own: OwnSentence) -> list[str]:
    """Return what is wrong with a sentence and its parameters."""
    parts = parts_of(own.text) if own.kind == "step" else split_clauses(own.text)
    said = [text for one in own.body for text in (one.action, one.expected)]
    used = {name for text in said for name in PARAMETER.findall(text)}
    twice = [name for name, times in Counter(own.parameters).items() if times > 1]
    standing = [token.text[1:] for token in own.pattern if is_parameter(token)]
    checks = (
        (bool(action_excess(own.text)), "is too long"),
        (len(parts) != 1, "has an 'and', a comma or the like in it, at which sentences are split: reword it"),
        (all(map(is_parameter, own.pattern)), "has no words beside its parameters"),
        (bool(twice), f"has {{{twice[0] if twice else ''}}} twice"),
        (len(standing) != len(own.parameters), "has a parameter within a text in quotes: let it stand by itself"),
        *((name not in own.parameters, f"has no {{{name}}}, which one of its steps uses") for name in sorted(used)),
        *((name not in used, f"has {{{name}}}, which none of its steps uses") for name in own.parameters),
    )
    found = [text for wrong, text in checks if wrong]
    if not found and _is_phrase(own):
        return ["is a phrase already, and it could mean two things: reword it"]
    return found


def _is_phrase(own: OwnSentence) -> bool:
    reads = reads_action if own.kind == "step" else reads_expectation
    return any(reads(text) for text in _samples(own, own.text))


def _samples(own: OwnSentence, text: str) -> list[str]:
    """Return a sentence with each of the values to try in it."""
    return list(dict.fromkeys(filled(text, dict.fromkeys(own.parameters, value)) for value in SAMPLES))


def _unread(book: PhraseBook, own: OwnSentence) -> Iterator[tuple[Said, str]]:
    """Yield each step or claim that is neither a phrase nor a sentence of one's own, whatever the values, and why."""
    for said in own.body:
        for kind, text in _sentences(said):
            samples = _samples(own, text)
            if why := all(_why_not(book, kind, sample) for sample in samples) and _why_not(book, kind, samples[0]):
                yield said, f"{why}{_meant_instead(book, kind, samples[0])}"


def _sentences(said: Said) -> Iterator[tuple[Kind, str]]:
    if said.action:
        yield "step", said.action
    if said.expected:
        yield "expectation", said.expected


def _why_not(book: PhraseBook, kind: Kind, text: str) -> str:
    """Return why a sentence is neither a phrase nor one's own; empty if it is."""
    try:
        found = book.in_action(text) if kind == "step" else book.in_expectation(text)
    except OwnSentenceError as error:
        return str(error)
    reads = reads_action if kind == "step" else reads_expectation
    return "" if found else reads.why_not(text)


def _meant_instead(book: PhraseBook, kind: Kind, text: str) -> str:
    """Return `meant` for a sentence that nothing reads; empty if one of one's own was found in it, and is refused."""
    try:
        _ = book.in_action(text) if kind == "step" else book.in_expectation(text)
    except OwnSentenceError:
        return ""
    return meant(book.near(kind, text))


def meant(near: OwnSentence | None) -> str:
    """Return, to follow what is wrong with a sentence, the one of one's own that was meant; empty if there is none."""
    return f" Did you mean «{near.text}» ({near.place})?" if near else ""


def _growth(book: PhraseBook, own: OwnSentence) -> list[str]:
    """Return whether a sentence stands for itself or for too much, said once."""
    values = dict.fromkeys(own.parameters, SAMPLES[0])
    try:
        if own.kind == "step":
            Unfolding(book).step(filled(own.text, values), "")
        else:
            Unfolding(book).expectation(filled(own.text, values))
    except OwnSentenceError as error:
        return [f"cannot be used: {error}"]
    return []
