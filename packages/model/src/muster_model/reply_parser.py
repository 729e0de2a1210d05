"""Reads what a model replied: tool calls, also those written as text, and the result it claims. Pure and total.

A server that does not support tool calls has its tools described in the prompt, and its calls written as text.
What can be understood in two ways is refused with a reason that the model is told; nothing is guessed.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any, Literal, NamedTuple, cast

from muster_model.asked_calls import Asked, named_object
from muster_model.chat_messages import Reply
from muster_model.spoken_text import spoken
from muster_model.written_calls import written_calls

_MARKS = r"(?:[^\w\n]|_)*+"
"""What models decorate words with; possessive, as replies may be long."""
_TO_COLON = r"(?:[^\w\n:]|_)*+"
_RESULT = re.compile(
    rf"^{_MARKS}RESULT{_TO_COLON}:{_MARKS}(?P<status>PASS|FAIL)(?:ED)?\b(?P<rest>.*)$", re.IGNORECASE | re.MULTILINE
)
_SUMMARY = re.compile(rf"^{_MARKS}SUMMARY{_TO_COLON}:[ \t]*+(.+)$", re.IGNORECASE | re.MULTILINE)
_EITHER = re.compile(r"\b(?:PASS|FAIL)(?:ED)?\b|\bif\b", re.IGNORECASE)
"""Words behind a result that make it a question of which: `RESULT: PASS or RESULT: FAIL`, as the model was told."""
MADE_UP = "the reply makes up what a tool returned; call the tool, and wait for its result"
WRITTEN = (
    'Call a tool, or finish. Without tool calling, write one line per call, tool(name="value"), and at the end '
    "RESULT: PASS or RESULT: FAIL, and SUMMARY: one sentence."
)
"""Instructions for a model without the API's tool calls."""


class Claimed(NamedTuple):
    """The result a model claims."""

    status: Literal["pass", "fail"]
    summary: str
    blocked: bool = False
    """The action itself could not be carried out."""


class Said(NamedTuple):
    """What a reply amounts to: calls, or a claimed result, or neither (a problem the model is told)."""

    calls: tuple[Asked, ...] = ()
    claim: Claimed | None = None
    problem: str = ""


def said(reply: Reply, known: Collection[str]) -> Said:
    """Return what a reply amounts to; `known` are the names of the tools there are."""
    if reply.calls:
        return Said(
            calls=tuple(named_object(call.function.name, call.function.arguments, call.id) for call in reply.calls)
        )
    text, made_up = spoken(reply.text)
    written, unclear = written_calls(text, known)
    if written or unclear:
        return Said(calls=written, problem=unclear)
    claims = list(_RESULT.finditer(text))
    if len(claims) == 1 and not _EITHER.search(claims[0]["rest"]):
        summary = _SUMMARY.search(text)
        told = summary.group(1).strip() if summary else text.strip()[:300]
        return Said(claim=Claimed(cast("Literal['pass', 'fail']", claims[0]["status"].lower()), told))
    return Said(problem=_problem(reply, claimed=bool(claims), made_up=made_up))


def _problem(reply: Reply, *, claimed: bool, made_up: bool) -> str:
    if claimed:
        return "the reply claims more than one result; give exactly one"
    if made_up:
        return MADE_UP
    if reply.withheld:
        return "the content filter of the model's server keeps the reply back; word it differently, and call one tool"
    if reply.cut:
        return "the reply was cut off because it was too long; call one tool"
    return f"the reply has neither a tool call nor a result. {WRITTEN}"


def describe_tools(messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return messages in the API's format, with the tools described in the first one, the system message."""
    first, *rest = messages
    listed = "\n".join(_describe_tool(tool["function"]) for tool in tools)
    return [{**first, "content": f"{first['content']}\n\n# Tools\n{listed}\n{WRITTEN}"}, *rest]


def _describe_tool(function: dict[str, Any]) -> str:
    parameters = function["parameters"]
    needed = parameters.get("required", ())
    names = [name if name in needed else f"{name}?" for name in parameters.get("properties", ())]
    return f"- {function['name']}({', '.join(names)}) {function.get('description', '')}".rstrip()
