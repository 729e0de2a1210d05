"""The spans of a run as they follow from its log, and the header that ties them together."""

import io
import json

import pytest
import structlog
from driven import Driven, a_case, fails, faults
from goldens import Kept, runs
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

from muster_orchestrator.run_traces import build_spans
from muster_orchestrator.submit_handler import with_traceparent
from muster_protocol.causes import Failure
from muster_protocol.events import OwnerChanged
from muster_protocol.requests import Drill, RunRequest
from muster_service.telemetry import configure_logging
from muster_service.tracing import current_headers, is_traceparent, run_traceparent, task_traceparent

GIVEN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
RUNS = runs()


@pytest.mark.parametrize("name", RUNS)
def test_every_recorded_run_is_one_tree_with_its_own_span_last(name: str):
    kept: Kept = RUNS[name]
    *tasks, run = build_spans(kept.entries)
    assert run.name == "run"
    assert len({span.traceparent for span in (*tasks, run)}) == len(tasks) + 1
    assert all(is_traceparent(span.traceparent) for span in (*tasks, run))
    assert {span.parent for span in tasks} <= {run.traceparent}
    assert all(run.began - 1 <= span.began <= span.ended <= run.ended for span in tasks)


def test_each_attempt_is_a_span_of_its_own_and_says_how_it_ended():
    driven = Driven.planned(a_case("One is seen"))
    driven.ends(driven.open("step-1"), faults(driven.open("step-1"), Failure.SESSION_LOST))
    driven.waits(5).opens(host="host-2")
    driven.happens(OwnerChanged(owner="b", epoch=2, message=1, delivery=2))
    driven.ends(driven.open("step-1"), fails(driven.open("step-1")))
    driven.decides("stop")
    driven.closes()

    *tasks, run = build_spans(driven.entries)
    attempts = [span for span in tasks if span.attributes["muster.node"] == "step-1"]
    assert [span.attributes["muster.attempt"] for span in attempts] == [1, 2]
    assert [span.attributes["muster.status"] for span in attempts] == ["error", "fail"]
    assert all(span.error for span in attempts)
    assert (run.attributes["muster.status"], run.attributes["muster.takeovers"]) == ("fail", 1)
    assert run.error


def test_a_run_joins_the_trace_it_was_asked_for_in_and_else_has_its_own():
    joined, alone = run_traceparent("run-1", GIVEN), run_traceparent("run-1")
    assert joined[3:35] == GIVEN[3:35]
    assert joined[36:52] != GIVEN[36:52]
    assert alone[3:35] != GIVEN[3:35]
    assert alone == run_traceparent("run-1", "nonsense")
    assert task_traceparent(joined, "run-1.n.1") != task_traceparent(joined, "run-1.n.2")
    assert task_traceparent(joined, "run-1.n.1")[:36] == joined[:36]


def test_a_caller_that_does_not_sample_its_trace_gets_no_part_of_it_sampled():
    run = run_traceparent("run-1", GIVEN[:-2] + "00")
    assert (run[-2:], task_traceparent(run, "run-1.n.1")[-2:]) == ("00", "00")
    assert (run_traceparent("run-1", GIVEN)[-2:], run_traceparent("run-1")[-2:]) == ("01", "01")
    assert run[:-2] == run_traceparent("run-1", GIVEN)[:-2]


@pytest.mark.parametrize(
    "text", ["", "00-0-0-01", GIVEN.upper(), GIVEN + "-00", "00-" + "0" * 32 + "-b7ad6b7169203331-01"]
)
def test_what_is_no_traceparent_is_left_out(text: str):
    assert not is_traceparent(text)
    assert with_traceparent(RunRequest(job=Drill(count=1)), {"traceparent": text}).traceparent == ""


def test_what_a_request_says_of_its_trace_goes_before_what_its_message_says():
    request = RunRequest(job=Drill(count=1), traceparent=GIVEN)
    other = GIVEN.replace("b7ad", "1111")
    assert with_traceparent(request, {"traceparent": other}).traceparent == GIVEN
    assert with_traceparent(RunRequest(job=Drill(count=1)), {"traceparent": other}).traceparent == other


def test_log_lines_and_messages_name_the_present_span(monkeypatch: pytest.MonkeyPatch):
    assert current_headers() == {}
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    configure_logging("info", "json")
    at = SpanContext(int(GIVEN[3:35], 16), int(GIVEN[36:52], 16), is_remote=True, trace_flags=TraceFlags(1))
    with trace.use_span(NonRecordingSpan(at)):
        assert current_headers() == {"traceparent": GIVEN}
        structlog.get_logger("of this test").info("something happened")
    line = json.loads(written.getvalue())
    assert (line["trace_id"], line["span_id"]) == (GIVEN[3:35], GIVEN[36:52])
