"""Matches words against patterns: a pattern is a regular expression over folded words, with typed parameters. Pure.

A pattern is written as a sentence: `{name}` is a parameter, `in/from` either word, `(down)` a word that may be missing.
Its words are folded like those of a sentence, so that it matches every wording that means the same.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, product
from typing import Literal, NamedTuple

import msgspec

from muster_grammar.tokens import Words, first_word, folded, line, words
from muster_protocol.narrowing import NowhereError
from muster_protocol.tool_calls import ArgumentValue, ToolCall

Kind = Literal["action", "expectation", "precondition"]
Calls = tuple[ToolCall, ...]
Read = Callable[[Words], Sequence[object]]
"""Returns every value that words may mean; none means that they do not fit."""


@dataclass(frozen=True)
class Phrase:
    """A kind of sentence: how it may be written, and the tool calls it stands for."""

    pattern: str
    also: tuple[str, ...]
    """More patterns that say the same, with the same parameters in the same order."""
    kind: Kind
    description: str
    examples: tuple[str, ...]
    build: Callable[..., Calls]
    """Makes the calls of the parameters' values; none at all means that the values do not fit."""
    elliptic: bool = True
    """Whether a part after "and" may leave out its verb; not where nothing but the verb tells what the part is."""


class Parameter(NamedTuple):
    """A part of a pattern that stands for many texts."""

    pattern: str
    """Regular expression over folded words; without groups."""
    read: Read
    description: str


