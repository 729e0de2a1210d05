"""The reports of test runners: counted as they say, and what they do not say is not made up."""

import pytest

from muster_sessionhost.workspace_tools.child_runs import Ran
from muster_sessionhost.workspace_tools.suite_reports import Counts, go_counts, junit_counts, node_counts
from muster_sessionhost.workspace_tools.suite_runs import passed

JUNIT = """<?xml version="1.0"?><testsuites><testsuite name="pytest" tests="9">
<testcase classname="tests.test_a" name="test_good"/>
<testcase classname="tests.test_a" name="test_bad"><failure message="assert 1 == 2">
tests/test_a.py:7: AssertionError</failure></testcase>
<testcase classname="tests.test_b" name="test_broken"><error message="no such fixture"/></testcase>
<testcase classname="tests.test_b" name="test_later"><skipped/></testcase>
</testsuite></testsuites>"""
GO = """{"Action":"run","Package":"shop","Test":"TestGood"}
{"Action":"pass","Package":"shop","Test":"TestGood"}
{"Action":"output","Package":"shop","Test":"TestBad","Output":"want 2\\n"}
{"Action":"fail","Package":"shop","Test":"TestBad"}
{"Action":"skip","Package":"shop","Test":"TestNot"}
{"Action":"fail","Package":"shop"}
{"Action":"build-output","Package":"broken","Output":"undefined: x\\n"}
{"Action":"fail","Package":"broken"}
not json
"""


def test_junit_is_counted_by_its_cases_and_not_by_what_it_claims():
    found = junit_counts(JUNIT)

    assert found is not None
    assert (found.passed, found.failed, found.errors, found.skipped, found.total) == (1, 1, 1, 1, 4)
    assert [(each.name, each.where) for each in found.failures] == [
        ("tests.test_a.test_bad", "tests/test_a.py:7"),
        ("tests.test_b.test_broken", ""),
    ]


def test_go_is_counted_by_its_events_and_a_package_that_does_not_build_is_an_error():
    found = go_counts(GO)

    assert found is not None
    assert (found.passed, found.failed, found.errors, found.skipped) == (1, 1, 1, 1)
    assert [(each.name, each.message) for each in found.failures] == [
        ("shop.TestBad", "want 2"),
        ("broken", "undefined: x"),
    ]


def test_go_packages_that_are_told_without_an_event_are_errors_each_with_its_own_message():
    told = (
        "# shop/a [shop/a.test]\na/it.go:3:12: syntax error\n# shop/b [shop/b.test]\nb/b_test.go:5:2: undefined: x\n"
        "FAIL\tshop/a [setup failed]\nFAIL\tshop/b [build failed]\n"
    )
    found = go_counts(told)

    assert found is not None
    assert (found.passed, found.failed, found.errors) == (0, 0, 2)
    assert [(each.name, each.message) for each in found.failures] == [
        ("shop/a", "a/it.go:3:12: syntax error"),
        ("shop/b", "b/b_test.go:5:2: undefined: x"),
    ]


def test_of_newer_go_what_the_compiler_says_is_told_with_the_package():
    output = '{"ImportPath":"shop/a [shop/a.test]","Action":"build-output","Output":"a/it.go:3: syntax error\\n"}\n'
    found = go_counts(output + '{"Action":"fail","Package":"shop/a","FailedBuild":"shop/a [shop/a.test]"}\n')

    assert found is not None
    assert [(each.name, each.message) for each in found.failures] == [("shop/a", "a/it.go:3: syntax error")]


@pytest.mark.parametrize(
    "output",
    [
        "# tests 3\n# pass 2\n# fail 1\n# skipped 0\nnot ok 3 - sums up\n",
        "ℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ skipped 0\n✖ sums up\n",
        "Tests:       1 failed, 2 passed, 3 total\n  ● sums up\n",
        "  2 passing (4ms)\n  1 failing\n",
    ],
)
def test_node_is_counted_by_the_end_of_its_output(output: str):
    found = node_counts(output)

    assert found is not None
    assert (found.passed, found.failed, found.skipped) == (2, 1, 0)


@pytest.mark.parametrize("text", ["", "<html>", "<a/>", "PASS", "12 passed in 0.1s", '{"Action":"run"}', "{}", "[1]\n"])
def test_what_is_no_report_has_no_counts(text: str):
    assert (junit_counts(text), go_counts(text), node_counts(text)) == (None, None, None)


@pytest.mark.parametrize(
    ("code", "counts", "is_pass"),
    [
        (0, Counts(passed=2), True),
        (0, Counts(passed=2, skipped=1), True),
        (0, None, False),
        (0, Counts(), False),
        (0, Counts(skipped=3), False),
        (0, Counts(passed=2, failed=1), False),
        (0, Counts(passed=2, errors=1), False),
        (1, Counts(passed=2), False),
        (None, Counts(passed=2), False),
    ],
)
def test_tests_pass_only_if_the_runner_says_so_and_some_did(code: int | None, counts: Counts | None, is_pass: bool):
    assert passed(Ran(code, ""), counts) is is_pass
