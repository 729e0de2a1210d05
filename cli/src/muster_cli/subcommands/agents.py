"""`muster agents`: lists the agents that carry out sub-tasks, and checks agent files."""

import sys
from pathlib import Path
from typing import NoReturn

import click
from rich.table import Table
from rich.text import Text

from muster_agents import (
    Agent,
    Agents,
    load_definitions,
    read_agent,
    with_files,
    with_skills,
)
from muster_agents.agent_folder import agent_paths
from muster_agents.agent_schema import render_schema
from muster_bus.definition_store import DefinitionStore
from muster_cli.app import client, console, perform, print_json, tell
from muster_cli.definition_output import FOUND, find_file_problem, finish_check, print_file
from muster_cli.options import JSON, NATS, OrderedGroup, example
from muster_cli.subcommands.agent_releases import history, push, read_newest
from muster_cli.subcommands.agent_stats import stats
from muster_cli.table import new_table
from muster_protocol.kinds import KINDS_BY_NAME
from muster_subagent.agent_catalogue import NAMES
from muster_views.outcome import PASSED

FOLDER = click.option(
    "--dir",
    "folder",
    envvar="AGENTS_DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Folder of your agents; default: AGENTS_DIR.",
)


@click.group(
    cls=OrderedGroup,
    short_help="List agents and check agent files.",
    epilog=example(
        "muster agents list                                       the built-in ones, and those in AGENTS_DIR",
        "muster agents show evaluator > agents/evaluator.yaml    begin your own with a built-in one",
        "muster agents check agents/                              what is wrong, with file and line",
        "AGENTS_DIR=agents muster run cases/                      use them",
        "muster agents push agents/                               give them to a running fleet; muster agents history",
        "muster agents stats                                      what they have done and cost",
    ),
)
def agents() -> None:
    """List the agents that carry out sub-tasks, and check your own agent files.

    An agent is a file: instructions, model tier, tools and budget. Workers read your files from the folder AGENTS_DIR
    when they start; one with the name of a built-in agent replaces it.
    """


@agents.command("list", epilog=example("muster agents list --dir agents", "muster agents list --fleet --json"))
@FOLDER
@click.option("--fleet", is_flag=True, help="Include agents that were pushed to the running fleet.")
@click.option("--tag", default="", metavar="WORD", help="Only those with this tag.")
@NATS
@JSON
def list_agents(*, folder: Path | None, fleet: bool, tag: str, nats: str | None, as_json: bool) -> None:
    """List all agents, and warn of files that cannot be used.

    Exit codes: 0; 1 a file cannot be used.
    """
    definitions = load_definitions(folder, NAMES)
    if not fleet:
        _print_agents(definitions.agents, tag, as_json=as_json)

    async def work() -> int:
        async with client(nats) as bus:
            files = await read_newest(DefinitionStore(bus))
        _print_agents(with_files(definitions, files, "pushed/", NAMES).agents, tag, as_json=as_json)

    perform(work)


def _print_agents(found: Agents, tag: str, *, as_json: bool) -> NoReturn:
    shown = {id: agent for id, agent in found.by_id.items() if not tag or tag in agent.tags}
    if as_json:
        print_json({"agents": list(shown.values()), "problems": found.problems})
    else:
        console().print(_agent_table(found._replace(by_id=shown)))
        for problem in found.problems.values():
            tell(f"muster: {problem}")
    sys.exit(FOUND if found.problems else PASSED)


@agents.command(epilog=example("muster agents show step-runner", "muster agents show mine --dir agents"))
@click.argument("id")
@FOLDER
def show(id: str, folder: Path | None) -> None:
    """Print an agent's file, as a template for your own."""
    found = load_definitions(folder, NAMES).agents
    print_file(found, id, "agent")


@agents.command(
    short_help="Find what is wrong with agent files.",
    epilog=example("muster agents check agents/", "muster agents check agents/reviewer.md"),
)
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, readable=True), metavar="PATH…"
)
def check(paths: tuple[Path, ...]) -> None:
    """Find what is wrong with agent files (.yaml, .yml, .md) and folders of them.

    Exit codes: 0 nothing is wrong; 1 a file cannot be used; 2 bad input.
    """
    chosen = [file for path in paths for file in (agent_paths(path) if path.is_dir() else [path])]
    problems = [problem for path in chosen if (problem := find_problem(path))]
    finish_check(problems, len(chosen), "agent")


@agents.command(epilog=example("muster agents schema > agent.schema.json"))
def schema() -> None:
    """Print the JSON Schema of agent files, for completion in editors."""
    click.echo(render_schema(NAMES), nl=False)


def find_problem(path: Path) -> str:
    """Return what is wrong with an agent file, with its line; empty: nothing. It may name the agents and skills that
    stand beside it."""
    beside = load_definitions(path.parent, NAMES)
    if path.stem in beside.agents.problems:
        return beside.agents.problems[path.stem]
    known = with_skills(NAMES, beside.skills)
    return find_file_problem(path, lambda text: read_agent(text, str(path), known))


def _agent_table(found: Agents) -> Table:
    """Return the agents as a table, by id."""
    table = new_table("agent", "kind", "model", "limits", "from", "purpose", wrapped="purpose")
    for id, agent in sorted(found.by_id.items()):
        tier = agent.tier or KINDS_BY_NAME[agent.kind].tier or "none"
        named = " ".join(filter(None, (id, agent.version, agent.nickname and f"({agent.nickname})")))
        cells = (named, agent.kind, tier, _limits(agent), Path(found.sources[id].place).name)
        table.add_row(*map(Text, cells), Text(agent.description))
    return table


def _limits(agent: Agent) -> str:
    budget = agent.budget
    amounts = (
        ("turns", budget.iterations),
        ("calls", budget.calls),
        ("tokens", budget.tokens),
        ("s", budget.seconds),
    )
    return ", ".join(f"{amount:g} {unit}" for unit, amount in amounts if amount is not None)


agents.add_command(push)
agents.add_command(stats)
agents.add_command(history)
