"""`muster check`: checks cases without a fleet or a browser."""

import os
import sys
from pathlib import Path
from typing import Annotated

import click
from msgspec import Meta

from muster_authoring.case_check import MOST_SUBTASKS, Checked, Finding, check_paths
from muster_cli.app import print_json, tell
from muster_cli.case_jobs import parse_changes
from muster_cli.options import JSON, PATHS, example
from muster_protocol.errors import InvalidRequest
from muster_service.settings import BusSettings, load
from muster_views.outcome import PASSED, PRODUCT_FAILED
from muster_views.texts import format_count, strip_controls

FOUND = PRODUCT_FAILED
"""The exit code for problems."""


class _FleetLimits(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """What `muster run` here would tell the orchestrator of its fleet."""

    orchestrator_max_subtasks: Annotated[int, Meta(ge=1)] = MOST_SUBTASKS


@click.command(
    short_help="Check test cases without running them.",
    epilog=example(
        "muster check cases/",
        "muster check login.yaml --var base_url=http://127.0.0.1:8000",
        "muster check cases/ --model                  sentences that no phrase reads are for a model",
        "muster check cases/ --json | jq -r '.findings[].text'",
    ),
)
@PATHS
@click.option("--var", "variables", multiple=True, metavar="NAME=VALUE", help="Treat a variable as set; repeatable.")
@click.option(
    "--model", is_flag=True, help="A model will be used: sentences that no phrase reads are warnings, not errors."
)
@JSON
def check(*, paths: tuple[Path, ...], variables: tuple[str, ...], model: bool, as_json: bool) -> None:
    """Check test cases and your own sentences, without a fleet or a browser.

    Reads files and folders as `muster run` does, and prints a line for each problem, with file, line and column:
    what no phrase reads (with the closest ones), variables that nobody sets, secrets that are not listed, unknown keys,
    and more steps than a run may have (ORCHESTRATOR_MAX_SUBTASKS, unless the case has a limit of its own).

    Exit codes: 0 nothing is wrong; 1 there are problems; 2 bad input, such as a file that is not there.
    """
    known = parse_changes(variables, (), "", ()).variables
    most = load(_FleetLimits, os.environ).orchestrator_max_subtasks
    if missing := [path for path in paths if not path.exists()]:
        raise InvalidRequest([f"{path}: there is no such file or folder" for path in missing])
    checked = check_paths(paths, known, most)
    wrong = [one for one in checked.findings if not (model and one.kind == "unread")]
    if as_json:
        print_json({"cases": checked.cases, "problems": len(wrong), "findings": checked.findings})
    else:
        _print(checked, wrong)
    sys.exit(FOUND if wrong else PASSED)


def _print(checked: Checked, wrong: list[Finding]) -> None:
    for one in checked.findings:
        note = "" if one in wrong else "for a model: "
        place, text = str(one).removesuffix(one.text), one.text
        click.echo(strip_controls(f"{place}{note}{text}"))
    count = format_count(len(wrong), "problem") if wrong else "nothing wrong"
    tell(f"{format_count(checked.cases, 'case')}: {count}")
