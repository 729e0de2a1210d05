"""Artefacts: files in the object store, by reference."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncGenerator
from typing import NamedTuple

import msgspec
from nats.js.api import ObjectMeta, RawStreamMsg
from nats.js.errors import NotFoundError, ObjectNotFoundError

from muster_bus.connection import Bus
from muster_bus.streams import OBJECTS
from muster_protocol import codec
from muster_protocol.errors import BusError
from muster_protocol.ids import is_token
from muster_protocol.tool_calls import ArtifactRef, Box
from muster_text.file_names import clean_name

TIMEOUT = 60.0
"""Seconds one transfer may take; nats-py itself would wait for ever."""

PRIVATE_PART = "checkpoint"
ELEMENT_HEADER = "Muster-Element"
"""Of a picture: where the touched element is on it, a `Box` as JSON."""


def is_private(name: str) -> bool:
    """Return whether an artefact is for session hosts alone: a checkpoint holds cookies of the tested product. Pure."""
    return name.split("/")[1:2] == [PRIVATE_PART]


def build_reference(name: str, data: bytes, content_type: str) -> ArtifactRef:
    """Return the reference that storing the data under the name will have."""
    return ArtifactRef(name=name, sha256=hashlib.sha256(data).hexdigest(), size=len(data), content_type=content_type)


async def put_artifact(bus: Bus, name: str, data: bytes, content_type: str, element: Box | None = None) -> ArtifactRef:
    """Store a file under a name (`<run>/<part>/<file>`); one of the same name is replaced.

    `element` is where the element is that was touched, on a picture of the page.
    """
    headers = {"Content-Type": content_type} | ({ELEMENT_HEADER: codec.encode(element).decode()} if element else {})
    meta = ObjectMeta(name=name, headers=headers)
    with bus.track_bucket(bus.names.bucket(OBJECTS)):
        store = await bus.js.object_store(bus.names.bucket(OBJECTS))
        async with asyncio.timeout(TIMEOUT):
            await store.put(name, data, meta=meta)
    return build_reference(name, data, content_type)


async def get_artifact(bus: Bus, name: str) -> bytes | None:
    """Return a file's bytes, or None if there is none of that name."""
    data = bytearray()
    try:
        async with asyncio.timeout(TIMEOUT):
            async for piece in read_artifact(bus, name):
                data += piece
    except ObjectNotFoundError:
        return None
    return bytes(data)


class Replaced(BusError):
    """A file is not, or no longer, the one requested."""


async def read_artifact(bus: Bus, name: str, sha256: str = "") -> AsyncGenerator[bytes]:
    """Yield a file's bytes, piece by piece; `sha256` (hex) is the content that is meant, if it matters.

    nats-py would have a consumer made that delivers them; who may make one can have the server write on any subject.

    Raises:
        ObjectNotFoundError: there is none of that name.
        Replaced: what is stored is another content, or was replaced or removed while it was read.
        NatsError, TimeoutError: it cannot be read now.
    """
    bucket = bus.names.bucket(OBJECTS)
    with bus.track_bucket(bucket):
        info = await (await bus.js.object_store(bucket)).get_info(name)
        pieces = info.nuid if is_token(info.nuid or "") else ""  # it becomes part of a subject that is read
        hashed, after = hashlib.sha256(), 0
        for _ in range((pieces and info.chunks) or 0):
            found = await _read_piece(bus, name, f"$O.{bucket}.C.{pieces}", after)
            hashed.update(found.data or b"")
            after = found.seq or after + 1
            yield found.data or b""
    told = (info.digest or "").partition("=")[2]
    if base64.urlsafe_b64encode(hashed.digest()).decode() != told or sha256 not in ("", hashed.hexdigest()):
        raise Replaced(f"artefact {name!r} is not what its description says, or was replaced")


async def _read_piece(bus: Bus, name: str, subject: str, after: int) -> RawStreamMsg:
    try:
        return await bus.js.get_msg(f"OBJ_{bus.names.bucket(OBJECTS)}", seq=after + 1, subject=subject, next=True)
    except NotFoundError:
        raise Replaced(f"artefact {name!r} was replaced or removed while it was read") from None


async def list_artifacts(bus: Bus, prefix: str) -> list[str]:
    """Return the names that start with the prefix, sorted; one request, however many artefacts there are."""
    return sorted(name for name in (await read_contents(bus)).names if name.startswith(prefix))


class StoreContents(NamedTuple):
    """What the object store holds: the names of all artefacts, its bytes, and how many it may have (-1: any)."""

    names: tuple[str, ...]
    size: int
    most: int


async def read_contents(bus: Bus) -> StoreContents:
    """Return what the object store holds.

    Raises:
        BusError, NatsError, TimeoutError: it cannot be read now.
    """
    bucket = bus.names.bucket(OBJECTS)
    prefix = f"$O.{bucket}.M."
    found = await list_subjects(bus, f"OBJ_{bucket}", f"{prefix}>")
    names = tuple(_decode_name(subject.removeprefix(prefix)) for subject in found.subjects)
    return StoreContents(names, found.size, found.most)


