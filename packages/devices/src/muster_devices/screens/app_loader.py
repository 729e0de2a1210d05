"""Reads a screens file: strictly, with every problem named by file, line and column."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
import yaml
from yaml.nodes import Node

from muster_devices.errors import DeviceRefused
from muster_devices.screens.app import App
from muster_devices.screens.app_checks import broken_references
from muster_devices.screens.typed_yaml import TypedYaml
from muster_protocol.causes import Failure
from muster_yaml.bounded_yaml import YamlTooLarge, compose_all

LARGEST = 1_000_000
"""Bytes of a file."""


class Flaw(NamedTuple):
    """One thing that is wrong with a file; line and column count from 1."""

    source: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}: {self.text}"


class AppRefused(DeviceRefused):
    """A screens file cannot be used; `flaws` has all that is wrong with it, in the order of lines."""

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        self.flaws = tuple(sorted(flaws, key=lambda flaw: flaw[1:3]))
        super().__init__("\n".join(map(str, self.flaws)), failure=Failure.INVALID_CALL)


def load_app(text: str, source: str = "screens file") -> App:
    """Return the app that a YAML text describes; `source` names it in errors.

    Raises:
        AppRefused: it cannot be used.
    """
    reader = TypedYaml()
    content = reader.value(_composed(text, source), App)
    if reader.wrong:
        raise AppRefused(_flaw(source, node, said) for node, said in reader.wrong)
    app = msgspec.convert(content, App)
    broken = [(reader.nodes[path], said) for path, said in broken_references(app)]
    if broken:
        raise AppRefused(_flaw(source, node, said) for node, said in broken)
    return app


def app_schema() -> dict[str, Any]:
    """Return the JSON Schema of a screens file, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(App)}


def _composed(text: str, source: str) -> Node:
    if len(text.encode(errors="surrogatepass")) > LARGEST:
        raise AppRefused([Flaw(source, 1, 1, f"has more than {LARGEST:,} bytes")])
    try:
        documents = list(compose_all(text))
    except yaml.YAMLError as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        said = str(getattr(error, "problem", error))
        said = said if isinstance(error, YamlTooLarge) else f"is no YAML here: {said}"
        place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise AppRefused([Flaw(source, *place, said)]) from error
    except RecursionError as error:
        raise AppRefused([Flaw(source, 1, 1, "is nested too deeply to be read")]) from error
    if len(documents) > 1:
        raise AppRefused([_flaw(source, documents[1], "another document begins here; a file describes one app")])
    if not documents:
        raise AppRefused([Flaw(source, 1, 1, "is empty; it needs the keys 'app', 'start' and 'screens'")])
    return documents[0]


def _flaw(source: str, node: Node, text: str) -> Flaw:
    return Flaw(source, node.start_mark.line + 1, node.start_mark.column + 1, text)
