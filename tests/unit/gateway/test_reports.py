"""What a report says of runs that have no verdict: how they stand."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from muster_gateway.report_routes import report_outcomes
from muster_protocol.events import Asked, Event, Parked, RunOpened, Unserved
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_views.history import fold_events
from muster_views.junit import render_junit
from muster_views.outcome import build_outcome
from muster_views.run_rows import describe_standing
from muster_views.summaries import build_row

REQUEST = RunRequest(id="r1", job=TestCase(name="Buy", steps=(Step(action="a"),)))
OPENED = RunOpened(request=REQUEST, owner="o", message=1, delivery=1)
PARKED = Parked(reason="waits for a person")
ASKED = Asked(question="r1.n0.1/0", task="r1.n0.1", text="Which address?")


@pytest.mark.parametrize(
    ("listed", "happened", "told"),
    [
        (RunRow(run="r1", name="Buy", status="queued"), (), "the run is queued"),
        (
            RunRow(run="r1", name="Buy", status="running", done=1, total=3),
            (OPENED,),
            "the run is in progress, 1 of 3 sub-tasks passed",
        ),
        (
            RunRow(run="r1", name="Buy", status="running", total=1, summary="waiting: nobody"),
            (OPENED, Unserved(what="pool act")),
            "the run is in progress, 0 of 1 sub-tasks passed: pool act is not running",
        ),
        (RunRow(run="r1", name="Buy", status="paused"), (), "the run is paused"),
        (RunRow(run="r1", name="Buy", status="running"), (OPENED, PARKED), "the run waits: waits for a person"),
        (
            RunRow(run="r1", name="Buy", status="parked"),
            (OPENED, ASKED, PARKED),
            "the run waits: it asks 'Which address?'",
        ),
        (
            RunRow(run="r1", name="Buy", status="fail", summary="wrong total"),
            (),
            "the run's log is gone; the list has it as fail: wrong total",
        ),
    ],
)
def test_a_case_without_a_verdict_is_told_with_how_its_run_stands(
    listed: RunRow, happened: tuple[Event, ...], told: str
):
    assert describe_standing(fold_events(((1.0, event) for event in happened), "r1"), listed) == told


def test_a_waiting_case_is_skipped_with_that_and_not_called_given_up():
    outcome = build_outcome(fold_events([(1.0, OPENED)], "r1"))
    standing_one = type(outcome)(label="Buy", name="Buy", run="r1", standing="the run waits: it asks")
    root = ET.fromstring(render_junit(report_outcomes([standing_one, outcome])))
    assert [it.attrib["message"] for it in root.iter("skipped")] == [
        "the run waits: it asks",
        "the run was given up before it had a verdict",
    ]
    assert build_row(standing_one).summary == "the run waits: it asks"
