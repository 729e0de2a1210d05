"""What is wrong with sentences that a team teaches, found before any case uses them. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator

from muster_authoring.own_sentence import PARAMETER, OwnSentence, Said, Value, filled, is_parameter, parts_of
from muster_authoring.phrase_book import (
    OwnSentenceError,
    PhraseBook,
    Unfolding,
    reads_action,
    reads_expectation,
)
from muster_authoring.phrase_files import MOST_SENTENCES
from muster_cases.case_problems import Problem
from muster_text.clauses import split_clauses
from muster_text.sentences import action_excess

SAMPLES = (Value('"text"', "text"), Value("2", "2"), Value('"${value}"', "${value}"))
"""Values to try a sentence with: a literal, a number, a variable. Which of them fits, its steps decide."""


def find_problems(book: PhraseBook) -> list[Problem]:
    """Return what is wrong with the sentences of a book, each problem with its place."""
    if len(book.sentences) > MOST_SENTENCES:
        first = book.sentences[0]
        said = f"the files for one case teach {len(book.sentences):,} sentences; {MOST_SENTENCES:,} are the most"
        return [Problem(first.source, 0, 0, said)]
    found = list(_overlaps(book.sentences))
    for own in book.sentences:
        wrong = _flaws(own)
        found += [_problem(own, text) for text in wrong]
        if not wrong:
            found += [Problem(own.source, said.line, said.column, text) for said, text in _unread(book, own)]
            found += [_problem(own, text) for text in _growth(book, own)]
    return found


def _problem(own: OwnSentence, text: str) -> Problem:
    return Problem(own.source, own.line, own.column, f"«{own.text}» {text}")


def _overlaps(sentences: Iterable[OwnSentence]) -> Iterator[Problem]:
    alike: dict[tuple[str, int], list[OwnSentence]] = {}
    for own in sentences:
        before = alike.setdefault((own.kind, len(own.pattern)), [])
        if other := next((one for one in before if one.overlaps(own)), None):
            yield _problem(own, f"can be read as «{other.text}» too, which {other.place} teaches")
        before.append(own)


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
        for text, is_action in ((said.action, True), (said.expected, False)):
            whys = [_why_not(book, sample, is_action=is_action) for sample in _samples(own, text)] if text else []
            if whys and all(whys):
                yield said, whys[0]


def _why_not(book: PhraseBook, text: str, *, is_action: bool) -> str:
    reads = reads_action if is_action else reads_expectation
    try:
        found = book.in_action(text) if is_action else book.in_expectation(text)
    except OwnSentenceError as error:
        return str(error)
    if found or not reads.why_not(text):
        return ""
    near = book.near("step" if is_action else "expectation", text)
    return f"{reads.why_not(text)}{meant(near)}"


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
