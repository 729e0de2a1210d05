"""`muster watch` in full screen: all runs of a fleet, the sub-tasks of one with what they use, and keys to steer it."""

from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, cast

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import DataTable, Footer, Input, Label, RichLog, Static

from muster_bus import Bus
from muster_bus.store_answers import BUS_ERRORS
from muster_cli.display import printable_lines
from muster_cli.lookup import require_request, run_rows
from muster_cli.progress import Progress, Update, start_progress
from muster_cli.run_follower import follow
from muster_cli.subcommands.control_command import read_standing, send, user_name
from muster_cli.tree import STYLES, render_details
from muster_client.steering import build_answer, build_pause, build_resume
from muster_protocol.control import Cancel
from muster_protocol.errors import InvalidRequest, WrongState
from muster_protocol.ids import new_id
from muster_protocol.logs import LogRecord, RunRow
from muster_views.texts import format_money, format_seconds, strip_controls, to_one_line
from muster_views.words import look

LOOK_SECONDS = 1.0
"""Seconds between looks at the list of runs, and between redraws of the chosen one."""
MOST_RUNS, MOST_LINES = 200, 2_000
COLUMNS = ("", "run", "done", "time", "cost")


class RunWatcher(App[None]):
    """Shows the newest runs on the left, and the chosen one on the right."""

    TITLE, ENABLE_COMMAND_PALETTE = "muster watch", False
    CSS = """
    #runs { width: 45%; } #side { width: 1fr; border-left: solid $primary; padding: 0 1; }
    AskScreen { align: center middle; } AskScreen > * { width: 80%; }
    AskScreen Label { background: $panel; padding: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("p", "pause", "Pause or resume"),
        ("a", "answer", "Answer"),
        ("c", "cancel", "Cancel"),
        ("l", "log", "Log"),
        ("q", "quit", "Quit"),
    ]

    def __init__(self, bus: Bus) -> None:
        super().__init__()
        self._bus = bus
        self.chosen: Progress | None = None
        """The run that is shown."""
        self.lines: deque[str] = deque(maxlen=MOST_LINES)
        """Of its log."""
        self._followed = ""
        """Id of the run that is shown as soon as it is read."""
        self._rows: dict[str, tuple[Text, ...]] = {}

    def compose(self) -> ComposeResult:
        """Lay out list, chosen run and keys."""
        table: DataTable[Text] = DataTable(id="runs", cursor_type="row", zebra_stripes=True)
        for name in COLUMNS:
            table.add_column(name, key=name)
        with Horizontal():
            yield table
            with VerticalScroll(id="side"):
                yield Static("no runs", id="run", markup=False)
        yield Footer()

    async def on_mount(self) -> None:
        """Begin to look."""
        self.set_interval(LOOK_SECONDS, self._draw)
        self._watch_list()

    @work(exclusive=True, group="list")
    async def _watch_list(self) -> None:
        try:
            self._list(await run_rows(self._bus))
        except BUS_ERRORS as error:
            self.sub_title = f"the list is out of date: {error}"
        else:
            self.sub_title = ""
        self.set_timer(LOOK_SECONDS, self._watch_list)

    def _list(self, rows: list[RunRow]) -> None:
        """Show the rows; the cursor stays on its run, also on one that is not followed yet."""
        table = cast("DataTable[Text]", self.query_one("#runs"))
        shown = {row.run: _run_cells(row, self._bus.clock.now()) for row in rows[:MOST_RUNS]}
        if list(shown) != list(self._rows):
            chosen = list(self._rows)[table.cursor_row] if self._rows else ""
            table.clear()
            for run, cells in shown.items():
                table.add_row(*cells, key=run)
            if chosen in shown:
                table.move_cursor(row=list(shown).index(chosen))
        else:
            for run, cells in shown.items():
                for name, cell in zip(COLUMNS, cells, strict=True):
                    table.update_cell(run, name, cell)
        self._rows = shown

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Follow the run that the cursor is on; while the list is filled anew, it is on others for a moment."""
        run = event.row_key.value or ""
        if run and run != self._followed and event.cursor_row == event.data_table.cursor_row:
            self._followed = run
            self._follow(run)

    @work(exclusive=True, group="follow")
    async def _follow(self, run: str) -> None:
        try:
            progress = start_progress(await require_request(self._bus, run), run)
            self.chosen = progress
            self.lines.clear()
            self._draw()
            await follow(self._bus, run, lambda update: self._take(progress, update))
        except (InvalidRequest, *BUS_ERRORS) as error:
            self.notify(str(error), severity="error", markup=False)

    def _take(self, progress: Progress, update: Update) -> None:
        progress.apply(update)
        if isinstance(update, LogRecord) and update.level != "debug":
            lines = printable_lines(update.text, "")
            self.lines.extend(lines)
            if isinstance(self.screen, LogScreen):
                self.screen.add(lines)

    def _draw(self) -> None:
        if self.chosen is not None:
            self.query_one("#run", Static).update(render_details(self.chosen, self._bus.clock.now()))

    def action_log(self) -> None:
        """Open the log of the chosen run."""
        self.push_screen(LogScreen(list(self.lines)))

    def action_pause(self) -> None:
        """Pause the chosen run, or have it go on."""

        async def steer(run: str) -> str:
            standing = await read_standing(self._bus, run)
            if standing.paused:
                await send(self._bus, run, build_resume(standing, user_name()))
                return "asked to go on"
            await send(self._bus, run, build_pause(standing, user_name()))
            return "asked to pause"

        self._steer(steer)

    @work
    async def action_answer(self) -> None:
        """Answer the oldest question of the chosen run."""
        questions = self.chosen.history.questions if self.chosen else ()
        if not questions:
            self.notify("the run asks nothing")
            return
        question = questions[0]
        text = await self.push_screen_wait(AskScreen(question.text))
        if not text:
            return

        async def steer(run: str) -> str:
            standing = await read_standing(self._bus, run)
            await send(self._bus, run, build_answer(standing, question.id, text, user_name()))
            return "answered"

        self._steer(steer)

    @work
    async def action_cancel(self) -> None:
        """Cancel the chosen run, once its reason is given or left out."""
        reason = await self.push_screen_wait(AskScreen("Cancel the run? Enter a reason, or nothing; Escape: do not."))
        if reason is None:
            return

        async def steer(run: str) -> str:
            if over := (await read_standing(self._bus, run)).over:
                return f"has ended already ({over})"
            await send(self._bus, run, Cancel(id=new_id("cancel"), reason=reason, by=user_name()))
            return "asked to stop"

        self._steer(steer)

    @work
    async def _steer(self, steer: Callable[[str], Coroutine[Any, Any, str]]) -> None:
        """Steer the chosen run, and tell what came of it."""
        if self.chosen is None:
            return
        run = self.chosen.run
        try:
            self.notify(f"{run}: {await steer(run)}", markup=False)
        except (InvalidRequest, WrongState, *BUS_ERRORS) as error:
            self.notify(str(error), severity="error", markup=False)


class AskScreen(ModalScreen[str | None]):
    """Asks for one line of text; returns None if Escape was pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "Leave")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Show what is asked above the line."""
        yield Label(strip_controls(self._text), markup=False)
        yield Input()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Return the line."""
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """Return nothing."""
        self.dismiss(None)


class LogScreen(Screen[None]):
    """The newest lines of a run's log, and those that come."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,l,q", "app.pop_screen", "Back")]

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """Show the lines."""
        yield RichLog(max_lines=MOST_LINES, wrap=True, markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Write what is there."""
        self.add(self._lines)

    def add(self, lines: list[str]) -> None:
        """Write further lines."""
        for line in lines:
            self.query_one(RichLog).write(Text(line))


def _run_cells(row: RunRow, now: float) -> tuple[Text, ...]:
    """Return a run as the cells of `COLUMNS`. Pure."""
    shown = look(row.status)
    took = format_seconds((row.ended_at or now) - row.started_at) if row.started_at else ""
    done = f"{row.done}/{row.total}" if row.total else ""
    cost = format_money(row.cost) if row.cost else ""
    cells = (to_one_line(row.name, 48), done, took, cost)
    return (Text(shown.mark, style=STYLES[shown.tone]), *map(Text, cells))
