"""The WebSocket of a conversation: its events, stored and live; messages and stops the other way.

Messages come from the log of the run, which loses nothing; thoughts and tool calls from the workers' log lines. A
cursor holds the place in both, so that a client that comes back gets what it has missed.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Literal, NamedTuple

import msgspec
from litestar import websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec import Struct

from muster_bus.run_store import follow_entries
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_gateway import entries, metrics
from muster_gateway.chat.chat_reader import as_entry, find_conversation
from muster_gateway.chat.conversation_routes import SayBody, say_in, stop_in
from muster_gateway.context import Gateway
from muster_gateway.problem_details import Refusal
from muster_gateway.relay.lines import Batch, Filter
from muster_gateway.relay.log_reader import Bounds, follow
from muster_gateway.relay.sockets import BAD_REQUEST, TRY_AGAIN, Close, CursorText, Socket, close
from muster_gateway.security.access_roles import VIEWER
from muster_gateway.security.gate import Caller
from muster_protocol import codec
from muster_protocol.errors import RunGone
from muster_protocol.logs import LogRecord
from muster_service.task_cleanup import stop
from muster_views.chat_view import ChatEvent, events_of, line_event

UNKNOWN = 4404
"""WebSocket close code: there is no such conversation."""
KINDS = frozenset({"thinking", "tool_call", "tool_result", "skill_loaded", "skill_unloaded"})
WAITING_EVENTS = 1_000
UNSURE = "it may not have arrived; sent again with the same id, it arrives once"
_CURSOR = re.compile(r"(\d{1,16})\.(\d{1,16})", re.ASCII)


class Place(NamedTuple):
    """Sequences of the newest entry of the run's log and of the newest log line that a client has."""

    entry: int = 0
    line: int = 0


class ChatFrame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A frame to a client: an event with the cursor after it, or why its own frame was refused."""

    cursor: str = ""
    event: ChatEvent | None = None
    problem: str = ""


class ClientFrame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frame of a client."""

    type: Literal["send", "stop"]
    text: str = ""
    page: str = ""
    allow_auto_navigation: bool = False
    id: str = ""
    """Of a message; the same one says it once."""


class Dated(NamedTuple):
    """An event and where it is from."""

    event: ChatEvent
    place: Place


def parse_place(text: str | None) -> Place | None:
    """Return the place in a cursor such as `17.4711`; None if it is none. Pure."""
    if not text:
        return Place()
    found = _CURSOR.fullmatch(text)
    return Place(int(found[1]), int(found[2])) if found else None


@websocket("/conversations/{conversation:str}/live", opt=VIEWER)
async def live(
    socket: Socket, gateway: NamedDependency[Gateway], conversation: FromPath[str], after: CursorText = None
) -> None:
    """Send a conversation's events after a cursor, and take messages and stops."""
    await socket.accept()
    place = parse_place(after)
    if place is None:
        await close(socket, Close(BAD_REQUEST, "after is no cursor: send the one of your last frame"))
        return
    try:
        await find_conversation(gateway, conversation)
    except Refusal as error:
        await close(socket, Close(UNKNOWN if error.status == 404 else TRY_AGAIN, str(error)))
        return
    with metrics.CHAT_CLIENTS.track_inprogress():
        try:
            over = await ChatConnection(socket, gateway, conversation, place).serve()
        except RunGone:
            await close(socket, Close(UNKNOWN, "the conversation is not stored any more"))
            return
    if over:
        await close(socket, Close(1000, "the conversation has ended"))


class ChatConnection:
    """One client of a conversation."""

    def __init__(self, socket: Socket, gateway: Gateway, conversation: str, place: Place) -> None:
        self._socket, self._gateway, self._conversation, self._place = socket, gateway, conversation, place
        self._caller: Caller = socket.scope.get("auth") or Caller()
        self._waiting: asyncio.Queue[Dated | str] = asyncio.Queue(WAITING_EVENTS)
        """Events to send, or why a frame of the client was refused."""

    async def serve(self) -> bool:
        """Serve the client until it disconnects (False) or the conversation has ended (True).

        Raises:
            RunGone: the conversation is stored nowhere any more.
        """
        sending, receiving = asyncio.create_task(self._send()), asyncio.create_task(self._receive())
        reading = [asyncio.create_task(self._read(events)) for events in (self._entries(), self._lines())]
        tasks = [sending, receiving, *reading]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            failed = [task for task in tasks if task.done() and task.exception() is not None]
            for task in failed:
                if not isinstance(task.exception(), OSError | WebSocketDisconnect):
                    task.result()
            return sending.done() and not failed
        finally:
            await stop(tasks)

    async def _read(self, events: AsyncGenerator[Dated]) -> None:
        async with aclosing(events):
            async for event in events:
                await self._waiting.put(event)

    async def _entries(self) -> AsyncGenerator[Dated]:
        """Yield the events in the log of the run."""
        bus = self._gateway.bus
        async with aclosing(follow_entries(bus, self._conversation, self._place.entry)) as stored:
            async for message in stored:
                raw = entries.decode_raw_entry(message)
                for event in events_of(as_entry(raw)) if raw else ():
                    yield Dated(event, Place(entry=message.seq))

    async def _lines(self) -> AsyncGenerator[Dated]:
        """Yield the events in the log lines of workers."""
        gateway, buffer = self._gateway, self._gateway.settings.ws_buffer
        wanted = Filter(runs=frozenset({self._conversation}), kinds=KINDS)
        async with aclosing(follow(gateway.hub, wanted, self._place.line, Bounds(buffer, joining=buffer))) as items:
            async for item in items:
                for line in item.lines if isinstance(item, Batch) else ():
                    event = line_event(codec.decode(line.data, _Framed).record)
                    if event is not None:
                        yield Dated(event, Place(line=line.seq))

    async def _send(self) -> None:
        """Send events until the conversation has ended."""
        while True:
            match await self._waiting.get():
                case Dated(event=event, place=place):
                    self._place = Place(max(self._place.entry, place.entry), max(self._place.line, place.line))
                    await self._put(ChatFrame(cursor=f"{self._place.entry}.{self._place.line}", event=event))
                    if event.type == "session_ended":
                        return
                case problem:
                    await self._put(ChatFrame(problem=problem))

    async def _put(self, frame: ChatFrame) -> None:
        """Send a frame; a client that does not take it in time is gone."""
        try:
            async with asyncio.timeout(self._gateway.settings.ws_stall_seconds):
                await self._socket.send_text(codec.encode(frame).decode())
        except TimeoutError as error:
            raise OSError("the client reads too slowly") from error

    async def _receive(self) -> None:
        """Carry out the frames of the client until it disconnects."""
        while (message := await self._socket.receive())["type"] != "websocket.disconnect":
            data = message.get("bytes") or str(message.get("text") or "").encode()
            try:
                await self._carry_out(codec.decode_asked(data, ClientFrame))
            except (msgspec.DecodeError, Refusal) as error:
                await self._waiting.put(str(error))
            except BUS_ERRORS as error:
                await self._waiting.put(f"{UNSURE}: {describe_error(error)}")

    async def _carry_out(self, frame: ClientFrame) -> None:
        if frame.type == "stop":
            await stop_in(self._gateway, self._caller, self._conversation)
            return
        body = msgspec.convert({"text": frame.text, "page": frame.page}, SayBody)
        await say_in(self._gateway, self._caller, self._conversation, body, frame.id)


class _Framed(Struct, frozen=True):
    """A line as the relay has it."""

    record: LogRecord


HANDLERS = (live,)
