"""`muster cases`: the cases that a fleet keeps, and the requirements that they cover."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from muster_authoring.own_cases import load_cases
from muster_bus.case_store import CaseStore
from muster_cases.case_library import (
    CheckedCase,
    check_case,
    choose,
    find_case,
    id_of,
    read_stored,
    unknown,
)
from muster_cases.case_loader import case_files
from muster_cli.app import client, perform, print_json, print_table
from muster_cli.lookup import run_rows
from muster_cli.named_files import write_named, write_unlike
from muster_cli.options import JSON, NATS, PATHS, OrderedGroup, example, row_limit
from muster_cli.subcommands.control_command import user_name
from muster_cli.table import new_table
from muster_protocol.errors import InvalidRequest
from muster_protocol.stored_cases import CaseFile, CaseVersion
from muster_views.case_coverage import CaseStanding, LibraryCase, Requirement, view_library, view_requirements
from muster_views.outcome import PASSED, PRODUCT_FAILED
from muster_views.texts import format_time

ID = click.argument("id")
STYLES = {"passed": "green", "failed": "bold red", "open": "yellow"}


@click.group(
    cls=OrderedGroup,
    short_help="Keep cases in a running fleet, and run them by name.",
    epilog=example(
        'muster cases push cases/ --note "the new login page"',
        "muster cases list --suite shop",
        "muster submit TC_AUTH_01 --wait                run a stored case by its name",
        "muster submit suite:shop --wait                run all stored cases of a suite",
        "muster cases pull TC_AUTH_01 --to cases/",
        "muster cases coverage REQ-7                    which cases cover it, and how they last ended",
    ),
)
def cases() -> None:
    """Keep cases in a running fleet, and run them by name.

    The file name without its extension is the case's id: cases/TC_AUTH_01.yaml is TC_AUTH_01. Each push creates a
    version; a run keeps the version that it began with.
    """


@cases.command(
    epilog=example('muster cases push cases/ --note "the new login page"', "muster cases push TC_AUTH_01.yaml")
)
@PATHS
@click.option("--note", default="", help="Why; shown in the history.")
@NATS
def push(paths: tuple[Path, ...], note: str, nats: str | None) -> None:
    """Store the cases in files and folders as their newest versions.

    Nothing is stored if anything is wrong with a file.

    Exit codes: 0; 2 bad input; 4 NATS cannot be reached.
    """

    async def work() -> int:
        checked = check_files(paths)
        async with client(nats) as bus:
            pushed = [await CaseStore(bus).push(*one, by=user_name(), note=note) for one in checked]
        for one in pushed:
            newest = one.case.newest
            said = f"version {newest.number} ({newest.digest[:12]})" if one.fresh else f"nothing new: {newest.number}"
            click.echo(f"{one.case.id}: {said}")
        return PASSED

    perform(work)


@cases.command(epilog=example("muster cases pull --to cases/", "muster cases pull TC_AUTH_01 --version 2 --to ."))
@click.argument("names", nargs=-1, metavar="[ID|suite:NAME…]")
@click.option(
    "--to", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="Folder to write to."
)
@click.option("--version", type=click.IntRange(min=1), default=None, help="This version instead of the newest.")
@click.option("--force", is_flag=True, help="Replace files that differ.")
@NATS
def pull(*, names: tuple[str, ...], folder: Path, version: int | None, force: bool, nats: str | None) -> None:
    """Write stored cases to files: all of them, or the named ones.

    Nothing is written if a file of that name differs, unless --force is given.
    """

    async def work() -> int:
        async with client(nats) as bus:
            store = CaseStore(bus)
            stored = await store.all()
            wanted = [
                one for name in names or [case.id for case in stored] for one in choose(stored, name, version or 0)
            ]
            found = [await store.file(one.version.digest) for one in wanted]
            files = {file.name: file.text for file in found if id_of(file.name)}
        for name in write_files(folder, files, force=force):
            click.echo(name)
        return PASSED

    perform(work)


@cases.command("list", epilog=example("muster cases list", "muster cases list --tag smoke --json"))
@click.option("--suite", default="", metavar="ID", help="Only this suite.")
@click.option("--tag", default="", help="Only cases with this tag.")
@row_limit()
@NATS
@JSON
def list_cases(*, suite: str, tag: str, limit: int, nats: str | None, as_json: bool) -> None:
    """List stored cases with their newest results."""

    async def work() -> int:
        found = [
            case
            for case in await _read_library(nats)
            if any((not suite or one.suite == suite) and (not tag or tag in one.tags) for one in case.cases)
        ]
        if as_json:
            print_json(found)
        elif found:
            print_table(found, limit, _library_table)
        else:
            click.echo("no stored cases; `muster cases push PATH` stores some")
        return PASSED

    perform(work)


@cases.command(epilog=example("muster cases history TC_AUTH_01"))
@ID
@row_limit()
@NATS
@JSON
def history(*, id: str, limit: int, nats: str | None, as_json: bool) -> None:
    """List the versions of a stored case, newest first. Shows who stored each and why."""

    async def work() -> int:
        async with client(nats) as bus:
            versions = tuple(reversed(find_case(await CaseStore(bus).all(), id).versions))
        if as_json:
            print_json(versions)
        else:
            print_table(versions, limit, _version_table)
        return PASSED

    perform(work)


@cases.command(epilog=example("muster cases remove TC_AUTH_01"))
@ID
@NATS
def remove(id: str, nats: str | None) -> None:
    """Remove a stored case. Runs keep the version that they began with."""

    async def work() -> int:
        async with client(nats) as bus:
            store = CaseStore(bus)
            await store.remove(find_case(await store.all(), id).id)
        click.echo(f"{id}: removed")
        return PASSED

    perform(work)


@cases.command(epilog=example("muster cases coverage", "muster cases coverage REQ-7"))
@click.argument("requirement", default="")
@row_limit()
@NATS
@JSON
def coverage(*, requirement: str, limit: int, nats: str | None, as_json: bool) -> None:
    """List the requirements that stored cases cover, and their results.

    A case names its requirements under `covers`; the result is that of the newest runs of these cases.

    passed: all passed, in their newest version. failed: one failed. open: one did not run, or is not over.

    Exit codes: 0; 1 a requirement that was named has not passed; 2 there is no such requirement.
    """

    async def work() -> int:
        found = view_requirements(await _read_library(nats))
        chosen = [one for one in found if not requirement or one.id == requirement]
        if requirement and not chosen:
            raise InvalidRequest([unknown("requirement", requirement, [one.id for one in found])])
        if as_json:
            print_json(chosen)
        elif chosen:
            print_table(chosen, limit, _coverage_table)
        else:
            click.echo("no stored case names a requirement; write `covers: [REQ-7]` into a case")
        return PRODUCT_FAILED if requirement and chosen[0].state != "passed" else PASSED

    perform(work)


async def _read_library(nats: str | None) -> tuple[LibraryCase, ...]:
    async with client(nats) as bus:
        return view_library(await CaseStore(bus).all(), await run_rows(bus))


def check_files(paths: Sequence[Path]) -> list[CheckedCase]:
    """Return the files and those of folders, each checked to be run as it stands.

    Raises:
        InvalidRequest: something is wrong with one; nothing may be stored then.
    """
    load_cases(paths)  # all that is wrong, at once
    checked: dict[str, CheckedCase] = {}
    wrong: list[str] = []
    for path in case_files(paths):
        try:
            found = check_case(
                CaseFile(name=path.name, text=path.read_text("utf-8-sig"), suite=path.resolve().parent.name)
            )
        except InvalidRequest as error:
            wrong += error.reasons
            continue
        if found.id in checked:
            wrong.append(f"{path}: its id {found.id!r} is that of another file, too; rename one")
        elif [case.request.job for case in read_stored(found.file)] != [
            case.request.job for case in load_cases([path])
        ]:
            wrong.append(f"{path}: it has sentences of your own, and a stored case has its own text alone")
        checked[found.id] = found
    if wrong:
        raise InvalidRequest(wrong)
    return list(checked.values())


def write_files(folder: Path, files: dict[str, str], *, force: bool) -> list[Path]:
    """Write files into a folder and return their paths.

    Raises:
        InvalidRequest: one is there and differs, and is not to be replaced.
    """
    paths = {folder / name: text for name, text in files.items()}
    if force:
        for path, text in paths.items():
            write_named(path, text)
    else:
        write_unlike(paths, "differs from the stored case; --force replaces it")
    return list(paths)


def _library_table(found: Sequence[LibraryCase]) -> Table:
    """Return stored cases as people read them. Pure."""
    table = new_table("case", "version", "pushed", "by", "suite", "name", "newest run", "covers", wrapped="name")
    for case in found:
        for number, one in enumerate(case.cases):
            head = (
                (case.id, str(case.newest.number), format_time(case.newest.at), case.newest.by)
                if not number
                else ("",) * 4
            )
            table.add_row(*map(Text, (*head, one.suite, one.name, _told(one), ", ".join(one.covers))))
    return table


def _version_table(versions: Sequence[CaseVersion]) -> Table:
    """Return the versions of a stored case as people read them. Pure."""
    table = new_table("version", "digest", "at", "by", "note", wrapped="note")
    for it in versions:
        table.add_row(*map(Text, (str(it.number), it.digest[:12], format_time(it.at), it.by, it.note)))
    return table


def _coverage_table(found: Sequence[Requirement]) -> Table:
    """Return requirements with their cases as people read them. Pure."""
    table = new_table("requirement", "state", "case", "name", "newest run", "when", wrapped="name")
    for it in found:
        for number, one in enumerate(it.cases):
            head = (Text(it.id), Text(it.state, STYLES[it.state])) if not number else (Text(""), Text(""))
            when = format_time(one.at) if one.at else ""
            table.add_row(*head, *map(Text, (one.case, one.name, _told(one), when)))
    return table


def _told(one: CaseStanding) -> str:
    if not one.run:
        return "never ran"
    return f"{one.status}{f' ({one.cause})' if one.cause else ''}{', not this version' if one.outdated else ''}"
