"""`muster export`: writes cases as Playwright tests that run without Muster."""

import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, get_args

import click

from muster_authoring.exporting.case_script import script_of
from muster_authoring.exporting.framed_locators import in_frames
from muster_authoring.exporting.script_files import Format, file_name, file_of
from muster_authoring.exporting.script_parts import Unsaid
from muster_authoring.own_cases import load_cases
from muster_cli.app import tell
from muster_cli.named_files import write_named
from muster_cli.options import PATHS, example
from muster_cli.recording_files import read_folder
from muster_protocol.errors import InvalidRequest
from muster_protocol.step_recordings import StepRecording
from muster_views.outcome import PASSED, PRODUCT_FAILED
from muster_views.texts import format_count, strip_controls

LEFT = PRODUCT_FAILED
"""The exit code where something is left to write."""


class Exported(NamedTuple):
    """The file that the cases of one source become, and what is not in it."""

    source: str
    name: str
    text: str
    unsaid: tuple[Unsaid, ...]


@click.command(
    short_help="Write test cases as Playwright tests.",
    epilog=example(
        "muster export login.yaml --to pytest > test_login.py",
        "muster export cases/ --to playwright-ts --output e2e/",
        "muster export cases/ --to pytest --output tests/ --recordings cases/recordings",
        "muster export checkout.yaml --to pytest --frames > test_checkout.py",
    ),
)
@PATHS
@click.option(
    "--to",
    "form",
    type=click.Choice(get_args(Format)),
    required=True,
    help="playwright-py: a Python script; pytest: Python tests; playwright-ts: TypeScript for Playwright Test.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a file for each file of cases into this folder; default: print the one file.",
)
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="The folder that `muster run --recordings DIR` keeps: what it holds stands for steps that no phrase reads.",
)
@click.option("--frames", is_flag=True, help="Look for elements in frames as well, the page first.")
def export(
    *, paths: tuple[Path, ...], form: Format, output: Path | None, recordings: Path | None, frames: bool
) -> None:
    """Write test cases as Playwright tests that need neither Muster nor a model.

    Sentences become locators and expectations as phrases read them; steps that no phrase reads come from recordings.
    Variables and secrets are read from the environment: base_url from VAR_BASE_URL, the secret PIN from SECRET_PIN.

    Parts of a case that a script cannot express are printed with their lines, and the test raises an error at that
    place, so that it never passes without them.

    Exit codes: 0 everything was exported; 1 something is left to write by hand; 2 bad input.
    """
    made = exported(paths, form, recordings, frames=frames)
    if output is None and len(made) != 1:
        raise InvalidRequest([f"these are {len(made)} files: name a folder with --output"])
    _write(made, output)
    left = [(one.source, unsaid) for one in made for unsaid in one.unsaid]
    for source, unsaid in dict.fromkeys(left):
        tell(strip_controls(f"{source}:{unsaid.line}: not exported: {unsaid.what}: {unsaid.why}"))
    sys.exit(LEFT if left else PASSED)


def exported(
    paths: Sequence[Path], form: Format, recordings: Path | None = None, *, frames: bool = False
) -> list[Exported]:
    """Return the files that cases become; with `frames` they look for elements in frames as well.

    Raises:
        MusterError: cases or recordings cannot be read.
    """
    if missing := [path for path in paths if not path.exists()]:
        raise InvalidRequest([f"{path}: there is no such file or folder" for path in missing])
    rows = read_folder(recordings) if recordings else []
    known: list[StepRecording] = [row.step for row in rows if row.step]
    made: list[Exported] = []
    for source, cases in groupby(load_cases(paths), key=lambda case: case.source):
        plain = [script_of(case, known) for case in cases]
        scripts = [in_frames(script) for script in plain] if frames else plain
        unsaid = tuple(one for script in scripts for one in script.unsaid)
        name = file_name(Path(source).stem, form)
        made.append(Exported(source, name, file_of(scripts, Path(source).name, form), unsaid))
    if not made:
        raise InvalidRequest(["there are no cases in these files"])
    sources: dict[str, list[str]] = {}
    for one in made:
        sources.setdefault(one.name, []).append(one.source)
    if twice := {name: those for name, those in sources.items() if len(those) > 1}:
        told = (
            f"{' and '.join(those)} would all become {name}: export them one by one" for name, those in twice.items()
        )
        raise InvalidRequest(list(told))
    return made


def _write(made: Sequence[Exported], output: Path | None) -> None:
    if output is None:
        click.echo(made[0].text, nl=False)
        return
    for one in made:
        write_named(output / one.name, one.text)
    tell(f"wrote {format_count(len(made), 'file')} into {output}")
