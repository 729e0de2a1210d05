"""The catalogue of phrases as a whole: what it lists, what tools take, the page about it, the bundled cases, speed."""

import inspect
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import pytest
import yaml

from muster_grammar import (
    PHRASES,
    AmbiguousPhrase,
    PhraseError,
    UnknownPhrase,
    parse_action,
    parse_expectation,
    parse_precondition,
    phrase_docs,
)
from muster_protocol.errors import MusterError
from muster_protocol.tool_calls import ToolCall
from muster_subagent.tools import TOOLS

ROOT = Path(__file__).parents[3]
PARSERS = {"action": parse_action, "expectation": parse_expectation, "precondition": parse_precondition}
CASES = ("examples/cases", "bench/cases", "bench/wild/cases")
EXAMPLES = [(phrase.kind, example) for phrase in PHRASES for example in phrase.examples]


def test_every_phrase_has_a_description_and_examples_and_no_pattern_is_listed_twice():
    assert all(phrase.description.endswith(".") and phrase.examples for phrase in PHRASES)
    patterns = [(phrase.kind, pattern) for phrase in PHRASES for pattern in (phrase.pattern, *phrase.also)]
    assert len(set(patterns)) == len(patterns)
    examples = [(phrase.kind, example) for phrase in PHRASES for example in phrase.examples]
    assert len(set(examples)) == len(examples)


def test_every_pattern_gives_its_phrase_as_many_values_as_it_takes():
    for phrase in PHRASES:
        for pattern in (phrase.pattern, *phrase.also):
            inspect.signature(phrase.build).bind(*re.findall(r"\{\w+\}", pattern))


def test_the_calls_of_an_example_are_calls_that_the_tools_take():
    for kind, sentence in EXAMPLES:
        for call in PARSERS[kind](sentence):
            TOOLS[call.tool].check(call.arguments)


def test_an_example_means_the_same_with_other_quotes_case_and_politeness():
    for kind, sentence in EXAMPLES:
        meant = _shape(PARSERS[kind](sentence))
        curly = sentence.replace('"', "“", 1).replace('"', "”", 1) if sentence.count('"') == 2 else sentence
        if "'" not in sentence:
            assert _shape(PARSERS[kind](curly)) == meant, sentence
        assert _shape(PARSERS[kind](f"Then please {sentence[0].swapcase()}{sentence[1:]}")) == meant, sentence


def _shape(calls: tuple[ToolCall, ...]) -> list[tuple[str, dict[str, object]]]:
    return [(call.tool, dict(call.arguments)) for call in calls]


def test_errors_have_one_root():
    assert issubclass(UnknownPhrase, PhraseError)
    assert issubclass(AmbiguousPhrase, PhraseError)
    assert issubclass(PhraseError, MusterError)


def test_the_page_about_phrases_is_current():
    page = (ROOT / "docs" / "phrases.md").read_text(encoding="utf-8")
    assert page == phrase_docs.markdown(), "run: python -m muster_grammar.phrase_docs > docs/phrases.md"


def _written() -> list[tuple[str, str]]:
    sentences: list[tuple[str, str]] = []
    for file in sorted(file for folder in CASES for file in (ROOT / folder).glob("**/*.yaml")):
        documents = list(yaml.safe_load_all(file.read_text(encoding="utf-8")))
        for case in (case for document in documents for case in document.get("cases", [document])):
            sentences += [("precondition", text) for text in case.get("preconditions", ())]
            for step in case["steps"]:
                action, expected = (step, "") if isinstance(step, str) else (step["action"], step.get("expected", ""))
                sentences += [("action", action)] + ([("expectation", expected)] if expected else [])
    return sentences


def test_every_sentence_of_the_bundled_cases_and_of_those_of_the_benches_is_a_phrase():
    written = _written()
    assert len(written) > 200
    for kind, sentence in written:
        for call in PARSERS[kind](sentence):
            TOOLS[call.tool].check(call.arguments)


def test_thirty_sentences_are_read_in_few_calls():
    """Calls are counted, not seconds: they are the same on every machine, however much else runs there."""
    sentences = list(islice(cycle(EXAMPLES[::5]), 30))

    def read() -> None:
        for kind, sentence in sentences:
            PARSERS[kind](sentence)

    read()  # patterns are compiled and words looked up once
    assert _calls_of(read) < 45_000


def _calls_of(function: Callable[[], None]) -> int:
    calls = Counter[str]()
    sys.setprofile(lambda _frame, event, _argument: calls.update([event]))
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]


def test_a_sentence_of_many_parts_is_read_in_reasonable_time():
    started = time.process_time()
    assert len(parse_action(" and ".join(f'click "{number}"' for number in range(12)))) == 12
    with pytest.raises(UnknownPhrase):
        parse_action(" and ".join(['"A"'] * 12))
    assert time.process_time() - started < 1
