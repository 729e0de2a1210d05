"""Shows the progress of runs: a tree on a terminal, plain lines elsewhere."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from typing import Protocol

from rich.console import Console
from rich.live import Live

from muster_cli.progress import Progress, Update
from muster_cli.tree import render_tree
from muster_protocol.logs import LogRecord
from muster_views.texts import strip_controls

FRAMES_PER_SECOND = 8


class Display(Protocol):
    """Shows updates of runs."""

    def show(self, runs: Mapping[str, Progress], run: Progress, update: Update) -> None:
        """Show an update of one run; `runs` are all runs of the command, by id."""
        ...

    def pause(self) -> AbstractContextManager[Console]:
        """Return a console for prompts; nothing is drawn over it inside the block."""
        ...


class Silent:
    """Shows nothing."""

    def show(self, runs: Mapping[str, Progress], run: Progress, update: Update) -> None:
        """Do nothing."""

    @contextmanager
    def pause(self) -> Generator[Console]:
        """Return a console on stderr."""
        yield Console(stderr=True, markup=False)


class PlainLines:
    """Prints each log line as it arrives, with the run's short name while several runs are in progress."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show(self, runs: Mapping[str, Progress], run: Progress, update: Update) -> None:
        """Print the update if it is a log line."""
        if isinstance(update, LogRecord) and not (update.level == "debug" and update.artifacts):
            several = sum(other.live for other in runs.values()) > 1
            for line in printable_lines(update.text, run.label if several else ""):
                self._console.out(line, highlight=False)

    @contextmanager
    def pause(self) -> Generator[Console]:
        """Return the console; lines go on coming."""
        yield self._console


class LiveTree:
    """Redraws the tree of all runs a few times a second."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._runs: Mapping[str, Progress] = {}
        self._live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="ellipsis")
        self._held = False

    def show(self, runs: Mapping[str, Progress], run: Progress, update: Update) -> None:
        """Remember the runs for the next frame."""
        self._runs = runs

    @contextmanager
    def pause(self) -> Generator[Console]:
        """Return the console, with the tree taken off it until left."""
        self._held = True
        self._live.stop()
        try:
            yield self._console
        finally:
            self._live.start()
            self._held = False

    @asynccontextmanager
    async def draw(self) -> AsyncGenerator[None]:
        """Draw until left, then take the tree away."""
        with self._live:
            drawing = asyncio.create_task(self._draw())
            try:
                yield
            finally:
                drawing.cancel()
                await asyncio.gather(drawing, return_exceptions=True)  # a lost terminal shows itself once more below

    async def _draw(self) -> None:
        while True:
            if not self._held:
                shown = render_tree(self._runs.values(), time.time(), self._console.size.height - 2)
                self._live.update(shown, refresh=True)
            await asyncio.sleep(1 / FRAMES_PER_SECOND)


def printable_lines(text: str, label: str) -> list[str]:
    """Return the printable lines of a log record; its further lines are indented, so that none can pass for another."""
    prefix = f"{label} | " if label else ""
    first, *rest = strip_controls(text).split("\n")
    return [prefix + first, *(f"{prefix}      {line}" for line in rest if line.strip())]


@asynccontextmanager
async def display(console: Console) -> AsyncGenerator[Display]:
    """Show progress on the console: a tree that disappears at the end if it is a terminal, else plain lines."""
    if not console.is_terminal or console.is_dumb_terminal:
        yield PlainLines(console)
        return
    shown = LiveTree(console)
    async with shown.draw():
        yield shown
