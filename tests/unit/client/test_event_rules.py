"""Which events a trigger waits for, and what it takes from one."""

import re
import time
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_client.event_rules import (
    fill_runs,
    find_event_problems,
    is_like,
    matches,
    read_event,
    read_field,
    take_values,
)
from muster_client.trigger_store import find_trigger_problems
from muster_protocol.cloud_events import CloudEvent, EventField, EventFilter
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Drill, RunRequest, Step, TestCase
from muster_protocol.triggers import Fire, Trigger

DEPLOYED = CloudEvent(
    specversion="1.0",
    id="4711",
    source="ci/acme/shop",
    type="deployment.done",
    subject="shop",
    data={"environment": "staging", "url": "https://shop.staging.example.com/", "builds": [{"number": 7, "ok": True}]},
)
CASE = TestCase(
    name="A",
    steps=(Step(action="Open the page", expected='The text "Cart" is visible'),),
    variables={"release": "0", "kept": "1"},
)


def a_trigger(**more: Any) -> Trigger:
    trigger = Trigger(id="smoke", event=EventFilter(type="deployment.done"), runs=(RunRequest(job=CASE),))
    return msgspec.structs.replace(trigger, **more)


@pytest.mark.parametrize(
    ("pattern", "text", "like"),
    [
        ("a.b", "a.b", True),
        ("a.b", "a.c", False),
        ("*.example.com", "shop-1.staging.example.com", True),
        ("https://*.example.com/**", "https://shop.example.com/a?b=c", True),
        ("https://*.example.com/**", "https://evil.com/x.example.com/", False),
        ("https://*.example.com/**", "https://evil.com#.example.com/", False),
        ("https://*.example.com/**", "https://evil.com\\.example.com/", False),
        ("https://*.example.com/**", "https://me@evil.com/.example.com/", False),
        ("https://*.example.com/**", "https://ev\u0456l.example.com/", False),
        ("**", "", True),
        ("*", "", True),
        ("*", "a b", False),
        ("*", "a\n", False),
        ("", "", True),
        ("", "a", False),
        ("a**", "a/b", True),
        ("**a", "b/a", True),
        ("**a", "b/ab", False),
    ],
)
def test_a_star_stands_for_part_of_a_name_and_two_for_anything(pattern: str, text: str, like: bool) -> None:
    assert is_like(pattern, text) is like


@given(st.text("ab*./", max_size=12), st.text("ab./", max_size=12))
def test_a_pattern_means_what_the_same_regular_expression_means(pattern: str, text: str) -> None:
    means = {"**": ".*", "*": r"[\w.-]*"}
    parts: list[str] = re.findall(r"\*\*|\*|[^*]+", pattern)
    written = "".join(means.get(part) or re.escape(part) for part in parts)
    assert is_like(pattern, text) is bool(re.fullmatch(written, text, re.DOTALL | re.ASCII))


def test_many_stars_cost_little() -> None:
    begun = time.process_time()
    assert not is_like("a**" * 80 + "z", "a" * 400 + "b" * 100 + "c" + "\n")
    assert is_like("**" * 100, "x" * 500)
    assert time.process_time() - begun < 5.0


def test_all_conditions_of_a_filter_hold_for_an_event() -> None:
    def wanted(**more: Any) -> bool:
        return matches(msgspec.structs.replace(EventFilter(type="deployment.*"), **more), DEPLOYED)

    assert wanted()
    assert wanted(source="ci/**", where={"data.environment": "staging", "data.builds.0.number": "7"})
    assert wanted(where={"data.builds.0.ok": "true", "subject": "shop"})
    assert not wanted(type="deployment")
    assert not wanted(source="ci/*"), "a single star ends at a slash"
    assert not wanted(where={"data.environment": "production"})
    assert not wanted(where={"data.nothing": "**"}), "what is missing is like nothing"
    assert not wanted(where={"data.builds": "**"}), "a list is no text"


@pytest.mark.parametrize("path", ["data.builds.1.number", "data.builds.-1", "nothing", "data.url.x", "data", "key", ""])
def test_what_an_event_has_not_is_no_text(path: str) -> None:
    assert read_field(DEPLOYED, path) is None


def test_runs_take_only_values_that_are_allowed() -> None:
    url = EventField(field="data.url", allow=("https://*.staging.example.com/**",))
    values = take_values({"base_url": url, "release": EventField(field="data.builds.0.number")}, DEPLOYED)
    assert values == {"base_url": "https://shop.staging.example.com/", "release": "7"}
    (run,) = fill_runs(a_trigger(), Fire(due=0, at=0, outcome="fired", values=values))
    assert isinstance(run.job, TestCase)
    assert run.job.variables == {"release": "7", "kept": "1", "base_url": "https://shop.staging.example.com/"}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "no text or number"),
        ({"a": 1}, "no text or number"),
        ("two words", "not allowed"),
        ("https://evil.com/", "not allowed"),
        ("x" * 501, "more than 500"),
        ("a\nb", "more than one line"),
        ("a\u2028b", "more than one line"),
    ],
)
def test_by_default_a_value_is_one_word(value: object, told: str) -> None:
    event = msgspec.structs.replace(DEPLOYED, data={"it": value})
    with pytest.raises(InvalidRequest) as refused:
        take_values({"release": EventField(field="data.it")}, event)
    assert told in refused.value.reasons[0]
    assert refused.value.reasons[0].startswith("release: ")


def test_an_event_is_read_from_the_body_or_from_headers() -> None:
    structured = msgspec.json.encode(DEPLOYED)
    assert read_event(structured, {}) == DEPLOYED
    headers = {
        "ce-specversion": "1.0",
        "CE-Id": "4711",
        "ce-source": "ci/acme/shop",
        "ce-type": "deployment.done",
        "ce-subject": "shop",
        "ce-extension": "ignored",
        "Content-Type": "application/json",
    }
    assert read_event(msgspec.json.encode(DEPLOYED.data), headers) == DEPLOYED
    assert read_event(b"plain", headers | {"Content-Type": "text/plain"}).data == "plain"
    assert read_event(b"", headers).data is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"specversion":"0.3","id":"1","source":"a","type":"b"}',
        b'{"specversion":"1.0","id":"","source":"a","type":"b"}',
        b'{"specversion":"1.0","id":"1","source":"a","type":"' + b"x" * 301 + b'"}',
    ],
)
def test_what_is_no_event_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest, match=r"no CloudEvent 1\.0"):
        read_event(body, {})


def test_a_trigger_that_could_never_work_is_refused_with_the_reason() -> None:
    assert find_trigger_problems(a_trigger(from_event={"release": EventField(field="data.release")})) == []
    assert find_trigger_problems(a_trigger(event=None)) == ["it needs `schedule`, `event` or both"]
    field = EventField(field="release")
    assert "'release' is not a field of an event" in find_event_problems(a_trigger(from_event={"r": field}))[0]
    assert find_event_problems(a_trigger(event=None, from_event={"r": field})) == ["from_event: it needs `event`"]
    drill = (RunRequest(job=Drill()),)
    fields = {"r": EventField(field="data.r")}
    assert find_event_problems(a_trigger(runs=drill, from_event=fields)) == [
        "from_event: only test cases take variables"
    ]
