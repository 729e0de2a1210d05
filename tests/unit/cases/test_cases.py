"""Cases written in YAML: what is read from them, and what is said about those that cannot be read."""

import re
from pathlib import Path

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from muster_cases.case_loader import CASE_KEYS, CaseError, LoadedCase, load_text
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import PRIORITIES, Limits, RunRequest, Step, TestCase
from muster_text.request_rules import find_problems

ROOT = Path(__file__).parents[3]
FULL = """\
name: A visitor buys a backpack
suite: shop
labels: {team: checkout}
priority: high
on_fail: continue
tags: [smoke]
variables: {base_url: "http://127.0.0.1:8000"}
secrets: [SHOP_PASSWORD]
domains: [127.0.0.1]
preconditions: ["The shop is open at ${base_url}"]
limits: {timeout_seconds: 600, max_subtasks: 30}
steps:
  - action: Open "${base_url}/login"
    expected: The page title is "Demo shop"
    on_fail: stop
  - Click the "Log in" button
"""


def reasons(text: str, source: str = "f.yaml") -> list[str]:
    with pytest.raises(CaseError) as caught:
        load_text(text, source)
    return list(caught.value.reasons)


def only(text: str) -> RunRequest:
    (loaded,) = load_text(text)
    return loaded.request


def test_a_case_with_every_key_becomes_a_request_with_every_field():
    assert load_text(FULL, "f.yaml") == [
        LoadedCase(
            RunRequest(
                job=TestCase(
                    name="A visitor buys a backpack",
                    steps=(
                        Step(
                            action='Open "${base_url}/login"', expected='The page title is "Demo shop"', on_fail="stop"
                        ),
                        Step(action='Click the "Log in" button'),
                    ),
                    preconditions=("The shop is open at ${base_url}",),
                    tags=("smoke",),
                    variables={"base_url": "http://127.0.0.1:8000"},
                    secrets=("SHOP_PASSWORD",),
                    domains=("127.0.0.1",),
                    on_fail="continue",
                ),
                suite="shop",
                labels={"team": "checkout"},
                priority="high",
                limits=Limits(timeout_seconds=600, max_subtasks=30),
            ),
            source="f.yaml",
            line=1,
            step_lines=(13, 16),
        )
    ]


@pytest.mark.parametrize("text", ["yes", "No", "on", "1.10", "007", "0x1F", "1_000", "12:30:45", "2024-01-31", "~x"])
def test_what_yaml_would_turn_into_something_else_stays_text(text: str):
    request = only(
        f"name: {text}\ntags: [{text}]\nvariables: {{v: {text}}}\nsteps: [{{action: {text}, expected: {text}}}]"
    )
    assert isinstance(request.job, TestCase)
    job = request.job
    assert (job.name, job.tags, job.variables, job.steps) == (
        text,
        (text,),
        {"v": text},
        (Step(action=text, expected=text),),
    )


def test_several_documents_are_several_cases():
    text = "name: a\nsteps: [{action: x, expected: y}]\n---\nname: b\nsteps: [{action: x, expected: y}]\n---\n"
    loaded = load_text(text)
    assert [(case.request.job.name, case.line) for case in loaded] == [("a", 1), ("b", 4)]


def test_cases_in_a_list_share_what_stands_beside_the_list():
    text = """\
suite: shop
labels: {team: a, stage: test}
variables: {base_url: http://a, user: ada}
secrets: [ONE]
preconditions: [The shop is open]
limits: {timeout_seconds: 60, max_calls: 5}
cases:
  - name: first
    steps: [{action: x, expected: y}]
  - name: second
    suite: other
    labels: {team: b}
    variables: {user: bob}
    secrets: [TWO, ONE]
    preconditions: [The cart is empty]
    limits: {timeout_seconds: 90}
    steps: [{action: x, expected: y}]
"""
    first, second = (case.request for case in load_text(text))
    assert isinstance(first.job, TestCase) and isinstance(second.job, TestCase)
    assert (first.suite, first.job.variables) == ("shop", {"base_url": "http://a", "user": "ada"})
    assert (second.suite, second.labels) == ("other", {"team": "b", "stage": "test"})
    assert second.job.variables == {"base_url": "http://a", "user": "bob"}
    assert second.job.secrets == ("ONE", "TWO")
    assert second.job.preconditions == ("The shop is open", "The cart is empty")
    assert second.limits == Limits(timeout_seconds=90, max_calls=5)


@pytest.mark.parametrize("key", [*CASE_KEYS, "cases"])
def test_a_mistyped_key_is_refused_with_its_place_and_the_nearest_valid_key(key: str):
    text = f"name: a\nsteps: [{{action: x, expected: y}}]\n{key}x: 1\n"
    (reason,) = [reason for reason in reasons(text) if "unknown key" in reason]
    nearest = key if key != "cases" else "tags"
    assert reason.startswith(f"f.yaml:3:1: unknown key '{key}x' in a case; did you mean '")
    assert nearest in reason or key == "cases"


