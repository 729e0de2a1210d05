"""Where explorations go: by policy, in rounds, within budgets, and the same each time."""

import msgspec
import pytest
from imagined_app import HOST, ImaginedApp, explore

from muster_exploration.app_map import AppMap
from muster_protocol.explorations import EXPLORATION_POLICIES, ExplorationPolicy
from muster_protocol.requests import Exploration

TREE = {
    "/": ["/news", "/shop"],
    "/news": ["/news/today", "/"],
    "/news/today": ["/news"],
    "/shop": ["/shop/bags", "/shop/mugs", "/"],
    "/shop/bags": ["/shop"],
    "/shop/mugs": ["/shop/mugs/big", "/shop"],
    "/shop/mugs/big": [],
}


def job(policy: ExplorationPolicy = "bfs", **more: object) -> Exploration:
    return msgspec.convert({"url": HOST, "policy": [policy], "goal": "x", "focus": "shop", **more}, Exploration)


def order(known: AppMap) -> list[str]:
    return [state.address.removeprefix(HOST) for state in known.states]


@pytest.mark.parametrize("policy", EXPLORATION_POLICIES)
def test_each_policy_finds_everything_and_the_same_map_twice(policy: ExplorationPolicy) -> None:
    one, two = (explore(ImaginedApp(TREE), job(policy, seed=7)) for _ in range(2))
    assert set(order(one.map)) == set(TREE)
    assert len(one.map.edges) == sum(map(len, TREE.values()))
    assert msgspec.json.encode(one) == msgspec.json.encode(two)
    assert one.over == "everything that was found was tried"


def test_breadth_first_finds_near_states_first_and_depth_first_goes_down() -> None:
    wide, deep = (explore(ImaginedApp(TREE), job(policy)).map for policy in ("bfs", "dfs"))
    assert order(wide)[:4] == ["/", "/news", "/shop", "/news/today"]
    assert order(deep)[:4] == ["/", "/news", "/news/today", "/shop"]
    assert [state.depth for state in wide.states] == sorted(state.depth for state in wide.states)


def test_the_seed_decides_what_chance_does() -> None:
    orders = {tuple(order(explore(ImaginedApp(TREE), job("random", seed=seed)).map)) for seed in range(8)}
    assert len(orders) > 1


def test_focused_explores_its_part_first() -> None:
    known = explore(ImaginedApp(TREE), job("focused")).map
    assert all("shop" in path for path in order(known)[3:6])


def test_several_sessions_find_the_same_set_whichever_is_over_first() -> None:
    alone = explore(ImaginedApp(TREE), job("coverage")).map
    together = explore(ImaginedApp(TREE), job("coverage", sessions=4))
    reverse = explore(ImaginedApp(TREE), job("coverage", sessions=4), order=-1)
    assert msgspec.json.encode(together) == msgspec.json.encode(reverse)
    assert set(order(together.map)) == set(order(alone))

    def edges(known: AppMap) -> set[tuple[str, str, str]]:
        return {
            (known.states[edge.source].id, known.move(edge.source, edge.move).name, known.states[edge.target].id)
            for edge in known.edges
        }

    assert edges(together.map) == edges(alone)


def test_steps_are_never_more_than_the_budget() -> None:
    for steps in range(2, 30):
        for sessions in (1, 3):
            progress = explore(ImaginedApp(TREE), job("coverage", max_steps=steps, sessions=sessions))
            assert progress.spent.steps <= steps
            assert "max_steps" in progress.over or progress.over.startswith("everything")


def test_a_policy_that_finds_nothing_new_gives_way_to_the_next_and_the_change_is_recorded() -> None:
    names = [f"/{name}" for name in "abcdefghijkl"]
    star = {"/": names, **{name: [other for other in names if other != name] for name in names}}
    progress = explore(
        ImaginedApp(star), msgspec.convert({"url": HOST, "policy": ["dfs", "bfs"], "max_steps": 10_000}, Exploration)
    )
    switch = progress.map.switches[0]
    assert (switch.before, switch.after) == ("dfs", "bfs")
    assert "nothing new" in switch.reason


def test_an_endless_list_costs_a_few_pages_and_numbered_pages_are_kept_apart() -> None:
    endless = {f"/list/{number}": [f"/list/{number + 1}", "/"] for number in range(1, 400)}
    site = {
        f"/p/{number}": [f"/p/{2 * number + 1}", f"/p/{2 * number + 2}", f"/p/{(number * 7) % 90}"]
        for number in range(45)
    }
    site |= {f"/p/{number}": ["/"] for number in range(45, 95)}
    progress = explore(ImaginedApp({"/": ["/list/1", "/p/0"], **endless, **site}), job("coverage", max_steps=100_000))
    found = order(progress.map)
    assert len([path for path in found if path.startswith("/list")]) <= 4
    assert {path for path in found if path.startswith("/p/")} == {f"/p/{number}" for number in range(91)}


def test_more_of_a_kind_than_wanted_are_taken_for_one() -> None:
    many = {"/": [f"/item/{number}" for number in range(50)], **{f"/item/{number}": ["/"] for number in range(50)}}
    progress = explore(ImaginedApp(many), job("bfs", instances=5, max_steps=10_000))
    assert len(progress.map.states) == 6
    assert len(progress.map.edges) == 50 + 5
