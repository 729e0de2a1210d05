"""Messages between a worker and the host that drives its device, as frames of MessagePack."""

import asyncio
from typing import Any

import msgspec
from msgspec import Struct

from muster_devices.actions import Action, DialogOpen, Done, Scope
from muster_devices.device import Feature
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ElementsSeen, PlaceSeen, PointSeen, Question, TextSeen, ValuesSeen, Wait
from muster_devices.screen import Record, Screen, Window
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog

SCHEME = "device://"
"""What endpoints begin with: `device://<host>:<port>/<secret>`."""
LARGEST = 32_000_000
"""Bytes of one frame."""


class Hello(Struct, frozen=True, tag="hello"):
    """The first request of a connection: the secret of the endpoint."""

    secret: str


class Do(Struct, frozen=True, tag="do"):
    """`Device.do`."""

    action: Action
    scope: Scope
    limit: float


class Answer(Struct, frozen=True, tag="answer"):
    """`Device.answer`."""

    accept: bool
    text: str
    call: str


class AskDialog(Struct, frozen=True, tag="dialog"):
    """`Device.dialog`."""

    limit: float


class Look(Struct, frozen=True, tag="look"):
    """`Device.look`."""

    question: Question
    wait: Wait


class ShowScreen(Struct, frozen=True, tag="screen"):
    """`Device.screen`."""

    part: str
    depth: int


class TakePicture(Struct, frozen=True, tag="picture"):
    """`Device.picture`."""

    hide: tuple[str, ...]


class ReadFeed(Struct, frozen=True, tag="feed"):
    """`Device.feed`."""

    name: str


class ReadSource(Struct, frozen=True, tag="source"):
    """`Device.source`."""


class ListWindows(Struct, frozen=True, tag="windows"):
    """`Device.windows`."""


class UseWindow(Struct, frozen=True, tag="use"):
    """`Device.use`."""

    window: str


Request = (
    Hello | Do | Answer | AskDialog | Look | ShowScreen | TakePicture | ReadFeed | ReadSource | ListWindows | UseWindow
)


class Welcome(Struct, frozen=True, tag="welcome"):
    """The secret is right."""

    features: tuple[Feature, ...]
    grace: float
    """Seconds that a reply may take beyond the time that its request has the device wait."""


class DialogNow(Struct, frozen=True, tag="dialog_now"):
    """The dialog that is open, if any."""

    dialog: OpenDialog | None


class ScreenNow(Struct, frozen=True, tag="screen_now"):
    """The screen."""

    screen: Screen


class Picture(Struct, frozen=True, tag="picture_taken"):
    """The picture."""

    png: bytes


class Feed(Struct, frozen=True, tag="feed_read"):
    """The records of a feed."""

    records: tuple[Record, ...]


class SourceRead(Struct, frozen=True, tag="source_read"):
    """The source of the screen."""

    text: str


class Windows(Struct, frozen=True, tag="windows_listed"):
    """The windows; after `UseWindow`, too."""

    windows: tuple[Window, ...]


class Lost(Struct, frozen=True, tag="lost"):
    """A `DeviceLost`, which the worker half raises."""

    reason: str


class Refusal(Struct, frozen=True, tag="refusal"):
    """A `DeviceRefused`, which the worker half raises."""

    text: str
    failure: Failure
    expected: str
    seen: str
    where: str
    unsent: bool = False

    @classmethod
    def of(cls, error: DeviceRefused) -> "Refusal":
        """Return an error as it is sent."""
        return cls(error.text, error.failure, error.expected, error.seen, error.where, error.unsent)

    def error(self) -> DeviceRefused:
        """Return the error that was sent."""
        error = DeviceRefused(self.text, failure=self.failure, expected=self.expected, seen=self.seen, where=self.where)
        error.unsent = self.unsent
        return error


Reply = (
    Welcome
    | Done
    | DialogOpen
    | DialogNow
    | ElementsSeen
    | TextSeen
    | PlaceSeen
    | PointSeen
    | ValuesSeen
    | ScreenNow
    | Picture
    | Feed
    | SourceRead
    | Windows
    | Lost
    | Refusal
)

_encoder = msgspec.msgpack.Encoder()
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_replies: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)


async def send(writer: asyncio.StreamWriter, message: Any) -> None:  # noqa: ANN401 - a request or a reply
    """Send one frame: its length in four bytes, then the message."""
    body = _encoder.encode(message)
    writer.write(len(body).to_bytes(4, "big") + body)
    await writer.drain()


async def next_request(reader: asyncio.StreamReader) -> Request:
    """Return the next request.

    Raises:
        OSError, EOFError, msgspec.DecodeError: the connection is over, or it is none of ours.
    """
    return _requests.decode(await _frame(reader))


async def next_reply(reader: asyncio.StreamReader) -> Reply:
    """Return the next reply; raises as `next_request` does."""
    return _replies.decode(await _frame(reader))


async def _frame(reader: asyncio.StreamReader) -> bytes:
    length = int.from_bytes(await reader.readexactly(4), "big")
    if length > LARGEST:
        raise OSError(f"a frame of {length:,} bytes; the limit is {LARGEST:,}")
    return await reader.readexactly(length)