def test_a_key_like_no_other_lists_the_valid_ones():
    text = "name: a\nsteps:\n  - action: x\n    expected: y\n    qqqq: z\n"
    assert reasons(text) == ["f.yaml:5:5: unknown key 'qqqq' in a step; valid: action, expected, session, as, on_fail"]


PROBLEMS = {  # what: (text, beginning of the reason)
    "a key twice": (
        "name: a\nname: b\nsteps: [{action: x, expected: y}]",
        "2:1: duplicate key 'name', first used in line 1",
    ),
    "a name twice": (
        "cases:\n  - &a {name: a, steps: [{action: x, expected: y}]}\n  - {name: a, steps: [{action: x, expected: y}]}",
        '3:12: another case is called "a", in line 2: give each its own name',
    ),
    "sentences as a list": (
        "name: a\nsteps: [{action: x, expected: [y, z]}]",
        "2:31: 'expected' must be a text, not a list: write one text; several lines follow '|'",
    ),
    "no name": ("steps: [{action: x, expected: y}]", "1:1: a case needs the key 'name'"),
    "no steps": ("name: a", "1:1: a case needs the key 'steps'"),
    "empty steps": ("name: a\nsteps: []", "2:8: 'steps' is empty"),
    "no action": ("name: a\nsteps:\n  - expected: y", "3:5: a step needs the key 'action'"),
    "blank action": ("name: a\nsteps:\n  - action: ''\n    expected: y", "3:13: 'action' is blank"),
    "expected without value": ("name: a\nsteps:\n  - action: x\n    expected:", "4:14: 'expected' has no value"),
    "a list for a text": ("name: [a]\nsteps: [{action: x, expected: y}]", "1:7: 'name' must be a text, not a list"),
    "a text for a list": ("name: a\ntags: smoke\nsteps: [{action: x, expected: y}]", "2:7: 'tags' must be a list"),
    "a list for keys": ("name: a\nlimits: [1]\nsteps: [{action: x, expected: y}]", "2:9: 'limits' must have keys"),
    "a quoted number": (
        "name: a\nlimits: {max_calls: '5'}\nsteps: [{action: x, expected: y}]",
        "2:21: 'max_calls' must be a number, not '5'",
    ),
    "a number out of bounds": (
        "name: a\nlimits: {timeout_seconds: 0}\nsteps: [{action: x, expected: y}]",
        "2:27: 'timeout_seconds' is 0: it must be a number above 0",
    ),
    "half a sub-task": (
        "name: a\nlimits: {max_subtasks: 2.5}\nsteps: [{action: x, expected: y}]",
        "2:24: 'max_subtasks' is 2.5: it must be a whole number",
    ),
    "an unknown way to go on": (
        "name: a\nsteps: [{action: x, expected: y, on_fail: halt}]",
        "2:43: 'on_fail' must be stop or continue, not 'halt'",
    ),
    "an unknown priority": (
        "name: a\npriority: urgent\nsteps: [{action: x, expected: y}]",
        "2:11: 'priority' must be critical, high or normal, not 'urgent'",
    ),
    "a case without expectation": ("\nname: a\nsteps: [x]", "2:1: test case 'a' expects nothing"),
    "an undeclared secret": (
        "name: a\nsteps: [{action: 'Type \"${secret:PIN}\"', expected: y}]",
        "1:1: ${secret:PIN} is used but 'PIN' is not listed under secrets",
    ),
    "a sentence with a colon": (
        "name: a\nsteps:\n  - Open: the page",
        "3:5: if this is a sentence that contains ':'",
    ),
    "a key one column to the left": (
        "name: a\nsteps:\n  - action: x\n   expected: y",
        "4:4: invalid YAML: expected <block end>, but found '<block mapping start>'; begin the keys of a step in the same",
    ),
    "a sentence that starts with a quote": (
        'name: a\nsteps:\n  - action: x\n    expected: "A" is visible',
        "4:19: invalid YAML: expected <block end>, but found '<scalar>'; put a sentence that starts with a quote",
    ),
    "a tag": ("name: a\nsteps:\n  - action: !Open the page\n    expected: y", "3:13: 'action' starts with '!Open'"),
    "a tab": (
        "name: a\nsteps:\n\t- x",
        "3:1: invalid YAML: found character '\\t' that cannot start any token; indent",
    ),
    "a control character": ("name: a\nsteps: [\x01]", "2:9: the character U+0001 is not allowed in YAML"),
    "a list at the top": ("- name: a", "1:1: unexpected list; put several cases under the key 'cases'"),
    "a list as key": ("name: a\n? [x]\n: 1\nsteps: [{action: x, expected: y}]", "2:3: a key must be a text"),
    "a text at the top": ("hello", "1:1: a case must have keys (name, "),
}


@pytest.mark.parametrize("what", PROBLEMS)
def test_what_is_wrong_is_named_with_its_place(what: str):
    text, expected = PROBLEMS[what]
    assert any(reason.startswith(f"f.yaml:{expected}") for reason in reasons(text)), reasons(text)


