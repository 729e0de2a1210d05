"""What arithmetic says of a run among the runs of its test."""

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_client.test_histories import history_key
from muster_protocol.analyses import TestHistory
from muster_protocol.causes import Cause
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict
from muster_views.run_analysis import MOST_ROWS, analysis_note, ended_row, with_run

DAY = 86_400.0
CASE = RunRequest(job=TestCase(name="Buy", steps=(Step(action="Wait 1 second"),)))


def row(at: int, mark: str, seconds: float = 10.0, summary: str = "it failed") -> RunRow:
    cause = {"F": "product", "E": "environment"}.get(mark, "")
    end, why = at * DAY, summary if cause else ""
    status = "fail" if cause else "pass"
    return RunRow(
        run=f"run-{at:03}", name="Buy", status=status, cause=cause, summary=why, started_at=end - seconds, ended_at=end
    )


def history(*rows: RunRow) -> TestHistory:
    return reduce(with_run, rows, TestHistory(name="Buy"))


def told(marks: str) -> str:
    """Return what is said of the newest of some runs; "": nothing."""
    rows = [row(at, mark) for at, mark in enumerate(marks, 1)]
    note = analysis_note(history(*rows), rows[-1].run)
    return note.summary if note else ""


@pytest.mark.parametrize(
    ("marks", "said"),
    [
        ("....................", ""),
        (".", ""),
        ("F", "Too few runs to tell: 1 of 1 runs failed."),
        ("...............F", "Not clear yet whether it is broken or flaky: 1 of 16 runs failed."),
        ("...............FF", "Newly broken: it fails since run-016, 2 of 17 runs; fails as in run-016."),
        ("...............FFFFFF", "Still broken: it fails since run-016; fails as in run-020."),
        ("...............FFFFFF.", "Passes again, after it was broken since run-016."),
        ("..F...F..F.....F..F", "laky: 5 of 19 runs failed"),
        ("..F...F..F.....F..F.", ""),
        (".........E", "This run has judged nothing (cause environment), and counts neither way; without it"),
    ],
)
def test_a_note_says_what_changed_and_what_a_fail_is_worth(marks: str, said: str):
    assert said in told(marks)
    assert bool(told(marks)) == bool(said)


def test_a_fail_of_another_kind_and_a_run_that_takes_longer_are_told():
    fails = history(row(1, "F"), row(2, "F", summary="the page is gone"))
    slow = history(*(row(at, ".") for at in range(1, 21)), *(row(at, ".", 60.0) for at in range(21, 26)))

    noted = [analysis_note(slow, f"run-{at:03}") for at in (22, 23, 24)]
    note = analysis_note(fails, "run-002")
    assert note is not None
    assert note.summary.endswith("fails in another way than in run-001.")
    assert [it.summary if it else "" for it in noted] == ["", "Takes 6 times as long as before.", ""]


@given(marks=st.lists(st.sampled_from(".FE"), min_size=1, max_size=40), seed=st.randoms())
def test_a_note_is_the_same_in_whatever_order_and_however_often_runs_are_added(marks: list[str], seed: object):
    rows = [row(at, mark) for at, mark in enumerate(marks, 1)]
    mixed = [*rows, *rows]
    seed.shuffle(mixed)  # type: ignore[attr-defined]

    assert history(*mixed) == history(*rows)
    assert analysis_note(history(*mixed), rows[-1].run) == analysis_note(history(*rows), rows[-1].run)


def test_a_history_keeps_the_newest_runs_and_only_those_of_cases_that_say_something():
    many = history(*(row(at, ".") for at in range(200)))
    verdict = Verdict(
        run="run-1", name="Buy", status="fail", cause=Cause.CANCELLED, summary="", ended_at=5.0, duration=1.0
    )

    assert (len(many.rows), many.rows[-1].run) == (MOST_ROWS, "run-199")
    assert ended_row(CASE, verdict) is None
    assert ended_row(RunRequest(job=Drill(count=1)), verdict) is None
    assert analysis_note(many, "run-000") is None
    assert history_key("a", "bc") != history_key("ab", "c")
