"""Generates JSON Schema and AsyncAPI documents of all messages from their types, for `protocol/schema/`."""

from typing import Any, NamedTuple, cast

import msgspec

from muster_protocol import __version__, codec
from muster_protocol.cloud_events import CloudEvent
from muster_protocol.control import Control
from muster_protocol.dead_letter_requests import SettleDead, SettleReply
from muster_protocol.estimates import PastCosts
from muster_protocol.events import Entry
from muster_protocol.fleet_calls import FleetCall, FleetReply
from muster_protocol.journal import JournalBatch
from muster_protocol.logs import LogRecord, RunRow, WorkerRow
from muster_protocol.model_pace import PaceRow
from muster_protocol.notes import Note
from muster_protocol.requests import RunRequest
from muster_protocol.session_requests import Opening, SessionRequest, SessionsReady
from muster_protocol.session_responses import SessionEvent, SessionReply
from muster_protocol.sessions import SessionRow
from muster_protocol.step_recordings import RecordingRow
from muster_protocol.subjects import Names
from muster_protocol.submit_replies import CORRELATION, Rejected, SubmitReply
from muster_protocol.tasks import SubTask
from muster_protocol.triggers import TriggerRow
from muster_protocol.verdicts import Verdict
from muster_protocol.webhook_messages import WebhookBody, WebhookTask


class Channel(NamedTuple):
    """One kind of subject: its address, its messages, and who uses it."""

    id: str
    address: str
    message: Any
    summary: str
    outside: bool = False
    """Whether systems outside the fleet may use it."""
    reply: Any = None
    """Type of the reply to a request, or a second type of published messages."""


NAMES = Names()
RUN, TASK = "{run}", "{run}.{node}.{attempt}"
CHANNELS = (
    Channel("submit", NAMES.submit, RunRequest, "Ask for a run; answered at once.", True, SubmitReply),
    Channel("deadLetters", NAMES.dead_letters, SettleDead, "Replay or drop a dead letter.", False, SettleReply),
    Channel("fleetCalls", NAMES.fleet_calls, FleetCall, "Call the API for a conversation.", False, FleetReply),
    Channel("requests", NAMES.request(RUN), RunRequest, "Queued runs; publishing here requests a run, too.", True),
    Channel(
        "control",
        NAMES.control(RUN),
        Control,
        "Steer a run, or talk to one that is a conversation.",
        True,
    ),
    Channel("verdicts", NAMES.verdict(RUN), Verdict, "The verdict of a run, once it is reached.", True),
    Channel(
        "replies",
        f"{NAMES.prefix}.replies.{{user}}.{{topic}}",
        Verdict,
        "Subjects for `reply_to` of a request: its verdict, or why it cannot be run.",
        True,
        Rejected,
    ),
    Channel("events", NAMES.events(RUN), Entry, "The run's log."),
    Channel("liveEvents", NAMES.live(NAMES.events(RUN)), Entry, "The run's log as it is stored.", True),
    Channel("tasks", f"{NAMES.prefix}.tasks.{{pool}}.{{priority}}", SubTask, "Sub-tasks waiting for a worker."),
    Channel("journal", NAMES.journal(TASK), JournalBatch, "The journal of one attempt of a sub-task."),
    Channel("logs", NAMES.log(RUN, "{source}"), LogRecord, "Log lines of a run, for people."),
    Channel("webhooks", NAMES.webhook(RUN), WebhookTask, "Verdicts that gateways have yet to send as webhooks."),
    Channel("cloudEvents", f"{NAMES.prefix}.events.{{type}}", CloudEvent, "What happened; triggers start runs.", True),
    Channel("liveLogs", NAMES.live(NAMES.log(RUN, "{source}")), LogRecord, "Log lines as they are stored.", True),
    Channel(
        "sessionsOpen",
        NAMES.sessions_open,
        SessionRequest,
        "Open a session on any host, or close one whose host is unknown.",
        False,
        SessionReply,
    ),
    Channel(
        "openings",
        f"{NAMES.prefix}.openings.{{kind}}.{{priority}}.{{run}}.{{name}}",
        Opening,
        "Runs that wait in line for sessions.",
    ),
    Channel(
        "sessionsReady",
        NAMES.sessions_ready,
        SessionsReady,
        "A session host has served a run in line.",
        False,
        SessionReply,
    ),
    Channel("sessionHost", NAMES.session_host("{host}"), SessionRequest, "Ask one session host.", False, SessionReply),
    Channel("sessionEvents", NAMES.session_events(RUN, "{name}"), SessionEvent, "Dialogs and command output."),
)
"""Every subject that Muster uses, with its parameters in braces."""
ROWS: tuple[Any, ...] = (RunRow, WorkerRow, SessionRow, RecordingRow, PastCosts, TriggerRow, Note, PaceRow, WebhookBody)


