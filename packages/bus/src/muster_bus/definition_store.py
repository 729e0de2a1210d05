"""Agent and skill files in the bucket `DEFINITIONS`: pushed as releases, read by digest."""

import hashlib
from collections.abc import AsyncGenerator, Collection, Mapping
from typing import NamedTuple

from msgspec import Struct
from nats.js.errors import BucketNotFoundError, NotFoundError

from muster_bus.bus import Bus
from muster_bus.rows import Rows
from muster_protocol import codec
from muster_protocol.definitions import NEWEST, DefinitionFile, NewestRelease, Release, file_key, release_key
from muster_protocol.errors import BusError

BUCKET = "DEFINITIONS"
TRIES = 10
MOST_FILES = 1_000


class Pushed(NamedTuple):
    """What a push has come to."""

    digest: str
    release: Release
    fresh: bool
    """Whether anything was other than in the newest release before."""


class DefinitionStore:
    """Reads and writes releases."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._newest = Rows(bus, BUCKET, NewestRelease)
        self._releases = Rows(bus, BUCKET, Release)
        self._files = Rows(bus, BUCKET, DefinitionFile)

    async def newest(self) -> str:
        """Return the digest of the newest release; empty: nothing was ever pushed."""
        try:
            found = await self._newest.get(NEWEST)
        except (BucketNotFoundError, NotFoundError):  # provisioned by an earlier version
            return ""
        return found.digest if found else ""

    async def release(self, digest: str) -> Release:
        """Return a release.

        Raises:
            BusError: it is not there.
        """
        found = await self._releases.get(release_key(digest))
        if found is None:
            raise BusError(f"the release {digest[:12]} of agents is not in the bucket {BUCKET}")
        return found

    async def files(self, digest: str) -> dict[str, str]:
        """Return the texts of a release's files, by name.

        Raises:
            BusError: the release or a file of it is not there.
        """
        found: dict[str, str] = {}
        for name, key in (await self.release(digest)).files.items():
            file = await self._files.get(file_key(key))
            if file is None:
                raise BusError(f"the file {name} of the release {digest[:12]} is not in the bucket {BUCKET}")
            found[name] = file.text
        return found

    async def history(self) -> AsyncGenerator[tuple[str, Release]]:
        """Yield all releases with their digests, newest first."""
        digest = await self.newest()
        while digest:
            release = await self.release(digest)
            yield digest, release
            digest = release.previous

    async def push(
        self, files: Mapping[str, str], *, by: str = "", note: str = "", removed: Collection[str] = ()
    ) -> Pushed:
        """Make a release of the newest one with files added or replaced, and others removed.

        Raises:
            BusError: it has too many files, or others push again and again.
        """
        digests = {name: await self._keep(name, text) for name, text in sorted(files.items())}
        for _ in range(TRIES):
            entry = await self._newest.entry(NEWEST)
            before, revision = (entry[0].digest, entry[1]) if entry else ("", 0)
            last = await self.release(before) if before else Release(number=0, files={})
            merged = {name: key for name, key in {**last.files, **digests}.items() if name not in removed}
            changed = tuple(sorted(n for n in {**merged, **last.files} if merged.get(n) != last.files.get(n)))
            if not changed:
                return Pushed(before, last, fresh=False)
            if len(merged) > MOST_FILES:
                raise BusError(f"a release has up to {MOST_FILES} files, and this one would have {len(merged)}")
            now = self._bus.clock.now()
            made = Release(
                number=last.number + 1, files=merged, changed=changed, previous=before, at=now, by=by, note=note
            )
            digest = digest_of(made)
            await self._releases.put(release_key(digest), made)
            if await self._newest.update(NEWEST, NewestRelease(digest=digest), revision) is not None:
                return Pushed(digest, made, fresh=True)
        raise BusError("others keep pushing agents; try again")

    async def _keep(self, name: str, text: str) -> str:
        file = DefinitionFile(name=name, text=text)
        digest = digest_of(file)
        await self._files.create(file_key(digest), file)
        return digest


def digest_of(value: Struct) -> str:
    """Return the name of a value that never changes: the SHA-256 of its encoding."""
    return hashlib.sha256(codec.encode(value)).hexdigest()
