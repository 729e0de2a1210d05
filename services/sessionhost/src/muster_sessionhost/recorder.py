"""What is recorded of a session while it lives, into its own folder: trace, network, console and downloads.

The folder holds everything as it was, secrets included; it is private to the host and goes with the session. What is
kept of it is decided, masked and stored at the end (`artifact_export`).
"""

import asyncio
from pathlib import Path
from typing import Literal, NamedTuple

import structlog
from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from muster_protocol.requests import RecordMode, RecordWish
from muster_sessionhost.console_log import ConsoleFile
from muster_sessionhost.downloads import Downloads, Limits, size_of
from muster_sessionhost.settings import SessionHostSettings

log = structlog.get_logger("muster.sessions")

Kind = Literal["trace", "har", "console", "downloads"]
MB = 1_000_000
ARRIVE_SECONDS = 2.0
"""How long the end of a session waits for a download that is still arriving."""


class Plan(NamedTuple):
    """When each kind of recording is kept."""

    trace: RecordMode
    har: RecordMode
    console: RecordMode
    downloads: RecordMode

    def kept(self, *, passed: bool) -> frozenset[Kind]:
        """Return what is to be stored of a session whose run has passed, or has not as far as is known. Pure."""
        wanted = {"on"} if passed else {"on", "on-failure"}
        kinds: tuple[Kind, ...] = ("trace", "har", "console", "downloads")
        return frozenset(kind for kind, mode in zip(kinds, self, strict=True) if mode in wanted)


def planned(settings: SessionHostSettings, asked: RecordWish) -> Plan:
    """Return when each kind is kept: as the request asks for all of them, else as the host is set. Pure."""
    if asked:
        return Plan(asked, asked, asked, asked)
    return Plan(settings.record_trace, settings.record_har, settings.record_console, settings.record_downloads)


def pictured(settings: SessionHostSettings, asked: RecordWish) -> RecordMode:
    """Return when the last picture of the page is kept: as the request asks, else as the host is set. Pure."""
    return asked or settings.record_picture


class Recorder:
    """Records one browser context; nothing it does may fail the session."""

    def __init__(self, folder: Path, plan: Plan, limits: Limits) -> None:
        self.folder, self.plan, self.limits = folder, plan, limits
        self.traces = traces_folder(folder)
        self.console = ConsoleFile(folder / "console.jsonl", limits.artifact) if plan.console != "off" else None
        self.downloads = Downloads(folder / "kept", limits) if plan.downloads != "off" else None
        self.cut = ""
        """Why trace and network were not recorded to the end; empty: they were."""
        self._context: BrowserContext | None = None

    def to_keep(self, *, passed: bool) -> frozenset[Kind]:
        """Return of which kinds there is something to store."""
        there = {
            "console": (self.folder / "console.jsonl").is_file() and (self.folder / "console.jsonl").stat().st_size,
            "downloads": self.downloads is not None and (self.downloads.kept or self.downloads.refused),
        }
        return frozenset(kind for kind in self.plan.kept(passed=passed) if there.get(kind, True))

    async def start(self, context: BrowserContext) -> None:
        """Begin to record.

        Raises:
            playwright.async_api.Error: the browser is gone.
        """
        if self.console is not None:
            self.console.watch(context)
        if self.downloads is not None:
            self.downloads.watch(context)
        if (self.plan.trace, self.plan.har) == ("off", "off"):
            return
        # the network part of a trace is what a HAR is made of: recording that too would cost the pages twice
        await context.tracing.start(screenshots=self.plan.trace != "off", snapshots=True, sources=False)
        self._context = context

    async def bound(self, seconds: float) -> None:
        """End trace and network, and downloads, once they are larger on disk than a session may leave."""
        if self.downloads is not None:
            await self.downloads.bound(downloads_folder(self.folder), seconds)
        if self._context is None or await asyncio.to_thread(size_of, self.traces) <= self.limits.session:
            return
        self.cut = f"recorded only until it had {self.limits.session / MB:g} MB on disk"
        log.warning("a trace is too large and was ended", folder=self.folder.parent.name)
        await self._end_trace(seconds)

    async def stop(self, seconds: float) -> None:
        """Have all that was recorded on disk, as far as that can be done in time; the browser may be gone already."""
        if self.downloads is not None:
            await self.downloads.finish(min(seconds, ARRIVE_SECONDS))
        if self.console is not None:
            self.console.close()
        await self._end_trace(seconds)

    async def _end_trace(self, seconds: float) -> None:
        context, self._context = self._context, None
        if context is None:
            return
        try:
            await asyncio.wait_for(context.tracing.stop(), seconds)
        except (PlaywrightError, TimeoutError) as error:  # what was written so far is there all the same
            log.debug("a trace was not ended in order", error=str(error) or type(error).__name__)


def traces_folder(records: Path) -> Path:
    """Return where Playwright writes traces of a session with this folder of records."""
    return records / "traces"


def downloads_folder(records: Path) -> Path:
    """Return where the browser writes downloads of a session with this folder of records."""
    return records / "downloads"
