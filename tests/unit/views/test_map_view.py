"""Maps as people see them: drawn in columns, bounded for large apps, with ways, coverage and differences."""

from imagined_app import HOST, ImaginedApp, explore
from msgspec.structs import replace

from muster_exploration.app_map import AppMap, Edge, MapFinding, MapState
from muster_exploration.map_file import MapFile
from muster_protocol.explorations import Move
from muster_protocol.graphs import GraphRow, explored_app
from muster_protocol.requests import DeviceSpec, Exploration
from muster_views.map_drawing import MOST_DRAWN, draw
from muster_views.map_state_view import view_state
from muster_views.map_view import view_changes, view_map

SITE = {"/": ["/news", "/shop"], "/news": ["/shop", "/"], "/shop": ["/mugs"], "/mugs": ["/"]}
JOB = Exploration(url=HOST)


def mapped(site: dict[str, list[str]], *findings: MapFinding) -> MapFile:
    return MapFile(job=JOB, map=replace(explore(ImaginedApp(site), JOB).map, findings=findings))


def test_states_stand_in_columns_by_their_distance_and_lines_tell_the_known_ways() -> None:
    drawing = draw(mapped(SITE).map)
    assert [(node.title, node.column, node.start) for node in drawing.nodes] == [
        ("Page /", 0, True), ("Page /news", 1, False), ("Page /shop", 1, False), ("Page /mugs", 2, False)
    ]  # fmt: skip
    assert len({(node.column, node.row) for node in drawing.nodes}) == len(drawing.nodes)
    assert [(line.source, line.target) for line in drawing.lines if line.found] == [(0, 1), (0, 2), (2, 3)]
    assert [(line.source, line.target) for line in drawing.lines if not line.found] == [(1, 0), (1, 2), (3, 0)]


def star(pages: int, kin: str = "") -> AppMap:
    """A start with links to so many pages, each of its own kind unless all are of one."""
    moves = tuple(Move(do="tap", role="link", name=f"{number}") for number in range(pages))
    leaves = [
        MapState(
            id=f"s{number}", kin=kin or f"k{number}", exact="", address=f"{HOST}/{number}", depth=1, via=(0, number)
        )
        for number in range(pages)
    ]
    start = MapState(id="start", kin="start", exact="", address=HOST, moves=tuple(range(pages)))
    edges = tuple(Edge(0, number, "reached", number + 1) for number in range(pages))
    return AppMap(start=0, states=(start, *leaves), moves=moves, edges=edges)


def test_a_large_map_is_drawn_by_page_and_what_is_left_out_is_counted() -> None:
    drawing = draw(star(300, "item"))
    assert drawing.by == "page"
    assert [(node.stands_for, node.column) for node in drawing.nodes] == [(1, 0), (300, 1)]
    assert [(line.source, line.target, line.moves) for line in drawing.lines] == [(0, 1, 300)]
    wide = draw(star(200))
    assert (len(wide.nodes), wide.undrawn) == (MOST_DRAWN, 201 - MOST_DRAWN)


def test_a_state_tells_its_way_and_where_its_moves_led_and_a_map_what_was_tried() -> None:
    file = mapped(SITE, MapFinding(kind="server_error", text="broken", state=3, source=2, move=0))
    row = GraphRow(run="run-1", app="app.test")
    other = replace(row, run="run-2", app="other.test")
    view = view_map(file, row, (row, other))
    assert (view.pages[0].name, view.pages[0].tried, view.pages[0].moves) == (f"{HOST}/", 2, 2)
    assert [(one.name, one.states, one.tried, one.moves) for one in view.elements] == [("link", 4, 6, 6)]
    assert view.versions == (row,)
    assert [(one.state, one.case) for one in view.findings] == [(view.states[3].id, True)]
    state = view_state(file, view.states[3].id)
    assert state is not None
    assert state.path == (f'Open "{HOST}"', 'Click the "Go to /shop" link', 'Click the "Go to /mugs" link')
    assert [(move.outcome, move.title) for move in state.moves] == [("reached", "Page /")]
    assert view_state(file, "nothing") is None


def test_two_maps_are_compared() -> None:
    changes = view_changes(mapped(SITE), mapped({**SITE, "/mugs": ["/", "/cups"], "/cups": []}))
    assert [one.title for one in changes.new] == ["Page /cups"]
    assert [(one.title, one.changes[-1]) for one in changes.changed] == [("Page /mugs", "new: tap link “Go to /cups”")]


def test_maps_of_one_app_go_by_one_name() -> None:
    assert explored_app(Exploration(url="http://shop.test:8000/a?b")) == "shop.test:8000"
    assert explored_app(Exploration(device=DeviceSpec(kind="screens", source="apps/shop.yaml"))) == "shop.yaml"
    assert explored_app(Exploration(device=DeviceSpec(kind="appium", name="pixel"))) == "pixel"
    assert explored_app(Exploration(device=DeviceSpec(kind="appium"))) == "appium"
