"""Which events a trigger waits for, and what its runs take from one. Pure."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgspec
from msgspec.structs import replace

from muster_protocol.cloud_events import CloudEvent, EventField, EventFilter
from muster_protocol.codec import read_number
from muster_protocol.errors import InvalidRequest
from muster_protocol.repeated_keys import describe_repeated_keys
from muster_protocol.requests import Assignment, RunRequest, TestCase
from muster_protocol.triggers import Fire, Trigger
from muster_text.text_match import both_ends

LONGEST_VALUE = 500
"""Characters of a value that a run takes from an event."""
LONGEST_PATTERN = 300
LONGEST_EVENT = 8_000
"""Characters of an event that an agent is told."""
BATCH = "application/cloudevents-batch+json"
"""Content types of an event with its attributes in the body, and of several."""
T = TypeVar("T")
NO_EVENT = "this is no CloudEvent 1.0 in JSON"
_TOKENS = re.compile(r"\*\*|\*|.", re.DOTALL)
_WORD = re.compile(r"[\w.-]", re.ASCII)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def read_event(data: bytes, headers: Mapping[str, str]) -> CloudEvent:
    """Return the event in a message: its attributes are in the headers as `ce-…`, or in the JSON beside its data.

    Raises:
        InvalidRequest: it is no CloudEvent.
    """
    attributes = {name.lower()[3:]: value for name, value in headers.items() if name.lower().startswith("ce-")}
    if "specversion" not in attributes:
        return decode_sent(data, CloudEvent, NO_EVENT)
    try:
        return msgspec.convert({**attributes, "data": _read_data(data, headers)}, CloudEvent)
    except (msgspec.ValidationError, UnicodeDecodeError) as error:
        raise InvalidRequest([f"{NO_EVENT}: {error}"]) from error


def decode_sent(data: bytes, form: type[T], wrong: str) -> T:
    """Return the value in JSON that somebody has sent.

    Raises:
        InvalidRequest: it is not of this form, or has a key twice, of which others may read another one; the reason
            begins with `wrong`.
    """
    try:
        sent = msgspec.json.decode(data, type=form)
        repeated = describe_repeated_keys(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidRequest([f"{wrong}: {error}"]) from error
    except RecursionError as error:
        raise InvalidRequest([f"{wrong}: it is nested too deeply"]) from error
    if repeated:
        raise InvalidRequest([f"{wrong}: {repeated}"])
    return sent


def _read_data(data: bytes, headers: Mapping[str, str]) -> object:
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "application/json")
    if not data:
        return None
    return decode_sent(data, object, NO_EVENT) if "json" in kind else data.decode()


def matches(wanted: EventFilter, event: CloudEvent) -> bool:
    """Return whether an event is meant."""
    if not (is_like(wanted.type, event.type) and is_like(wanted.source, event.source)):
        return False
    found = {path: read_field(event, path) for path in wanted.where}
    return all(value is not None and is_like(wanted.where[path], value) for path, value in found.items())


def is_like(pattern: str, text: str) -> bool:
    """Return whether a text has the form of a pattern; its time grows with the product of their lengths."""
    tokens = _TOKENS.findall(pattern)
    open_at = _skip_stars(tokens, {0})
    for character in text:
        further: set[int] = set()
        for at in open_at:
            token = tokens[at] if at < len(tokens) else ""
            if token == "**" or (token == "*" and _WORD.match(character)):
                further.add(at)
            elif token == character:
                further.add(at + 1)
        open_at = _skip_stars(tokens, further)
    return len(tokens) in open_at


def _skip_stars(tokens: list[str], places: set[int]) -> set[int]:
    """Return the places, and those behind the stars there: a star may stand for nothing."""
    found, new = set(places), set(places)
    while new:
        new = {at + 1 for at in new if at < len(tokens) and tokens[at] in ("*", "**")} - found
        found |= new
    return found


def read_field(event: CloudEvent, path: str) -> str | None:
    """Return a field of an event as text; None if it is missing or no text, number, true or false."""
    first, *rest = path.split(".")
    value: Any = getattr(event, first) if first in CloudEvent.__struct_fields__ else None
    for name in rest:
        if isinstance(value, dict):
            value = cast("dict[str, Any]", value).get(name)
        elif isinstance(value, list) and name.isdecimal() and read_number(name) < len(cast("list[Any]", value)):
            value = cast("list[Any]", value)[read_number(name)]
        else:
            return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None


def take_values(fields: Mapping[str, EventField], event: CloudEvent) -> dict[str, str]:
    """Return the variables that runs take from an event.

    Raises:
        InvalidRequest: one is missing, or is not allowed.
    """
    values = {name: read_field(event, field.field) for name, field in fields.items()}
    problems = [why for name, field in fields.items() if (why := _find_refusal(name, field, values[name]))]
    if problems:
        raise InvalidRequest(problems)
    return {name: value for name, value in values.items() if value is not None}


def _find_refusal(name: str, field: EventField, value: str | None) -> str:
    if value is None:
        return f"{name}: the event has no text or number at {field.field}"
    if len(value) > LONGEST_VALUE or _CONTROLS.search(value):
        return f"{name}: the value at {field.field} has more than {LONGEST_VALUE} characters or more than one line"
    if not any(is_like(pattern, value) for pattern in field.allow):
        return f"{name}: {value[:80]!r} at {field.field} is not allowed ({', '.join(field.allow)})"
    return ""


def tell_event(event: CloudEvent) -> str:
    """Return an event as an agent is told of it: one line of JSON without its middle, which cannot pass for more."""
    return both_ends(_CONTROLS.sub(" ", msgspec.json.encode(event).decode()), LONGEST_EVENT)


def fill_runs(trigger: Trigger, fire: Fire) -> tuple[RunRequest, ...]:
    """Return a trigger's runs for one fire: cases with values of the event as variables, agents with what was told."""
    return tuple(_fill(run, fire) for run in trigger.runs)


def _fill(run: RunRequest, fire: Fire) -> RunRequest:
    match run.job:
        case TestCase() as case if fire.values:
            return replace(run, job=replace(case, variables={**case.variables, **fire.values}))
        case Assignment() as work if work.role:
            return replace(run, job=replace(work, event=fire.told, notes_on=fire.about))
        case _:
            return run


def find_event_problems(trigger: Trigger) -> list[str]:
    """Return why a trigger cannot wait for its events; empty if it can."""
    if trigger.event is None:
        return ["from_event: it needs `event`"] if trigger.from_event else []
    where = trigger.event.where
    patterns = [trigger.event.type, trigger.event.source, *where.values()]
    patterns += [pattern for field in trigger.from_event.values() for pattern in field.allow]
    problems = [] if trigger.event.type else ["event: type is empty; write one such as deployment.done, or **"]
    problems += [
        f"event: {it[:40]!r}… is longer than {LONGEST_PATTERN}" for it in patterns if len(it) > LONGEST_PATTERN
    ]
    paths = {f"event: where: {path}": path for path in where}
    paths |= {f"from_event: {name}": field.field for name, field in trigger.from_event.items()}
    known = CloudEvent.__struct_fields__
    problems += [
        f"{place}: {path!r} is not a field of an event; a field begins with {', '.join(known)}, such as data.release"
        for place, path in paths.items()
        if path.split(".")[0] not in known
    ]
    if trigger.from_event and not all(isinstance(run.job, TestCase) for run in trigger.runs):
        problems.append("from_event: only test cases take variables")
    return problems
