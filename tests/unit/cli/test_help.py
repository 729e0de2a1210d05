"""What `--help` prints is whole, and names only options that the command has."""

import re
from collections.abc import Iterator

import click
import pytest

from muster_cli.cli import muster

QUOTED = re.compile(r"`[^`]*`")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


def commands(command: click.Command, path: str = "muster") -> Iterator[tuple[str, click.Command, click.Context]]:
    context = click.Context(command, info_name=path, terminal_width=80)
    yield path, command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, f"{path} {name}")


ALL = list(commands(muster))


@pytest.mark.parametrize(("command", "context"), [pytest.param(*rest, id=path) for path, *rest in ALL])
def test_the_help_of_a_command_names_only_its_own_options(command: click.Command, context: click.Context):
    own = {name for one in command.get_params(context) for name in (*one.opts, *one.secondary_opts)}
    texts = [command.help or "", *(one.help or "" for one in command.params if isinstance(one, click.Option))]
    named = {name for text in texts for name in OPTION.findall(QUOTED.sub("", text))}
    assert named <= own


@pytest.mark.parametrize(
    ("command", "context"), [pytest.param(*rest, id=path) for path, *rest in ALL if isinstance(rest[0], click.Group)]
)
def test_a_list_of_commands_cuts_no_sentence_off(command: click.Group, context: click.Context):
    assert [line for line in command.get_help(context).splitlines()[1:] if line.endswith("...")] == []