class StreamSubjects(NamedTuple):
    """The subjects of a stream that match a filter, and the stream's bytes and bound (-1: none)."""

    subjects: tuple[str, ...]
    size: int
    most: int


async def list_subjects(bus: Bus, stream: str, matching: str) -> StreamSubjects:
    """Return which subjects a stream of the server has messages on, however many there are.

    Raises:
        BusError, NatsError, TimeoutError: it cannot be read now.
    """
    found = list[str]()
    while True:
        asked = codec.encode({"subjects_filter": matching, "offset": len(found)})
        answer = await bus.nc.request(f"$JS.API.STREAM.INFO.{stream}", asked, timeout=10.0)
        info = msgspec.json.decode(answer.data, type=_Info)
        if info.error is not None:
            raise BusError(f"stream {stream} cannot be read: {info.error.description}")
        found += info.state.subjects or {}
        if not info.state.subjects or len(found) >= info.total:
            return StreamSubjects(tuple(found), info.state.bytes, info.config.max_bytes)


class _State(msgspec.Struct):
    bytes: int = 0
    subjects: dict[str, int] | None = None


class _Config(msgspec.Struct):
    max_bytes: int = -1


class _Error(msgspec.Struct):
    description: str = ""


class _Info(msgspec.Struct):
    """What the server says of a stream, as far as it matters here."""

    state: _State = msgspec.field(default_factory=_State)
    config: _Config = msgspec.field(default_factory=_Config)
    total: int = 0
    error: _Error | None = None


class StoredArtifact(NamedTuple):
    """One artefact as it lies in the store."""

    name: str
    at: float
    """Unix seconds at which it was stored."""
    seq: int
    pieces: str
    """Names the messages its bytes are in."""
    size: int


async def oldest_artifacts(bus: Bus, after: int = 0) -> AsyncGenerator[StoredArtifact]:
    """Yield the artefacts in the order in which they were stored, those after a sequence; each is read when asked for.

    Raises:
        BusError, NatsError, TimeoutError: the rest cannot be read now.
    """
    bucket = bus.names.bucket(OBJECTS)
    while True:
        try:
            found = await bus.js.get_msg(f"OBJ_{bucket}", seq=after + 1, subject=f"$O.{bucket}.M.>", next=True)
        except NotFoundError:
            return
        after = found.seq or after + 1
        yield _describe(found)


async def remove_artifact(bus: Bus, name: str) -> int:
    """Remove an artefact and every trace of it; return its bytes, 0 if there was none.

    Raises:
        BusError, NatsError, TimeoutError: it cannot be removed now, or not wholly; it may be tried again.
    """
    bucket = bus.names.bucket(OBJECTS)
    try:
        found = await bus.js.get_last_msg(f"OBJ_{bucket}", f"$O.{bucket}.M.{_encode_name(name)}")
    except NotFoundError:
        return 0
    return await remove_stored(bus, _describe(found))


async def remove_stored(bus: Bus, artifact: StoredArtifact) -> int:
    """Remove an artefact as it was found: one of the same name that was stored since stays. Return its bytes."""
    bucket = bus.names.bucket(OBJECTS)
    stream = f"OBJ_{bucket}"
    if artifact.pieces:
        await bus.js.purge_stream(stream, subject=f"$O.{bucket}.C.{artifact.pieces}")
    # its name goes last: as long as it is there, what is left of it can be found
    await bus.js.purge_stream(stream, seq=artifact.seq + 1, subject=f"$O.{bucket}.M.{_encode_name(artifact.name)}")
    return artifact.size


def _encode_name(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode()


def _decode_name(token: str) -> str:
    try:
        return base64.urlsafe_b64decode(token).decode()
    except ValueError:  # not written by this code
        return ""


def _describe(found: RawStreamMsg) -> StoredArtifact:
    """Return what a message of the store says of an artefact; one that cannot be read has no pieces that are known."""
    try:
        info = msgspec.json.decode(found.data or b"", type=_Meta)
    except msgspec.DecodeError:
        info = _Meta()
    at = found.time.timestamp() if found.time else 0.0
    name = _decode_name((found.subject or "").rpartition(".")[2])
    pieces = info.nuid if is_token(info.nuid) else ""  # it becomes part of a subject that is purged
    return StoredArtifact(name, at, found.seq or 0, pieces, info.size)


class _Meta(msgspec.Struct):
    """What the object store writes about a file, as far as it matters here."""

    nuid: str = ""
    size: int = 0


def download_name(run: str, name: str, content: bytes) -> str:
    """Return where a download is stored: the same content under the same name is one artefact, whoever stores it."""
    return f"{run}/downloads/{hashlib.sha256(content).hexdigest()[:8]}-{clean_name(name)}"
