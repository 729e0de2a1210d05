"""A misspelt key in what strangers write is refused at every door: `expect` for `expected` would pass unverified."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import msgspec
import pytest

from muster_gateway.control_routes import read_answer, read_reason
from muster_gateway.exploration_routes import wrapped
from muster_gateway.problem_details import Refusal
from muster_gateway.stored_runs import read_stored_run
from muster_gateway.submission import read_body
from muster_protocol import codec
from muster_protocol.control import Control, decode_control
from muster_protocol.dead_letter_requests import SettleDead
from muster_protocol.errors import InvalidRequest
from muster_protocol.events import Entry, RunOpened, SubTaskEnded
from muster_protocol.requests import DeviceSpec, Drill, Limits, RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict
from muster_protocol.wire_schema import json_schema
from muster_text.request_rules import decode_request

STEP: dict[str, Any] = {"action": "Open the page", "expected": 'The page shows "Hi"'}
CASE: dict[str, Any] = {"type": "test_case", "name": "n", "steps": [STEP]}

MISSPELT: list[tuple[dict[str, Any], str]] = [
    ({"job": {**CASE, "steps": [STEP, {"action": "a", "expect": "e"}]}}, "$.job.steps[1].expect: unknown key; did you mean 'expected'?"),
    ({"job": {**CASE, "preconditons": []}}, "$.job.preconditons: unknown key; did you mean 'preconditions'?"),
    ({"job": {**CASE, "domain": ["a"]}}, "$.job.domain: unknown key; did you mean 'domains'?"),
    ({"job": {**CASE, "device": {"kind": "web", "fault": []}}}, "$.job.device.fault: unknown key; did you mean 'faults'?"),
    ({"job": {"type": "drill", "cnt": 3}}, "$.job.cnt: unknown key; did you mean 'count'?"),
    ({"job": CASE, "limit": {}}, "$.limit: unknown key; did you mean 'limits'?"),
    ({"job": CASE, "limits": {"timeout": 5}}, "$.limits.timeout: unknown key; did you mean 'timeout_seconds'?"),
    ({"job": CASE, "Priority": "high"}, "$.Priority: unknown key; did you mean 'priority'?"),
    ({"job": CASE, "zzz": 1}, "$.zzz: unknown key; there are job, id,"),
]  # fmt: skip


REPEATED = [
    ('{"job":{"type":"test_case","name":"n","steps":[{"action":"a","expected":"Seen","expected":"Not looked at"}]}}',
     "$.job.steps[0].expected: the key is there twice"),
    ('{"job":{"type":"drill"},"labels":{"a":"1","b":"2","a":"3"}}', "$.labels.a: the key is there twice"),
    ('{"job":{"type":"drill"},"job":{"type":"drill","count":2}}', "$.job: the key is there twice"),
]  # fmt: skip

CHOICES = [
    ('{"job":{"type":"drill"},"priority":"urgent"}', "$.priority: 'urgent' is not valid; valid: critical, high, normal"),
    ('{"job":{"type":"testcase","name":"n"}}', "$.job.type: 'testcase' is not valid; valid: test_case, drill,"),
    ('{"job":{"type":"test_case","name":"n","steps":[{"action":"a"}],"on_fail":"halt","device":{"kind":"pc"}}}',
     "$.job.on_fail: 'halt' is not valid; valid: continue, stop; $.job.device.kind: 'pc' is not valid; valid: appium,"),
    (" ", "it is empty"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), [*REPEATED, *CHOICES])
@pytest.mark.parametrize("door", [decode_request, partial(read_body, "application/json")])
def test_a_key_that_is_there_twice_and_what_is_none_of_the_choices_are_refused_by_place(
    text: str, said: str, door: Callable[[bytes], object]
):
    with pytest.raises(InvalidRequest) as caught:
        door(text.encode())
    assert said in str(caught.value)


BODIES: list[tuple[Callable[[bytes], object], bytes]] = [
    (read_reason, b'{"reason":"a","reason":"b"}'),
    (read_answer, b'{"text":"yes","text":"no"}'),
    (wrapped, b'{"url":"http://a","url":"http://b"}'),
    (read_stored_run, b'{"case":"A","case":"B"}'),
    (decode_control, b'{"type":"answer","id":"1","question":"q","text":"yes","text":"no"}'),
]


@pytest.mark.parametrize(("door", "twice"), BODIES)
def test_a_key_that_is_there_twice_is_refused_in_every_body(door: Callable[[bytes], object], twice: bytes):
    with pytest.raises((Refusal, InvalidRequest, msgspec.DecodeError), match="the key is there twice"):
        door(twice)


def test_a_body_that_is_nested_without_end_names_no_stored_case():
    assert read_stored_run(b"[" * 100_000) is None


@pytest.mark.parametrize(("request_", "said"), MISSPELT)
@pytest.mark.parametrize("door", [decode_request, partial(read_body, "application/json")])
def test_a_misspelt_key_of_a_request_is_refused_with_its_place_and_what_was_meant(
    request_: dict[str, Any], said: str, door: Callable[[bytes], object]
):
    with pytest.raises(InvalidRequest) as caught:
        door(codec.encode(request_))
    assert said in str(caught.value)


def test_all_misspelt_keys_are_told_at_once_and_no_more_than_fit_into_a_message():
    two = {"job": {**CASE, "steps": [{"action": "a", "expect": "e"}]}, "limit": {}}
    with pytest.raises(InvalidRequest, match=r"steps\[0\].expect: .*; \$.limit: "):
        decode_request(codec.encode(two))
    with pytest.raises(InvalidRequest) as caught:
        decode_request(codec.encode({"job": CASE} | {f"{number}" * 500: 1 for number in range(100)}))
    assert len(str(caught.value)) < 4000


@pytest.mark.parametrize("text", ['{"type":"cancel","id":"1","reson":"x"}', '{"type":"answer","id":"1","question":"q","text":"t","x":1}'])  # fmt: skip
def test_a_control_with_a_misspelt_key_is_none(text: str):
    with pytest.raises(msgspec.DecodeError, match="unknown key"):
        decode_control(text.encode())


@pytest.mark.parametrize("read", [read_reason, read_answer])
def test_so_are_bodies_of_controls_over_http(read: Callable[[bytes], object]):
    with pytest.raises(Refusal, match=r"\$\.(re|te)\w+: unknown key; did you mean '(reason|text)'"):
        read(b'{"resaon": "x"}' if read is read_reason else b'{"txt": "x", "text": "y"}'.replace(b"txt", b"texxt"))


def test_requests_about_dead_letters_too():
    with pytest.raises(msgspec.DecodeError, match=r"\$\.actoin: unknown key; did you mean 'action'"):
        codec.decode_untrusted(b'{"sequence":1,"actoin":"drop"}', SettleDead)


def test_what_our_own_processes_tell_each_other_may_hold_fields_of_a_later_version():
    opened = RunOpened(request=RunRequest(job=Drill()), owner="o", message=1, delivery=1)
    later = msgspec.to_builtins(Entry(epoch=1, at=1.0, events=(opened,)))
    later["added"] = later["events"][0]["added"] = {"later": True}

    assert codec.decode(codec.encode(later), Entry).events == (opened,)


@pytest.mark.parametrize("depth", [1_000, 100_000])
@pytest.mark.parametrize("place", ["%s", '{"job":{"type":"drill"},"x":%s}', '{"job":{"type":"drill","cnt":%s}}'])
def test_a_deeply_nested_document_is_refused(depth: int, place: str):
    with pytest.raises(InvalidRequest, match=r"nested too deeply|cannot be read|at most"):
        decode_request((place % ("[" * depth + "]" * depth)).encode())


def test_the_schema_says_so():
    found = cast("dict[str, dict[str, Any]]", json_schema()["$defs"])
    strict = {kind.__name__ for kind in (RunRequest, TestCase, Step, Drill, DeviceSpec, Limits, SettleDead)}
    strict |= {kind.__name__ for kind in Control.__args__}

    refusing = {name for name, body in found.items() if body.get("additionalProperties") is False}
    assert strict <= refusing
    assert not {kind.__name__ for kind in (Entry, RunOpened, SubTaskEnded, Verdict)} & refusing
