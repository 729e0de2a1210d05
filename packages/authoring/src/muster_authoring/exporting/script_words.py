"""Writes the parts of scripts in Python and TypeScript. Pure."""

import json
import keyword
import re
from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from muster_authoring.exporting.python_helpers import PYTHON
from muster_authoring.exporting.script_parts import Called, Chain, Containing, FilePath, Finder, Phrase, Value, Whole
from muster_authoring.exporting.typescript_helpers import TYPESCRIPT
from muster_text.values import PLACEHOLDER, SECRET

_GIVEN = re.compile(f"{SECRET.pattern}|{PLACEHOLDER.pattern}")
_TAKEN = {
    *("page", "expect", "test", "browser", "playwright", "response", "context", "os", "re", "path", "fs"),
    *("process", "started", *PYTHON, *TYPESCRIPT),
}
"""Names that a script has already."""
_JAVASCRIPT = set(
    [
        "case",
        "catch",
        "const",
        "debugger",
        "default",
        "delete",
        "do",
        "enum",
        "export",
        "extends",
        "false",
        "function",
        "implements",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "typeof",
        "var",
        "void",
    ]
)
"""Words of JavaScript that no variable may have; Python has the rest of them, too."""


def variable(name: str) -> str:
    """Return the name of a variable in snake case that stands for a value of a case."""
    made = re.sub(r"\W", "_", name)
    made = f"_{made}" if made[:1].isdigit() else made
    taken = made in _TAKEN | _JAVASCRIPT or camel(made) in _TAKEN or keyword.iskeyword(made)
    return f"{made}_" if taken else made


def spelt_alike(name: str) -> str:
    """Return what a name has in common with those that a script, or its environment, would take for the same."""
    return re.sub(r"[\W_]", "", name).casefold()


def secret_variable(name: str) -> str:
    """Return the name of a variable in snake case that stands for a secret."""
    return f"secret_{name.lower()}"


def environment_name(name: str) -> str:
    """Return the environment variable that sets a value of a case; a shell has a `USER` and a `PATH` of its own."""
    return "VAR_" + re.sub(r"\W", "_", name).upper()


def camel(name: str) -> str:
    """Return a name in camel case."""
    first, *rest = name.strip("_").split("_")
    return first + "".join(part.capitalize() for part in rest) + "_" * name.endswith("_")


def quoted(text: str) -> str:
    """Return a text as a literal of either language."""
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


class Pieces(NamedTuple):
    """A text cut at its placeholders: literals, and between them names of variables in snake case."""

    literals: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Pieces":
        """Cut a text."""
        found = list(_GIVEN.finditer(text))
        ends = [0, *(match.end() for match in found)]
        begins = [*(match.start() for match in found), len(text)]
        names = [secret_variable(match[1]) if match[1] else variable(match[2]) for match in found]
        return cls(tuple(text[end:begin] for end, begin in zip(ends, begins, strict=True)), tuple(names))

    @property
    def alone(self) -> str:
        """The one name that is the whole text, or ""."""
        return self.names[0] if len(self.names) == 1 and not any(self.literals) else ""


class _Words(ABC):
    """What scripts in both languages have alike; the fields are templates of what differs."""

    truths: ClassVar[tuple[str, str]]
    file: ClassVar[str]
    finder: ClassVar[str]

    def value(self, value: Value) -> str:
        """Return a value as an expression."""
        match value:
            case str():
                return self.text(value)
            case bool():
                return self.truths[value]
            case int() | float():
                return repr(value)
            case list():
                return f"[{', '.join(self.value(one) for one in value)}]"
            case Whole(text=text) | Phrase(text=text):
                return f"{type(value).__name__.lower()}({self.text(text)})"
            case Containing(text=text, at_end=at_end):
                return f"{'ending' if at_end else 'containing'}({self.text(text)})"
            case FilePath(path=path):
                return self.file % self.text(path)
            case Finder(chain=chain):
                return self.finder % self.chain(chain)
            case Chain():
                return self.chain(value)

    def chain(self, chain: Chain) -> str:
        """Return an expression."""
        return ".".join(part for part in (chain.root, *map(self.called, chain.calls)) if part)

    @abstractmethod
    def text(self, text: str) -> str:
        """Return a text as an expression."""

    @abstractmethod
    def called(self, call: Called) -> str:
        """Return one call of a chain."""


class PythonWords(_Words):
    """Python with Playwright's synchronous API."""

    truths = ("False", "True")
    file = "folder() / %s"
    finder = "lambda page: %s"

    def text(self, text: str) -> str:
        """Return a text as an expression."""
        cut = Pieces.of(text)
        if not cut.names:
            return quoted(text)
        if cut.alone:
            return cut.alone
        plain = [quoted(one)[1:-1].replace("{", "{{").replace("}", "}}") for one in cut.literals]
        return f'f"{_woven(plain, [f"{{{name}}}" for name in cut.names])}"'

    def called(self, call: Called) -> str:
        """Return one call of a chain."""
        if call.bare:
            return call.name
        options = [f"{name}={self.value(value)}" for name, value in call.options.items()]
        return f"{call.name}({', '.join([*map(self.value, call.arguments), *options])})"

    def name(self, name: str) -> str:
        """Return the name of a kept value."""
        return variable(name)


class TypeScriptWords(_Words):
    """TypeScript with Playwright Test."""

    truths = ("false", "true")
    file = "path.join(folder(), %s)"
    finder = "(page) => %s"
    _METHODS = ("first", "last")
    """What is an attribute in Python, and a method here."""

    def text(self, text: str) -> str:
        """Return a text as an expression."""
        cut = Pieces.of(text)
        if not cut.names:
            return quoted(text)
        if cut.alone:
            return camel(cut.alone)
        plain = [re.sub(r"`|\$\{", r"\\\g<0>", quoted(one)[1:-1].replace('\\"', '"')) for one in cut.literals]
        return f"`{_woven(plain, [f'${{{camel(name)}}}' for name in cut.names])}`"

    def called(self, call: Called) -> str:
        """Return one call of a chain."""
        if call.bare:
            return f"{call.name}()" if call.name in self._METHODS else call.name
        options = ", ".join(f"{camel(name)}: {self.value(value)}" for name, value in call.options.items())
        arguments = [*map(self.value, call.arguments), *([f"{{ {options} }}"] if options else [])]
        method = re.sub(r"Url$", "URL", camel(call.name))  # as in toHaveURL
        said = f"{method}({', '.join(arguments)})"
        return f"(await {said})" if call.name == "framed" else said

    def name(self, name: str) -> str:
        """Return the name of a kept value."""
        return camel(variable(name))


def _woven(literals: list[str], names: list[str]) -> str:
    return "".join(part for pair in zip(literals, [*names, ""], strict=True) for part in pair)
