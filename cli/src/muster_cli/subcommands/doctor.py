"""`muster doctor`: checks the machine and the fleet."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import click
from rich.text import Text

from muster_cli.app import console, perform, print_json
from muster_cli.doctor_checks import Check, fleet_checks, local_checks, model_checks
from muster_cli.local_login import with_login
from muster_cli.options import JSON, example
from muster_model import ModelSettings
from muster_service.settings import BusSettings, SettingsError, load


@click.command(
    short_help="Check this machine and the fleet, and say how to fix problems.",
    epilog=example(
        "muster doctor",
        "SUB_AGENT_MODEL=qwen3:8b muster doctor --model",
        "NATS_URL=nats://nats.example:4222 muster doctor --json",
    ),
)
@click.option("--nats", metavar="URL", help="Also check the fleet at this NATS server; default: NATS_URL, if set.")
@click.option("--model", "thoroughly", is_flag=True, help="Probe each model, and say which kinds of work it can do.")
@JSON
def doctor(nats: str | None, thoroughly: bool, as_json: bool) -> None:
    """Check whether everything that Muster needs is there, and print the command that fixes each problem.

    Asks each model in the environment a question or two; with --model, up to twelve.

    Exits 1 if something essential is missing.
    """
    url = nats or os.environ.get("NATS_URL", "")

    async def work() -> int:
        found = await asyncio.to_thread(local_checks, os.environ, Path.home())
        try:
            found += await model_checks(load(ModelSettings, os.environ), thoroughly=thoroughly)
            if url:
                found += await fleet_checks(load(BusSettings, with_login(os.environ, url)))
        except SettingsError as error:
            found.append(Check(name="settings", ok=False, detail=str(error), mend="correct it (docs/settings.md)"))
        if as_json:
            print_json(found)
        else:
            width = max(len(check.name) for check in found) + 1
            for check in found:
                console().print(render_check(check, width))
        return exit_code(found)

    perform(work)


def exit_code(found: Sequence[Check]) -> int:
    """Return 1 if something essential is missing. Pure."""
    return int(any(check.essential and not check.ok for check in found))


def render_check(check: Check, width: int = 13) -> Text:
    """Return a check as text; its name takes `width` characters. Pure."""
    word, style = ("ok", "green") if check.ok else ("missing", "bold red") if check.essential else ("missing", "yellow")
    text = Text(f"{word:<8}", style=style)
    text.append(f"{check.name:<{width}}", style="bold").append(check.detail)
    if check.mend:
        text.append(f"\n{'':8}{'':{width}}{'fix: ' if check.essential else 'if wanted: '}{check.mend}", style="cyan")
    return text
