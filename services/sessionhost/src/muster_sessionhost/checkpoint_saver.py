"""Takes a session's checkpoints, and stores them off its holder's critical path."""

import asyncio

import structlog

from muster_protocol import codec
from muster_sessionhost.checkpoint import UNSAVED, SavedSession
from muster_sessionhost.host_devices import SessionDevice
from muster_sessionhost.outbox import FAULTS, FLUSH_SECONDS, Store
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")


class CheckpointSaver:
    """Stores checkpoints; of several that wait only the newest is stored, and only if it differs."""

    def __init__(self, name: str, store: Store, device: SessionDevice, generation: int) -> None:
        self._name, self._store, self._device, self._generation = name, store, device, generation
        self._missing = ""
        """What the session holds by now that no checkpoint brings back."""
        self._newest = self._stored = b""
        self._wanted = asyncio.Event()
        self._stopped = False
        self._storing = asyncio.Lock()
        self._task = asyncio.create_task(self._run())

    def cannot_keep(self, what: str) -> None:
        """Note what happened in the session that no checkpoint brings back, the first such thing alone."""
        self._missing = self._missing or what

    async def take(self, after: int, chosen: str, redactor: Redactor) -> None:
        """Take a checkpoint while nobody can do anything, and have it stored; storing is not waited for."""
        saved = SavedSession(missing=self._missing, generation=self._generation)
        if not self._missing:
            saved = await self._taken(after, chosen, redactor)
        self._newest = codec.encode(saved)
        self._wanted.set()

    async def _taken(self, after: int, chosen: str, redactor: Redactor) -> SavedSession:
        device = self._device.running
        if device is None:
            return SavedSession(after=after, generation=self._generation, chosen=chosen)
        try:
            saved = await device.save(redactor)
        except FAULTS as error:
            log.warning("a checkpoint was not taken", name=self._name, error=type(error).__name__)
            saved = None
        if saved is None:  # the one before says nothing of what was done since, and may not pass for the newest
            return SavedSession(missing=UNSAVED, generation=self._generation)
        return SavedSession(
            device=saved.state, after=after, generation=self._generation, chosen=chosen, missing=saved.missing
        )

    async def flush(self) -> None:
        """Wait until the newest checkpoint is stored; a failure is logged only."""
        async with self._storing:
            data = self._newest
            if data == self._stored:
                return
            try:
                await self._store(self._name, data, "application/json")
                self._stored = data
            except FAULTS as error:
                log.warning("a checkpoint was not stored", error=str(error) or type(error).__name__)

    async def stop(self) -> None:
        """Store no more checkpoints, and wait a moment for the one that is being stored."""
        self._stopped = True  # the NATS client may swallow a cancellation while it stores something
        self._task.cancel()
        await asyncio.wait({self._task}, timeout=FLUSH_SECONDS)

    async def _run(self) -> None:
        while not self._stopped:
            await self._wanted.wait()
            self._wanted.clear()
            await self.flush()
