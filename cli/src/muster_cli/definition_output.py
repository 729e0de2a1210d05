"""Describes agent and skill files for commands."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import click

from muster_agents import Agents, DefinitionError
from muster_agents.agent_folder import Skills
from muster_cli.app import report_error, tell
from muster_protocol.errors import InvalidRequest
from muster_text.text_match import nearest
from muster_text.unreadable import why_unreadable
from muster_views.outcome import PASSED, PRODUCT_FAILED
from muster_views.texts import format_count, strip_controls

FOUND = PRODUCT_FAILED
"""The exit code for files that cannot be used."""


def print_file(found: Agents | Skills, id: str, what: str) -> None:
    """Print the file of an agent or a skill; exit with the reason if there is none that can be used."""
    if problem := found.problems.get(id):
        sys.exit(report_error(InvalidRequest([problem]), FOUND))
    if id not in found.by_id:
        close = nearest(id, found.by_id, 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise InvalidRequest([f"there is no {what} {id!r}; {hint}`muster {what}s list` shows all"])
    click.echo(strip_controls(found.sources[id].text), nl=False)


def find_file_problem(path: Path, read: Callable[[str], object]) -> str:
    """Return what is wrong with a file, whose text `read` takes, with its line; empty: nothing."""
    try:
        read(path.read_text(encoding="utf-8"))
    except DefinitionError as error:
        return str(error)
    except (OSError, UnicodeDecodeError) as error:
        return f"{path}: {why_unreadable(error)}"
    return ""


def finish_check(problems: Sequence[str], count: int, what: str) -> NoReturn:
    """Print what is wrong with so many files, and exit."""
    for problem in problems:
        click.echo(strip_controls(problem))
    wrong = format_count(len(problems), "problem") if problems else "nothing wrong"
    tell(f"{format_count(count, what)}: {wrong}")
    sys.exit(FOUND if problems else PASSED)
