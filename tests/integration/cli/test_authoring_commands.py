"""What authors call before anything runs: `muster check`, and own sentences as `muster submit` hands them in."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

from muster_bus.nats_server import NatsServer
from muster_bus.run_store import read_entries
from muster_bus.testing import connected
from muster_cli.cli import muster as command
from muster_protocol.events import RunOpened
from muster_protocol.requests import TestCase

Muster = Callable[..., Awaitable[Any]]
TAUGHT = 'steps:\n  Shop for {thing}:\n    - Open the {thing} page\n    - Click "Buy"\n'
CASE = """\
name: A
variables: {play: pass}
steps:
  - action: Shop for "hats"
    expected: The text "Thanks" is visible
"""


def write(folder: Path, case: str = CASE, taught: str = TAUGHT) -> Path:
    (folder / "phrases").mkdir()
    (folder / "phrases/shop.yaml").write_text(taught)
    (folder / "a.yaml").write_text(case)
    return folder


async def test_check_prints_a_line_for_each_problem_and_exits_by_them(muster: Muster, tmp_path: Path):
    write(tmp_path, CASE.replace("Shop for", "Frobnicate"))
    ended = await muster("check", tmp_path)
    assert (ended.code, ended.err) == (1, "1 case: 1 problem\n")
    assert ended.out.startswith(f'{tmp_path}/a.yaml:4:13: no phrase fits «Frobnicate "hats"»')


def test_check_tells_programs_models_and_what_is_not_there(tmp_path: Path):
    write(tmp_path, CASE.replace("Shop for", "Frobnicate"))

    def check(*arguments: object) -> Any:
        return CliRunner().invoke(command, ["check", *map(str, arguments)])

    said = json.loads(check(tmp_path, "--json").stdout)
    assert (said["cases"], said["problems"], said["findings"][0]["kind"]) == (1, 1, "unread")
    modelled = check(tmp_path, "--model")
    assert modelled.exit_code == 0
    assert "for a model: no phrase fits" in modelled.stdout
    assert check(tmp_path / "nothing").exit_code == 2


def test_check_counts_sub_tasks_as_the_fleet_does(tmp_path: Path):
    write(tmp_path)

    def check(most: str) -> Any:
        return CliRunner().invoke(command, ["check", str(tmp_path)], env={"ORCHESTRATOR_MAX_SUBTASKS": most})

    assert "where a run may have" not in check("2").stdout
    assert (check("1").exit_code, "where a run may have 1" in check("1").stdout) == (1, True)
    assert (check("0").exit_code, "ORCHESTRATOR_MAX_SUBTASKS" in check("0").stderr) == (2, True)


@pytest.mark.usefixtures("player")
async def test_submit_hands_in_what_an_own_sentence_stands_for(muster: Muster, server: NatsServer, tmp_path: Path):
    write(tmp_path)
    ended = await muster("submit", tmp_path, "--nats", server.url)
    assert ended.code == 0, ended.err
    async with connected(server) as bus:
        entries = await read_entries(bus, ended.out.strip())
    (opened,) = (event for entry in entries for event in entry.events if isinstance(event, RunOpened))
    first, second = cast("TestCase", opened.request.job).steps
    assert (first.action, second.action, second.expected) == (
        'Open the "hats" page',
        'Click "Buy"',
        'The text "Thanks" is visible',
    )
    assert first.written and first.written.action == 'Shop for "hats"'
