"""A second look at a run that is over: one sub-task, and a note of what came of it."""

import pytest
from driven import Driven
from envelopes import result_of

from muster_orchestrator.machine import job_of
from muster_protocol.analyses import AnalyseInput, AnalyseOutput
from muster_protocol.assignments import Found
from muster_protocol.requests import Analysis

JOB = Analysis(run="run-1", material={"run": "verdict: pass"})
DOUBT = Found(text="It may be another page", quote="verdict: pass", source="run")


def ended(status: str, **more: object) -> Driven:
    driven = Driven(JOB)
    task = driven.open()
    assert isinstance(task.input, AnalyseInput)
    assert (task.kind, task.agent, task.pool, task.input.material) == ("analyse", "analyzer", "think", JOB.material)
    result = result_of(
        task.id, node=task.node, attempt=1, kind="analyse", status=status, summary="All is well.", **more
    )
    return driven.ends(task, result)


@pytest.mark.parametrize(("doubts", "told"), [((), "no doubts"), ((DOUBT,), "doubtful")])
def test_what_an_analyzer_says_becomes_a_note_beside_the_other_run(doubts: tuple[Found, ...], told: str):
    run = ended("pass", output=AnalyseOutput(doubts=doubts, left_out=1)).run
    note, verdict = job_of(run).note(run), run.verdict

    assert note is not None
    assert verdict is not None
    assert (verdict.status, note.run, note.source) == ("done", "run-1", verdict.run)
    assert (note.summary, note.classification, note.findings, note.left_out) == ("All is well.", told, doubts, 1)


@pytest.mark.parametrize("more", [{"status": "fail"}, {"status": "pass"}])
def test_a_look_without_an_answer_fails_and_leaves_no_note(more: dict[str, str]):
    run = ended(**more, output=None).run
    assert run.verdict is not None

    assert run.verdict.status == "failed"
    assert job_of(run).note(run) is None
