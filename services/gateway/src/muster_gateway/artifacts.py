"""Files of a run, from the object store."""

import asyncio
import base64
import tempfile
from collections.abc import AsyncGenerator
from typing import IO, cast

from litestar import get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath
from litestar.response import Stream
from nats.js.api import ObjectInfo
from nats.js.errors import NotFoundError, ObjectNotFoundError

from muster_gateway import documented
from muster_gateway.access import content_disposition, content_type
from muster_gateway.context import Gateway
from muster_gateway.documented import failures, success
from muster_gateway.problems import Refusal
from muster_gateway.views import ArtifactList, ArtifactView
from muster_protocol.bus.artifacts import TIMEOUT
from muster_protocol.bus.streams import OBJECTS

CHUNK = 256 * 1024
"""Bytes handed to the client at once."""


_FILE = ResponseSpec(bytes, generate_examples=False, description="The file", media_type="application/octet-stream")


@get(
    "/runs/{run:str}/artifacts",
    operation_id="listArtifacts",
    summary="List a run's files",
    responses=success(ArtifactList, 200, "The files", documented.ARTIFACTS) | failures(400, 404, 503),
)
async def list_artifacts(gateway: NamedDependency[Gateway], run: FromPath[str]) -> ArtifactList:
    """Return the files stored for a run, by name."""
    await gateway.require(run)
    store = await gateway.bus.js.object_store(gateway.bus.names.bucket(OBJECTS))
    try:
        async with asyncio.timeout(TIMEOUT):
            found = await store.list(ignore_deletes=True)
    except NotFoundError:  # the store is empty
        found = []
    mine = [_view(info, run) for info in found if info.name.startswith(f"{run}/")]
    return ArtifactList(artifacts=tuple(sorted(mine, key=lambda artifact: artifact.name)))


@get(
    "/runs/{run:str}/artifacts/{name:path}",
    operation_id="downloadArtifact",
    summary="Download a file of a run",
    description="Sent as an attachment, with the content type it was stored with.",
    responses={200: _FILE} | failures(400, 404, 503),
)
async def download(gateway: NamedDependency[Gateway], run: FromPath[str], name: FromPath[str]) -> Stream:
    """Return a file; it goes through a temporary one, so that memory does not grow with its size."""
    await gateway.require(run)
    key = f"{run}/{name.removeprefix('/')}"
    store = await gateway.bus.js.object_store(gateway.bus.names.bucket(OBJECTS))
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the last byte is sent
    try:
        async with asyncio.timeout(TIMEOUT):
            info = (await store.get(key, writeinto=spool)).info
    except ObjectNotFoundError:
        spool.close()
        raise Refusal(
            404, f"run {run!r} has no file {name.removeprefix('/')!r}; its artifacts address lists them"
        ) from None
    except BaseException:
        spool.close()
        raise
    headers = {"Content-Disposition": content_disposition(key), "Content-Length": str(info.size or 0)}
    return Stream(_chunks(spool), media_type=_content_type(info), headers=headers)


async def _chunks(spool: IO[bytes]) -> AsyncGenerator[bytes]:
    with spool:
        spool.seek(0)
        while chunk := await asyncio.to_thread(spool.read, CHUNK):
            yield chunk


def _content_type(info: ObjectInfo) -> str:
    headers = cast("dict[str, str]", info.headers or {})
    return content_type(headers.get("Content-Type", ""))


def _view(info: ObjectInfo, run: str) -> ArtifactView:
    digest = (info.digest or "").partition("=")[2]
    return ArtifactView(
        name=info.name.removeprefix(f"{run}/"),
        size=info.size or 0,
        content_type=_content_type(info),
        sha256=base64.urlsafe_b64decode(digest).hex() if digest else "",
        stored_at=str(info.mtime or ""),
    )


HANDLERS = (list_artifacts, download)
