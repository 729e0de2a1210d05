"""Stored cases in the bucket `CASES`: a row each, changed by compare-and-set, and files by digest."""

from typing import NamedTuple

from nats.js.errors import BucketNotFoundError

from muster_bus.bus import Bus
from muster_bus.definition_store import digest_of
from muster_bus.rows import Rows
from muster_protocol.errors import BusError, WrongState
from muster_protocol.stored_cases import FILES, ROWS, CaseFile, CaseOutline, CaseVersion, StoredCase

BUCKET = "CASES"
TRIES = 10
MOST_VERSIONS = 200
"""Versions that a row remembers; files of older ones stay under their digests."""


class PushedCase(NamedTuple):
    """A stored case after a push, and whether that made a new version of it."""

    case: StoredCase
    fresh: bool


class CaseStore:
    """Reads and writes stored cases; what is in a file is for the caller to check."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._rows = Rows(bus, BUCKET, StoredCase, ROWS)
        self._files = Rows(bus, BUCKET, CaseFile, FILES)

    async def all(self) -> list[StoredCase]:
        """Return all stored cases, by id."""
        return sorted(await self._rows.all(), key=lambda case: case.id)

    async def get(self, id: str) -> StoredCase | None:
        """Return a stored case, or None."""
        try:
            return await self._rows.get(id)
        except BucketNotFoundError:  # provisioned by an earlier version
            return None

    async def file(self, digest: str) -> CaseFile:
        """Return the file of a version.

        Raises:
            BusError: it is not there, or is not the one that was pushed.
        """
        found = await self._files.get(digest)
        if found is None or digest_of(found) != digest:
            raise BusError(f"the file {digest[:12]} of a stored case is not in the bucket {BUCKET}, or was altered")
        return found

    async def push(
        self,
        id: str,
        file: CaseFile,
        cases: tuple[CaseOutline, ...],
        *,
        by: str = "",
        note: str = "",
        replaces: str | None = None,
    ) -> PushedCase:
        """Make a file the newest version of a case.

        `replaces` is the digest of the version that the writer has seen, empty if there was none yet; None: any.

        Raises:
            WrongState: the newest version is another than `replaces`.
            BusError: others push the same case again and again.
        """
        digest = digest_of(file)
        await self._files.create(digest, file)
        for _ in range(TRIES):
            entry = await self._rows.entry(id)
            before = entry[0] if entry else None
            if before and before.newest.digest == digest:
                return PushedCase(before, fresh=False)
            if replaces is not None and replaces != (before.newest.digest if before else ""):
                raise WrongState(_changed(id, before))
            number = before.newest.number + 1 if before else 1
            version = CaseVersion(number=number, digest=digest, at=self._bus.clock.now(), by=by, note=note)
            versions = (*(before.versions if before else ()), version)[-MOST_VERSIONS:]
            made = StoredCase(id=id, file=file.name, cases=cases, versions=versions)
            if await self._write(made, entry[1] if entry else None):
                return PushedCase(made, fresh=True)
        raise BusError(f"case {id!r} keeps being pushed by others; try again")

    async def remove(self, id: str) -> None:
        """Forget a stored case; the files of its versions stay."""
        await self._rows.delete(id)

    async def _write(self, made: StoredCase, revision: int | None) -> bool:
        if revision is None:
            return await self._rows.create(made.id, made)
        return await self._rows.update(made.id, made, revision) is not None


def _changed(id: str, now: StoredCase | None) -> str:
    if now is None:
        return f"case {id!r} was removed meanwhile; nothing was stored"
    by = f" by {now.newest.by}" if now.newest.by else ""
    return f"case {id!r} was changed{by} meanwhile: version {now.newest.number} is the newest; nothing was stored"
