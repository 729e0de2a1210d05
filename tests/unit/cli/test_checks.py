"""What `muster doctor` makes of what it finds, and the tree on a terminal."""

import asyncio
import io
import os
from pathlib import Path

import pytest
from rich.console import Console

from muster_cli.display import LiveTree, PlainLines, display
from muster_cli.doctor_checks import Check, find_browser, service_checks
from muster_cli.progress import Progress
from muster_cli.subcommands.doctor import exit_code, render_check
from muster_protocol.events import Entry
from muster_protocol.logs import WorkerRow
from muster_views.history import History


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def test_the_browser_that_a_setting_names_is_the_one(tmp_path: Path):
    wanted = program(tmp_path / "chrome")
    assert find_browser({"BROWSER_EXECUTABLE": str(wanted)}, tmp_path, tmp_path) == str(wanted)
    assert find_browser({"BROWSER_EXECUTABLE": "/nowhere", "PATH": os.environ["PATH"]}, tmp_path, tmp_path) == ""


def test_playwrights_own_browser_comes_before_one_on_the_path(tmp_path: Path):
    on_path = program(tmp_path / "bin" / "chromium")
    environ = {"PATH": str(on_path.parent)}
    assert find_browser(environ, tmp_path, tmp_path) == str(on_path)
    own = program(tmp_path / ".cache/ms-playwright/chromium_headless_shell-1/chrome-linux/headless_shell")
    assert find_browser(environ, tmp_path, tmp_path) == str(own)
    elsewhere = environ | {"PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "none")}
    assert find_browser(elsewhere, tmp_path, tmp_path) == str(on_path)


def test_a_service_that_nobody_runs_is_missing_and_only_the_gateway_can_be_spared():
    rows = [WorkerRow(id=name, service="subagent", host=name, pid=1, version="0") for name in ("b", "a")]
    found = {check.name: check for check in service_checks(rows)}
    assert (found["subagent"].ok, found["subagent"].detail) == (True, "2 live on a, b")
    assert {name for name, check in found.items() if check.essential and not check.ok} == {"orchestrator", "sessions"}
    assert found["gateway"].mend == "muster gateway"


@pytest.mark.parametrize(
    ("check", "code", "words"),
    [
        (Check(name="Python", ok=True, detail="3.11"), 0, "ok Python 3.11"),
        (Check(name="X", ok=False, detail="none", mend="get x"), 1, "missing X none fix: get x"),
        (Check(name="X", ok=False, detail="none", mend="get x", essential=False), 0, "missing X none if wanted: get x"),
    ],
)
def test_only_what_is_essential_and_missing_is_a_failure(check: Check, code: int, words: str):
    assert exit_code([check]) == code
    assert " ".join(render_check(check).plain.split()) == words


async def test_on_a_terminal_a_tree_is_drawn_and_taken_away_again():
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, height=30, _environ={"TERM": "xterm"})
    async with display(console) as shown:
        assert isinstance(shown, LiveTree)
        run = Progress(label="buy", history=History(run="r", started_at=1.0))
        shown.show({"r": run}, run, Entry(epoch=1, at=1.0, events=()))
        async with asyncio.timeout(10):
            while "▶ " not in out.getvalue():
                await asyncio.sleep(0.01)
    assert "buy" in out.getvalue()
    assert out.getvalue().endswith("\x1b[2K")


@pytest.mark.parametrize(
    "console", [Console(file=io.StringIO()), Console(force_terminal=True, _environ={"TERM": "dumb"})]
)
async def test_without_a_capable_terminal_there_are_plain_lines(console: Console):
    async with display(console) as shown:
        assert isinstance(shown, PlainLines)
