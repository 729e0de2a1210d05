"""The digest of a map is the same for the same app and seed, whichever run made it."""

import pytest
from generated_site import HOST, GeneratedSite
from imagined_app import ImaginedApp, explore
from msgspec.structs import replace

from muster_exploration.app_map import AppMap
from muster_exploration.map_digest import digest_of
from muster_protocol.requests import Exploration


def a_map(seed: int, sessions: int = 1, steps: int = 300) -> AppMap:
    job = Exploration(url=HOST, policy=("random",), seed=seed, max_steps=steps, sessions=sessions)
    return explore(ImaginedApp(GeneratedSite(20, 1)), job).map


def with_pictures_of(known: AppMap, run: str) -> AppMap:
    shown = [
        replace(state, picture=f"{run}/states/{state.id}.png", screen=f"{run}/states/{state.id}.txt", exact=run)
        for state in known.states
    ]
    return replace(known, states=tuple(shown))


@pytest.mark.parametrize("seed", [7, 8])
def test_the_same_seed_gives_the_same_digest_whichever_run_it_was(seed: int) -> None:
    first, second = a_map(seed), a_map(seed)
    assert digest_of(with_pictures_of(first, "run-a")) == digest_of(with_pictures_of(second, "run-b"))


def test_another_seed_that_leads_elsewhere_gives_another() -> None:
    assert digest_of(a_map(7)) != digest_of(a_map(8))


def test_the_order_in_which_states_were_found_does_not_count_once_all_are() -> None:
    links = {"/": ["/a", "/b"], "/a": ["/b"], "/b": ["/a", "/"]}
    maps = [
        explore(ImaginedApp(links), Exploration(url=HOST, policy=(policy,), max_steps=1000)).map
        for policy in ("bfs", "dfs")
    ]
    assert digest_of(maps[0]) == digest_of(maps[1])


@pytest.mark.parametrize("change", [{"outcome": "refused"}, {"target": 0}, {"target": -1}])
def test_an_edge_that_leads_elsewhere_gives_another(change: dict[str, object]) -> None:
    known = a_map(7)
    at = next(at for at, edge in enumerate(known.edges) if edge.target > 0)
    edges = (*known.edges[:at], replace(known.edges[at], **change), *known.edges[at + 1 :])
    assert digest_of(replace(known, edges=edges)) != digest_of(known)
