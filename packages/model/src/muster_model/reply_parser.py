"""Reads what a model replied: tool calls, also those written as text, and the result it claims. Pure and total."""

import ast
import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Literal, NamedTuple, cast

from muster_model.chat_messages import Reply
from muster_model.textual_calls import WRITTEN
from muster_protocol.tool_calls import ArgumentValue


class Claimed(NamedTuple):
    """The result a model claims."""

    status: Literal["pass", "fail"]
    summary: str
    blocked: bool = False
    """The action itself could not be carried out."""


class Asked(NamedTuple):
    """One call that a reply asks for."""

    id: str
    """Id by which the API wants its result; empty: it was written as text."""
    tool: str
    arguments: dict[str, ArgumentValue]
    problem: str = ""
    """Why its arguments cannot be read."""


class Said(NamedTuple):
    """What a reply amounts to: calls, or a claimed result, or neither (a problem the model is told)."""

    calls: tuple[Asked, ...] = ()
    claim: Claimed | None = None
    problem: str = ""


_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", re.DOTALL)
_FUNCTION = re.compile(r"<function=([\w.-]+)>\s*(.*?)\s*(?:</function>|$)", re.DOTALL)
_WRITTEN = re.compile(r"^[ \t>*`-]*([a-z_]+)\((.*)\)[ \t`;]*$", re.MULTILINE)
_RESULT = re.compile(r"^[\W_]*RESULT[\W_]*:[\W_]*(PASS|FAIL)(?:ED)?\b", re.IGNORECASE | re.MULTILINE)
_SUMMARY = re.compile(r"^[\W_]*SUMMARY[\W_]*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)


def said(reply: Reply, known: Collection[str]) -> Said:
    """Return what a reply amounts to; `known` are the names of the tools there are."""
    if reply.calls:
        return Said(calls=tuple(_asked(call.id, call.function.name, call.function.arguments) for call in reply.calls))
    written = tuple(_written_calls(reply.text, known))
    if written:
        return Said(calls=written)
    claims = [match.group(1).lower() for match in _RESULT.finditer(reply.text)]
    if len(claims) == 1:
        summary = _SUMMARY.search(reply.text)
        text = summary.group(1).strip() if summary else reply.text.strip()[:300]
        return Said(claim=Claimed(cast("Literal['pass', 'fail']", claims[0]), text))
    if claims:
        return Said(problem="the reply claims more than one result; give exactly one")
    if reply.cut:
        return Said(problem="the reply was cut off because it was too long; call one tool")
    return Said(problem=f"the reply has neither a tool call nor a result. {WRITTEN}")


def _asked(id: str, tool: str, arguments: str) -> Asked:
    try:
        found = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        return Asked(id, tool, {}, f"the arguments are no JSON: {error}")
    if not isinstance(found, dict):
        return Asked(id, tool, {}, "the arguments must be a JSON object")
    return Asked(id, tool, _plain(cast("dict[Any, Any]", found)))


def _plain(arguments: dict[Any, Any]) -> dict[str, ArgumentValue]:
    """Return arguments as tools take them; what is nested deeper becomes its JSON text and is refused by the tool."""
    return {str(name): _value(value) for name, value in arguments.items()}


def _value(value: object) -> ArgumentValue:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value)):
        return cast("list[str]", value)
    return json.dumps(value)


def _written_calls(text: str, known: Collection[str]) -> Iterator[Asked]:
    """Yield calls that a model without tool calling wrote into its text, in the first form that it used."""
    forms = (_tagged(text), _functions(text), _objects(text), _lines(text))
    for form in forms:
        found = [call for call in form if call.tool in known]
        if found:
            yield from found
            return


def _tagged(text: str) -> Iterator[Asked]:
    for match in _TAGGED.finditer(text):
        yield from _objects(match.group(1))


def _functions(text: str) -> Iterator[Asked]:
    for match in _FUNCTION.finditer(text):
        yield _asked("", match.group(1), match.group(2))


def _objects(text: str) -> Iterator[Asked]:
    """Yield the JSON objects that name a tool and its arguments."""
    at = 0
    decoder = json.JSONDecoder()
    while (at := text.find("{", at)) >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        at = end
        call = _object(cast("dict[str, Any]", found))
        if call is not None:
            yield call


def _object(found: dict[str, Any]) -> Asked | None:
    inner = found.get("function")
    if isinstance(inner, dict):
        return _object(cast("dict[str, Any]", inner))
    name = found.get("name") or found.get("tool") or inner
    keys = (key for key in ("arguments", "parameters", "args", "input") if key in found)
    arguments: object = found.get(next(keys, ""), {})
    if not isinstance(name, str):
        return None
    if isinstance(arguments, str):
        return _asked("", name, arguments)
    return Asked("", name, _plain(cast("dict[Any, Any]", arguments))) if isinstance(arguments, dict) else None


def _lines(text: str) -> Iterator[Asked]:
    """Yield calls written as in Python, `click(element="Save")`, each on a line of its own."""
    for match in _WRITTEN.finditer(text):
        tool, inside = match.groups()
        if inside.strip().startswith("{"):
            yield _asked("", tool, inside)
            continue
        try:
            call = ast.parse(f"f({inside})", mode="eval").body
            words = call.keywords if isinstance(call, ast.Call) else []
            values = {word.arg: ast.literal_eval(word.value) for word in words if word.arg}
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        unnamed = not isinstance(call, ast.Call) or bool(call.args)
        yield Asked("", tool, _plain(values), "name each argument, as in tool(element=…)" if unnamed else "")
