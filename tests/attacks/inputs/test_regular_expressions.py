"""No regular expression holds a worker: they run in linear time, mean what Python's mean, and what cannot is told."""

import re
import time

import pytest
from envelopes import a_task
from hypothesis import given
from hypothesis import strategies as st

from muster_protocol.requests import Step, TestCase
from muster_subagent.planner import patterns_refused, planned
from muster_subagent.tools import ToolError
from muster_subagent.tools.comparisons import compares
from muster_subagent.tools.regular_expressions import LONGEST, MOST_WORK, RegularExpression

CATASTROPHES = [
    r"(a+)+$", r"(a*)*$", r"(a|a)*$", r"(a|aa)+$", r"(.*a){20}$", r"(a?){30}a{30}", r"^(\w+\s?)*$", r"(x+x+)+y",
    r"([a-zA-Z]+)*$", r"(.*)(.*)(.*)(.*)(.*)(.*)x$", r"(a{1,9}){1,9}$", r"(\d+)+\.$", r"((a+)+)+$", r"(a+){10}b",
]  # fmt: skip


@pytest.mark.parametrize("pattern", CATASTROPHES)
@pytest.mark.parametrize("text", ["a" * 20_000 + "!", "x" * 20_000, "a " * 10_000 + "!", "ä" * 10_000 + "!"])
def test_what_takes_ages_elsewhere_takes_no_time(pattern: str, text: str):
    began = time.process_time()
    compares(text, pattern, "matches")
    next(RegularExpression(pattern).find_values(text), None)

    assert time.process_time() - began < 2.0  # Python's `re` takes years for most of these


@pytest.mark.parametrize("pattern", ["((a?b?c?d?){1,200}e?){1,5}!", "(?s)(a?){900}.*b" * 10])
def test_an_expression_that_is_costly_for_a_text_is_refused(pattern: str):
    with pytest.raises(ToolError, match="too costly for a text"):
        RegularExpression(pattern).is_in("a" * MOST_WORK)


def test_matches_that_never_end_are_broken_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("muster_subagent.tools.regular_expressions.MOST_SECONDS", 0.05)
    with pytest.raises(ToolError, match="matches too often"):
        list(RegularExpression(r"(?s)a.*!|a").find_values("a" * 200_000))


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(?=a)", "may not look ahead or behind"), ("(?!a)", "may not look ahead or behind"),
        ("(?<=a)b", "may not look ahead or behind"), ("(?<!a)b", "may not look ahead or behind"),
        (r"(a)\1", "may not refer back"), (r"(?P<n>a)(?P=n)", "may not refer back"),
        ("(", "missing )"), ("[", "missing ]"), ("a{2,1}", "invalid repetition"), ("a{1001}", "invalid repetition"),
        ("(a{100}){100}", "invalid repetition"), ("a++", "bad repetition"), (r"\C", "not supported in"), (r"\Qa", "not supported in"),
        ("a" * (LONGEST + 1), "at most 1,000 characters"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_told_before_anything_is_touched(pattern: str, said: str):
    with pytest.raises(ToolError, match=re.escape(said)):
        RegularExpression(pattern)
    step = Step(action='Open "http://shop.example"', expected=f'The page title matches "{pattern}"')
    [refused] = patterns_refused(TestCase(name="n", steps=(step,)))
    assert refused.startswith("step 1: ")
    assert said in refused


def test_a_case_with_such_a_pattern_fails_when_it_is_planned():
    remembering = 'Remember the part of the output matching "(?<=id=)[0-9]+" as ${id}'
    case = TestCase(
        name="n", steps=(Step(action="Run `make`"), Step(action=remembering, expected='The page shows "x"'))
    )

    result = planned(a_task("run-1.plan.1", kind="plan", case=case))
    assert (result.status, result.failure) == ("fail", "invalid_call")
    assert "step 2: '(?<=id=)[0-9]+' is not a regular expression that can be run" in result.summary


def test_a_pattern_with_values_in_it_is_judged_when_they_are_known():
    step = Step(action="Run `make`", expected='The output matches "${lookahead}x(?=${y})"')
    assert patterns_refused(TestCase(name="n", steps=(step,))) == []


LETTERS = "aZ_9 \n\t-]\u00e4\u00df\u00a0\u0663\u2003\u4e2d\u20ac\u00b2"
PIECES = st.sampled_from(
    [r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", ".", "a", "ä", "[a-z]", r"[\w-]", r"[^\W_]", r"[\s\S]", "[]a]", "[^]a]",
     "a{,2}", r"[\d\s]", r"[^\d\s]", "^", "$", "a|ß", "(a)", "(?:ä)?", r"\u00e4", r"\Z", r"[\]\-x]", r"\x41", "{", "a{1"]
)  # fmt: skip


@given(pattern=st.lists(PIECES, min_size=1, max_size=4).map("".join), text=st.text(LETTERS, max_size=12))
def test_an_expression_means_what_it_means_in_python(pattern: str, text: str):
    assert RegularExpression(pattern).is_in(text) is (re.search(pattern, text, re.MULTILINE) is not None)


def test_word_boundaries_beside_letters_that_re2_does_not_know_are_refused_and_not_guessed():
    assert RegularExpression(r"\bTotal\b").is_in("The Total: 5 €")
    with pytest.raises(ToolError, match="cannot be told beside letters like 'ß'"):
        RegularExpression(r"\bGr\b").is_in("Größe")


@pytest.mark.slow
@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_an_expression_or_is_refused(pattern: str, text: str):
    try:
        list(RegularExpression(pattern).find_values(text))
    except ToolError as error:
        assert str(error)


def test_halves_of_characters_do_no_harm():
    with pytest.raises(ToolError, match="half a character"):
        RegularExpression("a\ud800")
    assert RegularExpression("x").is_in("x\udfff")
