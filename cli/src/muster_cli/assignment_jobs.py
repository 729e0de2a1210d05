"""Builds assignments from a command line or a file. Pure."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import msgspec

from muster_cases.case_loader import LoadedCase
from muster_cli.case_jobs import Job
from muster_cli.named_files import read_named
from muster_protocol.errors import InvalidRequest
from muster_protocol.ids import new_id
from muster_protocol.requests import Assignment, RunRequest
from muster_text.request_rules import find_problems, named_by_goal
from muster_yaml.bounded_yaml import YamlFault, load


def assignment_job(assignment: Assignment, number: int = 0) -> Job:
    """Return the job of an assignment, named after its goal, with a fresh run id.

    Raises:
        InvalidRequest: it cannot be run.
    """
    request = RunRequest(job=named_by_goal(assignment), id=new_id("run"))
    if problems := find_problems(request):
        raise InvalidRequest([f"{_place(number)}{problem}" for problem in problems])
    label = f"{assignment.agent}#{number}" if number else assignment.agent
    return Job(label, LoadedCase(request, source="", line=0))


def read_assignments(file: Path) -> list[Job]:
    """Return the jobs of a YAML or JSON list of assignments; `task` is another word for `goal`.

    Raises:
        InvalidRequest: the file cannot be read or is no such list; names the number of the assignment.
    """
    try:
        found: Any = load(read_named(file))
    except YamlFault as error:
        raise InvalidRequest([f"{file}: {error}"]) from error
    if not isinstance(found, list) or not found:
        raise InvalidRequest([f'{file}: expected a list of assignments, such as\n- agent: researcher\n  task: "…"'])
    return [assignment_job(_assignment(it, number), number) for number, it in enumerate(cast("list[Any]", found), 1)]


def _assignment(written: Any, number: int) -> Assignment:  # noqa: ANN401 - as it was written
    given = dict(cast("dict[str, Any]", written)) if isinstance(written, dict) else written
    if isinstance(given, dict) and "task" in given and "goal" not in given:
        given["goal"] = given.pop("task")
    try:
        return msgspec.convert(given, Assignment)
    except msgspec.ValidationError as error:
        raise InvalidRequest([f"{_place(number)}{error}"]) from error


def read_schema(path: Path | None) -> dict[str, Any]:
    """Return the JSON Schema of a file; without a file, an empty one.

    Raises:
        InvalidRequest: it cannot be read, or is no JSON object.
    """
    if path is None:
        return {}
    try:
        found = json.loads(read_named(path, "--schema"))
    except ValueError as error:
        raise InvalidRequest([f"--schema {path}: {error}"]) from error
    if not isinstance(found, dict):
        raise InvalidRequest([f"--schema {path}: a JSON Schema is an object"])
    return cast("dict[str, Any]", found)


def read_inputs(given: Iterable[str]) -> dict[str, str]:
    """Return the inputs that options `NAME=TEXT` and `NAME=@FILE` hold.

    Raises:
        InvalidRequest: one is none of both, or its file cannot be read.
    """
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InvalidRequest([f"--input {text}: write NAME=TEXT or NAME=@FILE"])
        found[name] = read_named(Path(value[1:]), f"--input {name}") if value.startswith("@") else value
    return found


def _place(number: int) -> str:
    return f"assignment {number}: " if number else ""
