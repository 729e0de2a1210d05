"""Work grows with its input: four times as much of anything takes at most 4^1.3 as long, or is refused with the limit.

Inputs are repetitions of what grammars are made of. Processor times are compared with each other, never with a clock.
"""

import gc
import json
import random
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from sampling import mostly_slow

from muster_cases.case_loader import LARGEST, CaseError, load_text
from muster_evidence import binding, tampering
from muster_grammar import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_protocol.errors import InvalidRequest
from muster_protocol.stored_cases import CaseFormat
from muster_subagent.tools import ToolError
from muster_subagent.tools.regular_expressions import RegularExpression
from muster_text import wording
from muster_text.clauses import literals, split_clauses
from muster_text.request_rules import MAX_REQUEST_BYTES, decode_request
from muster_text.sentences import LONGEST_EXPECTATION, LONGEST_SENTENCE
from muster_text.values import placeholder_names, secret_names

MOST_GROWTH = 4**1.3
TRIES = 6
"""Other processes disturb caches and clocks; work that does grow too fast does so in each of them."""
REFUSALS = (PhraseError, CaseError, InvalidRequest, ToolError)


def cost(work: Callable[[], object]) -> float:
    """Return the least processor time of some runs, each repeated until it can be measured."""
    best = float("inf")
    gc.disable()
    for _ in range(3):
        count, began = 0, time.process_time()
        while (spent := time.process_time() - began) < 0.005:
            with suppress(*REFUSALS):
                work()
            count += 1
        best = min(best, spent / count)
    gc.enable()
    return best


