"""Whatever is done to a simulated device, and whenever: it stays a device, and the same story tells the same state."""

from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from shop_screens import shop

from muster_devices.action_targets import wanted_by
from muster_devices.actions import Action, Enter, Navigate, Point, Press, Scroll, Swipe, Target
from muster_devices.errors import DeviceRefused
from muster_devices.screens.gestures import perform
from muster_devices.screens.rendering import screen_of
from muster_devices.screens.simulator import Simulator
from muster_devices.screens.state import State

APP = shop()
NOBODY = Target(name="chosen below")
ACTIONS: list[Action] = [
    Point(target=NOBODY),
    Point(target=NOBODY, gesture="long_press"),
    Enter(target=NOBODY, text="tester"),
    Enter(target=NOBODY, text="swordfish"),
    Press(key="Tab"),
    Press(key="Enter"),
    Press(key="x"),
    Swipe(direction="left"),
    Swipe(direction="up"),
    Scroll(to="bottom"),
    Navigate(to="back"),
    Navigate(to="reload"),
    *(Navigate(address=name) for name in APP.screens),
]
Story = list[tuple[float, Action, int, bool]]
STORY = st.lists(st.tuples(st.floats(0, 2), st.sampled_from(ACTIONS), st.integers(0, 20), st.booleans()), max_size=25)
FAULTS = st.sets(st.sampled_from(sorted(APP.faults)))


def told(simulator: Simulator, story: Story) -> list[State]:
    states = [simulator.begin(0.0)]
    for pause, action, which, accept in story:
        state = simulator.advance(states[-1], states[-1].at + pause)
        states.append(simulator.answer(state, accept, "") if state.dialog else done(simulator, state, action, which))
    return states


def done(simulator: Simulator, state: State, action: Action, which: int) -> State:
    shown = simulator.rendered(state)
    if wanted_by(action, "") is None:
        return perform(simulator, state, action, None)
    usable = [one for one in shown if one.element.states.editable or not isinstance(action, Enter)]
    try:
        return perform(simulator, state, action, usable[which % len(usable)]) if usable else state
    except DeviceRefused:
        return state


@settings(max_examples=150, deadline=None)
@given(STORY, FAULTS)
def test_any_story_leaves_a_device_that_shows_itself_and_can_be_saved(story: Story, faults: set[str]):
    simulator = Simulator(APP, {name: APP.faults[name] for name in faults})
    states = told(simulator, story)
    for before, after in pairwise(states):
        assert after.version >= before.version
        assert after.at >= before.at
        if after != before and (after.data, after.path) != (before.data, before.path):
            assert after.version > before.version
    for state in states:
        screen = screen_of(APP, state, simulator.rendered(state))
        refs = [element.ref for element in screen.elements]
        assert len(refs) == len(set(refs))
        assert bool(screen.place.failure) == bool(state.crash)
        assert sorted(due.at for due in state.due) == [due.at for due in state.due]
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    assert told(simulator, story) == states


@settings(max_examples=100, deadline=None)
@given(STORY, FAULTS, st.floats(0, 3), st.floats(0, 3))
def test_time_that_passes_in_two_parts_is_time_that_passes_at_once(
    story: Story, faults: set[str], first: float, second: float
):
    simulator = Simulator(APP, {name: APP.faults[name] for name in faults})
    state = told(simulator, story)[-1]
    halfway = simulator.advance(state, state.at + first)
    assert simulator.advance(halfway, state.at + first + second) == simulator.advance(state, state.at + first + second)
