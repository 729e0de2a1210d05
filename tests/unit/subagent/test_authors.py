"""Who chose a command: the case, or a model that made it up."""

from typing import Any

import pytest
from envelopes import a_task

from muster_protocol.tasks import SubTask
from muster_subagent.authors import author_of

WRITTEN = 'Run the command "npm test" and wait'


def task(**more: Any) -> SubTask:
    return a_task("r.n.1", **{"description": WRITTEN, **more})


@pytest.mark.parametrize("by_model", [True, False])
def test_a_command_that_a_written_step_quotes_is_the_cases_own(by_model: bool) -> None:
    assert author_of(task(covers=(0,)), "npm test", by_model=by_model) == "case"
    assert (
        author_of(task(covers=(0,), description="Test it", written=(WRITTEN,)), "npm test", by_model=by_model) == "case"
    )


def test_what_a_written_sentence_was_read_as_is_the_cases_own() -> None:
    assert author_of(task(covers=(0,), description="jq is installed"), "command -v jq", by_model=False) == "case"
    assert author_of(task(precondition=True, description="jq is installed"), "command -v jq", by_model=False) == "case"


def test_what_a_model_chose_planned_or_would_recover_with_is_a_models() -> None:
    assert author_of(task(covers=(0,)), "npm test; id", by_model=True) == "model"
    planned = task(covers=(0,), description='Run the command "id"', written=(WRITTEN,))
    assert author_of(planned, "id", by_model=False) == "model"
    recovery = task(description='Run the command "id"')
    assert author_of(recovery, "id", by_model=False) == "model"
    assert author_of(task(covers=(0,)), "", by_model=True) == "model"
