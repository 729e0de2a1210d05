"""`muster import`: cases from tests of other tools."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from muster_authoring.imported_case import ImportedCase
from muster_authoring.journeys import read_journey
from muster_authoring.maestro_flows import read_flow
from muster_cli.app import tell
from muster_cli.named_files import read_named, write_unlike
from muster_cli.options import example
from muster_protocol.errors import InvalidRequest
from muster_views.outcome import PASSED, PRODUCT_FAILED
from muster_views.texts import strip_controls

_FORMS = {".xml": read_journey, ".yaml": read_flow, ".yml": read_flow}
LEFT = PRODUCT_FAILED
"""The exit code where something was not taken over."""


@click.command(
    "import",
    short_help="Make cases from Maestro flows and Android Studio journeys.",
    epilog=example("muster import login.yaml --output cases/", "muster import checkout.journey.xml > checkout.yaml"),
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write to this folder; default: print it.",
)
def import_cases(*, paths: tuple[Path, ...], output: Path | None) -> None:
    """Convert Maestro flows (.yaml) and Android Studio journeys (.xml) to cases.

    Commands that no sentence expresses are printed with their lines, and the case gets a step in their place that does
    not pass. Name the phone with `phone: NAME` in the case, and check it with `muster check`.

    Exit codes: 0 everything was imported; 1 something was left out; 2 bad input.
    """
    made = _read_all(paths, output)
    _write(made, output)
    for path, case in made:
        for left in case.left:
            tell(strip_controls(f"{path}:{left.line}: not imported: {left.what}: {left.why}"))
    sys.exit(LEFT if any(case.left for _, case in made) else PASSED)


def _read_all(paths: tuple[Path, ...], output: Path | None) -> list[tuple[Path, ImportedCase]]:
    if output is None and len(paths) != 1:
        raise InvalidRequest([f"these are {len(paths)} files: name a folder with --output"])
    return [(path, _read(path)) for path in paths]


def _read(path: Path) -> ImportedCase:
    read = _FORMS.get(path.suffix.lower())
    if read is None:
        raise InvalidRequest([f"{path}: only Maestro flows (.yaml) and journeys of Android Studio (.xml) are read"])
    text = read_named(path, encoding="utf-8-sig")
    try:
        return read(text, path.name.partition(".")[0])
    except InvalidRequest as error:
        raise InvalidRequest([f"{path}: {error}"]) from error


def _write(made: Sequence[tuple[Path, ImportedCase]], output: Path | None) -> None:
    if output is None:
        click.echo(made[0][1].text(), nl=False)
        return
    files: dict[Path, str] = {}
    for path, case in made:
        file = output / f"{path.name.partition('.')[0]}.yaml"
        if file in files:
            raise InvalidRequest([f"{path}: another file becomes {file}, too; import it into a folder of its own"])
        files[file] = case.text()
    write_unlike(files, "is there already and differs; remove it, or name another folder")