def assert_near_linear(read: Callable[[str], object], make: Callable[[int], str], size: int) -> None:
    """Compare inputs of a quarter of a size, and of that size."""
    small, large = make(size // 4), make(size)
    found: list[float] = []
    cost(partial(read, large))  # what is made once, at the first use
    for _ in range(TRIES):
        found.append(cost(partial(read, large)) / cost(partial(read, small)))
        if found[-1] <= MOST_GROWTH:
            return
    raise AssertionError(f"four times {small[:60]!r}… took {min(found):.1f} times as long")


FRAGMENTS = (
    "and ", ", ", "; ", ". ", "\n", "- ", "1. ", "a ", "the ", "not ", "is ", "or ", "then ", "but ", "no longer ", "to ", "with ",
    '"A" ', "`a` ", "'a' ", "${a} ", "${secret:a} ", "http://a.b/ ", "/a ", "1 ", "$1 ", "'s ", "n't ", "a-", "A+", "://", "(", "$",
    "\\", ": ", "é", "click ", "Click the Login button ", 'click "A" and ', 'type "x" into the "y" field and ', "open http://a.b/ and ",
    'page shows "A" and ', 'the text "A" is visible, ', 'select "A", "B" ', 'in the row with "A" ', "first ", "command ", "run: ", "press A, ",
    "Verify that ", "I ", "do not ", "button ", "in ", "on the page ", "contains ", "Terms and Conditions ", "wait until ", "text ",
)  # fmt: skip
READERS = {"action": parse_action, "expectation": parse_expectation, "precondition": parse_precondition}


def repeated(fragment: str, size: int) -> str:
    return fragment * (size // len(fragment))


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("fragment", mostly_slow(FRAGMENTS, 40))
def test_sentences(reader: str, fragment: str):
    assert_near_linear(READERS[reader], partial(repeated, fragment), LONGEST_SENTENCE)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_sentences_of_mixed_fragments(seed: int):
    chosen = random.Random(seed)
    fragment = "".join(chosen.choices(FRAGMENTS, k=chosen.randint(2, 5)))
    for read in READERS.values():
        assert_near_linear(read, partial(repeated, fragment), LONGEST_SENTENCE)


@pytest.mark.parametrize("quote", mostly_slow(["“", "‘", "”", "„", '"\\', "“ ‘ "], 3))
def test_quotes_that_never_end_cost_little_at_the_greatest_length(quote: str):
    plain = cost(partial(parse_action, repeated("a word ", LONGEST_SENTENCE)))
    assert cost(partial(parse_action, repeated(quote, LONGEST_SENTENCE))) < 40 * plain


@pytest.mark.parametrize("read", READERS.values())
@pytest.mark.parametrize("text", ["and " * 12_000, 'click "A" and ' * 3_000, '"' * 50_000, "a" * 50_000])
def test_longer_sentences_are_refused_with_the_limit(read: Callable[[str], object], text: str):
    with pytest.raises(PhraseError, match=r"is too long: .* the limit is 2,000"):
        read(text)


@pytest.mark.parametrize("read", [split_clauses, literals])
@pytest.mark.parametrize(
    "fragment", mostly_slow(["and ", '"A" and ', '"A"\n', "a. ", ", ", "'", "`a", "x\n", '- "A", "B"\n'])
)
def test_clauses(read: Callable[[str], object], fragment: str):
    assert_near_linear(read, partial(repeated, fragment), LONGEST_EXPECTATION)


COMMANDS = (
    "echo a ", 'echo "a ', 'echo "#! > ', "echo 'print( ", "<<A\n", "<<A\ncat << A\n", "a=b echo $b ", "a=b ", "ln ", "ln /bin/ ", "which ",
    "write(", "write(print(", 'echo "', "<<x\n.\necho\n", "#!", ";echo ", "a() ", "alias ", "%25", "AAAAAA ", "echo x|", "<<a print(\n",
    "\n", " ", "'", '"', "$a ", "x=1 echo $", "echo -e ", "|", "&", "print ( ", "é<<é\n",
)  # fmt: skip
JUDGES: tuple[Callable[[str], bool], ...] = (
    tampering.composes, tampering.writes_program, tampering.stands_in, tampering.is_program,
    lambda command: tampering.is_pieced_together(command, "hello world"), lambda command: tampering.names([command], "hello world"),
)  # fmt: skip


@pytest.mark.parametrize("fragment", mostly_slow(COMMANDS))
def test_commands_are_judged(fragment: str):
    """Orchestrators judge them, in their event loop: 4 kB of here-documents once took them minutes."""

    def judge(command: str) -> list[bool]:
        return [judges(command) for judges in JUDGES]

    assert_near_linear(judge, partial(repeated, fragment), 40_000)


WORDING: tuple[Callable[[str], object], ...] = (
    wording.find_numbers, wording.is_negative, wording.strip_literals, binding.only_asks_person,
    lambda text: wording.stands_alone(text, "hello"), lambda text: wording.has_number(text, "7"), placeholder_names, secret_names,
)  # fmt: skip


@pytest.mark.parametrize("fragment", mostly_slow(FRAGMENTS, 24))
def test_words_are_judged(fragment: str):
    def judge(text: str) -> list[object]:
        return [judges(text) for judges in WORDING]

    assert_near_linear(judge, partial(repeated, fragment), LONGEST_EXPECTATION)


STEPS = "steps:\n- action: a\n  expected: e\n"
OUTLINE = "Feature: f\nScenario Outline: s <a>\nWhen x <a>\nThen y\nExamples:\n|a|\n"
SCENARIO = "Scenario: s\nWhen x\nThen y\n"
MARKDOWN = "# n\n\n1. a\n   - Expected: b\n"


def numbered(line: str, count: int) -> str:
    return "".join(line.replace("%", str(number)) for number in range(count))


FILES: dict[str, tuple[CaseFormat, Callable[[int], str], int]] = {
    "steps": ("yaml", lambda n: f"name: n\n{STEPS}" + "- {action: a, expected: e}\n" * n, 1_600),
    "cases": ("yaml", lambda n: "cases:\n" + numbered("- {name: n%, steps: [{action: a, expected: e}]}\n", n), 1_600),
    "documents": ("yaml", lambda n: numbered(f"---\nname: n%\n{STEPS}", n), 1_200),
    "variables": ("yaml", lambda n: f"name: n\n{STEPS}variables:\n" + numbered("  a%: x\n", n), 480),
    "unknown keys": ("yaml", lambda n: numbered("key%: 1\n", n), 1_600),
    "the same key": ("yaml", lambda n: "a: 1\n" * n, 1_600),
    "aliases": ("yaml", lambda n: "a: &a [x, x]\nb: [" + "*a, " * n + "]\n", 4_000),
    "no secrets": ("yaml", lambda n: f"name: n\n{STEPS}secrets: [" + "a-b, " * n + "]\n", 400),
    "comments": ("yaml", lambda n: "# x\n" * n + f"name: n\n{STEPS}", 20_000),
    "a long text": ("yaml", lambda n: f"name: n\nsteps:\n- action: |\n    a:\n{'    a ' * n}\n", 8_000),
    "nesting": ("yaml", lambda n: "name: " + "{a: " * n, 4_000),
    "rows": ("gherkin", lambda n: OUTLINE + numbered("|%|\n", n), 1_600),
    "rows of long steps": ("gherkin", lambda n: OUTLINE.replace("y", "<a> " * 50) + numbered("|%|\n", n), 800),
    "scenarios": ("gherkin", lambda n: "Feature: f\n" + SCENARIO * n, 1_600),
    "background": ("gherkin", lambda n: "Feature: f\nBackground:\nGiven z\n" + SCENARIO * n, 1_600),
    "steps of a scenario": ("gherkin", lambda n: "Feature: f\nScenario: s\n" + "When x\nThen y\n" * n, 1_600),
    "expectations": ("gherkin", lambda n: "Feature: f\nScenario: s\nWhen x\n" + "Then y\n" * n, 2_000),
    "a table": ("gherkin", lambda n: f"Feature: f\n{SCENARIO}" + "|a|\n" * n, 2_000),
    "columns": ("gherkin", lambda n: f"Feature: f\n{SCENARIO}|" + "a|" * n + "\n", 8_000),
    "tags": ("gherkin", lambda n: "@a " * n + f"\nFeature: f\n{SCENARIO}", 2_000),
    "no gherkin": ("gherkin", lambda n: "Feature: f\n" + "|a\n" * n, 2_000),
    "parameters": ("gherkin", lambda n: OUTLINE.replace("y", "<a>" * n) + "|1|\n", 8_000),
    "unknown parameters": ("gherkin", lambda n: OUTLINE.replace("y", numbered("<b%>", n)) + "|1|\n", 1_600),
    "descriptions": ("gherkin", lambda n: "Feature: f\n" + "Given a\n".lower() * n + SCENARIO, 2_000),
    "table of steps": ("markdown", lambda n: "# n\n\n|Action|Expected|\n|---|---|\n" + "|a|b|\n" * n, 1_600),
    "list of steps": ("markdown", lambda n: "# n\n\n" + "1. a\n   Expected: e\n" * n, 1_600),
    "headings": ("markdown", lambda n: MARKDOWN.replace("# n", "# n%") * n, 1_200),
    "lists in lists": ("markdown", lambda n: "# n\n\n" + "".join("  " * at + "- a\n" for at in range(n)), 40),
    "keys": ("markdown", lambda n: "# n\n\n" + "Suite: a\n" * n + MARKDOWN, 1_600),
    "long paragraphs": ("markdown", lambda n: MARKDOWN + "   a\n" * n, 4_000),
    "stars": ("markdown", lambda n: "# n\n\n1. " + "**a" * n + "\n   - Expected: b\n", 1_200),
    "literals": ("markdown", lambda n: "# n\n\n1. " + '"a" ' * n + "\n   - Expected: b\n", 900),
}


@pytest.mark.parametrize("name", mostly_slow(FILES))
def test_files(name: str):
    form, make, count = FILES[name]
    assert len(make(count)) <= LARGEST
    assert_near_linear(partial(load_text, form=form), make, count)


def bomb(levels: int) -> str:
    lines = [f"b{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, levels)]
    return "a: &a0 [x, x]\n" + "".join(lines)


TOO_MUCH: dict[str, tuple[CaseFormat, str, str]] = {
    "a bomb of aliases": ("yaml", bomb(12), "has more than 50,000 values with aliases expanded"),
    "many aliases of much": ("yaml", "a: &a [" + "x, " * 5_000 + "]\nb: [" + "*a, " * 5_000 + "]\n", "more than 50,000 values"),
    "an alias in itself": ("yaml", "name: &a [*a]", "an alias that refers to itself"),
    "nesting": ("yaml", "a: " + "[" * 100_000, "nested too deeply: more than 30 levels"),
    "values": ("yaml", "a: [" + "x, " * 60_000 + "]", "more than 50,000 values"),
    "cases": ("yaml", "cases:\n" + numbered("- {name: n%, steps: [{action: a, expected: e}]}\n", 2_001), "at most 2,000 cases"),
    "variables of all": ("yaml", "variables:\n" + numbered("  a%: x\n", 501) + f"cases:\n- name: n\n  {STEPS}".replace("\n-", "\n  -"), ""),
    "digits": ("yaml", f"name: n\n{STEPS}limits: {{max_calls: {'1' * 300_000}}}", "300000 digits, the limit is 18"),
    "a long name": ("yaml", f"name: {'n' * 300_000}\n{STEPS}", "the limit is 300"),
    "bytes": ("markdown", "a\n" * LARGEST, "the limit is 400,000"),
    "rows": ("gherkin", OUTLINE + "|1|\n" * 20_000, "more than 20,000 steps"),
    "cases of rows": ("gherkin", OUTLINE + "|1|\n" * 2_001, "at most 2,000 cases"),
    "columns": ("gherkin", OUTLINE.replace("|a|", "|a" * 101 + "|"), ""),
    "values in texts": (
        "gherkin", OUTLINE.replace("y", "<a>" * 60_000) + f"|{'v' * 100_000}|\n", "more than 5,000,000 characters"),
    "a prose of rows": (
        "gherkin", OUTLINE.replace("<a>\nWhen", "<a>\n" + "given\n" * 40_000 + "When", 1) + "|1|\n" * 1_000, ""),
    "lines": ("markdown", "# " + "n" * 5_000, "longer than 4000 characters"),
    "headings": ("markdown", MARKDOWN * 2_001, "at most 2,000 cases"),
}  # fmt: skip


@pytest.mark.parametrize("name", mostly_slow(TOO_MUCH))
def test_what_is_too_much_is_refused_with_the_limit_and_at_once(name: str):
    form, text, said = TOO_MUCH[name]
    reasons: list[str] = []

    def read() -> None:
        try:
            load_text(text, form=form)
        except CaseError as error:
            reasons.append(str(error))

    assert cost(read) < 400 * cost(partial(load_text, f"name: n\n{STEPS}" + "- {action: a, expected: e}\n" * 50))
    assert said in reasons[0]


JSON: dict[str, Callable[[int], dict[str, Any]]] = {
    "steps": lambda n: {"job": {"type": "test_case", "name": "n", "steps": [{"action": "a", "expected": "e"}] * n}},
    "unknown keys": lambda n: {"job": {"type": "drill"}} | {f"a{number}": 1 for number in range(n)},
    "labels": lambda n: {"job": {"type": "drill"}, "labels": {f"a{number}": "x" for number in range(n)}},
    "a long key": lambda n: {"job": {"type": "drill"}, "k" * n: 1},
    "an id": lambda n: {"job": {"type": "drill"}, "id": "x" * n},
    "a subject": lambda n: {"job": {"type": "drill"}, "reply_to": "a." * n},
    "an address": lambda n: {"job": {"type": "drill"}, "webhook": "http://" + "a." * n},
    "placeholders": lambda n: {
        "job": {"type": "test_case", "name": "n", "steps": [{"action": "a", "expected": "e"}], "variables": {"a": "${b} " * n}}
    },
    "open placeholders": lambda n: {
        "job": {"type": "test_case", "name": "n", "steps": [{"action": "a", "expected": "${secret:" * n}]}
    },
    "secrets": lambda n: {
        "job": {"type": "test_case", "name": "n", "steps": [{"action": "a", "expected": "e"}], "secrets": ["a-b"] * n}
    },
}  # fmt: skip


@pytest.mark.parametrize("name", mostly_slow(JSON))
def test_requests(name: str):
    def make(size: int) -> str:
        return json.dumps(JSON[name](size))

    def read(text: str) -> object:
        return decode_request(text.encode())

    assert len(make(1_600)) < MAX_REQUEST_BYTES
    assert_near_linear(read, make, 1_600)


def test_a_refusal_is_never_larger_than_a_message():
    steps = [{"action": "a" * 3_000, "expected": "${secret:x}"}] * 60
    many = {"job": {"type": "test_case", "name": "n" * 300, "steps": steps, "secrets": ["a-b" * 100] * 100}}
    with pytest.raises(InvalidRequest) as caught:
        decode_request(json.dumps(many).encode())
    assert len(str(caught.value)) < 20_000
    assert caught.value.reasons[-1].endswith("more problems")


@pytest.mark.parametrize("number", ["1" * 200_000, "1e" + "9" * 200_000, "0." + "1" * 200_000, "-" + "9" * 200_000])
@pytest.mark.parametrize("place", ['{"job":{"type":"drill","count":%s}}', '{"job":{"type":"drill"},"requested_at":%s}'])
def test_giant_numbers_are_refused_or_rounded_at_once(number: str, place: str):
    honest = cost(partial(decode_request, b'{"job":{"type":"drill"},"suite":"' + b"x" * 200_000 + b'"}'))

    def read() -> None:
        with suppress(InvalidRequest):
            assert 0 <= decode_request((place % number).encode()).requested_at < 1

    assert cost(read) < 300 * honest


EXPRESSIONS = (r"(a+)+$", r"(a|a)*$", r"(.*a){10}$", r"^(\w+\s?)*$", r"\w+@\w+\.\w+", r"(x+x+)+y", "[^b]*b")


@pytest.mark.parametrize("expression", mostly_slow(EXPRESSIONS))
@pytest.mark.parametrize("text", ["a", "a ", "ab", "xä"])
def test_regular_expressions(expression: str, text: str):
    assert_near_linear(RegularExpression(expression).is_in, partial(repeated, text), 200_000)
