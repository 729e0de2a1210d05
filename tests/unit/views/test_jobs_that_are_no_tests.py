"""An assignment that is done is no test that passed: it is counted nowhere as one, and a failed one still fails."""

from typing import Any, cast
from xml.etree import ElementTree as ET

import pytest
from envelopes import a_task, result_of

from muster_cli.assignment_jobs import assignment_job, read_assignments
from muster_cli.assignment_report import assignment_text, describe_assignment_end
from muster_gateway.lists.suites import view_suites
from muster_protocol.assignments import Found
from muster_protocol.causes import Cause
from muster_protocol.errors import InvalidRequest
from muster_protocol.events import SubTaskDispatched, SubTaskEnded
from muster_protocol.kinds import AssignOutput
from muster_protocol.logs import RunRow
from muster_protocol.requests import Assignment
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict
from muster_views.history import History
from muster_views.junit import render_junit
from muster_views.outcome import CaseOutcome, build_report, exit_code
from muster_views.words import look


def outcome(status: Any, cause: Cause | None = None, **more: Any) -> CaseOutcome:
    verdict = Verdict(run="r1", name="it", status=status, cause=cause, **more)
    return CaseOutcome(label="it", name="it", run="r1", verdict=verdict)


def test_totals_and_junit_count_tests_alone():
    ends = [outcome("pass"), outcome("done"), outcome("failed", Cause.AGENT), outcome("fail", Cause.PRODUCT)]
    report = build_report(ends, "", 1.0, 2.0)
    root = ET.fromstring(render_junit(report))

    assert (report.totals.runs, report.totals.passed, report.totals.failed, report.totals.agent) == (2, 1, 1, 0)
    assert (root.get("tests"), root.get("errors"), len(list(root.iter("testcase")))) == ("2", "0", 2)


def test_what_is_done_is_a_success_of_the_command_and_what_has_failed_is_none():
    assert exit_code([outcome("done")]) == 0
    assert exit_code([outcome("done"), outcome("failed", Cause.AGENT)]) == 3


def test_suites_list_tests_alone():
    rows = [
        RunRow(run=f"r{n}", name=f"t{n}", suite="s", status=cast("Any", it)) for n, it in enumerate(("pass", "done"))
    ]
    [suite] = view_suites(rows)

    assert (suite.runs, suite.cases, suite.passed) == (1, 1, 1)
    assert view_suites(rows[1:]) == ()
    waiting = RunRow(run="r9", name="conversation", job="conversation", status="parked")
    assert view_suites([waiting]) == (), "a chat that waits is no case that runs"


def test_a_sub_task_of_an_agent_is_done_and_one_of_a_test_has_passed():
    words: list[str] = []
    for kind in ("assign", "step"):
        history = History(run="r1")
        history.apply(SubTaskDispatched(sub_task=a_task("r1.n.1", kind=kind)), 1.0)
        history.apply(SubTaskEnded(outcome=result_of("r1.n.1", kind=kind, status="pass", summary="ok")), 2.0)
        node = history.nodes["n"]
        words.append(f"{look(node.state).name} {node.status}")

    assert words == ["Done pass", "Passed pass"]


def test_what_an_agent_found_is_printed_with_its_places_and_what_it_took():
    findings = (Found(text="Handled here", file="db.py", line=41), Found(text="Said so", quote="yes", unread=True))
    held = AssignOutput(findings=findings, output={"n": 1}, context=9120)
    own = SubTaskResult(
        task="r1.a.1", node="assignment", attempt=1, status="pass", summary="ok", output=held, refusals=("write: no",)
    )
    end = outcome("done", summary="In one place.", results=(own,), usage=Usage(calls=4), duration=12.0)
    brought = describe_assignment_end(end, "researcher", ("r1/session/main-workspace.diff",))
    text = assignment_text(brought).plain

    assert text.splitlines()[:4] == [
        "researcher: done",
        "In one place.",
        "  - Handled here  [db.py:41]",
        "  - Said so",
    ]
    assert "“yes”  (stands nowhere in what it has read)" in text
    assert '"n": 1' in text
    assert "refused: write: no\n  changed files: muster apply r1\n" in text
    assert (brought.refusals, brought.diffs) == (("write: no",), ("r1/session/main-workspace.diff",))
    assert "4 tool calls · largest question 9,120 characters" in text


def test_a_list_of_assignments_names_the_one_that_is_wrong(tmp_path: Any):
    file = tmp_path / "list.yaml"
    file.write_text("- {agent: researcher, task: Look}\n- {agent: reviewer, goal: Read, budget: {calls: 5}}\n")
    jobs = read_assignments(file)
    assert [job.label for job in jobs] == ["researcher#1", "reviewer#2"]
    assert [cast("Assignment", job.case.request.job).goal for job in jobs] == ["Look", "Read"]

    for text, why in (
        ("- {agent: researcher}", "assignment 1: Object missing required field `goal`"),
        ("- {agent: a, task: x}\n- {agent: b, task: x, wrkspace: y}", "assignment 2: Object contains unknown field"),
        (
            "- {agent: a, task: x, workspace: ../etc}",
            "must be the name of a workspace that a session host serves, not a path",
        ),
        ("hello", "expected a list of assignments"),
        ("- [", "list.yaml"),
    ):
        file.write_text(text)
        with pytest.raises(InvalidRequest, match="(?s)" + why.replace("(", r"\(")):
            read_assignments(file)
    with pytest.raises(InvalidRequest, match="there is no such file"):
        read_assignments(tmp_path / "nowhere.yaml")


def test_an_assignment_is_named_after_its_goal():
    job = assignment_job(Assignment(goal="Find\nthe answer " + "x" * 200, agent="researcher"))

    assert job.case.request.job.name.startswith("Find the answer xxx")
    assert len(job.case.request.job.name) <= 80
