"""Options that several commands share, and groups of commands."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from muster_cli import INTERRUPTED
from muster_protocol.errors import MusterError

F = TypeVar("F", bound=Callable[..., Any])


class Amount(click.FloatRange):
    """A finite number in a range: nothing is more than `nan`, so a limit that is none would never be reached."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Return the number of a text; click reports what is none, or is out of the range."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is no amount: write a number such as 0.5 or 60.", param, ctx)
        return number


SECONDS = Amount(min=0, min_open=True)

NATS = click.option(
    "--nats", metavar="URL", help="NATS server of the fleet; default: NATS_URL, else nats://127.0.0.1:4222."
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
RUNS = click.argument("runs", nargs=-1, required=True, metavar="RUN…")
PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
WAIT = click.option("--wait", is_flag=True, help="Follow the runs, and exit with the code of `muster run`.")
WORKERS = click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Workers to start.")
MAX_COST = click.option(
    "--max-cost",
    type=Amount(min=0, min_open=True),
    metavar="AMOUNT",
    help="Maximum cost of each run, in US dollars by MODEL_PRICES: a run whose estimate is higher is refused, and one "
    "that reaches it ends with cause `budget`.",
)
APPROVE = click.option(
    "--approve-plan", is_flag=True, help="Show the plan of each case, and carry it out only after your yes."
)
REPORT = click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write an HTML report, with verdicts, logs and artifacts.",
)


def run_timeout(default: float = 3600.0, text: str = "Cancel runs that take longer than this.") -> Callable[[F], F]:
    """Return the option that bounds the time of runs."""
    return click.option("--timeout", type=SECONDS, default=default, show_default=True, metavar="SECONDS", help=text)


WAIT_TIMEOUT = run_timeout(text="With --wait: cancel runs that take longer than this.")


def row_limit(default: int = 100, order: str = "") -> Callable[[F], F]:
    """Return the option that bounds the rows of a table; `order` says which rows come first."""
    text = f"Maximum number of rows{order and ', '}{order}."
    return click.option("--limit", type=click.IntRange(1), default=default, show_default=True, help=text)


def require_address(url: str) -> None:
    """Make sure that this is the address of a page.

    Raises:
        click.UsageError: it is not a web address.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise click.UsageError(f"{url} is not an address: write one that begins with http:// or https://")


class OrderedGroup(click.Group):
    """A group that lists its commands in the order in which users need them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order they were added."""
        return list(self.commands)


class LateGroup(click.Group):
    """A group that imports a command when it is called, so that commands start fast.

    `modules` names the module of each command, in the order in which one comes to need them.
    """

    def __init__(self, *args: Any, modules: Mapping[str, str], **kwargs: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(*args, **kwargs)
        self._modules = modules

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own
        """Call the command; what a user can mend is told in a line each, also by commands that need no `perform`."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # click ends without a word
        except (MusterError, OSError) as error:
            from muster_cli.app import report_error  # noqa: PLC0415 - it takes a moment
            from muster_views.outcome import USAGE  # noqa: PLC0415

            sys.exit(report_error(error, USAGE))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in their order."""
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name; None if there is none."""
        if cmd_name not in self._modules:
            return None
        try:
            found = vars(import_module(self._modules[cmd_name])).values()
        except KeyboardInterrupt:  # it takes a moment; click would make it a failure
            sys.exit(INTERRUPTED)
        return next(one for one in found if isinstance(one, click.Command) and one.name == cmd_name)


def selection(command: F) -> F:
    """Add the options that choose cases and change them."""
    for option in (
        click.option("--label", "labels", multiple=True, metavar="NAME=VALUE", help="Label each run; repeatable."),
        click.option("--suite", default="", metavar="ID", help="Suite of all runs, instead of the cases' own."),
        click.option("--tag", "tags", multiple=True, help="Run only cases with this tag; repeatable."),
        click.option(
            "--var",
            "variables",
            multiple=True,
            metavar="NAME=VALUE",
            help="Set a variable of the cases; repeatable.",
        ),
    ):
        command = option(command)
    return command


def example(*lines: str) -> str:
    """Return the examples at the end of a command's help."""
    body = "\n".join(f"  {line}" for line in lines)
    return f"\b\nExamples:\n{body}"
