"""Cases from maps: they cover it, in few ways that were gone like that, and each sentence needs no model."""

import msgspec
import pytest
from imagined_app import HOST, ImaginedApp, explore
from msgspec.structs import replace

from muster_exploration.app_map import AppMap, Edge, MapFinding, MapState
from muster_exploration.case_writing import coverage_cases, finding_case, goal_case, why_no_case
from muster_exploration.map_changes import changes_between
from muster_exploration.map_file import MapFile
from muster_exploration.map_formats import to_graphml, to_mermaid
from muster_grammar import parse_action, parse_expectation
from muster_protocol.explorations import Blank, Move
from muster_protocol.requests import Exploration

SITE = {"/": ["/news", "/shop"], "/news": ["/shop", "/"], "/shop": ["/mugs"], "/mugs": ["/"]}
JOB = Exploration(url=HOST)


def mapped(site: dict[str, list[str]]) -> MapFile:
    return MapFile(job=JOB, map=explore(ImaginedApp(site), JOB).map)


def test_few_cases_go_along_every_edge_and_begin_at_the_start() -> None:
    cases = [written.case for written in coverage_cases(mapped(SITE))]
    assert len(cases) == 1
    actions = [step.action for step in cases[0].steps]
    assert actions[0] == f'Open "{HOST}"'
    assert set(actions[1:]) == {f'Click the "Go to {to}" link' for links in SITE.values() for to in links}
    for step in cases[0].steps:
        assert parse_action(step.action)
        assert parse_expectation(step.expected)


def test_the_goal_is_the_shortest_way_with_the_goal_as_its_last_expectation() -> None:
    file = mapped(SITE)
    states = [replace(state, goal=state.title == "Page /mugs") for state in file.map.states]
    reached = replace(
        file, map=replace(file.map, states=tuple(states)), job=replace(JOB, goal='The text "Mugs" is visible')
    )
    written = goal_case(reached)
    assert written is not None
    assert [step.action for step in written.case.steps] == [
        f'Open "{HOST}"', 'Click the "Go to /shop" link', 'Click the "Go to /mugs" link'
    ]  # fmt: skip
    assert written.case.steps[-1].expected == 'The text "Mugs" is visible'


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Last Updated: Nov 26, 2026, 8:12:17 PM", "Last Updated"),
        ("Refresh (3 minutes ago)", "Refresh"),
        ("Synced 2026-11-26 20:12:17", "Synced"),
        ("Book 10:30", "Book 10:30"),
        ("20:12:17", "20:12:17"),
        ("Cart (2)", "Cart (2)"),
    ],
)
def test_a_control_is_called_by_what_lasts_of_its_name(name: str, said: str) -> None:
    move = Move(do="tap", role="button", name=name)
    states = (MapState(id="a", kin="a", exact="", address=HOST, title="A", moves=(0,)),)
    known = AppMap(start=0, states=states, moves=(move,), edges=(Edge(0, 0, "reached", 0),))
    (written,) = coverage_cases(MapFile(job=JOB, map=known))
    assert written.case.steps[1].action == f'Click the "{said}" button'


def test_a_name_that_begins_like_another_is_said_in_full() -> None:
    names = ("Row saved 20:12:17", "Row saved 20:12:18")
    moves = tuple(Move(do="tap", role="button", name=name) for name in names)
    states = (MapState(id="a", kin="a", exact="", address=HOST, title="A", moves=(0, 1)),)
    known = AppMap(start=0, states=states, moves=moves, edges=(Edge(0, 0, "reached", 0),))
    (written,) = coverage_cases(MapFile(job=JOB, map=known))
    assert written.case.steps[1].action == f'Click the "{names[0]}" button'


def shell(target: MapState, before: MapState, *moves: Move, aliases: dict[str, int] | None = None) -> str:
    """Return what is expected of a state that a button leads to, in an app that has one title."""
    go = Move(do="tap", role="button", name="Go")
    states = (replace(before, moves=(0,)), replace(target, via=(0, 0), depth=1))
    edges = (Edge(0, 0, "reached", 1),)
    known = AppMap(start=0, states=states, moves=(go, *moves), edges=edges, aliases=aliases or {})
    (written,) = coverage_cases(MapFile(job=JOB, map=known))
    expected = written.case.steps[-1].expected
    assert parse_expectation(expected)
    return expected


HOME = MapState(id="a", kin="a", exact="", address=f"{HOST}/t%2017/", title="App", headings=("Tables",))