def json_schema() -> dict[str, Any]:
    """Return one JSON Schema (draft 2020-12) document whose `$defs` are all message types."""
    kinds = [kind for channel in CHANNELS for kind in (channel.message, channel.reply) if kind is not None]
    _, components = msgspec.json.schema_components([*kinds, *ROWS], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Muster's wire types",
        "$comment": f"Generated by `muster schema`, version {codec.VERSION} of the wire format.",
        "$defs": dict(sorted(components.items())),
    }


HEADERS = {
    "type": "object",
    "properties": {
        codec.VERSION_HEADER: {"type": "string", "description": "Version of the wire format."},
        CORRELATION: {"type": "string", "description": "The request's correlation_id; only with verdicts and replies."},
    },
}
CORRELATED: tuple[Any, ...] = (RunRequest, Verdict)


def asyncapi() -> dict[str, Any]:
    """Return the AsyncAPI 3 document of the subjects."""
    template = "#/components/schemas/{name}"
    kinds = [kind for channel in CHANNELS for kind in (channel.message, channel.reply) if kind is not None]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=template)
    by_kind = dict(zip(map(repr, kinds), schemas, strict=True))
    return {
        "asyncapi": "3.1.0",
        "info": {
            "title": "Muster on NATS",
            "version": __version__,
            "description": "JSON messages; header `v` is the wire format's version. Subjects start with MUSTER_PREFIX.",
        },
        "defaultContentType": "application/json",
        "servers": {"nats": {"host": "127.0.0.1:4222", "protocol": "nats"}},
        "channels": {channel.id: _plain_discriminators(_describe_channel(channel, by_kind)) for channel in CHANNELS},
        "operations": {name: body for channel in CHANNELS for name, body in _describe_operation(channel).items()},
        "components": {"schemas": _plain_discriminators(dict(sorted(components.items())))},
    }


def _plain_discriminators(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a schema with AsyncAPI's discriminators: only the field's name, without OpenAPI's mapping."""
    if isinstance(value, list):
        return [_plain_discriminators(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    found = {key: _plain_discriminators(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(mapped := found.get("discriminator"), dict) and "propertyName" in mapped:
        found["discriminator"] = mapped["propertyName"]
    return found


def _describe_channel(channel: Channel, schemas: dict[str, Any]) -> dict[str, Any]:
    messages = {"message": {"headers": HEADERS, "payload": schemas[repr(channel.message)]}}
    if channel.message in CORRELATED:
        messages["message"]["correlationId"] = {"location": "$message.payload#/correlation_id"}
    if channel.id == "replies":
        messages["message"]["correlationId"] = {"location": f"$message.header#/{CORRELATION}"}
    if channel.reply is not None:
        messages["reply"] = {"payload": schemas[repr(channel.reply)]}
    found: dict[str, Any] = {"address": channel.address, "summary": channel.summary, "messages": messages}
    parameters = [part[1:-1] for part in channel.address.split(".") if part.startswith("{")]
    if parameters:
        found["parameters"] = {name: {"description": f"Id of the {name}, one subject token."} for name in parameters}
    return found


def _describe_operation(channel: Channel) -> dict[str, Any]:
    """Return the operation of outside systems on a channel, if any: to send requests, or to receive messages."""
    if not channel.outside:
        return {}
    sends = channel.message in (RunRequest, Control)
    operation: dict[str, Any] = {
        "action": "send" if sends else "receive",
        "channel": {"$ref": f"#/channels/{channel.id}"},
        "summary": channel.summary,
        "messages": [{"$ref": f"#/channels/{channel.id}/messages/message"}],
    }
    reply = {"$ref": f"#/channels/{channel.id}/messages/reply"}
    if channel.reply is not None and sends:
        operation["reply"] = {"channel": {"$ref": f"#/channels/{channel.id}"}, "messages": [reply]}
    elif channel.reply is not None:
        operation["messages"].append(reply)
    return {f"{operation['action']}{channel.id[0].upper()}{channel.id[1:]}": operation}


FILES = {"muster.schema.json": json_schema, "asyncapi.json": asyncapi}
"""What `protocol/schema/` holds, by file name."""


def render_schema(name: str) -> str:
    """Return the text of a generated file."""
    return msgspec.json.format(codec.encode(FILES[name]()), indent=2).decode() + "\n"
