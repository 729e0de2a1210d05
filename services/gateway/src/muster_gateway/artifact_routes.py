"""Serves the files of a run from the object store."""

import asyncio
import base64
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

import msgspec
import structlog
from litestar import Response, get, head
from litestar.datastructures import ResponseHeader
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream
from nats.js.errors import NotFoundError, ObjectNotFoundError

from muster_bus import Bus
from muster_bus.artifact_store import ELEMENT_HEADER, TIMEOUT, Replaced, is_private, read_artifact
from muster_bus.artifact_store import list_artifacts as names_of
from muster_bus.streams import OBJECTS
from muster_gateway import problem_details
from muster_gateway.context import Gateway
from muster_gateway.description import operation_docs
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.http import spools
from muster_gateway.http.ranges import Span, Unsatisfiable, client_has, is_unchanged, parse_range
from muster_gateway.problem_details import Refusal
from muster_gateway.security.access import content_disposition, content_type
from muster_gateway.security.access_roles import VIEWER
from muster_gateway.views import ArtifactList, ArtifactView
from muster_protocol.codec import decode_untrusted
from muster_protocol.tool_calls import Box

log = structlog.get_logger("muster.gateway")

CONCURRENT_READS = 32
"""File descriptions read at the same time."""


class Meta(msgspec.Struct, frozen=True):
    """Metadata of a file in the object store."""

    size: int = 0
    digest: str = ""
    headers: dict[str, list[str] | str] | None = None
    deleted: bool = False


class StoredObject(NamedTuple):
    """A file in the object store: name, size in bytes, content type, SHA-256 in hex, time stored (ISO 8601)."""

    key: str
    size: int
    content_type: str
    sha256: str
    at: str
    element: Box | None = None
    """On a picture: position of the element last acted on."""

    @property
    def etag(self) -> str:
        """Entity tag of the content."""
        return f'"{self.sha256}"'


_HEADERS = [
    ResponseHeader(name="ETag", description="The file's SHA-256", documentation_only=True),
    ResponseHeader(name="Accept-Ranges", description="`bytes`", documentation_only=True),
]
_FILE = ResponseSpec(bytes, generate_examples=False, description="The file", media_type="application/octet-stream")
_PART = ResponseSpec(
    bytes,
    generate_examples=False,
    description="The requested part of the file; `Content-Range` says which",
    media_type="application/octet-stream",
)
IfNoneMatch = Annotated[str, HeaderParameter(name="If-None-Match", description="ETag of the file you have")]
Version = Annotated[
    str,
    QueryParameter(description="Any text: addresses that differ in it are of different versions, for who shows a file"),
]
_SAME = ResponseSpec(None, generate_examples=False, description="The file you have is up to date")


@get(
    "/runs/{run:str}/artifacts",
    opt=VIEWER,
    operation_id="listArtifacts",
    summary="List a run's files",
    responses=success(ArtifactList, 200, "The files", operation_docs.ARTIFACTS) | failures(400, 404, 503),
)
async def list_artifacts(gateway: NamedDependency[Gateway], run: FromPath[str]) -> ArtifactList:
    """Return the files stored for a run, by name."""
    await gateway.require_run(run)
    names = [name for name in await names_of(gateway.bus, f"{run}/") if not is_private(name)]
    found: list[StoredObject | None] = []
    for start in range(0, len(names), CONCURRENT_READS):
        batch = names[start : start + CONCURRENT_READS]
        found += await asyncio.gather(*(find_artifact(gateway.bus, name) for name in batch))
    return ArtifactList(artifacts=tuple(_view_artifact(file, run) for file in found if file is not None))


@get(
    "/runs/{run:str}/artifacts/{name:path}",
    opt=VIEWER,
    operation_id="downloadArtifact",
    summary="Download a file of a run, or a part of it",
    description="Sent as an attachment with its stored content type. `Range` requests one part, "
    "`If-None-Match` with an earlier `ETag` the file only if it has changed.",
    responses={200: _FILE, 206: _PART, 304: _SAME} | failures(400, 404, 416, 503),
    response_headers=_HEADERS,
)
async def download(
    *,
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    name: FromPath[str],
    v: Version = "",
    range: Annotated[str, HeaderParameter(name="Range", description="`bytes=0-1023`")] = "",
    if_range: Annotated[str, HeaderParameter(name="If-Range", description="ETag the part must belong to")] = "",
    if_none_match: IfNoneMatch = "",
) -> Response[Any]:
    """Send a file by way of a temporary one, so that memory does not grow with its size."""
    file = await _require_artifact(gateway, run, name)
    headers = _headers(file)
    if client_has(if_none_match, file.etag):
        return Response(None, status_code=304, headers=headers)
    try:
        span = parse_range(range, file.size) if range and is_unchanged(if_range, file.etag) else None
    except Unsatisfiable:
        refused = problem_details.respond(Refusal(416, f"the range is outside the file, which has {file.size} bytes"))
        refused.headers["Content-Range"] = f"bytes */{file.size}"
        return refused
    part = span or Span(0, file.size)
    headers["Content-Length"] = str(part.stop - part.start)
    if span is not None:
        headers["Content-Range"] = f"bytes {span.start}-{span.stop - 1}/{file.size}"
    spool = await _fetch(gateway, file)
    status = 206 if span is not None else 200
    return Stream(
        spool.read(part.start, part.stop - part.start),
        status_code=status,
        media_type=file.content_type,
        headers=headers,
    )


