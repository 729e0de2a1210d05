"""`muster record`: what a person does in a browser becomes a case."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click

from muster_cli.app import perform, tell
from muster_cli.named_files import require_writable, write_named
from muster_cli.options import example, require_address
from muster_cli.person_sentences import write_steps, written_address
from muster_cli.tried_case import case_text
from muster_devices.errors import DeviceRefused
from muster_devices.web.person_recorder import PersonAct, record_person
from muster_views.outcome import OTHER_FAILED, PASSED
from muster_views.texts import format_count, strip_controls


@click.command(
    short_help="Record what you do in a browser as a case.",
    epilog=example(
        "muster record http://127.0.0.1:8000/login --output cases/login.yaml",
        "muster record https://shop.example --name 'A visitor buys a bag' > buy.yaml",
    ),
)
@click.argument("url", metavar="URL")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to this file; default: print it.",
)
@click.option("--name", default="", metavar="TEXT", help="Name of the case; default: the file's.")
@click.option("--headless", is_flag=True, hidden=True)
@click.option("--debug-port", type=click.IntRange(0, 65535), default=0, hidden=True)
def record(*, url: str, output: Path | None, name: str, headless: bool, debug_port: int) -> None:
    """Open a browser, follow what you do in it, and write that as a case once you close its window.

    Clicks, texts, choices, uploads, keys, drags, dialogs, tabs, Back and Reload become sentences. New titles, headings
    and messages become suggested expectations: check them, because they say what the page showed, not what it should
    show. What you type into a field for a password, a PIN or a code is not written: the case names a secret instead.
    Actions that no sentence can express are printed, and become comments in the case.

    Exit codes: 0 written; 2 bad input; 3 the browser or the page cannot be opened; 130 interrupted, what was done until
    then is written.
    """
    require_address(url)
    title = name or (output.stem.replace("-", " ").replace("_", " ") if output else "A recorded case")
    acts: list[PersonAct] = []

    async def work() -> int:
        if output:
            require_writable(output, "--output")
        tell("Close the browser's window when you are done.")
        try:
            await record_person(url, acts.append, headless=headless, port=debug_port)
        except DeviceRefused as error:
            tell(f"muster: {error.text}")
            return OTHER_FAILED
        except asyncio.CancelledError:
            _write(url, acts, output, title)
            raise
        _write(url, acts, output, title)
        return PASSED

    perform(work)


def _write(url: str, acts: Sequence[PersonAct], output: Path | None, title: str) -> None:
    """Write or print the case of what was done, and tell what no sentence can express."""
    start, base_url = written_address(url)
    steps, unsaid = write_steps(start, base_url, acts)
    text = case_text(title, steps, {"base_url": base_url})
    if output:
        try:
            write_named(output, text)
        except OSError:
            click.echo(strip_controls(text), nl=False)  # nobody is to do all that again
            raise
        count = format_count(len(steps), "step")
        tell(f"wrote {count} into {output}; check what is expected, then: muster run {output}")
    else:
        click.echo(strip_controls(text), nl=False)
    for one in unsaid:
        tell(strip_controls(f"not said: {one}"))
