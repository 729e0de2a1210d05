"""`muster agents push` and `history`: agent and skill files of a fleet, as releases that runs pin."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import click
from rich.text import Text

from muster_agents import load_definitions, with_files
from muster_agents.agent_folder import SKILLS, folder_files
from muster_agents.skill_files import OPEN_FILE
from muster_bus import Bus
from muster_bus.definition_store import DefinitionStore
from muster_cli.app import client, console, perform, print_json, tell
from muster_cli.named_files import read_named
from muster_cli.options import JSON, NATS, example, row_limit
from muster_cli.subcommands.control_command import user_name
from muster_cli.table import new_table
from muster_protocol.definitions import Release
from muster_protocol.errors import InvalidRequest
from muster_subagent.agent_catalogue import NAMES, find_missing
from muster_views.outcome import PASSED
from muster_views.texts import format_time


@click.command(
    short_help="Give agents and skills to a running fleet.",
    epilog=example(
        'muster agents push agents/ --note "refunds ask a person"',
        "muster agents push agents/lead.yaml agents/skills/refunds",
        "muster agents push --remove lead.yaml                        as before it was pushed",
    ),
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True, readable=True), metavar="[PATH…]")
@click.option("--remove", "removed", multiple=True, metavar="NAME", help="Remove this file; repeatable.")
@click.option("--note", default="", help="Why; shown in the history.")
@NATS
def push(paths: tuple[Path, ...], removed: tuple[str, ...], note: str, nats: str | None) -> None:
    """Push agent and skill files, and folders of them, to a running fleet, without restarting its workers.

    Runs opened from now on use them instead of the workers' own files with the same ids. An open run keeps the files
    that it began with. Nothing is pushed if anything is wrong with a file.

    Exit codes: 0; 2 bad input; 4 NATS cannot be reached.
    """

    async def work() -> int:
        files = _read_files(paths)
        if not files and not removed:
            raise InvalidRequest(["nothing to push: name files or folders of agents, or --remove a file"])
        async with client(nats) as bus:
            store = DefinitionStore(bus)
            before = await read_newest(store)
            check_files({**{name: text for name, text in before.items() if name not in removed}, **files})
            if unknown := sorted(set(removed) - before.keys()):
                there = ", ".join(sorted(before)) or "none"
                raise InvalidRequest([f"there is no pushed file {unknown[0]!r}; there are: {there}"])
            pushed = await store.push(files, by=user_name(), note=note, removed=removed)
        if not pushed.fresh:
            tell("nothing new: the fleet has these files")
            return PASSED
        tell(f"release {pushed.release.number} ({pushed.digest[:12]}): {', '.join(pushed.release.changed)}")
        return PASSED

    perform(work)


@click.command(epilog=example("muster agents history", "muster agents history --json"))
@row_limit(20, "newest first")
@NATS
@JSON
def history(*, limit: int, nats: str | None, as_json: bool) -> None:
    """List the releases of agents and skills, newest first.

    Shows what each changed, who pushed it and why.
    """

    async def work() -> int:
        async with client(nats) as bus:
            found = [ReleaseRow(digest, release) async for digest, release in _newest_first(bus, limit)]
        if as_json:
            print_json([row._asdict() for row in found])
            return PASSED
        if not found:
            click.echo("no releases; `muster agents push PATH` makes one")
            return PASSED
        table = new_table("release", "digest", "at", "by", "changed", "note", wrapped="note")
        for digest, it in found:
            cells = (str(it.number), digest[:12], format_time(it.at), it.by, ", ".join(it.changed))
            table.add_row(*map(Text, cells), Text(it.note))
        console().print(table)
        return PASSED

    perform(work)


class ReleaseRow(NamedTuple):
    """A release, with its digest."""

    digest: str
    release: Release


async def _newest_first(bus: Bus, limit: int) -> AsyncGenerator[tuple[str, Release]]:
    async for found in DefinitionStore(bus).history():
        if limit <= 0:
            return
        limit -= 1
        yield found


async def read_newest(store: DefinitionStore) -> dict[str, str]:
    """Return the files of the newest release, by name; none if nothing was pushed."""
    newest = await store.newest()
    return await store.files(newest) if newest else {}


def _read_files(paths: Iterable[Path]) -> dict[str, str]:
    """Return the texts of files and of folders of agents, by the name that they have below such a folder.

    Raises:
        InvalidRequest: one cannot be read.
    """
    found: dict[str, Path] = {}
    for path in paths:
        found |= folder_files(path) if path.is_dir() and not (path / OPEN_FILE).is_file() else {_name_of(path): path}
    return {name: read_named(path / OPEN_FILE if path.is_dir() else path) for name, path in found.items()}


def check_files(files: Mapping[str, str]) -> None:
    """Look whether agents and skills can be used, those that are built in beside them.

    Raises:
        InvalidRequest: some cannot; says which and why.
    """
    found = with_files(load_definitions(None, NAMES), files, "", NAMES)
    problems = [*found.problems, *filter(None, [find_missing(found.agents)])]
    if problems:
        raise InvalidRequest(list(dict.fromkeys(problems)))


def _name_of(path: Path) -> str:
    """Return the name of a single file or folder of a skill; of files, those in a folder `skills` are skills."""
    path = path.resolve()
    if path.is_dir():
        return f"{SKILLS}/{path.name}/{OPEN_FILE}"
    if path.name == OPEN_FILE:
        return f"{SKILLS}/{path.parent.name}/{OPEN_FILE}"
    return f"{SKILLS}/{path.name}" if path.parent.name == SKILLS else path.name
