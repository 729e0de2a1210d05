"""A simulated device goes from state to state by the file alone; time comes in as an argument."""

import pytest
from shop_screens import app_of, shop

from muster_devices.action_targets import wanted_by
from muster_devices.actions import (
    Action,
    ClickOutside,
    Enter,
    Navigate,
    Point,
    Press,
    Scroll,
    Swipe,
    Target,
    Toggle,
    Upload,
)
from muster_devices.element_search import search
from muster_devices.errors import DeviceRefused
from muster_devices.observations import FindElements
from muster_devices.screen import Screen, outline
from muster_devices.screens.app import App, Fault, ScreenPlan
from muster_devices.screens.gestures import perform
from muster_devices.screens.rendering import screen_of
from muster_devices.screens.simulated_device import LACKING
from muster_devices.screens.simulator import Simulator
from muster_devices.screens.state import State
from muster_protocol.causes import Failure


class Player:
    """A device that is acted on at given times."""

    def __init__(self, app: App, *faults: str) -> None:
        self.simulator = Simulator(app, {name: app.faults[name] for name in faults})
        self.state: State = self.simulator.begin(0.0)

    def at(self, now: float) -> "Player":
        self.state = self.simulator.advance(self.state, now)
        return self

    def do(self, action: Action) -> "Player":
        wanted = wanted_by(action, "")
        found = None
        if wanted is not None:
            matches = search(self.screen, FindElements(target=wanted.target, use=wanted.use)).matches
            assert len(matches) == 1, (action, matches)
            shown = self.simulator.rendered(self.state)
            found = next(one for one in shown if one.element.ref == matches[0].ref)
        self.state = perform(self.simulator, self.state, action, found)
        return self

    def tap(self, name: str) -> "Player":
        return self.do(Point(target=Target(name=name)))

    @property
    def screen(self) -> Screen:
        return screen_of(self.simulator.app, self.state, self.simulator.rendered(self.state))

    @property
    def texts(self) -> list[str]:
        return [element.text for element in self.screen.elements]


COUNTER = """
one:
  elements:
    - {role: button, name: Add, id: add, tap: {add: {count: 1}}}
    - {role: button, name: Later, id: later, tap: {after: 2, add: {count: 10}}}
    - {role: button, name: Leave, tap: two}
    - {role: button, name: Leave later, tap: {after: 1, go: two, add: {count: 5}}}
    - {role: text, text: "Count: ${count}"}
    - {role: text, text: Many, when: {count: {above: 3}}}
two:
  title: Two of ${count}
  elements:
    - {role: button, name: Back, tap: {back: true}}
"""
FAULTS = """
data: {count: 0}
faults:
  slow: {slow: 3}
  slow-add: {element: add, slow: 1, times: 1}
  broken: {element: add, crash: "boom at ${count}"}
  dead: {element: add, instead: {}}
  gone: {element: add, absent: true}
  asks: {screen: two, times: 1, dialog: {kind: confirm, text: "Sure?", accept: {set: {count: 99}}, dismiss: one}}
"""


def counter(*faults: str) -> Player:
    return Player(app_of(COUNTER, FAULTS), *faults)


def test_a_tap_changes_data_and_what_follows_from_it():
    player = counter().tap("Add").tap("Add")
    assert "Count: 2" in player.texts
    assert "Many" not in player.texts
    assert "Many" in player.tap("Add").tap("Add").texts


def test_what_comes_later_happens_at_its_time_and_not_before():
    player = counter().at(1.0).tap("Later")
    assert player.state.busy == ("Later",)
    assert "Count: 0" in player.at(2.9).texts
    assert "Count: 10" in player.at(3.0).texts
    assert player.state.busy == ()


def test_what_leads_elsewhere_later_is_left_out_once_another_screen_is_shown_but_its_data_counts():
    player = counter().tap("Leave later").tap("Leave").tap("Back").at(0.5)
    player.tap("Leave").at(2.0)
    assert player.state.path == ("one", "two")
    assert player.screen.place.title == "Two of 5"
    assert player.tap("Back").state.screen == "one"


def test_the_version_rises_with_each_change_and_with_nothing_else():
    player = counter()
    before = player.state.version
    assert player.at(5.0).state.version == before
    assert player.tap("Add").state.version > before


def test_back_ends_at_the_first_screen():
    player = counter().tap("Leave").do(Navigate(to="back"))
    assert player.state.screen == "one"
    assert player.do(Navigate(to="back")).state.screen == "one"


