"""The call that ends an assignment: its claim and its output. Pure."""

import json
from typing import Annotated, Any, Literal, NamedTuple, cast

import msgspec

from muster_model.asked_calls import Asked
from muster_protocol.assignments import Found
from muster_protocol.tool_calls import ArgumentValue, ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.end import finish
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import NOTHING, Argument

MOST_FINDINGS = 100
LARGEST_OUTPUT = 100_000
"""Characters of an output as JSON."""


@tool(name=finish.name, effect="read", group="end", needs=NOTHING, page=False, brief="")
async def finish_assignment(
    _ctx: ToolContext,
    status: Annotated[Literal["done", "failed"], Argument.OPTION],
    summary: Annotated[str, Argument.OPTION],
    findings: Annotated[
        str,
        msgspec.Meta(description='JSON: [{"text": "…", "file": "…", "line": 1}, {"text": "…", "quote": "…"}]'),
        Argument.OPTION,
    ] = "",
    output: Annotated[str, msgspec.Meta(description="JSON of the form that is wanted"), Argument.OPTION] = "",
) -> ToolOutcome:
    """End the assignment."""
    return ToolOutcome(status="ok", text=f"{status}: {summary} {findings} {output}")


class Delivered(NamedTuple):
    """What an agent hands in."""

    done: bool
    summary: str
    findings: tuple[Found, ...] = ()
    output: Any = None


def read_delivery(asked: Asked) -> Delivered | str:
    """Return what a call hands in, or what is wrong with it."""
    status, summary = asked.arguments.get("status"), str(asked.arguments.get("summary") or "").strip()
    if asked.problem or status not in ("done", "failed"):
        return asked.problem or "status must be done or failed"
    if not summary:
        return "summary must say in a few sentences what was done or found"
    findings = _findings(asked.arguments.get("findings"))
    if isinstance(findings, str):
        return findings
    output = read_output(asked.arguments.get("output"))
    if len(json.dumps(output, default=str)) > LARGEST_OUTPUT:
        return f"the output has more than {LARGEST_OUTPUT} characters: give less"
    return Delivered(status == "done", summary, findings, output)


def _findings(given: ArgumentValue) -> tuple[Found, ...] | str:
    if given in (None, "", []):
        return ()
    try:
        raw: Any = msgspec.json.decode(given) if isinstance(given, str) else given
        listed = cast("list[Any]", raw if isinstance(raw, list) else [raw])
        found = tuple(msgspec.convert({"text": it} if isinstance(it, str) else it, Found) for it in listed)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        return f"findings cannot be read: {error}"
    return found if len(found) <= MOST_FINDINGS else f"there may be {MOST_FINDINGS} findings, not {len(found)}"


def read_output(given: ArgumentValue) -> Any:  # noqa: ANN401 - JSON
    """Return the output that an argument holds: the value of its JSON, else the text itself; None: none."""
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given) if given.strip() else None
    except (ValueError, RecursionError):
        return given
