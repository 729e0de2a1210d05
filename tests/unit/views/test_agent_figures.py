"""What agents have done and cost: each sub-task counts once, and all its attempts are paid for."""

from typing import Any

from envelopes import a_task, result_of

from muster_protocol.events import Event, RetryPlanned, SubTaskDispatched, SubTaskEnded
from muster_protocol.tool_calls import Usage
from muster_views.agent_figures import Figures
from muster_views.history import History, fold_events

ASKED = Usage(calls=2, model_calls=3, input_tokens=100, output_tokens=10, cost=0.5, seconds=1.0)


def worked(task: str, agent: str, kind: str = "evaluate", usage: Usage = ASKED, **more: Any) -> list[Event]:
    ended = result_of(task, kind=kind, **{"status": "fail", "summary": "", "source": "model", "usage": usage, **more})
    return [SubTaskDispatched(sub_task=a_task(task, kind=kind, agent=agent)), SubTaskEnded(outcome=ended)]


def history(*happened: Event) -> History:
    return fold_events((float(at), event) for at, event in enumerate(happened, 1))


def test_figures_are_by_agent_over_all_runs_and_attempts_the_dearest_first():
    again = RetryPlanned(node="e", not_before=0, reason="lost")
    figures = Figures()
    figures.add(history(*worked("r1.e.1", "judge", status="error"), again, *worked("r1.e.2", "judge", status="pass")))
    figures.add(history(*worked("r2.e.1", "judge"), *worked("r2.f.1", "cheap", usage=Usage(), status="cancelled")))
    judge, cheap = figures.all()

    assert (judge.agent, judge.runs, judge.sub_tasks, judge.passed, judge.failed) == ("judge", 2, 2, 1, 1)
    assert (judge.retries, judge.success) == (1, 0.5)
    assert (judge.usage.calls, judge.usage.input_tokens, judge.usage.cost) == (6, 300, 1.5)
    assert (cheap.sub_tasks, cheap.passed, cheap.failed, cheap.success) == (1, 0, 0, None)
    assert (figures.runs, figures.total()) == (2, judge.usage)


def test_a_step_that_a_phrase_carries_out_is_no_agents_and_open_attempts_do_not_count():
    by_phrase = worked("r1.s.1", "step-runner", "step", Usage(calls=1), source="phrase", status="pass")
    by_model = worked("r1.t.1", "step-runner", "step", status="pass")
    begun = SubTaskDispatched(sub_task=a_task("r1.e.1", kind="evaluate", agent="judge"))
    figures = Figures()
    figures.add(history(*by_phrase, *by_model, begun))

    [runner] = figures.all()
    assert (runner.agent, runner.sub_tasks, runner.usage.calls) == ("step-runner", 1, 2)
