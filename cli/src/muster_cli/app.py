"""Shared by all commands: consoles, error messages, exit codes, signals and clean-up."""

import asyncio
import os
import sys
import traceback
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, NoReturn, TypeVar

import click
import msgspec
import structlog
from nats.errors import Error as NatsError
from rich.console import Console
from rich.table import Table

from muster_bus import Bus, connect
from muster_bus.store_answers import describe_error
from muster_cli import processes
from muster_cli.local_login import with_login
from muster_protocol.codec import convert_types
from muster_protocol.errors import InvalidRequest, MusterError
from muster_service.ending_signals import list_ending_signals
from muster_service.settings import BusSettings, SettingsError, load
from muster_views.outcome import INTERRUPTED, OTHER_FAILED, USAGE
from muster_views.texts import strip_controls

WIDTH_WITHOUT_TERMINAL = 140
T = TypeVar("T")


class _Console(Console):
    """A console that raises `BrokenPipeError` to its caller when its output is closed."""

    def on_broken_pipe(self) -> None:
        """Let the error pass on, so that everything is cleaned up on its way."""
        raise  # noqa: PLE0704 - called while the error is being handled


def console(*, stderr: bool = False) -> Console:
    """Return a console for stdout or stderr, wide enough for tables where there is no terminal.

    It knows no markup such as `[link=…]`, because most of what it prints are the words of a product.
    """
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDTH_WITHOUT_TERMINAL
    return _Console(stderr=stderr, width=width, highlight=False, markup=False)


def tell(text: str) -> None:
    """Print a message for the user on stderr."""
    click.echo(strip_controls(text), err=True)


def print_json(value: object) -> None:
    """Print a value as an indented JSON document on stdout."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2))


def print_table(found: Sequence[T], limit: int, build: Callable[[Sequence[T]], Table]) -> None:
    """Print the first `limit` things as a table, and how many others there are.

    Laying out thousands of rows takes a minute on a busy machine.
    """
    console().print(build(found[:limit]))
    if len(found) > limit:
        click.echo(f"and {len(found) - limit:,} more: `--limit` lists more of them, `--json` all")


def perform(work: Callable[[], Coroutine[Any, Any, int]], interrupted: int = INTERRUPTED) -> NoReturn:
    """Run a command's work and exit with the code it returns.

    Signals that ask it to end cancel it, so that it cleans up, and make the code `interrupted`; a second one ends all
    at once.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))  # services log; commands speak
    others = processes.own_descendants()  # a program that calls us in its own process keeps what it has started
    with processes.adopt_orphans():
        try:
            code = _run(work)
        finally:
            processes.end_descendants(but=others)
    if code == INTERRUPTED:
        tell("muster: stopped")
        code = interrupted
    sys.exit(code)


def _run(work: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Run the work and return its exit code; errors are printed and mapped to exit codes."""
    convert_types()
    try:
        return asyncio.run(_until_signalled(work))
    except (InvalidRequest, SettingsError) as error:
        return report_error(error, USAGE)
    except (MusterError, NatsError, TimeoutError) as error:
        return report_error(error, OTHER_FAILED)
    except (asyncio.CancelledError, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        return _silence_output()
    except OSError as error:
        return report_error(error, OTHER_FAILED)
    except Exception:
        traceback.print_exc()  # a fault of ours; 1 would tell a pipeline that the product failed
        return OTHER_FAILED


def _silence_output() -> int:
    """Prevent a second error when Python flushes a closed output at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OTHER_FAILED


def report_error(error: Exception, code: int) -> int:
    """Print the reasons of an error, one a line, and return the exit code."""
    for reason in error.reasons if isinstance(error, InvalidRequest) else (_words_of(error),):
        tell(f"muster: {reason}")
    return code


def _words_of(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return describe_error(error)


@asynccontextmanager
async def client(nats: str | None, environ: Mapping[str, str] | None = None) -> AsyncGenerator[Bus]:
    """Connect to a running fleet's server: the one given, or the one the environment names."""
    settings = load(BusSettings, with_login(os.environ if environ is None else environ, nats or ""))
    bus = await connect(settings, name="muster-cli", patience=5.0)
    try:
        async with end_when_denied(bus):
            yield bus
    finally:
        await bus.close()


@asynccontextmanager
async def end_when_denied(bus: Bus) -> AsyncGenerator[None]:
    """Cancel the block when NATS denies it something: services wait until they may, a command fails.

    Raises:
        Denied: NATS did.
    """
    task = asyncio.current_task()
    assert task is not None
    cancelled = False

    def end() -> None:
        nonlocal cancelled
        if not cancelled:
            cancelled = task.cancel()

    try:
        with bus.heeding_denials(end):
            yield
    finally:
        if cancelled and bus.denied is not None:
            with suppress(asyncio.CancelledError):  # of a block that ended before it was cancelled
                await asyncio.sleep(0)
            task.uncancel()
            raise bus.denied


async def _until_signalled(work: Callable[[], Coroutine[Any, Any, int]]) -> int:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None
    asked = False

    def stop() -> None:
        nonlocal asked
        if asked:
            processes.end_descendants(
                but_command="muster_cli.orphan_guard"
            )  # it removes the folder once this process is gone
            os._exit(INTERRUPTED)
        asked = True
        task.cancel()

    for number in list_ending_signals():
        loop.add_signal_handler(number, stop)
    try:
        code = await work()
    except OSError:
        if not asked:  # else it is the terminal that went away with SIGHUP
            raise
        return INTERRUPTED
    return INTERRUPTED if asked else code