@dataclass(frozen=True, eq=False)
class Rule:
    """A phrase with one of its patterns; its regular expression, most of the cost, is compiled when first needed."""

    phrase: Phrase
    source: str
    starts: frozenset[str]
    """The words a sentence may begin with; none when it begins with a parameter."""
    needs: tuple[str, ...]
    """Words that stand in every sentence that fits, so that most rules need not be compiled to see that they do not."""
    one_of: tuple[tuple[str, ...], ...]
    """Words of which one does."""
    read: tuple[Read, ...]

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The regular expression over `line(words)`."""
        return re.compile(self.source)


class Reading(NamedTuple):
    """One meaning of a sentence."""

    phrase: Phrase
    calls: Calls


def call(tool: str, **arguments: ArgumentValue) -> ToolCall:
    """Return a tool call."""
    return ToolCall(tool=tool, arguments=arguments)


def action(
    pattern: str,
    *also: str,
    build: Callable[..., Calls],
    description: str,
    examples: tuple[str, ...],
    elliptic: bool = True,
) -> Phrase:
    """Return a phrase for something to do."""
    return Phrase(pattern, also, "action", description, examples, build, elliptic)


def expectation(
    pattern: str, *also: str, build: Callable[..., Calls], description: str, examples: tuple[str, ...]
) -> Phrase:
    """Return a phrase for something that must be so."""
    return Phrase(pattern, also, "expectation", description, examples, build)


def precondition(
    pattern: str, *also: str, build: Callable[..., Calls], description: str, examples: tuple[str, ...]
) -> Phrase:
    """Return a phrase for something that must be so before the first step."""
    return Phrase(pattern, also, "precondition", description, examples, build)


class Rules:
    """Patterns to match words against, found by the first word."""

    def __init__(self, phrases: Sequence[Phrase], parameters: Mapping[str, Parameter]) -> None:
        self.phrases = tuple(phrases)
        self._anywhere: list[Rule] = []
        self._starting: dict[str, list[Rule]] = {}
        for phrase in phrases:
            for pattern in (phrase.pattern, *phrase.also):
                self._add(_rule(phrase, pattern, parameters))

    @property
    def starts(self) -> Collection[str]:
        """The words that begin a pattern."""
        return self._starting.keys()

    def candidates(self, first: str) -> Iterable[Rule]:
        """Return the rules that may match a sentence with this first word."""
        return chain(self._starting.get(first, ()), self._anywhere)

    def _add(self, rule: Rule) -> None:
        for start in rule.starts:
            self._starting.setdefault(start, []).append(rule)
        if not rule.starts:
            self._anywhere.append(rule)


_PIECE = re.compile(
    r"\{(?P<parameter>\w+)\}|\((?P<optional>[^)]+)\)|(?P<either>[^\s{}()/]+/[^\s{}()]+)|(?P<plain>[^{}()/]+(?=[\s{(]|$))"
)


def _rule(phrase: Phrase, pattern: str, parameters: Mapping[str, Parameter]) -> Rule:
    """Compile a pattern; the words between its parameters are folded as those of a sentence are.

    Raises:
        KeyError: the pattern names an unknown parameter.
    """
    source: list[str] = []
    read: list[Read] = []
    needs: list[str] = []
    one_of: list[tuple[str, ...]] = []
    starts: frozenset[str] | None = None
    for piece in _PIECE.finditer(pattern):
        said: list[str] = []
        match piece.lastgroup, piece.group().strip():
            case "parameter", text:
                parameter = parameters[text[1:-1]]
                source.append(f" ({parameter.pattern})")
                read.append(parameter.read)
            case "optional", text:
                source.append(f"(?:{_either(text[1:-1])})?")
            case "either", text:
                said = text.split("/")
                one_of.append(tuple(map(_key, said)))
                source.append(_either(text))
            case _, text:
                said = [text]
                needs.append(_key(text))
                source.append(re.escape(_key(text)))
        first = frozenset(_key(word).split(" ")[1] for word in said if _key(word))
        if starts is None and (first or piece.lastgroup in {"parameter", "optional"}):
            starts = first
    return Rule(phrase, "".join(source), starts or frozenset(), tuple(needs), tuple(one_of), tuple(read))


def _either(alternatives: str) -> str:
    return f"(?:{'|'.join(re.escape(_key(word)) for word in alternatives.split('/'))})"


@cache
def _key(text: str) -> str:
    return line(folded(text))


def find(some: Words, rules: Rules) -> tuple[Reading, ...]:
    """Return every meaning of the words, each once: two phrases that lead to the same calls are one."""
    text = line(some)
    found: list[Reading] = []
    for rule in rules.candidates(first_word(some)) if some else ():
        if _may_fit(rule, text) and (match := rule.regex.fullmatch(text)):
            for calls in _calls(rule, match, some):
                if calls and not any(reading.calls == calls for reading in found):
                    found.append(Reading(rule.phrase, calls))
    return tuple(found)


def _may_fit(rule: Rule, text: str) -> bool:
    for need in rule.needs:  # a loop, for it is the most frequent look of all
        if need not in text:
            return False
    return all(any(word in text for word in either) for either in rule.one_of)


def _calls(rule: Rule, match: re.Match[str], some: Words) -> Iterable[Calls]:
    starts, ends, at = dict[int, int](), dict[int, int](), 0
    for index, token in enumerate(some):
        starts[at + 1] = index
        at += 1 + len(token.key)
        ends[at] = index + 1
    values: list[Sequence[object]] = []
    for group, read in enumerate(rule.read, start=1):
        start, end = match.span(group)
        if start not in starts or end not in ends:
            return ()
        values.append(read(some[starts[start] : ends[end]]))
    return (_built(rule.phrase, combination) for combination in product(*values))


def _built(phrase: Phrase, values: Sequence[object]) -> Calls:
    try:
        return phrase.build(*values)
    except NowhereError:  # quotes with nothing in them are no name of a place
        return ()


def shown(calls: Calls) -> str:
    """Return calls as people read them, `click(element="Cart"), …`."""
    return ", ".join(f"{call.tool}({', '.join(map(_argument, call.arguments.items()))})" for call in calls)


def _argument(argument: tuple[str, ArgumentValue]) -> str:
    return f"{argument[0]}={msgspec.json.encode(argument[1]).decode()}"


def closest(some: Words, phrases: Iterable[Phrase], *, count: int = 3) -> tuple[str, ...]:
    """Return the patterns whose examples are most like the words, best first, none that has little in common."""
    wanted = _pairs(line(some))
    scores = {phrase.pattern: max(_likeness(wanted, _example(one)) for one in phrase.examples) for phrase in phrases}
    ranked = sorted(scores, key=lambda pattern: -scores[pattern])
    return tuple(pattern for pattern in ranked[:count] if scores[pattern] > 0.4)


def _pairs(text: str) -> frozenset[str]:
    return frozenset(text[at : at + 2] for at in range(len(text) - 1))


@cache
def _example(sentence: str) -> frozenset[str]:
    return _pairs(line(words(sentence)))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the part of the pairs of letters that both have: of 1, all; a slip of the pen changes few of them."""
    return 2 * len(one & other) / (len(one) + len(other) or 1)
