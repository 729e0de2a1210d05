"""People and agents add to maps over HTTP: states and ways between them, which cases go, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from muster_bus import Rows
from muster_bus.artifact_store import put_artifact
from muster_client.map_store import fetch_map
from muster_exploration.app_map import AppMap, MapState
from muster_exploration.case_writing import coverage_cases
from muster_exploration.map_file import MAP_FILE, MapFile
from muster_protocol.graphs import GraphRow
from muster_protocol.requests import Exploration

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Web

HOME = "http://shop.test/"


async def keep_map(bus: Bus, run: str) -> None:
    start = MapState(id="home", kin="home", exact="", address=HOME, title="Home")
    file = MapFile(job=Exploration(url=HOME), map=AppMap(version=1, start=0, states=(start,)))
    await put_artifact(bus, f"{run}/{MAP_FILE}", msgspec.json.encode(file), "application/json")
    await Rows(bus, "GRAPHS", GraphRow).put(run, GraphRow(run=run, app="shop.test", states=1))


async def test_a_state_and_the_way_to_it_are_added_shown_and_gone_by_cases(web: Web, bus: Bus) -> None:
    await keep_map(bus, "run-map")
    node = {"id": "vip", "title": "VIP lounge", "address": f"{HOME}vip"}
    edge = {"source": "home", "target": "vip", "role": "link", "name": "Lounge"}
    for path, body in (("nodes", node), ("edges", edge)):
        made = await web.http.post(f"/maps/run-map/{path}", json=body)
        assert made.status_code == 201, made.text
        assert made.json().items() >= body.items()
    again = await web.http.post("/maps/run-map/edges", json=edge)
    assert again.status_code == 201  # a repeated request adds nothing

    shown = (await web.http.get("/maps/run-map/states/vip")).json()
    assert shown["state"]["title"] == "VIP lounge"
    drawn = await web.http.get("/maps/run-map/file", params={"format": "mermaid"})
    assert "VIP lounge" in drawn.text
    file = await fetch_map(bus, "run-map")
    assert file is not None
    assert len(file.map.edges) == 1
    (written,) = coverage_cases(file)
    assert [step.action for step in written.case.steps] == [f'Open "{HOME}"', 'Click the "Lounge" link']
    assert written.case.steps[-1].expected == 'The page title is "VIP lounge"'


async def test_what_cannot_be_added_is_refused_with_the_reason(web: Web, bus: Bus) -> None:
    await keep_map(bus, "run-map")
    refused = (
        ("run-none", "nodes", {"id": "a", "title": "A"}, 404, "has no map"),
        ("run-map", "nodes", {"id": "home", "title": "A"}, 400, "has a node 'home' already"),
        ("run-map", "nodes", {"id": "a"}, 400, "missing required field `title`"),
        ("run-map", "nodes", {"id": "a", "title": "A", "colour": "red"}, 400, "colour"),
        ("run-map", "edges", {"source": "home", "target": "moon", "name": "Go"}, 400, "no node 'moon'"),
    )
    for run, path, body, status, why in refused:
        answer = await web.http.post(f"/maps/{run}/{path}", json=body)
        assert (answer.status_code, why in answer.text) == (status, True), answer.text
    row = await Rows(bus, "GRAPHS", GraphRow).get("run-map")
    assert row is not None
    assert row.edits == ()
