"""The description of the API, and the root page."""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

import httpx
import jsonschema
import msgspec
import pytest
import yaml
from litestar import Request
from litestar.routes import WebSocketRoute
from openapi_spec_validator import OpenAPIV31SpecValidator

from muster_bus import Bus
from muster_bus.nats_client import Client
from muster_cases.case_loader import load_text
from muster_gateway.app import create_application
from muster_gateway.context import Gateway
from muster_gateway.description import access_docs, request_bodies
from muster_gateway.description.openapi_fixes import PlainYamlPlugin
from muster_gateway.description.operation_docs import ROW, RUN
from muster_gateway.lists.run_list import decode_cursor
from muster_gateway.root_routes import FOLLOW, Endpoint, render_index
from muster_gateway.security.gate import Caller
from muster_gateway.settings import GatewaySettings
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest
from muster_text.request_rules import find_problems

T = TypeVar("T")


@pytest.fixture(scope="module")
def openapi() -> dict[str, Any]:
    """Return the description as clients get it."""
    settings = GatewaySettings()
    app = create_application(Gateway(Bus(Client(), settings), settings))
    return cast("dict[str, Any]", msgspec.to_builtins(app.openapi_schema.to_schema()))


def operations(openapi: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(f"{method} {path}", one) for path, item in openapi["paths"].items() for method, one in item.items()]