@head(
    "/runs/{run:str}/artifacts/{name:path}",
    opt=VIEWER,
    operation_id="inspectArtifact",
    summary="Get a file's size, type and ETag",
    responses={304: _SAME} | failures(400, 404, 503),
    response_headers=_HEADERS,
)
async def inspect(
    *,
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    name: FromPath[str],
    v: Version = "",
    if_none_match: IfNoneMatch = "",
) -> Response[None]:
    """Return the headers of a download."""
    file = await _require_artifact(gateway, run, name)
    if client_has(if_none_match, file.etag):
        return Response(None, status_code=304, headers=_headers(file))
    headers = _headers(file) | {"Content-Length": str(file.size), "Content-Type": file.content_type}
    return Response(None, headers=headers)


async def find_artifact(bus: Bus, key: str) -> StoredObject | None:
    """Return a file by its name in the object store; None if it does not exist."""
    bucket = bus.names.bucket(OBJECTS)
    subject = f"$O.{bucket}.M.{base64.urlsafe_b64encode(key.encode(errors='surrogatepass')).decode()}"
    try:
        found = await bus.js.get_last_msg(f"OBJ_{bucket}", subject)
        meta = decode_untrusted(found.data or b"", Meta)
    except NotFoundError:
        return None
    except msgspec.DecodeError as error:
        log.warning("unreadable description of an artifact", name=key, error=str(error))
        return None
    if meta.deleted:
        return None
    claimed = (meta.headers or {}).get("Content-Type", "")
    digest = meta.digest.partition("=")[2]
    return StoredObject(
        key=key,
        size=meta.size,
        content_type=content_type(claimed if isinstance(claimed, str) else "".join(claimed[:1])),
        sha256=base64.urlsafe_b64decode(digest).hex() if digest else "",
        at=found.time.isoformat() if found.time else "",
        element=_decode_element((meta.headers or {}).get(ELEMENT_HEADER)),
    )


def _decode_element(header: list[str] | str | None) -> Box | None:
    """Return the position of the last touched element from a header; None if missing or invalid."""
    text = header if isinstance(header, str) else "".join((header or [])[:1])
    with suppress(msgspec.DecodeError):
        return decode_untrusted(text, Box)
    return None


async def _require_artifact(gateway: Gateway, run: str, name: str) -> StoredObject:
    await gateway.require_run(run)
    plain = name.removeprefix("/")
    key = f"{run}/{plain}"
    file = None if is_private(key) else await find_artifact(gateway.bus, key)
    if file is None:
        raise _no_artifact(run, plain)
    return file


def _no_artifact(run: str, name: str) -> Refusal:
    return Refusal(404, f"run {run!r} has no file {name!r}; GET /runs/{run}/artifacts lists its files")


def _headers(file: StoredObject) -> dict[str, str]:
    return {
        "Content-Disposition": content_disposition(file.key),
        "Accept-Ranges": "bytes",
        "ETag": file.etag,
        "Cache-Control": "private, no-cache",
    }


async def _fetch(gateway: Gateway, file: StoredObject) -> spools.Spool:
    """Copy an artifact into a temporary file."""
    spool = await spools.open_spool(gateway.sending)
    try:
        async with asyncio.timeout(TIMEOUT):
            async for piece in read_artifact(gateway.bus, file.key, file.sha256):
                await asyncio.to_thread(spool.file.write, piece)
            await spool.finish()
    except ObjectNotFoundError:
        spool.close()
        raise _no_artifact(*file.key.split("/", 1)) from None
    except Replaced:
        spool.close()
        raise problem_details.service_unavailable("the file was just replaced; try again") from None
    except BaseException:
        spool.close()
        raise
    return spool


def _view_artifact(file: StoredObject, run: str) -> ArtifactView:
    return ArtifactView(
        name=file.key.removeprefix(f"{run}/"),
        size=file.size,
        content_type=file.content_type,
        sha256=file.sha256,
        stored_at=file.at,
        element=file.element,
    )


HANDLERS = (list_artifacts, download, inspect)
