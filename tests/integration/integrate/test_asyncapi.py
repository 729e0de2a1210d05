"""The AsyncAPI document, read by the parser of those who write the specification."""

import json
from pathlib import Path

import pytest
from deployed import ROOT
from node import run_node, workplace

from muster_protocol.subjects import Names
from muster_protocol.wire_schema import CHANNELS, render_schema


@pytest.mark.slow
@pytest.mark.timeout(300)  # packages are fetched
def test_the_document_is_asyncapi_without_a_complaint_and_names_every_subject(tmp_path: Path) -> None:
    folder = workplace(ROOT / "tests/support/schemas")
    document = tmp_path / "asyncapi.json"
    document.write_text(render_schema(document.name))

    told = json.loads(run_node(folder, "asyncapi.mjs", str(document)))

    found = {channel["id"]: channel for channel in told["channels"]}
    assert told["warnings"] == 0
    assert {id: channel["address"] for id, channel in found.items()} == {one.id: one.address for one in CHANNELS}
    assert [message["id"] for message in found["replies"]["messages"]] == ["message", "reply"]
    assert found["submit"]["messages"][0]["correlation"] == "$message.payload#/correlation_id"
    assert found["replies"]["messages"][0]["correlation"] == "$message.header#/Correlation-Id"


def test_a_discriminator_is_the_name_of_a_field_as_asyncapi_has_it() -> None:
    assert '"discriminator": {' not in render_schema("asyncapi.json")
    assert '"discriminator": "type"' in render_schema("asyncapi.json")
    assert Names().submit in render_schema("asyncapi.json")