def test_an_address_leads_to_a_screen_and_an_unknown_one_is_refused_with_the_closest():
    assert counter().do(Navigate(address="test://two")).state.screen == "two"
    assert counter().do(Navigate(address="two")).state.screen == "two"
    with pytest.raises(DeviceRefused, match="no screen 'test://tow'; closest: two") as refused:
        counter().do(Navigate(address="test://tow"))
    assert refused.value.failure == Failure.INVALID_CALL


def test_a_slow_app_takes_longer_and_shows_that_it_is_busy():
    player = counter("slow").tap("Add")
    assert player.state.busy == ("Add",)
    assert "Count: 0" in player.at(2.9).texts
    assert "Count: 1" in player.at(3.0).texts


def test_a_fault_strikes_as_often_as_the_file_says():
    player = counter("slow-add").tap("Add")
    assert "Count: 0" in player.texts
    assert "Count: 2" in player.at(0.5).tap("Add").at(1.0).texts


def test_after_a_crash_nothing_is_shown_but_that_and_an_address_starts_the_app_again():
    player = counter("broken").do(Navigate(address="two")).tap("Back").tap("Add")
    place = player.screen.place
    assert (place.failure, place.problem) == (Failure.SERVER_ERROR, "the app has crashed: boom at 0")
    assert player.screen.elements == ()
    again = player.do(Navigate(address="two"))
    assert again.state.path == ("one", "two")
    assert again.screen.place.failure is None


def test_a_dead_button_does_nothing_and_an_absent_one_is_not_there():
    assert "Count: 0" in counter("dead").tap("Add").texts
    assert not any(element.name == "Add" for element in counter("gone").screen.elements)


def test_a_dialog_waits_for_its_answer_which_the_app_reacts_to():
    player = counter("asks").tap("Leave")
    assert player.state.dialog is not None
    accepted = player.simulator.answer(player.state, True, "")
    assert (accepted.dialog, accepted.data["count"]) == (None, 99)
    dismissed = player.simulator.answer(player.state, False, "")
    assert (dismissed.screen, dismissed.data["count"]) == ("one", 0)


def test_a_prompt_keeps_what_was_entered_or_what_it_offers():
    prompt = "dialog: {kind: prompt, text: Your name, default: Nobody, into: who}"
    player = Player(app_of(f"a:\n  elements:\n    - {{role: button, name: Ask, tap: {{{prompt}}}}}")).tap("Ask")
    assert player.simulator.answer(player.state, True, "Ada").data["who"] == "Ada"
    assert player.simulator.answer(player.state, True, "").data["who"] == "Nobody"
    assert "who" not in player.simulator.answer(player.state, False, "Ada").data


FORM = """
form:
  keys: {Enter: done}
  swipe: {left: done}
  elements:
    - {role: textbox, name: User, id: user, type: {when: {user: ""}, set: {hint: Say who you are}}}
    - {role: checkbox, name: Terms, id: terms}
    - role: group
      elements:
        - {role: radio, name: Slow, id: slow, value: true}
        - {role: radio, name: Fast, id: fast}
    - {role: button, name: Send, states: {disabled: {terms: false}}, tap: done}
    - {role: button, name: Menu, long_press: done, double_tap: {set: {hint: Twice}}}
    - {role: text, text: "${hint}", when: {hint: {not: ""}}}
done:
  elements:
    - {role: text, text: Done}
"""


def form() -> Player:
    return Player(app_of(FORM))


def element(player: Player, name: str):
    return next(one for one in player.screen.elements if one.name == name)


def test_a_field_holds_what_is_typed_and_has_the_focus():
    player = form().do(Enter(target=Target(name="User"), text="Ada"))
    assert element(player, "User").value == "Ada"
    assert element(player, "User").states.focused
    assert "Say who you are" in player.do(Enter(target=Target(name="User"), text="")).texts


def test_a_toggle_turns_and_what_depends_on_it_too():
    player = form()
    assert not element(player, "Send").states.enabled
    player.do(Toggle(target=Target(name="Terms")))
    assert element(player, "Send").states.enabled
    before = player.state
    assert player.do(Toggle(target=Target(name="Terms"))).state == before
    assert not element(player.do(Toggle(target=Target(name="Terms"), on=False)), "Terms").states.checked


def test_one_of_the_radio_buttons_in_a_group_is_on():
    player = form().tap("Fast")
    assert element(player, "Fast").states.checked
    assert not element(player, "Slow").states.checked


def test_a_click_outside_takes_the_focus_away_and_changes_nothing_else():
    player = form().do(Enter(target=Target(name="User"), text="Ada"))
    before = player.state.data
    assert not element(player.do(ClickOutside(target=Target(name="User"))), "User").states.focused
    assert player.state.data == before


