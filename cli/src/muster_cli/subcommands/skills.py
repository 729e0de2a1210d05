"""`muster skills`: lists the skills that agents can load, and checks skill files."""

import sys
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from muster_agents import Definitions, load_definitions, read_skill
from muster_agents.agent_folder import skill_paths
from muster_agents.agent_schema import render_skill_schema
from muster_agents.skill_files import OPEN_FILE
from muster_cli.app import console, print_json, tell
from muster_cli.definition_output import FOUND, find_file_problem, finish_check, print_file
from muster_cli.options import JSON, OrderedGroup, example
from muster_cli.subcommands.agents import FOLDER
from muster_cli.table import new_table
from muster_subagent.agent_catalogue import NAMES
from muster_views.outcome import PASSED


@click.group(
    cls=OrderedGroup,
    short_help="List skills and check skill files.",
    epilog=example(
        "muster skills list                        the built-in ones, and those in AGENTS_DIR/skills",
        "muster skills show code-review            a file to begin your own with: agents/skills/code-review.yaml",
        "muster skills check agents/skills/        what is wrong, with file and line",
    ),
)
def skills() -> None:
    """List the skills that agents can load, and check your own skill files.

    A skill is a file: instructions for one sort of work, and the tools that its agent keeps meanwhile. Workers read
    your files from `skills/` in the folder AGENTS_DIR; agents name the skills that they may load.
    """


@skills.command("list", epilog=example("muster skills list --dir agents", "muster skills list --json"))
@FOLDER
@JSON
def list_skills(*, folder: Path | None, as_json: bool) -> None:
    """List all skills with the agents that may load them. Warns of files that cannot be used.

    Exit codes: 0; 1 a file cannot be used.
    """
    found = load_definitions(folder, NAMES)
    problems = found.skills.problems
    if as_json:
        print_json({"skills": list(found.skills.by_id.values()), "problems": problems})
    else:
        console().print(_skill_table(found))
        for problem in problems.values():
            tell(f"muster: {problem}")
    sys.exit(FOUND if problems else PASSED)


@skills.command(epilog=example("muster skills show fix-failing-test", "muster skills show mine --dir agents"))
@click.argument("id")
@FOLDER
def show(id: str, folder: Path | None) -> None:
    """Print a skill's file, as a template for your own."""
    found = load_definitions(folder, NAMES).skills
    print_file(found, id, "skill")


@skills.command(
    short_help="Find what is wrong with skill files.",
    epilog=example("muster skills check agents/skills/", "muster skills check agents/skills/refunds/SKILL.md"),
)
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, readable=True), metavar="PATH…"
)
def check(paths: tuple[Path, ...]) -> None:
    """Find what is wrong with skill files (.yaml, .yml, .md), folders with a SKILL.md, and folders of these.

    Exit codes: 0 nothing is wrong; 1 a file cannot be used; 2 bad input.
    """
    chosen = [file for path in paths for file in _files_in(path)]
    problems = [problem for path in chosen if (problem := _find_skill_problem(path))]
    finish_check(problems, len(chosen), "skill")


@skills.command(epilog=example("muster skills schema > skill.schema.json"))
def schema() -> None:
    """Print the JSON Schema of skill files, for completion in editors."""
    click.echo(render_skill_schema(NAMES), nl=False)


def _find_skill_problem(path: Path) -> str:
    """Return what is wrong with a skill file, with its line; empty: nothing."""
    return find_file_problem(path, lambda text: read_skill(text, str(path), NAMES))


def _skill_table(found: Definitions) -> Table:
    """Return the skills as a table, by id."""
    table = new_table("skill", "version", "agents", "from", "for", wrapped="for")
    for id, skill in sorted(found.skills.by_id.items()):
        agents = ", ".join(sorted(agent.id for agent in found.agents.by_id.values() if id in agent.skills)) or "none"
        place = Path(found.skills.sources[id].place)
        shown = place.parent.name + "/" + place.name if place.name == OPEN_FILE else place.name
        table.add_row(*map(Text, (id, skill.version, agents, shown)), Text(skill.description.strip()))
    return table


def _files_in(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    whole = path / OPEN_FILE
    return [whole] if whole.is_file() else skill_paths(path)
