"""A tap on what only a closed list offers is a choice in that list."""

import pytest
from shop_screens import app_of

from muster_devices.action_targets import as_shown
from muster_devices.actions import Choose, Point, Target
from muster_devices.errors import DeviceRefused
from muster_devices.screen import Screen
from muster_devices.screens.rendering import screen_of
from muster_devices.screens.simulator import Simulator
from muster_protocol.causes import Failure

SCREENS = """
home:
  elements:
    - {role: combobox, name: Size, id: size, options: [S, M, Tall], value: S}
    - {role: combobox, name: Fit, id: fit, options: [S, Wide], value: S}
    - {role: button, name: Submit}
    - {role: text, text: Tall}
    - {role: button, name: Wide}
"""


def screen() -> Screen:
    app = app_of(SCREENS)
    simulator = Simulator(app, {})
    state = simulator.begin(0.0)
    return screen_of(app, state, simulator.rendered(state))


def test_an_option_is_chosen_in_the_one_list_that_offers_it() -> None:
    shown = screen()
    size = next(one.ref for one in shown.elements if one.name == "Size")
    for target in (Target(name="M"), Target(name="m", role="option")):
        assert as_shown(Point(target=target), shown) == Choose(target=Target(ref=size), options=(target.name,))


@pytest.mark.parametrize(
    "point",
    [
        Point(target=Target(name="Wide")),  # the button
        Point(target=Target(name="M", role="button")),
        Point(target=Target(name="M"), gesture="double_tap"),
        Point(target=Target(name="", ref="e1")),
        Point(target=Target(name="XL")),
    ],
)
def test_another_tap_stays_what_it_is(point: Point) -> None:
    assert as_shown(point, screen()) == point


@pytest.mark.parametrize("name", ["S", "Tall"])
def test_what_several_offer_or_a_text_says_is_unclear(name: str) -> None:
    with pytest.raises(DeviceRefused) as refused:
        as_shown(Point(target=Target(name=name)), screen())
    assert refused.value.failure == Failure.TARGET_UNCLEAR