def test_keys_edit_the_field_move_the_focus_and_press_what_has_it():
    player = form().do(Press(key="A", target=Target(name="User"))).do(Press(key="b")).do(Press(key="Space"))
    assert element(player, "User").value == "Ab "
    assert element(player.do(Press(key="Backspace")), "User").value == "Ab"
    player.do(Press(key="Tab"))
    assert element(player, "Terms").states.focused
    assert element(player.do(Press(key="Space")), "Terms").states.checked
    assert element(player.do(Press(key="ArrowUp")), "User").states.focused
    assert player.do(Press(key="Enter")).state.screen == "done"
    assert player.do(Press(key="Back")).state.screen == "form"


def test_gestures_are_told_apart():
    assert form().do(Point(target=Target(name="Menu"), gesture="long_press")).state.screen == "done"
    assert "Twice" in form().do(Point(target=Target(name="Menu"), gesture="double_tap")).texts
    assert form().do(Swipe(direction="left")).state.screen == "done"
    assert form().do(Swipe(direction="right")).state.screen == "form"


def test_content_that_is_longer_than_the_screen_moves_as_far_as_there_is_any():
    rows = "\n".join(f"    - {{role: button, name: Item {number}}}" for number in range(40))
    player = Player(app_of(f"list:\n  elements:\n{rows}"))
    player.do(Swipe(direction="up"))
    assert player.state.scroll == round(0.8 * 844)
    assert player.do(Scroll(to="bottom")).state.scroll == player.simulator.content_height(player.state) - 844
    bottom = player.state
    assert player.do(Scroll(to="down")).state == bottom
    player.do(Scroll(target=Target(name="Item 0")))
    assert player.state.scroll == 0
    assert player.do(Scroll(to="top")).state.scroll == 0


def test_what_the_device_has_not_is_refused():
    with pytest.raises(DeviceRefused, match="no files"):
        wanted_by(Upload(target=Target(name="User"), files=()), LACKING)


def test_what_stands_in_something_that_is_not_there_is_not_there_either():
    nested = """
a:
  elements:
    - role: group
      name: Box
      id: box
      when: {open: true}
      elements:
        - {role: text, text: Inside}
    - {role: button, name: Open, tap: {set: {open: true}}}
"""
    player = Player(app_of(nested, "faults: {no-box: {element: box, absent: true}}"))
    assert "Inside" not in player.texts
    assert "Inside" in player.tap("Open").texts
    faulty = Player(app_of(nested, "faults: {no-box: {element: box, absent: true}}"), "no-box").tap("Open")
    assert "Inside" not in faulty.texts


def test_late_elements_come_in_time_and_quiet_ones_unannounced():
    late = """
a:
  elements:
    - {role: text, text: Soon, after: 1}
    - {role: text, text: News, after: 2, quiet: true}
"""
    player = Player(app_of(late))
    assert player.state.busy == ("text",)
    version = player.state.version
    assert player.at(1.0).texts == ["Soon"]
    assert player.state.version > version
    assert player.state.busy == ()
    assert player.at(2.0).texts == ["Soon", "News"]


def test_the_shop_sells():
    player = Player(shop()).at(1.0)
    player.do(Enter(target=Target(name="User name"), text="tester"))
    player.do(Enter(target=Target(name="Password"), text="wrong")).tap("Log in")
    assert "User name and password do not match." in player.texts
    player.do(Enter(target=Target(name="Password"), text="swordfish"))
    player.do(Point(target=Target(name="Log in", role="button"))).at(2.0)
    player.do(Point(target=Target(name="Add to cart", ordinal=1))).at(3.0).do(Swipe(direction="left"))
    assert "Total: $29.99" in player.texts
    player.tap("I accept the terms").tap("Place order").at(4.0)
    assert player.texts == ["Thank you, tester!", "Order number: MS-1001", "Delivery: Standard"]


def test_the_outline_shows_structure_states_and_no_password():
    player = Player(shop()).at(1.0).do(Enter(target=Target(name="Password"), text="swordfish"))
    lines = outline(player.screen)
    assert lines[0] == '- heading "Log in" [ref=e3]'
    assert lines[2] == '- textbox "Password" [ref=e5] [active]: ••••'
    assert lines[3] == '- button "Log in" [ref=e6] [disabled]'


def test_a_fault_after_some_acts_keeps_everybody_from_the_device_for_a_while() -> None:
    fault = Fault(acts=2, trouble="away", lasts=3)
    simulator = Simulator(App(app="a", start="one", screens={"one": ScreenPlan()}), {"cable": fault})
    first = simulator.acted(simulator.begin(0.0))
    away = simulator.acted(first)
    assert (first.trouble, away.trouble and away.trouble.kind) == (None, "away")
    assert simulator.begin_anew(away).trouble  # the device's, and not the app's
    assert simulator.advance(away, 3.1).trouble is None
