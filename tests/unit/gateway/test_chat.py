"""Which addresses agents of conversations may call, whose role holds, and cursors of the socket."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from muster_gateway.chat import chat_socket
from muster_gateway.chat.chat_reader import require_writer
from muster_gateway.chat.chat_socket import UNSURE, ChatConnection, Place, parse_place
from muster_gateway.chat.fleet_call_handler import lower_role, require_open, require_prepared
from muster_gateway.problem_details import Refusal
from muster_gateway.security.gate import Caller
from muster_protocol.fleet_calls import FleetCall
from muster_protocol.requests import Assignment, Conversation


@pytest.mark.parametrize(
    "path",
    [
        *("/runs", "/runs?text=a&limit=5", "/runs/run-1", "/runs/run-1/nodes/step-1", "/runs/run-1/rerun"),
        *("/suites/analysis?suite=", "/cases/validate", "/drafts", "/drafts/run-1", "/explorations"),
        *("/workers", "/sessions", "/queues", "/cases", "/cases/TC_PING", "/requirements"),
    ],
)
def test_what_tools_need_is_open(path: str):
    require_open(path)


@pytest.mark.parametrize(
    "path",
    [
        *("", "/", "/mcp", "/login", "/logout", "/whoami", "/dead", "/dead/1/replay", "/conversations", "/metrics"),
        *(
            "/runsx",
            "/runs/../dead",
            "//dead",
            "http://x/runs",
            "/runs//dead",
            "/runs/run-1\n/dead",
            "/runs/%2e%2e/dead",
        ),
        *("/events", "/events/github", "/schema", "/console/", "/drafts@x", "/RUNS", "/cases/assist"),
    ],
)
def test_all_else_is_closed(path: str):
    with pytest.raises(Refusal) as caught:
        require_open(path)
    assert caught.value.status == 403


@pytest.mark.parametrize(
    ("one", "other", "lower"),
    [("admin", "viewer", "viewer"), ("viewer", "admin", "viewer"), ("runner", "runner", "runner")],
)
def test_the_lower_role_holds(one: str, other: str, lower: str):
    assert lower_role(one, other) == lower


@pytest.mark.parametrize(
    ("caller", "by", "may"),
    [
        (Caller("ann", "runner", "key"), "ann", True),
        (Caller("ann", "runner", "cookie"), "ann", True),
        (Caller("", "admin", "open"), "", True),
        (Caller("bob", "admin", "key"), "ann", False),
        (Caller("bob", "admin", "key"), "", False),
        (Caller("ann", "runner", "chat"), "ann", False),
    ],
)
def test_only_the_opener_writes_and_never_an_agent_in_its_name(caller: Caller, by: str, may: bool):
    if may:
        require_writer(caller, "run-1", by)
        return
    with pytest.raises(Refusal):
        require_writer(caller, "run-1", by)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (None, Place()),
        ("", Place()),
        ("17.4711", Place(17, 4711)),
        ("17", None),
        ("-1.2", None),
        ("1.2.3", None),
        ("a.b", None),
    ],
)
def test_a_cursor_is_two_places(text: str | None, place: Place | None):
    assert parse_place(text) == place


@pytest.mark.parametrize(
    ("body", "allowed"),
    [
        (b'{"case": "TC_PING"}', True),
        (b'{"case": "TC_OTHER"}', False),
        (b'{"case": "TC_PING", "variables": {"base_url": "http://evil.test"}}', False),
        (b'{"suite": "TC_PING"}', False),
        (b'{"job": {"type": "drill"}}', False),
        (b"name: x", False),
        (b"", False),
    ],
)
def test_the_agent_of_a_trigger_starts_the_cases_that_were_prepared_for_it_and_no_others(body: bytes, allowed: bool):
    call = FleetCall(run="run-1", method="POST", path="/runs", body=body, content_type="application/json")
    require_prepared(Conversation(), call)
    work = Assignment(goal="Look", agent="monitor", role="runner", may_start=("TC_PING",))
    if allowed:
        require_prepared(work, call)
    else:
        with pytest.raises(Refusal, match="without any changes: TC_PING"):
            require_prepared(work, call)


@pytest.mark.parametrize("error", [NoRespondersError(), TimeoutError(), NatsError("gone")])
async def test_a_frame_that_the_bus_does_not_take_is_told_and_the_next_ones_are_read(
    monkeypatch: pytest.MonkeyPatch, error: Exception
):
    frames = iter(
        [
            {"type": "websocket.receive", "text": '{"type": "send", "text": "a"}'},
            {"type": "websocket.receive", "bytes": b'{"type": "send", "text": "b"}'},
            {"type": "websocket.receive", "text": "no JSON"},
            {"type": "websocket.disconnect"},
        ]
    )

    async def receive() -> dict[str, Any]:
        return next(frames)

    async def fail(*_given: object) -> None:
        raise error

    monkeypatch.setattr(chat_socket, "say_in", fail)
    socket = cast("Any", SimpleNamespace(scope={}, receive=receive))
    connection = ChatConnection(socket, cast("Any", None), "run-1", Place())
    await connection._receive()  # pyright: ignore[reportPrivateUsage]
    told = [str(connection._waiting.get_nowait()) for _ in range(3)]  # pyright: ignore[reportPrivateUsage]
    assert told[0].startswith(f"{UNSURE}: ") and told[1] == told[0]
    assert "malformed" in told[2]
