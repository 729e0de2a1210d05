"""Records a session into its own folder: trace, network, console and downloads.

The folder holds everything as it was, secrets included; it is private to the host and goes with the session. What is
left of it is masked and written into files at the end.
"""

import asyncio
from pathlib import Path

import structlog
from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from muster_devices.device_host import (
    Left,
    LeftFile,
    Limits,
    Recording,
    RecordingKind,
    RecordPlan,
    WriteRecording,
    Written,
)
from muster_devices.web.console_log import ConsoleFile, write_console
from muster_devices.web.downloads import Downloads, size_of
from muster_devices.web.har import write_har
from muster_devices.web.trace_redaction import write_trace
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

MB = 1_000_000
CONSOLE = "console.jsonl"
ARRIVE_SECONDS = 2.0
"""How long the end of a session waits for a download that is still arriving."""


class Recorder:
    """Records one browser context; nothing it does may fail the session."""

    def __init__(self, folder: Path, plan: RecordPlan, limits: Limits) -> None:
        self.folder, self.plan, self.limits = folder, plan, limits
        self.traces = traces_folder(folder)
        self.console = ConsoleFile(folder / CONSOLE, limits.artifact) if plan.console != "off" else None
        self.downloads = Downloads(folder / "kept", limits)  # bounds what arrives, also where nothing is kept
        self.cut = ""
        """Why trace and network were not recorded to the end; empty: they were."""
        self._context: BrowserContext | None = None

    async def start(self, context: BrowserContext) -> None:
        """Begin to record.

        Raises:
            playwright.async_api.Error: the browser is gone.
        """
        if self.console is not None:
            self.console.watch(context)
        self.downloads.watch(context)
        if (self.plan.trace, self.plan.har) == ("off", "off"):
            return
        # the network part of a trace is what a HAR is made of: recording that too would cost the pages twice
        await context.tracing.start(screenshots=self.plan.trace != "off", snapshots=True, sources=False)
        self._context = context

    async def bound(self, seconds: float) -> None:
        """End trace and network, and downloads, once they are larger on disk than a session may leave."""
        await self.downloads.bound(downloads_folder(self.folder), seconds)
        if self._context is None or await asyncio.to_thread(size_of, self.traces) <= self.limits.session:
            return
        self.cut = f"recorded only until it had {self.limits.session / MB:g} MB on disk"
        log.warning("trace ended early: it reached RUN_ARTIFACTS_MAX_MB", folder=self.folder.parent.name)
        await self._end_trace(seconds)

    async def stop(self, seconds: float) -> None:
        """Have all that was recorded on disk, as far as that can be done in time; the browser may be gone already."""
        await self.downloads.finish(min(seconds, ARRIVE_SECONDS))
        if self.console is not None:
            self.console.close()
        await self._end_trace(seconds)

    def left(self) -> Left:
        """Return what was recorded; to be called once that has been stopped."""
        recorded: dict[RecordingKind, WriteRecording] = {
            "console": self._console,
            "trace": self._trace,
            "har": self._har,
        }
        if self.plan.downloads != "off" and (self.downloads.kept or self.downloads.refused):
            recorded["downloads"] = self.downloads.write
        if not (path := self.folder / CONSOLE).is_file() or not path.stat().st_size:
            del recorded["console"]
        return Left(self.plan, tuple(Recording(kind, write) for kind, write in recorded.items()))

    def _console(self, redactor: Redactor, target: Path, _limit: int) -> Written:
        file = LeftFile(CONSOLE, target / CONSOLE, "application/x-ndjson")
        write_console(self.folder / CONSOLE, file.path, redactor)
        return Written((file,))

    def _trace(self, redactor: Redactor, target: Path, limit: int) -> Written:
        file = LeftFile("trace.zip", target / "trace.zip", "application/zip")
        return self._recorded(file, write_trace(self.traces, file.path, redactor, limit))

    def _har(self, redactor: Redactor, target: Path, limit: int) -> Written:
        file = LeftFile("network.har", target / "network.har", "application/json")
        return self._recorded(file, write_har(self.traces, file.path, redactor, limit))

    def _recorded(self, file: LeftFile, left_out: str | None) -> Written:
        if left_out is None:
            return Written()
        why = [f"of {file.name}: {left_out}"] if left_out else []
        why += [f"{file.name} was {self.cut}"] if self.cut else []
        return Written((file,), tuple(why))

    async def _end_trace(self, seconds: float) -> None:
        context, self._context = self._context, None
        if context is None:
            return
        try:
            await asyncio.wait_for(context.tracing.stop(), seconds)
        except (PlaywrightError, TimeoutError) as error:  # what was written so far is there all the same
            log.debug("trace not ended properly", error=str(error) or type(error).__name__)


def traces_folder(records: Path) -> Path:
    """Return where Playwright writes traces of a session with this folder of records."""
    return records / "traces"


def downloads_folder(records: Path) -> Path:
    """Return where the browser writes downloads of a session with this folder of records."""
    return records / "downloads"
