"""What goes out to followers and comes in from submitters, as bytes."""

import json

import pytest

from muster_bus import Stored
from muster_gateway.problem_details import Refusal
from muster_gateway.relay.feed import End
from muster_gateway.relay.lines import Line, read_line
from muster_gateway.relay.run_log import encode_event, encode_frame
from muster_gateway.submission import read_body
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest, TooLarge
from muster_protocol.logs import LogRecord

RECORD = LogRecord(run="r1", source="w", number=1, at=1.0, kind="message", text="Zeile „eins“ <b>\x1b[31m")
CASE = b'{"job":{"type":"test_case","name":"n","steps":[{"action":"a","expected":"b"}]}}'
YAML = b"name: n\nsteps: [{action: Press Enter, expected: 'The page title is \"x\"'}]\n"
DEEP = b'{"run":"r1","source":"w","text":"t","x":' + b"[" * 100_000


def stored(data: bytes) -> Line:
    return read_line(Stored(7, "muster.logs.r1.w", data))


def test_a_frame_holds_the_cursor_and_the_record_as_it_was_stored():
    data = codec.encode(RECORD)
    assert encode_frame(stored(data)) == b'{"cursor":7,"record":' + data + b"}"
    assert json.loads(encode_frame(End("fail", "product"))) == {"end": True, "status": "fail", "cause": "product"}


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'"x"', b'{"run":"r1"}', b'{"run":"r1","source":"w","text":"\xff"}', b"{}}", DEEP]
)
def test_what_is_no_record_is_told_as_a_warning(data: bytes):
    shown = json.loads(encode_frame(stored(data)))
    assert shown["cursor"] == 7
    assert (shown["record"]["source"], shown["record"]["level"]) == ("w", "warning")
    assert "cannot be read" in shown["record"]["text"]


def test_a_server_sent_event_is_never_broken_by_the_layout_of_a_record():
    pretty = json.dumps({"run": "r1", "source": "w", "text": "a", "x": "\u2028"}, indent=2).encode() + b"\r\n\r\n"
    sent = encode_event(stored(pretty)).decode()
    assert sent.startswith("id: 7\ndata: {")
    assert sent.endswith("}\n\n")
    assert sent.count("\n") == 3
    assert "\r" not in sent
    assert encode_event(None).startswith(b": ")
    assert encode_event(End("pass", "")).startswith(b"event: end\ndata: {")


def test_json_and_yaml_give_the_same_request():
    (json_request,) = read_body("application/json; charset=utf-8", CASE)
    (yaml_request,) = read_body("text/yaml", YAML)
    assert json_request.job.name == yaml_request.job.name == "n"


def test_a_key_names_one_request_and_numbers_several():
    assert [request.idempotency_key for request in read_body("application/json", CASE, "k")] == ["k"]
    several = b"---\n" + YAML + b"---\n" + YAML.replace(b"name: n", b"name: m")
    assert [request.idempotency_key for request in read_body("application/yaml", several, "k")] == ["k/1", "k/2"]


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "json"])
def test_types_that_a_page_can_send_unasked_are_not_taken(kind: str):
    with pytest.raises(Refusal) as refused:
        read_body(kind, CASE)
    assert refused.value.status == 415


def test_what_is_nested_too_deeply_or_too_large_is_refused():
    with pytest.raises(InvalidRequest, match="too deeply"):
        read_body("application/json", b'{"job":' * 30_000)
    with pytest.raises(TooLarge, match="the limit is 262144"):
        read_body("application/json", CASE.replace(b'"a"', b'"' + b"a" * 300_000 + b'"'))


def test_what_is_no_text_is_said_to_be_none():
    with pytest.raises(InvalidRequest, match="not UTF-8"):
        read_body("application/yaml", b"\xff\xfe")
    with pytest.raises(InvalidRequest, match="cannot be read"):
        read_body("application/json", b"\xff\xfe")
