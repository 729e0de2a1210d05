"""Where names of a program are defined, and which of them are described: Python by its syntax, others by patterns."""

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from muster_sessionhost.workspace_tools.checkout import (
    Answer,
    Checkout,
    Refused,
    listed,
    searched,
    text_of,
)

_WORD = r"[A-Za-z_$][\w$]*"
_BRACES = (
    rf"^\s*(?:export\s+)?(?:default\s+)?(?:public|private|protected|internal|static|abstract|final|sealed|\s)*"
    rf"(?P<kind>class|interface|enum|trait|struct|record|namespace|type)\s+(?P<name>{_WORD})"
)
_SCRIPT = (
    _BRACES,
    rf"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?P<kind>function)\s*\*?\s*(?P<name>{_WORD})",
    rf"^\s*(?:export\s+)?(?P<kind>const|let|var)\s+(?P<name>{_WORD})\s*=",
)
_C = (
    _BRACES,
    rf"^\s*#\s*(?P<kind>define)\s+(?P<name>{_WORD})",
    rf"^(?!\s*(?:return|else|if|for|while|switch|new|throw)\b)[\w:*&<>,\[\]~\s]+?\b(?P<name>{_WORD})\s*\([^;]*\)\s*"
    r"(?:const\s*)?(?:throws\s[\w, .]+)?\{?\s*$",
)
_GO = (
    rf"^(?P<kind>func)\s+(?:\([^)]*\)\s*)?(?P<name>{_WORD})",
    rf"^\s*(?P<kind>type|const|var)\s+(?P<name>{_WORD})",
)
_RUST = (
    r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?P<kind>fn|struct|enum|trait|mod|type|const|static)"
    rf"\s+(?P<name>{_WORD})",
)
_PHP = (
    r"^\s*(?:(?:public|private|protected|static|abstract|final)\s+)*(?P<kind>class|interface|trait|function)"
    rf"\s+(?P<name>{_WORD})",
)
_SQL = (
    r"(?i)^\s*create\s+(?:or\s+replace\s+)?(?P<kind>table|view|function|index)\s+(?:if\s+not\s+exists\s+)?"
    r"(?P<name>[\w.]+)",
)
PATTERNS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx"), _SCRIPT),
    **dict.fromkeys((".java", ".kt", ".cs", ".swift", ".scala", ".c", ".h", ".cc", ".cpp", ".hpp"), _C),
    ".go": _GO,
    ".rs": _RUST,
    ".rb": (rf"^\s*(?P<kind>class|module|def)\s+(?:self\.)?(?P<name>{_WORD}[?!]?)",),
    ".php": _PHP,
    ".sh": (rf"^\s*(?:function\s+)?(?P<name>{_WORD})\s*\(\)",),
    ".sql": _SQL,
}
"""How a definition looks, by the ending of a file."""


class Symbol(NamedTuple):
    """A definition in a file."""

    name: str
    """With the classes that it is in, as in `Cart.total`."""
    kind: str
    line: int
    shown: str
    described: bool = False
    public: bool = True


def code_search(checkout: Checkout, name: str, path: str = ".") -> Answer:
    """Return where a name is defined, as `path:line  definition`; exact names come first.

    Raises:
        Refused: the folder may not be read, or nothing is searched for.
    """
    wanted = name.strip().casefold()
    if not wanted:
        raise Refused("say which name to search for, as in 'Cart' or 'Cart.total'")
    places, remark = searched(checkout, path)
    found: list[tuple[bool, str]] = []
    for place in places:
        for symbol in symbols_of(checkout, place):
            plain = symbol.name.casefold()
            if wanted in plain:
                exact = plain == wanted or plain.endswith("." + wanted)
                found.append((not exact, f"{checkout.name(place)}:{symbol.line}  {symbol.shown}"))
    lines = [line for _, line in sorted(found)]
    return Answer((listed(lines, 200, "definitions") or f"nothing like {name!r} is defined in {path!r}") + remark)


def docs_coverage(checkout: Checkout, path: str = ".") -> Answer:
    """Return how many public modules, classes and functions of Python files have a docstring, and where most lack one.

    Raises:
        Refused: the folder may not be read, or has no Python.
    """
    places, remark = searched(checkout, path)
    python = [place for place in places if place.suffix == ".py"]
    if not python:
        raise Refused(f"there is no Python file in {path!r}: only docstrings are counted")
    rows: list[tuple[int, int, str, list[str]]] = []
    for place in python:
        symbols = [each for each in symbols_of(checkout, place) if each.public and each.kind != "name"]
        bare = [symbol.name for symbol in symbols if not symbol.described]
        rows.append((len(bare), len(symbols), checkout.name(place), bare))
    total, lacking = sum(row[1] for row in rows), sum(row[0] for row in rows)
    share = 100 * (total - lacking) / total if total else 100.0
    worst = [
        f"{name}: {missing} of {count} lack one: {', '.join(bare[:8])}{' …' if len(bare) > 8 else ''}"
        for missing, count, name, bare in sorted(rows, key=lambda row: (-row[0], row[2]))
        if missing
    ]
    documented = f"{total - lacking} of {total} public definitions"
    head = f"{documented} in {len(python)} Python files have a docstring ({share:.0f} %)."
    return Answer("\n".join(filter(None, (head, listed(worst, 40, "files")))) + remark)


def symbols_of(checkout: Checkout, place: Path) -> list[Symbol]:
    """Return the definitions in a file; of one that cannot be read, none."""
    patterns = PATTERNS.get(place.suffix)
    if place.suffix != ".py" and patterns is None:
        return []
    try:
        text = text_of(checkout, place)
    except (Refused, OSError):
        return []
    return _python(text) if patterns is None else list(_by_patterns(text, patterns))


def _python(text: str) -> list[Symbol]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return list(_by_patterns(text, (rf"^\s*(?:async\s+)?(?P<kind>class|def)\s+(?P<name>{_WORD})",)))
    module = Symbol("(module)", "module", 1, "(module)", ast.get_docstring(tree) is not None)
    return [*([module] if tree.body else []), *_inside(tree, "", public=True)]


def _inside(node: ast.AST, prefix: str, *, public: bool) -> Iterator[Symbol]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.ClassDef():
                yield _defined(child, "class", prefix, public=public)
                yield from _inside(child, f"{prefix}{child.name}.", public=public and not child.name.startswith("_"))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield _defined(child, "def", prefix, public=public)
                yield from _inside(child, f"{prefix}{child.name}.", public=False)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield Symbol(prefix + name, "name", child.lineno, prefix + name, public=False)
            case ast.If() | ast.Try() | ast.With():
                yield from _inside(child, prefix, public=public)
            case _:
                pass


def _defined(
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, kind: str, prefix: str, *, public: bool
) -> Symbol:
    name = prefix + node.name
    shown = f"{kind} {name}" if isinstance(node, ast.ClassDef) else f"{kind} {name}({ast.unparse(node.args)})"
    described = ast.get_docstring(node) is not None
    return Symbol(name, kind, node.lineno, shown[:200], described, public=public and not node.name.startswith("_"))


def _by_patterns(text: str, patterns: tuple[str, ...]) -> Iterator[Symbol]:
    compiled = [re.compile(pattern) for pattern in patterns]
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > 400:
            continue
        found = next((hit for pattern in compiled if (hit := pattern.match(line))), None)
        if found is not None:
            kind = found.groupdict().get("kind") or "function"
            yield Symbol(found["name"], kind, number, line.strip().rstrip("{").strip()[:200])
