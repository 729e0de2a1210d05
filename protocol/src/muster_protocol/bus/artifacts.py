"""Artefacts: files in the object store, by reference."""

import asyncio
import hashlib

from nats.js.api import ObjectMeta
from nats.js.errors import NotFoundError, ObjectNotFoundError

from muster_protocol.bus.connection import Bus
from muster_protocol.bus.streams import OBJECTS
from muster_protocol.tools import ArtifactRef

TIMEOUT = 60.0
"""Seconds one transfer may take; nats-py itself would wait for ever."""


def reference(name: str, data: bytes, content_type: str) -> ArtifactRef:
    """Return the reference that storing the data under the name will have."""
    return ArtifactRef(name=name, sha256=hashlib.sha256(data).hexdigest(), size=len(data), content_type=content_type)


async def put_artifact(bus: Bus, name: str, data: bytes, content_type: str) -> ArtifactRef:
    """Store a file under a name (`<run>/<part>/<file>`); one of the same name is replaced."""
    store = await bus.js.object_store(bus.names.bucket(OBJECTS))
    meta = ObjectMeta(name=name, headers={"Content-Type": content_type})
    async with asyncio.timeout(TIMEOUT):
        await store.put(name, data, meta=meta)
    return reference(name, data, content_type)


async def get_artifact(bus: Bus, name: str) -> bytes | None:
    """Return a file's bytes, or None if there is none of that name."""
    store = await bus.js.object_store(bus.names.bucket(OBJECTS))
    try:
        async with asyncio.timeout(TIMEOUT):
            return (await store.get(name)).data
    except ObjectNotFoundError:
        return None


async def list_artifacts(bus: Bus, prefix: str) -> list[str]:
    """Return the names that start with the prefix."""
    store = await bus.js.object_store(bus.names.bucket(OBJECTS))
    try:
        async with asyncio.timeout(TIMEOUT):
            infos = await store.list(ignore_deletes=True)
    except NotFoundError:  # how nats-py says that there is nothing in it
        return []
    return [info.name for info in infos if info.name.startswith(prefix)]