def test_a_quoted_literal_cut_by_a_comment_is_refused():
    text = 'name: a\nsteps:\n  - action: Click the "Item\n    expected: y\n'
    assert load_text(text)  # an odd quote alone may be inches
    cut = text.replace('"Item', '"Item #1" button')
    assert reasons(cut) == [
        "f.yaml:3:13: 'action' is cut off at ' #', which starts a comment in YAML: put the text in single quotes"
    ]


def test_all_problems_of_a_file_are_told_at_once_in_the_order_of_their_places():
    text = "nam: a\ntags: x\nsteps:\n  - action: 1\n    expect: 2\n---\nname: b\nsteps: 3\n---\na: b: c\n"
    found = reasons(text)
    assert [reason.split(":")[1] for reason in found] == ["1", "1", "2", "5", "8", "10"]


def test_of_very_many_problems_the_first_are_told_and_the_others_counted():
    found = reasons("name: a\nsteps: []\n---\n" * 2000)
    assert len(found) == 201
    assert (found[0][:10], found[-1]) == ("f.yaml:2:8", "and 1,800 more problems")


def test_a_text_without_a_case_is_refused():
    assert reasons("# nothing\n") == ["f.yaml: no test case found; a case has 'name' and 'steps'"]


def test_text_nested_beyond_reason_is_refused():
    assert "nested too deeply" in reasons("[" * 5000)[0]


def test_an_alias_to_itself_is_refused():
    assert "contains an alias that refers to itself" in reasons("name: a\nsteps: &s [*s]")[0]


def test_steps_written_once_can_be_used_again_by_an_alias():
    text = "name: a\nsteps:\n  - &open {action: Open, expected: y}\n  - *open\n"
    request = only(text)
    assert isinstance(request.job, TestCase)
    assert request.job.steps == (Step(action="Open", expected="y"),) * 2


def test_a_case_error_is_an_invalid_request():
    assert issubclass(CaseError, InvalidRequest)


def test_a_number_of_more_digits_than_a_message_takes_is_refused():
    text = f"name: a\nlimits: {{max_calls: {'9' * 5000}}}\nsteps: [{{action: x, expected: y}}]"
    assert reasons(text) == ["f.yaml:2:21: 'max_calls' has 5000 digits, the limit is 18"]


# PyYAML writes the three line ends that only YAML knows in a way that it does not read back
texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="$\x85\u2028\u2029"), min_size=1, max_size=40
)
words = texts.filter(lambda text: text.strip() != "")
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,10}", fullmatch=True)
limits = st.builds(
    Limits,
    timeout_seconds=st.none() | st.integers(1, 10**6) | st.floats(0.001, 1e6).map(lambda value: round(value, 3)),
    max_subtasks=st.none() | st.integers(1, 10_000),
    max_calls=st.none() | st.integers(1, 10**9),
)
steps = st.lists(st.builds(Step, action=words, expected=st.just("") | texts), min_size=1, max_size=4)
cases = st.builds(
    TestCase,
    name=words,
    steps=steps.map(tuple),
    preconditions=st.lists(words, max_size=3).map(tuple),
    tags=st.lists(words, max_size=3).map(tuple),
    variables=st.dictionaries(names, st.just("") | texts, max_size=3),
    secrets=st.lists(names, max_size=3).map(tuple),
    domains=st.lists(words, max_size=3).map(tuple),
)
requests = st.builds(
    RunRequest,
    job=cases,
    suite=words,
    labels=st.dictionaries(words, st.just("") | texts, max_size=3),
    priority=st.sampled_from(PRIORITIES),
    limits=limits,
).filter(lambda request: not find_problems(request))


@settings(deadline=None)
@given(
    st.lists(requests, min_size=1, max_size=3, unique_by=lambda one: (one.suite, one.job.name)),
    st.booleans(),
    st.booleans(),
)
def test_a_case_written_as_yaml_and_loaded_is_the_same(wanted: list[RunRequest], unicode: bool, in_list: bool):
    documents: list[object] = []
    for request in wanted:
        fields = msgspec.to_builtins(request)
        case = fields.pop("job")
        case.pop("type")
        documents.append(case | fields)
    content = [{"cases": documents}] if in_list else documents
    written = yaml.safe_dump_all(content, allow_unicode=unicode, sort_keys=False)
    assert [case.request for case in load_text(written)] == wanted


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fail_in_another_way(text: str):
    try:
        load_text(text)
    except CaseError as error:
        assert error.problems


def test_every_yaml_block_of_the_case_documentation_is_a_valid_file():
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/cases.md").read_text(), re.DOTALL)
    assert len(blocks) >= 8
    for block in blocks:
        assert load_text(block, "docs/cases.md")


def test_a_letter_that_json_escapes_as_a_pair_is_read_and_half_of_one_is_refused_with_its_place():
    text = '{"name": "Bag %s", "steps": [{"action": "Open x", "expected": "y"}]}'
    [case] = load_text(text % "\\ud83c\\udf92")
    assert isinstance(case.request.job, TestCase)
    assert case.request.job.name == "Bag \U0001f392"
    with pytest.raises(CaseError, match=r"1:10: contains half of a letter"):
        load_text(text % "\\ud83c")
