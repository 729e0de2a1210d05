"""Selection, variables and short names."""

import pytest
from msgspec.structs import replace

from muster_cases.case_loader import CaseError, LoadedCase, load_text
from muster_cli.case_jobs import Changes, make_jobs, parse_pairs
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import DeviceSpec, TestCase

LOGIN = """
name: Log in
tags: [smoke]
labels: {team: a}
variables: {base_url: "http://a"}
secrets: [PIN]
steps:
  - {action: 'Open "${base_url}"', expected: 'The text "${greeting}" is visible'}
"""
STEPS = "steps: [{action: Open, expected: it is open}]"
OTHER = "name: Other\ntags: [slow]\nsteps: [{action: Open, expected: it is open}]"


def cases(*texts: str) -> list[LoadedCase]:
    return [case for number, text in enumerate(texts) for case in load_text(text, f"dir/0{number}-case.yaml", "shop")]


def variables(case: LoadedCase) -> dict[str, str]:
    assert isinstance(case.request.job, TestCase)
    return case.request.job.variables


def test_a_variable_of_the_command_line_goes_to_the_cases_that_have_or_use_it():
    jobs = make_jobs(cases(LOGIN, OTHER), Changes({"base_url": "http://b", "greeting": "Hello"}))
    assert [variables(job.case) for job in jobs] == [{"base_url": "http://b", "greeting": "Hello"}, {}]


def test_a_variable_that_no_case_uses_is_refused_with_the_nearest_name():
    with pytest.raises(InvalidRequest, match=r"--var base_ur: no case .*did you mean base_url\?"):
        make_jobs(cases(LOGIN, OTHER), Changes({"base_ur": "x"}))


def test_a_variable_that_makes_a_case_invalid_is_refused_with_its_place():
    with pytest.raises(CaseError, match=r"dir/00-case.yaml:2:1: variable 'base_url' contains a secret"):
        make_jobs(cases(LOGIN), Changes({"base_url": "${secret:PIN}"}))


def test_only_cases_with_one_of_the_tags_are_run():
    jobs = make_jobs(cases(LOGIN, OTHER), Changes(tags=["slow", "nightly"]))
    assert [job.case.request.job.name for job in jobs] == ["Other"]


def test_a_tag_that_no_case_has_is_refused_with_the_tags_there_are():
    with pytest.raises(InvalidRequest, match="no case has the tag x; there are: slow, smoke"):
        make_jobs(cases(LOGIN, OTHER), Changes(tags=["x"]))


def test_suite_and_labels_of_the_command_line_are_added():
    (job,) = make_jobs(cases(LOGIN), Changes(suite="nightly", labels={"branch": "main"}))
    assert (job.case.request.suite, job.case.request.labels) == ("nightly", {"team": "a", "branch": "main"})


def test_every_job_has_a_run_id_of_its_own():
    text = f"{LOGIN}\n---\n{OTHER}"
    first, second = make_jobs(cases(text), Changes())
    assert first.case.request.id != second.case.request.id
    assert first.case.request.id.startswith("run-")


def test_short_names_are_the_files_names_and_distinct():
    jobs = make_jobs([*cases(LOGIN, OTHER), *load_text(f"{OTHER}\n---\n{LOGIN}", "x/01-case.yaml")], Changes())
    assert [job.label for job in jobs] == ["00-case", "01-case#1", "01-case#2", "01-case#3"]


def test_pairs_need_a_name_and_an_equals_sign():
    assert parse_pairs(["a=1", "b=x=y", "a=2", "c="], "--var") == {"a": "2", "b": "x=y", "c": ""}
    with pytest.raises(InvalidRequest, match="--var 'novalue' must have the form NAME=VALUE"):
        parse_pairs(["novalue"], "--var")


def test_cases_in_gherkin_are_selected_by_tag_and_take_variables_as_all_others_do():
    feature = """
@var:base_url=http://a
Feature: F
  @smoke
  Scenario: one
    When I open "${base_url}"
    Then it is open
  Scenario: two
    When I open "${base_url}"
    Then it is open
"""
    jobs = make_jobs(load_text(feature, "dir/f.feature", "s", "gherkin"), Changes({"base_url": "http://b"}, ["smoke"]))
    assert [(job.label, job.case.request.job.name) for job in jobs] == [("f", "F: one")]
    assert variables(jobs[0].case) == {"base_url": "http://b"}


def on_app(app: str, *faults: str) -> LoadedCase:
    (case,) = load_text(f"name: A\n{STEPS}", "c.yaml")
    assert isinstance(case.request.job, TestCase)
    device = DeviceSpec(kind="screens", definition=app, source="a.yaml", faults=faults)
    return case._replace(request=replace(case.request, job=replace(case.request.job, device=device)))


def test_an_app_that_cannot_be_used_is_told_before_anything_runs_once_and_with_its_place():
    broken = on_app("app: a\nstart: x\nscreen: {}\n")
    with pytest.raises(CaseError) as caught:
        make_jobs([broken, broken], Changes())
    assert "a.yaml:3:1: unknown key 'screen'; did you mean 'screens'?" in caught.value.reasons
    assert len(set(caught.value.reasons)) == len(caught.value.reasons)


def test_a_fault_that_the_app_lacks_is_told():
    app = "app: a\nstart: x\nscreens: {x: {elements: []}}\nfaults: {slow: {slow: 1}}\n"
    assert make_jobs([on_app(app, "slow")], Changes())
    with pytest.raises(CaseError, match=r"c\.yaml:1:1: the app a\.yaml has no fault 'slwo'; did you mean 'slow'\?"):
        make_jobs([on_app(app, "slwo")], Changes())
