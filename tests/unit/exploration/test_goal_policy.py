"""A goal is looked for along flows, and not by what was tried where nothing has changed since."""

from collections import Counter

import pytest
from imagined_app import ImaginedApp, explore
from imagined_flows import HOST, FlowBooking, FlowShop, FlowSite, FlowStore, FlowWizard

from muster_exploration.tour_rounds import Progress
from muster_protocol.explorations import ExplorationPolicy
from muster_protocol.requests import Exploration

SITES: list[FlowSite] = [FlowShop(), FlowWizard(), FlowBooking()]


def look_for_thanks(site: FlowSite, *policy: ExplorationPolicy) -> Progress:
    """Look for the end of a site's flow."""
    job = Exploration(url=HOST + site.entry, goal="Thank you", policy=policy, max_steps=1000)
    return explore(ImaginedApp(site), job)


@pytest.mark.parametrize("site", SITES, ids=lambda site: type(site).__name__)
def test_the_end_of_a_flow_is_found_in_two_thirds_of_the_steps_of_covering_the_app(site: FlowSite) -> None:
    found = look_for_thanks(site)
    assert found.over == "the goal is reached"
    assert found.spent.steps <= look_for_thanks(site, "coverage").spent.steps * 2 / 3


def test_who_covers_an_app_follows_what_has_begun_before_more_views_and_more_of_the_same() -> None:
    found = look_for_thanks(FlowStore(), "coverage")
    assert found.over == "the goal is reached"
    assert found.spent.steps <= 500


@pytest.mark.parametrize("site", SITES, ids=lambda site: type(site).__name__)
def test_a_link_of_every_page_is_one_move_until_something_has_changed(site: FlowSite) -> None:
    known = look_for_thanks(site).map
    help_pages = Counter(edge.source for edge in known.edges if known.move(edge.source, edge.move).name == "help")
    assert help_pages.total() <= 2, [known.states[at].address for at in help_pages]


def test_what_a_goal_speaks_of_comes_first() -> None:
    site = FlowBooking()
    job = Exploration(url=HOST, goal="/dining", max_steps=1000)
    known = explore(ImaginedApp(site), job).map
    assert [known.move(edge.source, edge.move).name for edge in known.edges] == ["dining"]


def test_a_goal_that_is_nowhere_is_looked_for_everywhere() -> None:
    job = Exploration(url=HOST, goal="nothing like that", max_steps=100_000)
    progress = explore(ImaginedApp(FlowBooking()), job)
    assert progress.over == "everything that was found was tried"
    assert not progress.map.open
