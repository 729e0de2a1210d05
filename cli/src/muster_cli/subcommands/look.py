"""`muster look`: prints the elements of a page as sentences."""

import os
from collections import Counter
from collections.abc import Iterator

import click

from muster_cases.case_fields import quoted
from muster_cli.app import perform, print_json, tell
from muster_cli.live_session import live_session
from muster_cli.options import JSON, example, require_address
from muster_cli.page_look import PageView, look_at
from muster_views.outcome import OTHER_FAILED, PASSED
from muster_views.texts import format_count, strip_controls

PART = click.option("--part", default="", metavar="TEXT", help="Only the row, card, section or form with this text.")


@click.command(
    short_help="Print the elements of a page as sentences.",
    epilog=example(
        "muster look http://127.0.0.1:8000/login",
        'muster look https://shop.example/products --part "Backpack"',
        "muster look http://127.0.0.1:8000 --json | jq -r '.elements[].actions[]'",
    ),
)
@click.argument("url", metavar="URL")
@PART
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=60, show_default=True, help="Maximum number of elements."
)
@click.option("--headed", is_flag=True, help="Show the browser's window.")
@JSON
def look(*, url: str, part: str, limit: int, headed: bool, as_json: bool) -> None:
    """Open a page in a browser and print sentences that act on or check each control, heading and text.

    Each sentence is tried before it is printed: a phrase reads it, an action finds exactly this element (without being
    carried out), an expectation holds now. To see a page behind a login, use `muster try`.

    Exit codes: 0 printed; 2 bad input; 3 the page cannot be opened.
    """
    require_address(url)

    async def work() -> int:
        async with live_session(os.environ, headed=headed) as session:
            opened = await session.act(f"Open {quoted(url)}")
            if opened.result.status != "pass":
                tell(f"muster: {opened.result.summary}")
                return OTHER_FAILED
            async with session.attached() as held:
                view = await look_at(held, part, limit)
        if as_json:
            print_json(view)
        else:
            for line in page_lines(view):
                click.echo(strip_controls(line))
        return PASSED

    perform(work)


def page_lines(view: PageView) -> Iterator[str]:
    """Yield the lines that describe a page."""
    yield f"{view.title or 'A page without a title'}   {view.address}"
    yield from (f"    {text}" for text in view.expectations)
    for one in view.elements:
        yield f'{one.role} "{one.name}"' if one.name else "text"
        yield from (f"  › {text}" for text in one.actions)
        yield from (f"    {text}" for text in one.expectations)
    if unnamed := Counter(f'{one.role} "{one.name}"' if one.name else one.role for one in view.unnamed):
        yield "no sentence names: " + ", ".join(f"{what} ({count})" for what, count in unnamed.items())
    if view.left:
        yield f"{format_count(view.left, 'more element')}: use --limit or --part"
