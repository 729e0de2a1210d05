"""Artifacts: files in the object store, by reference."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncGenerator
from typing import NamedTuple

import msgspec
from nats.js.api import ObjectMeta, RawStreamMsg
from nats.js.errors import NotFoundError, ObjectNotFoundError

from muster_bus.bus import Bus
from muster_bus.streams import OBJECTS
from muster_protocol import codec
from muster_protocol.errors import BusError
from muster_protocol.ids import is_token
from muster_protocol.sessions import WORKSPACE_DIFF
from muster_protocol.tool_calls import ArtifactRef, Box
from muster_text.file_names import clean_name

TIMEOUT = 60.0
"""Timeout of one transfer; nats-py has none."""

PRIVATE_PART = "checkpoint"
ELEMENT_HEADER = "Muster-Element"
"""Header of a picture: the position of the touched element, a `Box` as JSON."""


def run_of(name: str) -> str:
    """Return the run that an artifact belongs to. Pure."""
    return name.partition("/")[0]


def is_private(name: str) -> bool:
    """Return whether only session hosts may read an artifact: a checkpoint holds the tested product's cookies. Pure."""
    return name.split("/")[1:2] == [PRIVATE_PART]


def build_reference(name: str, data: bytes, content_type: str) -> ArtifactRef:
    """Return the reference of data stored under a name."""
    return ArtifactRef(name=name, sha256=hashlib.sha256(data).hexdigest(), size=len(data), content_type=content_type)


async def put_artifact(bus: Bus, name: str, data: bytes, content_type: str, element: Box | None = None) -> ArtifactRef:
    """Store a file under a name (`<run>/<part>/<file>`), replacing any of that name.

    `element` is the position of the touched element on a picture of the page.
    """
    headers = {"Content-Type": content_type} | ({ELEMENT_HEADER: codec.encode(element).decode()} if element else {})
    meta = ObjectMeta(name=name, headers=headers)
    with bus.track_bucket(bus.names.bucket(OBJECTS)):
        store = await bus.js.object_store(bus.names.bucket(OBJECTS))
        async with asyncio.timeout(TIMEOUT):
            await store.put(name, data, meta=meta)
    return build_reference(name, data, content_type)


async def get_artifact(bus: Bus, name: str) -> bytes | None:
    """Return a file's bytes, or None if there is no such file."""
    data = bytearray()
    try:
        async with asyncio.timeout(TIMEOUT):
            async for piece in read_artifact(bus, name):
                data += piece
    except ObjectNotFoundError:
        return None
    return bytes(data)


class Replaced(BusError):
    """A file differs from the one requested, or was replaced or removed meanwhile."""


async def read_artifact(bus: Bus, name: str, sha256: str = "") -> AsyncGenerator[bytes]:
    """Yield a file's bytes in pieces; `sha256` (hex), if given, is the expected content.

    Reads message by message: nats-py would create a consumer, and with the permission to create one a client could make
    the server publish on any subject.

    Raises:
        ObjectNotFoundError: there is no such file.
        Replaced: the content differs, or was replaced or removed during the read.
        NatsError, TimeoutError: it cannot be read now.
    """
    bucket = bus.names.bucket(OBJECTS)
    with bus.track_bucket(bucket):
        info = await (await bus.js.object_store(bucket)).get_info(name)
        pieces = info.nuid if is_token(info.nuid or "") else ""  # untrusted, and part of a subject below
        hashed, after = hashlib.sha256(), 0
        for _ in range((pieces and info.chunks) or 0):
            found = await _read_piece(bus, name, f"$O.{bucket}.C.{pieces}", after)
            hashed.update(found.data or b"")
            after = found.seq or after + 1
            yield found.data or b""
    told = (info.digest or "").partition("=")[2]
    if base64.urlsafe_b64encode(hashed.digest()).decode() != told or sha256 not in ("", hashed.hexdigest()):
        raise Replaced(f"artifact {name!r} does not match its digest, or was replaced")


async def _read_piece(bus: Bus, name: str, subject: str, after: int) -> RawStreamMsg:
    try:
        return await bus.js.get_msg(f"OBJ_{bus.names.bucket(OBJECTS)}", seq=after + 1, subject=subject, next=True)
    except NotFoundError:
        raise Replaced(f"artifact {name!r} was replaced or removed while it was read") from None


