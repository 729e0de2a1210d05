"""`muster dead`: lists, retries and drops dead letters, the messages that no service could process."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime

import click
import msgspec
from rich.table import Table
from rich.text import Text

from muster_bus import Bus
from muster_bus.dead_letter_store import DeadLetter, drop_dead, newest_dead, read_dead, replay_dead
from muster_cli.app import client, console, perform, print_json, tell
from muster_cli.options import JSON, NATS, OrderedGroup, example, row_limit
from muster_cli.table import new_table
from muster_protocol.errors import BusError, InvalidRequest, WrongState
from muster_views.outcome import OTHER_FAILED, PASSED, USAGE
from muster_views.texts import strip_controls, to_one_line

MOST_SHOWN = 4000
"""Characters of a message that are shown; `--data` writes all of it."""

NUMBERS = click.argument("numbers", nargs=-1, type=click.IntRange(1), metavar="N…")


@click.group(
    cls=OrderedGroup,
    short_help="List, retry and drop dead letters.",
    epilog=example("muster dead list", "muster dead show 3", "muster dead replay 3", "muster dead drop 3"),
)
def dead() -> None:
    """List, show, retry and drop dead letters: messages that no service could process.

    A message becomes a dead letter if it is a request that cannot be read or run, a sub-task that no worker can read or
    that kills one worker after another, or a run that had to be given up. So it does not block the queue. Dead letters
    are kept with their reasons for 90 days, in the stream DEAD.
    """


@dead.command("list", epilog=example("muster dead list", "muster dead list --limit 500 --json"))
@row_limit(30, "newest first")
@NATS
@JSON
def list_letters(limit: int, nats: str | None, as_json: bool) -> None:
    """List dead letters, the newest first."""

    async def work() -> int:
        async with client(nats) as bus:
            letters = await _newest(bus, limit)
        if as_json:
            bare = [msgspec.structs.replace(letter, data=b"") for letter in letters]
            print_json(bare)
        elif letters:
            console().print(_letter_table(letters))
        else:
            click.echo("no dead letters")
        return PASSED

    perform(work)


@dead.command(
    short_help="Show one dead letter.",
    epilog=example("muster dead show 3", "muster dead show 3 --data > request.json"),
)
@click.argument("number", type=click.IntRange(1), metavar="N")
@click.option("--data", is_flag=True, help="Write the message itself, byte for byte, and nothing else.")
@NATS
@JSON
def show(number: int, data: bool, nats: str | None, as_json: bool) -> None:
    """Show a dead letter: the reason, its history, and the message.

    In JSON the message is in `data`, as base64.
    """

    async def work() -> int:
        async with client(nats) as bus:
            letter = await read_dead(bus, number)
        if data:
            sys.stdout.buffer.write(letter.data)
            sys.stdout.buffer.flush()
        elif as_json:
            print_json(letter)
        else:
            click.echo(describe_letter(letter))
        return PASSED

    perform(work)


@dead.command(
    short_help="Put messages back into their queues.",
    epilog=example("muster dead replay 3", "muster dead replay 3 4 5"),
)
@NUMBERS
@NATS
def replay(numbers: tuple[int, ...], nats: str | None) -> None:
    """Put messages back into their queues, for example after an upgrade, and delete their dead letters.

    A request is checked like a new submission. A message of a finished run is not put back; use `muster rerun` for a
    new run.
    """

    chosen = _require_numbers(numbers)

    async def put_back(bus: Bus, number: int) -> str:
        letter = await read_dead(bus, number)
        await replay_dead(bus, letter)
        return f"{number}: back on {to_one_line(letter.subject)}"

    perform(lambda: _each(nats, chosen, put_back))


@dead.command(epilog=example("muster dead drop 3", "muster dead drop --all"))
@NUMBERS
@click.option("--all", "every", is_flag=True, help="All dead letters.")
@NATS
def drop(numbers: tuple[int, ...], every: bool, nats: str | None) -> None:
    """Delete dead letters. They cannot be restored."""
    if every and numbers:
        raise click.UsageError("give numbers or --all, not both")
    chosen = () if every else _require_numbers(numbers)

    async def forget(bus: Bus, number: int) -> str:
        await read_dead(bus, number)
        await drop_dead(bus, number)
        return f"{number}: dropped"

    async def forget_all() -> int:
        async with client(nats) as bus:
            numbers = [letter.sequence async for letter in newest_dead(bus)]
            for number in numbers:
                await drop_dead(bus, number)
        click.echo(f"{len(numbers)} dropped" if numbers else "no dead letters")
        return PASSED

    perform(forget_all if every else lambda: _each(nats, chosen, forget))


def _require_numbers(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if not numbers:
        raise click.UsageError("give the numbers of dead letters; `muster dead list` shows them")
    return tuple(dict.fromkeys(numbers))


async def _each(nats: str | None, numbers: Sequence[int], do: Callable[[Bus, int], Awaitable[str]]) -> int:
    """Apply an operation to each letter, print its outcome, and return the worst exit code."""
    code = PASSED
    async with client(nats) as bus:
        for number in numbers:
            try:
                click.echo(await do(bus, number))
            except InvalidRequest as error:
                tell(f"muster: {number}: {error}")
                code = max(code, USAGE)
            except (WrongState, BusError) as error:
                tell(f"muster: {number}: {error}")
                code = max(code, OTHER_FAILED)
    return code


async def _newest(bus: Bus, limit: int) -> list[DeadLetter]:
    found: list[DeadLetter] = []
    async for letter in newest_dead(bus):
        found.append(letter)
        if len(found) == limit:
            break
    return found


def _letter_table(letters: Sequence[DeadLetter]) -> Table:
    """Return the letters as text. Pure."""
    columns = ("number", "when (UTC)", "from", "run or sub-task", "reason")
    shown = new_table(*columns, wrapped="reason", right=("number",))
    for letter in letters:
        whose = to_one_line(letter.task or letter.run, 60)
        cells = (
            str(letter.sequence),
            _when(letter),
            to_one_line(letter.stream),
            whose,
            to_one_line(letter.reason, 200),
        )
        shown.add_row(*(Text(cell) for cell in cells))
    return shown


def describe_letter(letter: DeadLetter) -> str:
    """Return a letter as text. Pure."""
    facts = [
        ("reason", letter.reason),
        ("stored", f"{_when(letter)} UTC"),
        ("subject", letter.subject),
        ("run", letter.run),
        ("sub-task", letter.task),
        ("delivered", f"{letter.delivery} times" if letter.delivery > 1 else ""),
        ("history", "\n".join(letter.history)),
        ("message", f"{letter.size} bytes" + (f", of which {len(letter.data)} were kept" if letter.cut else "")),
    ]
    lines = [f"  {name:<11}{strip_controls(text).replace(chr(10), chr(10) + ' ' * 13)}" for name, text in facts if text]
    return "\n".join([f"dead letter {letter.sequence} from {to_one_line(letter.stream)}", *lines, "", _text(letter)])


def _when(letter: DeadLetter) -> str:
    return f"{datetime.fromtimestamp(letter.at, UTC):%Y-%m-%d %H:%M:%S}"


def _text(letter: DeadLetter) -> str:
    """Return the message as text, shortened, with JSON indented."""
    text = letter.data.decode(errors="backslashreplace")
    with suppress(msgspec.DecodeError):
        text = msgspec.json.format(text, indent=2)
    rest = f"\n… `muster dead show {letter.sequence} --data` writes all of it" if len(text) > MOST_SHOWN else ""
    return strip_controls(text[:MOST_SHOWN]) + rest
