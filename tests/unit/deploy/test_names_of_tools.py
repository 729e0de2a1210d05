"""A tool is named where it is defined, where sentences are lowered to calls and where calls are translated; all else asks
for its traits."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import muster_grammar
from muster_authoring import exporting
from muster_evidence import binding, proof, tampering
from muster_protocol.tool_calls import Effect
from muster_sessionhost import workspace_tools
from muster_subagent.tools import TOOLS

ROOT = Path(__file__).parents[3]
DEFINED = Path(inspect.getfile(TOOLS["look"].function)).parent
CARRIED_OUT = Path(workspace_tools.__file__).parent
"""The program at the session host that carries out the calls of a workspace, by the names of the tools."""
LOWERING = Path(muster_grammar.__file__).parent
PREFIXED = re.compile("(?:check|browser)_")
TRANSLATED = Path(exporting.__file__).parent
"""Where calls are written in another language; a tool that is not known there is reported as one that cannot be written."""
VERBS = frozenset(
    name
    for name, tool in TOOLS.items()
    if ("device" in tool.needs and not PREFIXED.match(name)) or ("checkout" in tool.needs and "_" not in name)
) - {"look", "remember"}
"""What is done to any device or workspace has the verb's own name: as a text it says little, in a list of such names it
is one."""
EFFECTS = frozenset(get_args(Effect))
NAME = re.compile(
    rf"\b(?:{'|'.join(sorted(name for name in TOOLS.keys() - VERBS if '_' in name))})\b|^(?:check_|browser_)$"
)
"""Names that are no words of English. Of the others a text that is nothing else is a name, but where no tool is known."""
FILES = sorted(path for source in (*ROOT.glob("*/src"), *ROOT.glob("*/*/src")) for path in source.rglob("*.py"))


def texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module, without its docstrings."""
    told = set[int]()
    for node in ast.walk(ast.parse(path.read_text())):  # a statement comes before what it is made of
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told.add(id(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def verbs_listed(path: Path) -> Iterator[str]:
    """Yield the verbs that a module compares a tool with, or lists with nothing but other names of tools."""
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Compare(left=ast.Attribute(attr="tool"), comparators=[*others]):
                yield from (it.value for it in others if isinstance(it, ast.Constant) and it.value in VERBS)
            case ast.keyword(arg="tool", value=ast.Constant(value=str(name))) if name in VERBS:
                yield name
            case ast.Tuple(elts=[_, _, *_]) | ast.List(elts=[_, _, *_]) | ast.Set(elts=[_, _, *_]):
                values = [it.value if isinstance(it, ast.Constant) else None for it in node.elts]
                listed = all(value in TOOLS for value in values) and not EFFECTS.issuperset(values)
                yield from (map(str, values) if listed else ())
            case _:
                pass


def named(path: Path) -> list[str]:
    """Return the texts of a module that are, or have, the name of a tool."""
    without = ("packages/devices", "packages/views", "cli")  # the command line has a command `look` of its own
    about_none = any(path.is_relative_to(ROOT / part) for part in without)
    words = frozenset[str]() if about_none else TOOLS.keys() - VERBS
    listed = [] if about_none else [*verbs_listed(path)]
    return listed + [text for text in texts(path) if text in words or NAME.search(text)]


def test_names_are_found(tmp_path: Path):
    (tmp_path / "guard.py").write_text('WRITING = ("click", "type")\nif call.tool == "press": make(tool="select")')
    assert set(verbs_listed(tmp_path / "guard.py")) == {"click", "type", "press", "select"}
    assert "execute_command" in NAME.findall("call execute_command first")
    assert named(LOWERING / "system_actions.py")
    assert {DEFINED / "look_tool.py", Path(proof.__file__), LOWERING / "parser.py"} <= set(FILES)


def test_no_text_outside_of_tools_and_phrases_names_a_tool():
    others = [path for path in FILES if not any(path.is_relative_to(it) for it in (LOWERING, TRANSLATED, CARRIED_OUT))]
    found = {path: named(path) for path in others}
    for path in others:
        if path.is_relative_to(DEFINED):  # what they tell callers may name another tool; what they decide by may not
            found[path] = [text for text in found[path] if " " not in text]
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(("rules", "allowed"), [(proof, 1), (binding, 0), (tampering, 0)])
def test_rules_read_no_arguments(rules: ModuleType, allowed: int):
    """But for one that tells whether a check is the same as an earlier one."""
    tree = ast.parse(inspect.getsource(rules))
    read = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "arguments"]
    assert len(read) == allowed
