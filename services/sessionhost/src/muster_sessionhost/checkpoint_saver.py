"""Takes a session's checkpoints, and stores them in the background, so that its holder does not wait."""

import asyncio

import structlog
from msgspec.structs import replace

from muster_protocol import codec
from muster_sessionhost.checkpoint import UNSAVED, SavedSession
from muster_sessionhost.host_devices import SessionDevice
from muster_sessionhost.outbox import FAULTS, FLUSH_SECONDS, Store
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")


class CheckpointSaver:
    """Stores checkpoints: only the newest of those that wait, and only if it differs from the stored one."""

    def __init__(self, name: str, store: Store, device: SessionDevice, generation: int, workspace: str) -> None:
        """`workspace`: id of what the session's workspace held when it was opened."""
        self._name, self._store, self._device, self._generation = name, store, device, generation
        self._workspace = workspace
        self._missing = ""
        """State of the session that no checkpoint can restore, in words; empty: none."""
        self._newest = self._stored = b""
        self._wanted = asyncio.Event()
        self._stopped = False
        self._storing = asyncio.Lock()
        self._task = asyncio.create_task(self._run())

    def note_unrestorable(self, what: str) -> None:
        """Note that the session has state that no checkpoint can restore; only the first note is kept."""
        self._missing = self._missing or what

    async def take(self, after: int, chosen: str, redactor: Redactor) -> None:
        """Take a checkpoint, and store it in the background. No worker may act meanwhile."""
        saved = SavedSession(missing=self._missing, generation=self._generation)
        if not self._missing:
            saved = await self._save_device(after, chosen, redactor)
        self._newest = codec.encode(replace(saved, workspace=self._workspace))
        self._wanted.set()

    async def _save_device(self, after: int, chosen: str, redactor: Redactor) -> SavedSession:
        device = self._device.running
        if device is None:
            return SavedSession(after=after, generation=self._generation, chosen=chosen)
        try:
            saved = await device.save(redactor)
        except FAULTS as error:
            log.warning("checkpoint not taken", name=self._name, error=type(error).__name__)
            saved = None
        if saved is None:  # the stored checkpoint is out of date and must not be used as the newest
            return SavedSession(missing=UNSAVED, generation=self._generation)
        return SavedSession(
            device=saved.state, after=after, generation=self._generation, chosen=chosen, missing=saved.missing
        )

    async def flush(self) -> None:
        """Store the newest checkpoint unless it is stored already; a failure is only logged."""
        async with self._storing:
            data = self._newest
            if data == self._stored:
                return
            try:
                await self._store(self._name, data, "application/json")
                self._stored = data
            except FAULTS as error:
                log.warning("checkpoint not stored", error=str(error) or type(error).__name__)

    async def stop(self) -> None:
        """Store no more checkpoints, and wait up to 2 s for the one that is being stored."""
        self._stopped = True  # the NATS client may swallow a cancellation while it stores a checkpoint
        self._task.cancel()
        await asyncio.wait({self._task}, timeout=FLUSH_SECONDS)

    async def _run(self) -> None:
        while not self._stopped:
            await self._wanted.wait()
            self._wanted.clear()
            await self.flush()
