"""The documentation of cases: its sentences are phrases, and what it says about keys is so."""

import re
from pathlib import Path

import pytest

from muster_cases.case_loader import CASE_KEYS, LIMIT_KEYS, LoadedCase, load_text
from muster_grammar import parse_action, parse_expectation, parse_precondition
from muster_protocol.requests import TestCase

TEXT = (Path(__file__).parents[3] / "docs/cases.md").read_text()
CASES = [
    case for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL) for case in load_text(block, "docs/cases.md")
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.request.job.name)
def test_every_sentence_of_the_case_documentation_is_a_known_phrase(case: LoadedCase):
    job = case.request.job
    assert isinstance(job, TestCase)
    for sentence in job.preconditions:
        assert parse_precondition(sentence)
    for step in job.steps:
        assert parse_action(step.action)
        assert not step.expected or parse_expectation(step.expected)


def test_every_key_is_documented():
    documented = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    assert documented == {*CASE_KEYS, *LIMIT_KEYS}