async def list_artifacts(bus: Bus, prefix: str) -> list[str]:
    """Return the names that start with a prefix, sorted."""
    return sorted(name for name in (await read_contents(bus)).names if name.startswith(prefix))


async def find_diffs(bus: Bus, run: str) -> list[str]:
    """Return the names of the files with what a run has changed in its workspaces, sorted."""
    return [name for name in await list_artifacts(bus, f"{run}/session/") if name.endswith(f"-{WORKSPACE_DIFF}")]


class StoreContents(NamedTuple):
    """The names of all artifacts in the store, its size and its limit in bytes (-1: none)."""

    names: tuple[str, ...]
    size: int
    most: int


async def read_contents(bus: Bus) -> StoreContents:
    """Return the contents of the object store, in one or a few requests.

    Raises:
        BusError, NatsError, TimeoutError: it cannot be read now.
    """
    bucket = bus.names.bucket(OBJECTS)
    prefix = f"$O.{bucket}.M."
    found = await list_subjects(bus, f"OBJ_{bucket}", f"{prefix}>")
    names = tuple(_decode_name(subject.removeprefix(prefix)) for subject in found.subjects)
    return StoreContents(names, found.size, found.most)


class StreamSubjects(NamedTuple):
    """The subjects of a stream that match a filter, and the stream's size and limit in bytes (-1: none)."""

    subjects: tuple[str, ...]
    size: int
    most: int


async def list_subjects(bus: Bus, stream: str, matching: str) -> StreamSubjects:
    """Return all subjects of a stream (by its name on the server) that match a filter and have messages.

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
    """The fields of the server's STREAM.INFO reply that are read here."""

    state: _State = msgspec.field(default_factory=_State)
    config: _Config = msgspec.field(default_factory=_Config)
    total: int = 0
    error: _Error | None = None


class StoredArtifact(NamedTuple):
    """One artifact in the store."""

    name: str
    at: float
    """Unix seconds at which it was stored."""
    seq: int
    pieces: str
    """Last token of the subject of its data messages."""
    size: int


async def oldest_artifacts(bus: Bus) -> AsyncGenerator[StoredArtifact]:
    """Yield the artifacts, oldest first; each is read on demand.

    Raises:
        BusError, NatsError, TimeoutError: the rest cannot be read now.
    """
    bucket, after = bus.names.bucket(OBJECTS), 0
    while True:
        try:
            found = await bus.js.get_msg(f"OBJ_{bucket}", seq=after + 1, subject=f"$O.{bucket}.M.>", next=True)
        except NotFoundError:
            return
        after = found.seq or after + 1
        yield _describe(found)


async def remove_artifact(bus: Bus, name: str) -> int:
    """Remove an artifact with all its data; return its size in bytes, 0 if there was none.

    Raises:
        BusError, NatsError, TimeoutError: it is not, or not completely, removed; calling again is safe.
    """
    bucket = bus.names.bucket(OBJECTS)
    try:
        found = await bus.js.get_last_msg(f"OBJ_{bucket}", f"$O.{bucket}.M.{_encode_name(name)}")
    except NotFoundError:
        return 0
    return await remove_stored(bus, _describe(found))


async def remove_stored(bus: Bus, artifact: StoredArtifact) -> int:
    """Remove this version of an artifact, not one stored under its name since; return its size in bytes."""
    bucket = bus.names.bucket(OBJECTS)
    stream = f"OBJ_{bucket}"
    if artifact.pieces:
        await bus.js.purge_stream(stream, subject=f"$O.{bucket}.C.{artifact.pieces}")
    # last, so that an interrupted removal can be found and repeated
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
    """Return the artifact that a message of the store describes; without data messages if it cannot be read."""
    try:
        info = msgspec.json.decode(found.data or b"", type=_Meta)
    except msgspec.DecodeError:
        info = _Meta()
    at = found.time.timestamp() if found.time else 0.0
    name = _decode_name((found.subject or "").rpartition(".")[2])
    pieces = info.nuid if is_token(info.nuid) else ""  # untrusted, and part of a subject that is purged
    return StoredArtifact(name, at, found.seq or 0, pieces, info.size)


class _Meta(msgspec.Struct):
    """The fields of the object store's metadata that are read here."""

    nuid: str = ""
    size: int = 0


def download_name(run: str, name: str, content: bytes) -> str:
    """Return the artifact name of a download; the same name and content give the same artifact."""
    return f"{run}/downloads/{hashlib.sha256(content).hexdigest()[:8]}-{clean_name(name)}"
