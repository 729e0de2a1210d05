"""Reads the calls that a reply requests from JSON. Pure and total; an ambiguous or incomplete call is a problem."""

import ast
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from muster_protocol.codec import with_whole_characters
from muster_protocol.tool_calls import ArgumentValue

_NAMES = ("name", "tool", "tool_name", "function", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "params", "action_input")
_BESIDE = frozenset({"id", "type", "call_id", "thought", "reason", "reasoning"})
"""What may stand beside a call's name and arguments without being one."""
_SCHEMA = frozenset({"type", "description", "title", "default", "enum", "items", "anyOf"})
APART = 'put the arguments into an object of their own, as in {"name": …, "arguments": {…}}'


class Asked(NamedTuple):
    """One call that a reply asks for."""

    id: str
    """Id by which the API wants its result; empty: it was written as text."""
    tool: str
    arguments: dict[str, ArgumentValue]
    problem: str = ""
    """Why its arguments cannot be read."""


def named_object(tool: str, arguments: str, id: str = "") -> Asked:
    """Return a call whose arguments are JSON."""
    try:
        found = json.loads(arguments or "{}", object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        return Asked(id, tool, {}, f"the arguments are not JSON: {error}")
    if not isinstance(found, dict):
        return Asked(id, tool, {}, "the arguments must be a JSON object")
    return _made(tool, cast("dict[Any, Any]", found), id)


MOST_VAIN = 300
"""Braces of a text that may begin no object: each takes as long to try as the rest of the text is deep."""
TOO_MANY = f"more than {MOST_VAIN} of its braces begin no JSON object"


def asked_in_words(tool: str, pairs: Sequence[tuple[str, str]]) -> Asked:
    """Return a call whose arguments were written as texts; tools read numbers and yes or no in them."""
    if len({name for name, _ in pairs}) < len(pairs):
        return Asked("", tool, {}, "an argument is given twice")
    return Asked("", tool, dict(pairs))


def objects_in(text: str, known: Collection[str] | None) -> Iterator[Asked]:
    """Yield the calls among the JSON objects of a text: those of `known` tools, or that can be nothing but calls.

    None: the text is known to hold nothing but calls.
    """
    at, vain, decoder = 0, 0, json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refused)
    while (at := text.find("{", at)) >= 0:
        if vain > MOST_VAIN:
            yield Asked("", text[at : at + 40], {}, TOO_MANY)
            return
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            if known is None:
                yield _literal(text[at:]) or Asked("", text[at : at + 40], {}, f"the call is not JSON: {error}")
                return
            at, vain = at + 1, vain + 1
            continue
        at = end
        yield from _calls_of(cast("dict[str, Any]", found), known)


def _literal(text: str) -> Asked | None:
    """Return the call that a Python dictionary stands for, which some models write in place of JSON."""
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    calls = tuple(_calls_of(cast("dict[str, Any]", found), None)) if isinstance(found, dict) else ()
    return calls[0] if len(calls) == 1 else None


def _calls_of(found: Mapping[str, Any], known: Collection[str] | None) -> Iterator[Asked]:
    """Yield what an object asks for: one call, or those of a list as the API has it."""
    several = found.get("tool_calls")
    if isinstance(several, list):
        for item in cast("list[object]", several):
            if isinstance(item, dict):
                yield from _calls_of(cast("dict[str, Any]", item), known)
        return
    inner = found.get("function")
    if isinstance(inner, dict):
        yield from _calls_of(cast("dict[str, Any]", inner), known)
        return
    names = {str(found[key]) for key in _NAMES if isinstance(found.get(key), str)}
    given = [key for key in _ARGUMENTS if key in found]
    meant = known is None or bool(names & set(known))
    if not names or not (meant or given):
        return
    call = _call(min(names), found, given) if len(names) == 1 else _doubtful(names)
    if call is not None and (meant or call.tool in (known or ())):
        yield call


def _doubtful(names: Collection[str]) -> Asked:
    return Asked("", min(names), {}, f"a call names one tool, not {len(names)}: {', '.join(sorted(names))}")


def _call(tool: str, found: Mapping[str, Any], given: Sequence[str]) -> Asked | None:
    """Return a call by its name and arguments; None: it describes a tool, as the question does."""
    if not given:
        others = found.keys() - _BESIDE - set(_NAMES)
        return Asked("", tool, {}, APART if others else "")
    if len(given) > 1:
        return Asked("", tool, {}, f"the arguments are given twice, as {' and as '.join(given)}")
    arguments: object = found[given[0]]
    if isinstance(arguments, str):
        return named_object(tool, arguments)
    if not isinstance(arguments, dict):
        return Asked("", tool, {}, "the arguments must be a JSON object")
    if isinstance(cast("dict[str, Any]", arguments).get("properties"), dict):
        return None
    return _made(tool, cast("dict[Any, Any]", arguments), "")


def _made(tool: str, arguments: dict[Any, Any], id: str) -> Asked:
    described = next((str(name) for name, value in arguments.items() if _is_schema(value)), "")
    if described:
        return Asked(id, tool, {}, f"give a value for {described!r}, not what kind of value it is")
    return Asked(id, tool, plain(arguments))


def _is_schema(value: object) -> bool:
    return isinstance(value, dict) and "type" in value and cast("dict[str, Any]", value).keys() <= _SCHEMA


def plain(arguments: Mapping[Any, Any]) -> dict[str, ArgumentValue]:
    """Return arguments as tools take them; what is nested deeper becomes its JSON text, which few tools take."""
    return {with_whole_characters(str(name)): _value(value) for name, value in arguments.items()}


def _value(value: object) -> ArgumentValue:
    if isinstance(value, str):
        return with_whole_characters(value)
    if value is None or isinstance(value, int | float | bool):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value)):
        return [with_whole_characters(item) for item in cast("list[str]", value)]
    return json.dumps(value, default=str)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is given twice in one object")
    return found


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
