"""Trigger files: a schedule or an event, and the cases it runs."""

from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct

from muster_authoring.own_cases import load_cases
from muster_cases.case_loader import CaseError
from muster_cli.case_jobs import Changes, check_variables, make_jobs
from muster_cli.named_files import read_named
from muster_client.trigger_store import find_trigger_problems
from muster_client.watch_requests import build_watch
from muster_protocol.cloud_events import EventField, EventFilter
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Priority, RunRequest
from muster_protocol.triggers import Overlap, Schedule, Trigger
from muster_protocol.unknown_keys import describe_unknown
from muster_yaml.bounded_yaml import YamlFault, load

LONGEST_FILE = 100_000
"""Bytes."""


class TriggerFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person writes; paths are relative to the file."""

    id: str
    schedule: Schedule | None = None
    event: EventFilter | None = None
    from_event: dict[str, str | EventField] = {}
    """A text is the field; its value must be one word."""
    cooldown_seconds: float = 0.0
    cases: tuple[str, ...] = ()
    do: str = ""
    """Id of an agent that looks at the event or time in place of cases."""
    goal: str = ""
    """What it is to find out; empty: what the event is worth, or whether all is right."""
    may_start: tuple[str, ...] = ()
    """Ids of the stored cases that it may start."""
    webhook: str = ""
    """Where the verdict of each run is posted as well."""
    description: str = ""
    tags: tuple[str, ...] = ()
    """Only cases with one of these tags."""
    variables: dict[str, str] = {}
    suite: str = ""
    labels: dict[str, str] = {}
    priority: Priority | None = None
    overlap: Overlap | None = None
    """None: `skip`; for an agent that waits for events `allow`, so that none is passed over."""
    catch_up_seconds: float = 600.0


def read_trigger(path: Path) -> Trigger:
    """Return the trigger in a file, with its cases.

    Raises:
        InvalidRequest: the file or a case cannot be used; each reason names its place.
    """
    written = _decode(path)
    requests = [_watch(path, written)] if written.do else _case_requests(path, written)
    changed = {"id": "", "webhook": written.webhook} | ({"priority": written.priority} if written.priority else {})
    overlap: Overlap = "allow" if written.do and written.event else "skip"
    trigger = Trigger(
        id=written.id,
        schedule=written.schedule,
        event=written.event,
        from_event={name: _as_field(value) for name, value in written.from_event.items()},
        cooldown_seconds=written.cooldown_seconds,
        runs=tuple(msgspec.structs.replace(request, **changed) for request in requests),
        description=written.description,
        overlap=written.overlap or overlap,
        catch_up_seconds=written.catch_up_seconds,
    )
    if problems := find_trigger_problems(trigger):
        raise InvalidRequest([f"{path}: {problem}" for problem in problems])
    return trigger


def _watch(path: Path, written: TriggerFile) -> RunRequest:
    of_cases = {"cases": written.cases, "tags": written.tags, "variables": written.variables}
    if set_too := [name for name, value in of_cases.items() if value]:
        raise InvalidRequest([f"{path}: {', '.join(set_too)}: not beside `do`; its stored cases are `may_start`"])
    made = build_watch(written.id, written.do, written.event, goal=written.goal, may_start=written.may_start)
    return msgspec.structs.replace(made, suite=written.suite, labels=written.labels)


def _case_requests(path: Path, written: TriggerFile) -> list[RunRequest]:
    if written.goal or written.may_start:
        raise InvalidRequest([f"{path}: goal, may_start: only beside `do`, the agent that looks at the event"])
    paths = [path.parent / case for case in written.cases]
    if missing := [str(case) for case in paths if not case.exists()]:
        raise InvalidRequest([f"{path}: cases: {it} does not exist" for it in missing])
    try:
        changes = Changes(written.variables, written.tags, written.suite, written.labels)
        cases = load_cases(paths)
        check_variables(cases, written.from_event, "from_event: ")
        requests = [job.case.request for job in make_jobs(cases, changes)]
    except CaseError as error:
        raise InvalidRequest(list(error.reasons)) from error
    return requests


def _as_field(written: str | EventField) -> EventField:
    return EventField(field=written) if isinstance(written, str) else written


def _decode(path: Path) -> TriggerFile:
    text = read_named(path)
    try:
        if len(text) > LONGEST_FILE:
            raise InvalidRequest([f"{path}: it has more than {LONGEST_FILE:,} characters"])
        value = load(text)
    except YamlFault as error:
        raise InvalidRequest([f"{path}: {error}"]) from error
    if not isinstance(value, dict):
        raise InvalidRequest(
            [f"{path}: a trigger has the keys id, schedule or event, and cases or do; docs/triggers.md has an example"]
        )
    try:
        return msgspec.convert(value, TriggerFile)
    except msgspec.ValidationError as error:
        why = describe_unknown(cast("object", value), TriggerFile) or str(error)
        raise InvalidRequest([f"{path}: {why.replace('$.', '')}"]) from error
