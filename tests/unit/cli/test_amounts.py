"""Limits that are given as numbers: one that is no number would never be reached."""

from collections.abc import Iterator

import click
import pytest

from muster_cli.cli import muster
from muster_cli.options import SECONDS, Amount


def options_of(command: click.Command, path: str) -> Iterator[tuple[str, click.Parameter]]:
    """Yield all options of a command and of those below it, with where they stand."""
    for parameter in command.params:
        yield f"{path} {parameter.name}", parameter
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            below = command.get_command(click.Context(command), name)
            assert below is not None
            yield from options_of(below, f"{path} {name}")


def test_each_option_that_takes_a_number_with_a_fraction_refuses_what_is_none():
    numbers = {where: it.type for where, it in options_of(muster, "muster") if isinstance(it.type, type(click.FLOAT))}
    assert "muster run timeout" in numbers
    assert [where for where, kind in numbers.items() if not isinstance(kind, Amount)] == []


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400", "0", "-1", "soon"])
def test_seconds_are_a_finite_number_above_zero(text: str):
    with pytest.raises(click.BadParameter):
        SECONDS.convert(text, None, None)
    assert SECONDS.convert("0.5", None, None) == 0.5
