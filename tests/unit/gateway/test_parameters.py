"""Parameters that are refused: the answer says what was given and what there is."""

from __future__ import annotations

from typing import Annotated, Literal

import httpx
import pytest
from litestar.params import QueryParameter
from litestar.typing import FieldDefinition

from muster_bus import Bus
from muster_bus.nats_client import Client
from muster_gateway.app import build_app
from muster_gateway.context import MAX_CURSOR, Gateway
from muster_gateway.query_parameters import AcceptedValues, accepted_values, describe_fault
from muster_gateway.settings import GatewaySettings

STATES = "queued, running, paused, parked, pass, fail, done, failed"


@pytest.mark.parametrize(
    ("annotation", "wanted"),
    [
        (Annotated[list[Literal["a", "b"]] | None, QueryParameter()], AcceptedValues(("a", "b"))),
        (Annotated[int, QueryParameter(ge=1, le=5)], AcceptedValues((), "whole number", 1, 5)),
        (Annotated[float | None, QueryParameter()], AcceptedValues((), "number")),
        (str, AcceptedValues()),
    ],
)
def test_what_a_parameter_takes_is_known_from_its_type(annotation: object, wanted: AcceptedValues):
    assert accepted_values(FieldDefinition.from_annotation(annotation)) == wanted


def test_what_takes_any_text_is_refused_in_the_frameworks_words_and_a_long_value_is_cut():
    assert describe_fault("name", ("x",), AcceptedValues(), "too long") == "name: too long"
    assert len(describe_fault("after", ("9" * 5000,), AcceptedValues((), "number", 0), "")) < 120


@pytest.mark.parametrize(
    ("address", "reasons"),
    [
        ("/runs?status=pass&status=bogus", [f"status: 'bogus' is not valid; valid: {STATES}"]),
        ("/runs?cause=x", ["cause: 'x' is not valid; valid: product, environment, agent, budget, cancelled"]),
        (
            "/runs?since=abc&limit=0",
            ["since: 'abc' is not a number", "limit: '0' is not a whole number from 1 to 500"],
        ),
        ("/suites/shop/report?format=pdf", ["format: 'pdf' is not valid; valid: junit, json"]),
        ("/dead/0", [f"number: '0' is not a whole number from 1 to {MAX_CURSOR}"]),
        ("/runs/r1/journal?attempt=x", ["attempt: 'x' is not a whole number of at least 0"]),
        ("/logs?after=-1", [f"after: '-1' is not a whole number from 0 to {MAX_CURSOR}"]),
        ("/runs?limt=5", ["limt: unknown parameter; did you mean 'limit'?"]),
        ("/runs?limit=5&limit=6", ["limit: given 2 times; give it once"]),
        (
            "/runs/r1?x=1&y",
            ["x: unknown parameter; this address has none; y: unknown parameter; this address has none"],
        ),
        ("/healthz?key=a", ["key: unknown parameter; this address has none"]),
        ("/logs", [f"Last-Event-ID: 'zz' is not a whole number from 0 to {MAX_CURSOR}"]),
    ],
)
async def test_a_refusal_names_the_parameter_what_was_given_and_what_there_is(address: str, reasons: list[str]):
    settings = GatewaySettings()
    app = httpx.ASGITransport(app=build_app(Gateway(Bus(Client(), settings), settings)))  # pyright: ignore[reportArgumentType]
    headers = {"Last-Event-ID": "zz"} if address == "/logs" else {}
    async with httpx.AsyncClient(transport=app, base_url="http://127.0.0.1") as http:
        answer = await http.get(address, headers=headers)
    assert (answer.status_code, answer.json()["reasons"]) == (400, reasons)


@pytest.mark.parametrize("address", ["/console/?utm_source=mail", "/?x=1"])
async def test_the_addresses_of_pages_take_any_parameter(address: str):
    settings = GatewaySettings()
    app = httpx.ASGITransport(app=build_app(Gateway(Bus(Client(), settings), settings)))  # pyright: ignore[reportArgumentType]
    async with httpx.AsyncClient(transport=app, base_url="http://127.0.0.1") as http:
        assert (await http.get(address, headers={"Accept": "text/html"})).status_code in (200, 303)
