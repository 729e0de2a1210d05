"""Writes what an exploration leaves on disk: the map in several formats, and cases."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import yaml

from muster_cli.named_files import read_named, require_writable, write_named
from muster_exploration.case_writing import WrittenCase, coverage_cases, finding_case, goal_case
from muster_exploration.map_file import MapFile
from muster_exploration.map_formats import to_graphml, to_mermaid
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import TestCase

FORMATS = (".json", ".mmd", ".graphml")


def check_map_path(path: Path) -> None:
    """Find out before anything runs whether a map can be written there.

    Raises:
        InvalidRequest: it cannot, or its name says no known format.
    """
    if path.suffix not in FORMATS:
        raise InvalidRequest([f"--map {path}: its name must end with {', '.join(FORMATS[:-1])} or {FORMATS[-1]}"])
    require_writable(path, "--map")


def write_map(file: MapFile, path: Path) -> None:
    """Write a map in the format that the file's name says."""
    match path.suffix:
        case ".mmd":
            write_named(path, to_mermaid(file.map))
        case ".graphml":
            write_named(path, to_graphml(file.map))
        case _:
            write_named(path, msgspec.json.format(msgspec.json.encode(file), indent=1))


def read_map(path: Path) -> MapFile:
    """Return a map that was written as JSON.

    Raises:
        InvalidRequest: it cannot be read.
    """
    try:
        return msgspec.json.decode(read_named(path), type=MapFile)
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"{path} is no map: {error}"]) from error


def write_cases(file: MapFile, folder: Path) -> int:
    """Write cases into a folder, and return how many they are: of its findings, and of its goal or else its ways.

    Where a goal was looked for and not reached, no ways are written in its place.
    """
    goal = goal_case(file)
    found = (finding_case(file, number) for number in range(len(file.map.findings)))
    ways = () if file.job.goal else coverage_cases(file)
    cases = [*((goal,) if goal else ways), *(one for one in found if one)]
    app = _write_app(cases, folder)
    for written in cases:
        write_named(folder / f"{written.slug}.yaml", _text(written.case, app))
    return len(cases)


def _write_app(cases: Iterable[WrittenCase], folder: Path) -> str:
    """Write the app of a simulated device beside the cases, and return its name."""
    device = next((written.case.device for written in cases if written.case.device), None)
    if device is None or not device.definition:
        return ""
    name = Path(device.source).name or "app.yaml"
    write_named(folder / name, device.definition)
    return name


def _text(case: TestCase, app: str) -> str:
    """Return a case as a YAML file."""
    steps = [{"action": step.action} | ({"expected": step.expected} if step.expected else {}) for step in case.steps]
    head: dict[str, object] = {"name": case.name, "tags": list(case.tags)}
    head |= {"app": app} if app else {}
    head |= {"faults": list(case.device.faults)} if app and case.device and case.device.faults else {}
    head |= {"phone": case.device.name} if case.device and case.device.name else {}
    head |= {key: list(value) for key, value in (("secrets", case.secrets), ("domains", case.domains)) if value}
    return yaml.safe_dump(head | {"steps": steps}, sort_keys=False, allow_unicode=True, width=100_000)
