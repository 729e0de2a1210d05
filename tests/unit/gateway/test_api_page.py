"""docs/api.md lists every operation of the API, with its query parameters and statuses."""

import re
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec
import pytest

from muster_bus import Bus
from muster_bus.nats_client import Client
from muster_gateway.app import create_application
from muster_gateway.context import Gateway
from muster_gateway.settings import GatewaySettings

PAGE = (Path(__file__).parents[3] / "docs/api.md").read_text()
EVERYWHERE = frozenset({"400", "401", "403", "408", "421", "429"})
"""Statuses that the page lists once for all operations."""
UNDESCRIBED = frozenset({"POST /mcp"})
"""Operations with a protocol of their own, which OpenAPI cannot describe."""


class Operation(NamedTuple):
    """What the page and the description both say about an operation."""

    name: str
    parameters: frozenset[str]


class Row(NamedTuple):
    """A row of the tables: one operation or several, and the statuses of them all."""

    operations: tuple[Operation, ...]
    statuses: frozenset[str]


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    """Return each operation of the description by method and address."""
    settings = GatewaySettings()
    app = create_application(Gateway(Bus(Client(), settings), settings))
    paths = cast("dict[str, Any]", msgspec.to_builtins(app.openapi_schema.to_schema()))["paths"]
    return {f"{method.upper()} {path}": one for path, item in paths.items() for method, one in item.items()}


def rows() -> list[Row]:
    """Return the rows of the page that list operations."""
    found: list[Row] = []
    for names, answers in re.findall(
        r"^\| (`(?:GET|HEAD|POST|PUT|DELETE) /.*?) \| .* \| (.*?) \|$", PAGE, re.MULTILINE
    ):
        statuses = frozenset(re.findall(r"\b[2-5]\d\d\b", answers))
        found.append(Row(tuple(map(_operation, re.findall(r"`(.*?)`", names))), statuses))
    return found


def _operation(text: str) -> Operation:
    address, _, query = text.partition("?")
    return Operation(address, frozenset(re.findall(r"(\w+)=", query)))


def test_each_operation_is_listed_once_and_each_listed_one_exists(described: dict[str, Any]) -> None:
    listed = [one.name for row in rows() for one in row.operations]

    assert sorted(listed) == sorted({*described, *UNDESCRIBED})


def test_query_parameters_are_those_of_the_description(described: dict[str, Any]) -> None:
    listed = {one.name: one.parameters for row in rows() for one in row.operations if one.name in described}

    assert listed == {
        name: {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        for name, operation in described.items()
    }


def test_statuses_are_those_of_the_description(described: dict[str, Any]) -> None:
    for row in rows():
        known = [set(described[one.name]["responses"]) for one in row.operations if one.name in described]
        assert not known or row.statuses - EVERYWHERE == set[str]().union(*known) - EVERYWHERE, row.operations