def contents(openapi: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every media type of every body that is taken or answered."""
    bodies = [
        body for _, one in operations(openapi) for body in (one.get("requestBody", {}), *one["responses"].values())
    ]
    return [media for body in bodies for media in body.get("content", {}).values()]


def test_the_description_is_valid_openapi_as_json_and_as_yaml(openapi: dict[str, Any]):
    plain = json.loads(json.dumps(openapi))
    assert [str(error.message) for error in OpenAPIV31SpecValidator(plain).iter_errors()] == []
    request = cast("Request[Any, Any, Any]", None)
    text = PlainYamlPlugin().render(request, openapi)
    assert yaml.load(text, Loader=yaml.CSafeLoader) == plain


def test_every_operation_with_parameters_in_its_address_says_that_it_refuses_others(openapi: dict[str, Any]):
    answered = [(name, one) for name, one in operations(openapi) if not name.startswith("head ")]
    asked = {name: one for name, one in answered if any(it["in"] == "query" for it in one.get("parameters", []))}
    assert len(asked) > 5
    refusals = {name: one["responses"].get("400", {}).get("content", {}) for name, one in asked.items()}
    assert [name for name, content in refusals.items() if "application/problem+json" not in content] == []


def test_every_operation_stands_under_a_heading_and_every_name_is_used_once(openapi: dict[str, Any]):
    assert {name: one["tags"] for name, one in operations(openapi) if len(one.get("tags", [])) != 1} == {}
    ids = [one["operationId"] for _, one in operations(openapi)]
    titles = [schema["title"] for schema in openapi["components"]["schemas"].values() if "title" in schema]
    assert sorted(set(ids)) == sorted(ids)
    assert [name for name in openapi["components"]["schemas"] if name.startswith("muster_gateway")] == []
    assert sorted(set(titles)) == sorted(titles)


def test_each_operation_has_a_plain_id_a_summary_and_problem_documents_for_its_refusals(openapi: dict[str, Any]):
    assert {one["operationId"] for _, one in operations(openapi)} == {
        *(
            "submitRun",
            "submitAssignment",
            "submitExploration",
            "sendEvent",
            "sendForeignEvent",
            "listRuns",
            "showRun",
            "readVerdict",
        ),
        *("readState", "readEvents", "followLog", "submitDraft", "readDraft"),
        *("listCases", "showCase", "pushCase", "removeCase", "listRequirements", "showRequirement"),
        *("listTriggers", "showTrigger", "pauseTrigger", "resumeTrigger", "fireTrigger", "backfillTrigger"),
        *("followRuns", "showNode", "readJournal", "listSuites", "listWorkers", "listSessions", "listQueues"),
        *("showBatch", "investigateRun", "listNotes", "listMessages", "analyseSuite", "analyseSuiteOfAnyName"),
        *("openConversation", "listConversations", "showConversation", "sayInConversation", "stopAnswer"),
        "deleteConversation",
        *("listMaps", "showMap", "showMapState", "compareMaps", "downloadMap", "createNode", "createEdge"),
        *("takeControl", "giveControlBack"),
        *("listDevices", "listSecrets", "keepSecret", "removeSecret"),
        *("listDead", "showDead", "replayDead", "dropDead", "validateCases", "assistCases", "inspectArtifact"),
        *("reportRun", "reportSuite", "relayLogs", "reportSuiteOfAnyName", "rerunFailedOfAnyName"),
        *("cancelRun", "pauseRun", "resumeRun", "answerRun", "rerunRun", "rerunFailed"),
        *("listArtifacts", "downloadArtifact", "healthz", "readyz", "metrics"),
        *("whoAmI", "logIn", "logOut"),
    }
    for name, one in operations(openapi):
        assert one["summary"], name
        refusals = {status: answer for status, answer in one["responses"].items() if status >= "400"}
        if name.startswith("head"):
            assert not any("content" in answer for answer in refusals.values()), name
        elif "/runs" in name or "/suites" in name:
            assert "503" in refusals, name
            assert all(list(answer["content"]) == ["application/problem+json"] for answer in refusals.values()), name


def test_every_parameter_says_what_it_is_and_has_an_example_that_fits(openapi: dict[str, Any]):
    told = [(name, one) for name, operation in operations(openapi) for one in operation.get("parameters", ())]
    assert len(told) > 60
    for name, parameter in told:
        assert parameter.get("description"), (name, parameter["name"])
        assert "example" in parameter, (name, parameter["name"])
        jsonschema.validate(parameter["example"], parameter["schema"])
        if (name, parameter["name"]) == ("get /runs", "cursor"):
            assert decode_cursor(parameter["example"]) == (ROW["requested_at"], RUN)


def test_every_websocket_is_told_of_where_the_api_is_described(openapi: dict[str, Any]):
    settings = GatewaySettings()
    routes = create_application(Gateway(Bus(Client(), settings), settings)).routes
    addresses = {route.path_format for route in routes if isinstance(route, WebSocketRoute)}
    assert addresses == {"/runs/{run}/logs", "/logs", "/conversations/{conversation}/live"}
    assert all(f"`{address}`" in openapi["info"]["description"] for address in addresses)


def test_every_reference_resolves_and_every_example_fits_its_schema(openapi: dict[str, Any]):
    resolver = {"components": openapi["components"]}
    checked = 0
    for media in contents(openapi):
        for example in media.get("examples", {}).values():
            jsonschema.validate(example["value"], {**media["schema"], **resolver})
            checked += 1
    assert checked > 30
    text = json.dumps(openapi)
    for reference in {part.split('"')[0] for part in text.split('"#/components/schemas/')[1:]}:
        assert reference in openapi["components"]["schemas"], reference


def test_the_steps_of_a_case_are_described_as_steps_alone(openapi: dict[str, Any]):
    steps = openapi["components"]["schemas"]["TestCase"]["properties"]["steps"]
    assert steps["items"] == {"$ref": "#/components/schemas/Step"}
    assert '{"oneOf": [{"$ref": "#/components/schemas/Step"}, {}]}' not in json.dumps(openapi)


def test_the_examples_of_bodies_can_be_submitted():
    assert find_problems(msgspec.convert(request_bodies.REQUEST, RunRequest)) == ()
    assert len(load_text(request_bodies.CASE_YAML)) == 1


def test_the_root_page_escapes_everything():
    row = RunRow(run="r1", name="<i>&", status="fail", cause='"', summary="</td><script>", done=1, total=2)
    shown = render_index([Endpoint("GET", "/a?<b>", "<u>"), FOLLOW], (row,), "<p>gone")
    for markup in ("<i>", "<script>", "<b>", "<u>", "<p>gone"):
        assert markup not in shown
    assert "&lt;i&gt;&amp;" in shown
    assert "1/2" in shown
    assert "No runs yet" in render_index([], (), "")


@pytest.mark.asyncio
@pytest.mark.parametrize("form", ["json", "yaml"])
async def test_others_are_served_while_the_description_is_built_and_it_is_built_once(
    form: str, monkeypatch: pytest.MonkeyPatch
):
    settings, main, built = GatewaySettings(), threading.get_ident(), list[int]()
    app = create_application(Gateway(Bus(Client(), settings), settings))

    def noted(work: Callable[..., T]) -> Callable[..., T]:
        def note(*given: Any) -> T:
            built.append(threading.get_ident())
            return work(*given)

        return note

    monkeypatch.setattr(access_docs, "describe", noted(access_docs.describe))
    monkeypatch.setattr(msgspec.yaml, "encode", noted(msgspec.yaml.encode))

    async def viewed(scope: Any, receive: Any, send: Any) -> None:
        await app(cast("Any", {**scope, "auth": Caller(role="viewer")}), receive, send)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(viewed), base_url="http://gateway") as client:
        answers = await asyncio.gather(*(client.get(f"/schema/openapi.{form}") for _ in range(3)))

        first = list(built)
        answers.append(await client.get(f"/schema/openapi.{form}"))

    assert [answer.status_code for answer in answers] == [200] * 4
    assert first
    assert built == first
    assert main not in built