@pytest.mark.parametrize(
    ("target", "told"),
    [
        (replace(HOME, id="b", title="Drop"), 'The page title is "Drop"'),
        (
            replace(HOME, id="b", address=f"{HOST}/t%2017/export/", headings=("Tables", "Export data")),
            'The page title is "App" and the URL contains "export" and the text "Export data" is visible',
        ),
        (replace(HOME, id="b", headings=("Tables", "New")), 'The page title is "App" and the text "New" is visible'),
        (replace(HOME, id="b", moves=(0, 1, 2)), 'The page title is "App" and the "Create" button is visible'),
        (replace(HOME, id="b", headings=("3 tables",)), 'The page title is "App"'),
        (replace(HOME, id="b", title=""), 'The text "Tables" is visible'),
    ],
    ids=["title", "address and heading", "heading", "button", "nothing that lasts", "no title"],
)
def test_where_the_title_says_nothing_of_an_act_what_came_with_it_is_expected(target: MapState, told: str) -> None:
    link, button = (Move(do="tap", role=role, name=name) for role, name in (("link", "More"), ("button", "Create")))
    assert shell(target, HOME, link, button) == told


def test_of_a_state_that_stands_for_others_only_what_they_share_is_expected() -> None:
    target = replace(HOME, id="b", headings=("Tables", "New"))
    assert shell(target, HOME, aliases={"c": 1}) == 'The page title is "App"'


def login() -> AppMap:
    """Two states that a link leads between only after a log-in."""
    button = Blank(role="textbox", name="User")
    moves = (
        Move(do="fill", role="button", name="Log in", blanks=(button,)),
        Move(do="tap", role="link", name="Home", address=f"{HOST}/"),
        Move(do="tap", role="link", name="Terms", address=f"{HOST}/terms"),
    )
    states = (
        MapState(id="a", kin="a", exact="", address=f"{HOST}/", title="Log in", moves=(0, 2)),
        MapState(id="b", kin="b", exact="", address=f"{HOST}/shop", title="Shop", moves=(2,), via=(0, 0), depth=1),
        MapState(id="c", kin="c", exact="", address=f"{HOST}/terms", title="Terms", moves=(1,), via=(0, 1), depth=1),
    )
    edges = (
        Edge(0, 0, "reached", 1, "", ("${secret:PW}",)),
        Edge(0, 1, "reached", 2),
        Edge(1, 0, "reached", 2),
        Edge(2, 0, "reached", 0),
    )
    return AppMap(start=0, states=states, moves=moves, edges=edges)


def test_a_way_does_not_go_on_where_what_was_done_before_may_matter() -> None:
    file = MapFile(job=JOB, map=login())
    cases = [written.case for written in coverage_cases(file)]
    for case in cases:
        actions = [step.action for step in case.steps]
        logged_in = [at for at, action in enumerate(actions) if "Log in" in action]
        homes = [at for at, action in enumerate(actions) if '"Home"' in action]
        assert not (logged_in and homes and logged_in[0] < homes[0])
    assert any(case.secrets == ("PW",) for case in cases)


def test_the_case_of_a_finding_expects_what_the_finding_contradicts() -> None:
    known = login()
    fault = MapFinding(kind="server_error", text="GET http://app.test/shop answered 500", source=0, move=0, state=1,
                       request="GET http://app.test/shop: 500")  # fmt: skip
    written = finding_case(MapFile(job=JOB, map=replace(known, findings=(fault,))), 0)
    assert written is not None
    assert written.case.steps[-1].expected == "The request succeeds"
    assert parse_expectation(written.case.steps[-1].expected)
    slow = finding_case(MapFile(job=JOB, map=replace(known, findings=(replace(fault, kind="slow"),))), 0)
    assert slow is not None
    assert slow.case.steps[-1].expected == "The last action took less than 5 seconds"


def test_a_finding_that_no_case_can_show_says_why() -> None:
    assert why_no_case(MapFinding(kind="access", text="1 button without a name"), JOB)
    assert not why_no_case(MapFinding(kind="access", text="a button without a name", rule="button-name"), JOB)


def test_maps_are_written_in_every_format_and_read_again() -> None:
    file = mapped(SITE)
    assert msgspec.json.decode(msgspec.json.encode(file), type=MapFile) == file
    assert 's0 -->|"Go to /news"| s1' in to_mermaid(file.map)
    assert to_graphml(file.map).count("<edge ") == len(file.map.edges)


def test_two_maps_tell_what_is_new_gone_and_changed() -> None:
    before, after = mapped(SITE).map, mapped({**SITE, "/shop": ["/mugs", "/cups"], "/cups": []}).map
    changes = changes_between(before, after)
    assert [state.title for state in changes.new] == ["Page /cups"]
    assert [one.state.title for one in changes.changed] == ["Page /shop"]
    assert any("Go to /cups" in text for text in changes.changed[0].changes)
    assert not changes_between(before, before).any
    assert [state.title for state in changes_between(after, before).gone] == ["Page /cups"]
