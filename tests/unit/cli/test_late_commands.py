"""Commands are loaded when they are called."""

from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from muster_cli.options import LateGroup

MODULES = {"good": "late_good", "bad": "late_interrupted", "full": "late_full"}
FULL = """\
import click
@click.command('full')
def anything():
    raise OSError(28, 'No space left on device', 'out/map.json')
"""
GOOD = "import click\n\n@click.command('good')\ndef anything():\n    click.echo('done')\n"


@pytest.fixture(name="called")
def _called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Result]:
    (tmp_path / "late_good.py").write_text(GOOD)
    (tmp_path / "late_interrupted.py").write_text("raise KeyboardInterrupt\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "late_full.py").write_text(FULL)
    group = LateGroup("group", modules=MODULES)

    def called(name: str) -> Result:
        return CliRunner().invoke(group, [name])

    assert group.list_commands(click.Context(group)) == ["good", "bad", "full"]
    return called


def test_a_command_is_found_by_its_own_name_and_needs_no_other(called: Callable[[str], Result]):
    assert (called("good").output, called("good").exit_code) == ("done\n", 0)
    assert called("nothing").exit_code == 2


def test_who_interrupts_a_command_while_it_is_loaded_sees_no_failure_of_ours(called: Callable[[str], Result]):
    assert called("bad").exit_code == 130


def test_an_error_that_a_command_leaves_is_told_in_a_line_that_names_the_file(called: Callable[[str], Result]):
    ended = called("full")
    assert (ended.output, ended.exit_code) == ("muster: out/map.json: No space left on device\n", 2)
