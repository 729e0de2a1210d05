"""The mutation bench: its table fits the shop and the cases, its cases are phrases, its counts are right."""

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from muster_cases.case_loader import load_paths
from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Cause
from muster_protocol.requests import TestCase
from muster_protocol.verdicts import Verdict

ROOT = Path(__file__).parents[3]
SHOP = ROOT / "examples" / "shop"
sys.path += [str(ROOT / "bench"), str(SHOP)]
mutants: Any = importlib.import_module("mutants")
scoring: Any = importlib.import_module("scoring")
bugs: Any = importlib.import_module("bugs")

CASES = {case.request.job.name: case.request.job for case in load_paths([ROOT / "bench" / "cases"])}
MUTANT = scoring.Trial("A case", "a-fault", Cause.PRODUCT)
HEALTHY = scoring.Trial("A case")


def ended(trial: Any, status: Any, cause: Cause | None = None) -> Any:
    verdict = Verdict(run="run-1", name=trial.case, status=status, cause=cause, summary="because")
    return scoring.Result(trial, verdict, 1.0)


def test_every_fault_of_the_shop_has_one_mutant_and_there_are_at_least_forty():
    tried = [mutant.bug for mutant in mutants.MUTANTS]
    assert sorted([*tried, *mutants.HARMLESS]) == sorted(bugs.BUGS)
    assert len(tried) >= 40


def test_every_mutant_names_a_case_that_is_there_and_every_case_has_a_mutant():
    assert {mutant.case for mutant in mutants.MUTANTS} == set(CASES)
    assert 10 <= len(CASES) <= 25


def test_a_mutant_is_the_products_fault_unless_nothing_answers():
    elsewhere = {mutant.bug for mutant in mutants.MUTANTS if mutant.cause != Cause.PRODUCT}
    assert elsewhere == mutants.UNREACHABLE
    assert {mutant.cause for mutant in mutants.MUTANTS} == {Cause.PRODUCT, Cause.ENVIRONMENT}


def test_every_fault_is_asked_for_in_the_shops_code_and_described_in_a_sentence():
    code = "".join(path.read_text() for path in SHOP.glob("*.py"))
    assert set(re.findall(r"""\bbug\(["']([\w-]+)["']\)""", code)) - {"NAME"} == set(bugs.BUGS)
    assert all(about[0].isupper() and about.endswith(".") for about in bugs.BUGS.values())


@pytest.mark.parametrize("name", CASES)
def test_every_sentence_of_the_cases_is_a_phrase(name: str):
    case = CASES[name]
    assert isinstance(case, TestCase)
    for step in case.steps:
        assert parse_action(step.action)
        assert not step.expected or parse_expectation(step.expected)
    assert any(step.expected for step in case.steps)


def test_a_pass_on_a_faulty_shop_is_a_false_pass_and_misses_the_goal():
    total = scoring.score([ended(MUTANT, "pass"), ended(MUTANT, "fail", Cause.PRODUCT), ended(HEALTHY, "pass")])
    assert total == scoring.Score(mutants=2, false_passes=1, causes_right=1, healthy=1, false_fails=0)
    assert total.missed == ("no false pass",)
    assert ended(MUTANT, "pass").words == "FALSE PASS"


def test_a_fail_on_a_healthy_or_harmlessly_slow_shop_is_a_false_fail():
    slow = scoring.Trial("A case", "slow")
    total = scoring.score([ended(HEALTHY, "pass"), ended(slow, "fail", Cause.PRODUCT)])
    assert (total.healthy, total.false_fails) == (2, 1)
    assert total.missed == ("at most 2% false fails",)
    assert ended(slow, "fail", Cause.PRODUCT).words == "FALSE FAIL"


def test_one_false_fail_in_fifty_is_within_the_goal_and_one_in_forty_nine_is_not():
    def missed(passes: int) -> object:
        return scoring.score([ended(HEALTHY, "fail", Cause.AGENT)] + [ended(HEALTHY, "pass")] * passes).missed

    assert missed(49) == ()
    assert missed(48) == ("at most 2% false fails",)


def test_a_fail_with_another_cause_is_found_but_its_cause_is_not_right():
    wrong = ended(MUTANT, "fail", Cause.AGENT)
    assert wrong.words == "cause is not product"
    assert scoring.score([wrong] + [ended(MUTANT, "fail", Cause.PRODUCT)] * 19).missed == ()
    assert scoring.score([wrong] + [ended(MUTANT, "fail", Cause.PRODUCT)] * 18).missed == ("at least 95% causes right",)


def test_no_verdict_in_time_is_neither_a_pass_nor_a_right_cause():
    none = scoring.Result(MUTANT, None, 240.0)
    total = scoring.score([none])
    assert (total.false_passes, total.causes_right) == (0, 0)
    assert "no verdict in time" in scoring.row(none)
