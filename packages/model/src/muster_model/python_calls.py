"""Calls written as in Python: `click(element="Save")`, alone, in a list, or printed. Pure and total."""

import ast
import json
import re
from collections.abc import Collection, Iterator
from typing import cast

from muster_model.asked_calls import Asked, named_object, plain

_LINE = re.compile(
    r"^[ \t>*`-]*+(?P<call>(?:\[\s*+)?(?:print\(\s*+)?(?:(?:default_api|functions|tools)\.)?(?P<name>[a-z_]+)"
    r"(?:\.call)?\()",
    re.MULTILINE,
)
_ENDING = re.compile(r"[ \t`;]*(?:\n|\Z)")
_MOST_ENDS = 200
"""Closing brackets that are tried as the end of a call."""
_CONSTANTS: dict[str, object] = {"true": True, "false": False, "null": None}
UNNAMED = "name each argument, as in tool(element=…)"
PROGRAM = "a program is not a call; write each call on its own line"
UNQUOTED = 'write the arguments as values, texts in quotes, as in tool(element="Save")'


def calls_on_lines(text: str, known: Collection[str]) -> Iterator[Asked]:
    """Yield the calls of known tools that begin a line and have it to themselves."""
    end = 0
    for match in _LINE.finditer(text):
        if match.start() < end or match["name"] not in known:
            continue
        calls, end = _from(text, match.start("call"), match["name"])
        yield from calls


def calls_in_program(text: str) -> tuple[Asked, ...]:
    """Return the calls of a program that is nothing but calls; a program that does more is a call with a problem."""
    statements = text.strip().strip("`").strip()
    if not re.match(r"[\[\w]", statements) or "(" not in statements:
        return ()
    try:
        parsed = ast.parse(statements)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    said = [_asked(call) for node in parsed.body for call in _calls(node.value if isinstance(node, ast.Expr) else node)]
    found = tuple(call for call in said if call is not None)
    return found if found and len(found) == len(said) else (Asked("", "", {}, PROGRAM),)


def _from(text: str, start: int, name: str) -> tuple[tuple[Asked, ...], int]:
    """Return the calls that begin at a place, and where they end; a call that cannot be read has a problem."""
    at, tries = start, 0
    while (at := min((it for it in (text.find(")", at), text.find("]", at)) if it >= 0), default=-1)) >= 0:
        at, tries = at + 1, tries + 1
        if _ENDING.match(text, at) and (calls := calls_in_program(text[start:at])):
            return calls, at
        if tries > _MOST_ENDS:
            break
    line = text.find("\n", start)
    closed = ")" in text[start : line if line >= 0 else len(text)]
    return ((Asked("", name, {}, UNQUOTED),) if closed else ()), start + 1


def _calls(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the calls of an expression: it is one, prints one, or is a list of them."""
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for item in items:
                yield from _calls(item)
        case ast.Call(func=ast.Name(id="print"), args=[inner], keywords=[]):
            yield from _calls(inner)
        case _:
            yield node


def _asked(node: ast.AST) -> Asked | None:
    if not isinstance(node, ast.Call) or not (tool := _name(node.func)):
        return None
    if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.Dict):
        return _from_dictionary(tool, node.args[0])
    if node.args or any(word.arg is None for word in node.keywords):
        return Asked("", tool, {}, UNNAMED)
    try:
        return Asked("", tool, plain({word.arg: _literal(word.value) for word in node.keywords}))
    except (ValueError, TypeError, RecursionError, MemoryError):
        return Asked("", tool, {}, UNQUOTED)


def _from_dictionary(tool: str, given: ast.Dict) -> Asked:
    try:
        return named_object(tool, json.dumps(_literal(given)))
    except (ValueError, TypeError, RecursionError, MemoryError):
        return Asked("", tool, {}, UNQUOTED)


def _literal(node: ast.expr) -> object:
    """Return a value, as Python or JSON has it.

    Raises:
        ValueError, TypeError: it is none, or says one thing twice.
    """
    match node:
        case ast.Name(id="true" | "false" | "null" as name):
            return _CONSTANTS[name]
        case ast.Dict(keys=keys, values=values):
            found = {ast.literal_eval(key): _literal(value) for key, value in zip(keys, values, strict=True) if key}
            if len(found) < len(keys):
                raise ValueError("a name is given twice")
            return found
        case ast.List(elts=items):
            return [_literal(item) for item in items]
        case _:
            return cast("object", ast.literal_eval(node))


def _name(node: ast.expr) -> str:
    """Return the tool that is called: `click`, `default_api.click` or `click.call`."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="default_api" | "functions" | "tools"), attr=name):
            return name
        case ast.Attribute(value=ast.Name(id=name), attr="call"):
            return name
        case _:
            return ""
