"""Generated sites with forms, a log-in, endless lists and traps: every state is found, and none twice."""

import random

import msgspec
import pytest
from generated_site import HOST, GeneratedSite
from imagined_app import ImaginedApp, LinkedPages, explore, explore_in_time

from muster_exploration.abstraction import abstract_address, carried_tokens
from muster_exploration.app_map import AppMap
from muster_exploration.map_index import index_of
from muster_protocol.explorations import ExplorationPolicy
from muster_protocol.requests import Exploration

TREE = {f"/{n}": [f"/{m}" for m in (3 * n + 1, 3 * n + 2, 3 * n + 3, 0) if m < 90] for n in range(90)} | {"/": ["/0"]}
TOKEN = "k3jd92kfj3kd93kd77aa"


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("policy", ["bfs", "dfs", "coverage", "random"])
def test_each_state_of_a_site_is_found_and_none_twice(policy: ExplorationPolicy, seed: int) -> None:
    site = GeneratedSite(20, seed)
    job = Exploration(url=HOST, policy=(policy,), max_steps=20_000, seed=seed)
    known = explore(ImaginedApp(site), job).map
    names = [state.title for state in known.states if state.page_of < 0]
    assert site.found(names) == site.states()
    assert [name for at, name in enumerate(names) if site.found(names[: at + 1]) == site.found(names[:at])] == []
    assert not known.open


def test_several_sessions_find_the_same_states_of_a_site() -> None:
    site = GeneratedSite(20, 1)
    maps = [
        explore(ImaginedApp(site), Exploration(url=HOST, max_steps=20_000, sessions=sessions), order=order).map
        for sessions, order in ((1, 1), (4, 1), (4, -1))
    ]
    assert len({frozenset(state.title for state in known.states if state.page_of < 0) for known in maps}) == 1


def test_numbered_pages_that_something_else_lists_are_kept_apart_though_each_leads_to_the_next() -> None:
    photos = {f"/photo/{number}": [f"/photo/{number + 1}", "/album"] for number in range(20)}
    links = {"/": ["/photo/0", "/album"], "/album": list(photos), **photos, "/photo/20": ["/album"]}
    for policy in ("bfs", "dfs", "coverage"):
        known = explore(ImaginedApp(links), Exploration(url=HOST, policy=(policy,), max_steps=10_000)).map
        alone = {state.address for state in known.states if state.page_of < 0}
        assert {f"{HOST}{photo}" for photo in photos} <= alone, policy


def test_four_sessions_of_uneven_pace_explore_three_times_as_fast_and_make_the_same_map_at_any_pace() -> None:
    def took(sessions: int, seed: int) -> tuple[bytes, float]:
        dice = random.Random(seed)
        pace = [dice.choice([0.5, 1.0, 3.0]) for _ in range(3000)]
        job = Exploration(url=HOST, max_steps=20_000, sessions=sessions)
        progress, seconds = explore_in_time(ImaginedApp(LinkedPages(TREE, "/")), job, pace.__getitem__)
        return msgspec.json.encode(progress), seconds

    (alone, four), (same, _) = took(4, 1), took(4, 2)
    assert took(1, 1)[1] >= 3 * four
    assert alone == same


@pytest.mark.parametrize(
    ("address", "abstract"),
    [
        ("http://a.test/x/x/x/x", "http://a.test/x"),
        ("http://a.test/a/b/a/b/a", "http://a.test/a/b/a"),
        ("http://a.test/1/2/3", "http://a.test/#/#/#"),
        ("http://a.test/a/b/c", "http://a.test/a/b/c"),
    ],
)
def test_a_folder_that_repeats_itself_stands_once(address: str, abstract: str) -> None:
    assert abstract_address(address) == abstract


@pytest.mark.parametrize(
    ("links", "carried"),
    [
        ([f"{HOST}/s/{TOKEN}/one", f"{HOST}/two?sid={TOKEN}"], {TOKEN}),
        ([f"{HOST}/s/{TOKEN}/one", f"{HOST}/"], set[str]()),
        ([f"{HOST}/s/{TOKEN}/one"], set[str]()),
        ([f"{HOST}/s/{TOKEN}/one", f"{HOST}/s/{TOKEN}/two", "http://other.test/"], {TOKEN}),
    ],
)
def test_an_id_that_all_links_pass_on_is_the_sessions(links: list[str], carried: set[str]) -> None:
    assert carried_tokens(f"{HOST}/s/{TOKEN}/here", links) == carried


@pytest.mark.parametrize("policy", ["coverage", "dfs", "random"])
def test_what_a_merge_keeps_up_is_what_the_map_says(policy: ExplorationPolicy) -> None:
    job = Exploration(url=HOST, policy=(policy,), max_steps=20_000, sessions=4)
    known = explore(ImaginedApp(GeneratedSite(20, 1)), job).map
    read = msgspec.convert(msgspec.to_builtins(known), AppMap)
    assert index_of(known) == index_of(read)
    assert sum(index_of(known).tries) == len(known.edges) > 0
