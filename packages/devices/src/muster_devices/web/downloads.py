"""Files that pages offered for download: copied aside as they arrive, under names that are safe."""

import asyncio
import contextlib
import os
import shutil
from functools import partial
from pathlib import Path
from typing import NamedTuple

import structlog
from playwright.async_api import BrowserContext, Download
from playwright.async_api import Error as PlaywrightError

from muster_devices.device_host import LeftFile, Limits, Written
from muster_devices.record_times import moment
from muster_devices.screen import Record
from muster_text.file_names import clean_name
from muster_text.file_redaction import redact_file
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

MB = 1_000_000
MOST = 100
"""Downloads of one session that are kept; later ones are cancelled."""
TOLD = 10
"""Downloads that are left out of which the log is told."""
CANCEL_SECONDS = 5.0


class Kept(NamedTuple):
    """A download that was copied aside."""

    name: str
    """What the page called it; any text."""
    path: Path


class Refused(NamedTuple):
    """A download that is not kept."""

    name: str
    """What the page called it."""
    why: str


class Downloads:
    """Copies the downloads of a context aside; what is left out is told in `refused`."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder, self._limits = folder, limits
        self.kept: list[Kept] = []
        self.refused: list[Refused] = []
        self.stopped: tuple[Record, ...] = ()
        """The downloads that were cancelled for a limit: `text` is the name, `failure` says which; the newest last."""
        self._room = limits.session
        self._begun = 0
        self._full = False
        """Whether the pages have filled the room there is on disk; no more is let in then."""
        self._arriving: dict[asyncio.Task[None], Download] = {}

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context, those opened later included."""
        context.on("download", self._begin)

    async def bound(self, folder: Path, seconds: float) -> None:
        """Cancel what is arriving once a folder of downloads is larger than a session may leave."""
        if self._begun and not self._full:
            self._full = await asyncio.to_thread(size_of, folder) > self._limits.session
        if self._full:
            await asyncio.gather(*(self._cancel(download, seconds) for download in tuple(self._arriving.values())))

    async def _cancel(self, download: Download, seconds: float) -> None:
        limit = f"{self._limits.session / MB:g} MB on the session host's disk (RUN_ARTIFACTS_MAX_MB)"
        why = f"downloads may take {limit}" if self._full else f"a session keeps {MOST} downloads"
        record = Record(at=moment(), text=download.suggested_filename, failure=why)
        self.stopped = (*self.stopped, record)[-MOST:]
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(download.cancel(), seconds)

    async def finish(self, seconds: float) -> None:
        """Wait a while for those that are still arriving, and give up the rest."""
        if not self._arriving:
            return
        await asyncio.wait(self._arriving, timeout=seconds)
        left = tuple(self._arriving)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def write(self, redactor: Redactor, target: Path, _limit: int) -> Written:
        """Write those that arrived into a folder, masked, and say what is left out."""
        files, left_out = (
            list[LeftFile](),
            [f"download {clean_name(redactor.mask(it.name))} ({it.why})" for it in self.refused],
        )
        for number, (name, path) in enumerate(self.kept):
            shown = redactor.mask(name)
            content = redact_file("", path.read_bytes(), redactor)
            if content is None:
                left_out.append(f"download {clean_name(shown)} (it holds a secret)")
                continue
            clean = target / f"download-{number}"
            clean.write_bytes(content)
            files.append(LeftFile(shown, clean, download=True))
        return Written(tuple(files), tuple(left_out))

    def _begin(self, download: Download) -> None:
        self._begun += 1
        task = asyncio.ensure_future(self._arrive(self._begun, download))
        self._arriving[task] = download
        task.add_done_callback(partial(self._over, download.suggested_filename))

    def _over(self, name: str, task: asyncio.Task[None]) -> None:
        """Forget one that arrived; one given up is told of, also if it had not begun to arrive."""
        del self._arriving[task]
        if task.cancelled():
            self._refuse(name, "it had not arrived when the session ended")

    async def _arrive(self, number: int, download: Download) -> None:
        if self._full or number > MOST:
            await self._cancel(download, CANCEL_SECONDS)
        name = download.suggested_filename
        try:
            path = Path(await download.path())
            size = await asyncio.to_thread(os.path.getsize, path)
            if size > min(self._limits.artifact, self._room):
                self._refuse(name, f"too large: {size} bytes")
                return
            self._room -= size
            self.kept.append(Kept(name, await asyncio.to_thread(self._aside, number, path)))
        except (PlaywrightError, OSError) as error:
            log.debug("download not kept", error=str(error))
            self._refuse(name, "it was cancelled, or broke off")

    def _refuse(self, name: str, why: str) -> None:
        if len(self.refused) < TOLD:
            self.refused.append(Refused(name, why))

    def _aside(self, number: int, path: Path) -> Path:
        """Give the file a second name, or copy it: Playwright removes its own with the context."""
        self._folder.mkdir(exist_ok=True)
        target = self._folder / str(number)
        with contextlib.suppress(OSError):
            os.link(path, target)
            return target
        shutil.copyfile(path, target)
        return target


def size_of(folder: Path) -> int:
    """Return how many bytes the files below a folder have."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # it was just removed
            total += path.lstat().st_size
    return total
