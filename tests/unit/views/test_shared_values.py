"""Values that the steps of a run share: who set them, from what, and when."""

from typing import Any

from driven import Driven, a_case, passes
from envelopes import result_of

from muster_protocol.facts import Capture
from muster_protocol.requests import TestCase
from muster_protocol.tasks import ResultStatus
from muster_views.history import History, events_in, fold_events
from muster_views.node_history import Node
from muster_views.shared_values import SharedValue, list_shared_values


def values_of(driven: Driven) -> tuple[SharedValue, ...]:
    return list_shared_values(fold_events(events_in(driven.entries), "run-1"))


def captured(*origins: Capture, job: TestCase | None = None, **more: str) -> Driven:
    driven = Driven.planned(job or a_case("It is open", "It is shut", variables={"base": "http://shop"}))
    task = driven.open()
    return driven.ends(task, passes(task, captured={"order": "A-17"}, captures=origins, **more), after=2.5)


def test_a_variable_of_the_case_is_set_by_the_case_as_the_run_begins():
    driven = captured()
    first = values_of(driven)[0]
    assert (first.name, first.value, first.set_by, first.node) == ("base", "http://shop", "case", "")
    assert first.at == driven.entries[0].at


def test_a_captured_value_tells_its_step_its_setter_its_source_its_call_and_its_time():
    origin = Capture(name="order", source="page", target=("Order number",), tool="remember", by="phrase")
    driven = captured(origin)
    found = values_of(driven)[1]
    assert (found.name, found.value, found.node, found.number) == ("order", "A-17", "step-1", 1)
    assert (found.set_by, found.taken_from) == ("phrase", "the page, Order number (remember)")
    assert found.at > driven.entries[0].at


def ended(status: ResultStatus, **more: Any) -> tuple[SharedValue, ...]:
    result = result_of("run-1.step-1.1", status=status, summary="done", captured={"order": "A-17"}, **more)
    return list_shared_values(History(nodes={"step-1": Node(id="step-1", state="passed", result=result)}))


def test_a_model_is_called_so_and_an_unknown_source_by_the_call_alone():
    (found,) = ended("pass", captures=(Capture(name="order", tool="ask_person"),), source="model")
    assert (found.set_by, found.taken_from) == ("model", "ask_person")


def test_a_value_of_a_step_that_has_not_passed_is_nobodys():
    assert ended("fail") == ()
