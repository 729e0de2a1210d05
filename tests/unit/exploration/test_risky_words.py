"""What an exploration leaves alone: by the words of a control, and by what is done to what."""

import pytest

from muster_exploration.possible_moves import possible_moves
from muster_exploration.risky_words import risk_in
from muster_exploration.screen_shape import Part


@pytest.mark.parametrize(
    "name",
    ["Delete", "Log out", "Pay now", "Reset", "Reset database", "Factory reset", "Reset all settings", "Reset and delete",
     "Restart server", "Format disk", "Reset the widget", "Datenbank zurücksetzen", "Zurücksetzen"],
)  # fmt: skip
def test_what_may_touch_something_that_lasts_is_risky(name: str) -> None:
    assert risk_in(name)


@pytest.mark.parametrize(
    "name",
    ["Reset filters", "Reset the search form", "Restart game", "Format text", "Filter reset", "Suche zurücksetzen"],
)
def test_what_touches_a_view_alone_is_not(name: str) -> None:
    assert not risk_in(name)


def test_a_link_only_leads_there_and_a_button_among_fields_empties_them() -> None:
    assert not risk_in("Reset your password", leads=True)
    assert not risk_in("Reset", leads=True)
    assert not risk_in("Reset", in_form=True)
    assert risk_in("Reset database", leads=True)
    assert risk_in("Reset database", in_form=True)
    assert risk_in("Delete", leads=True)
    assert risk_in("Log out", leads=True)


def test_a_screen_is_read_by_it() -> None:
    parts = [
        Part("link", "Reset your password", 0, "http://app.test/reset"),
        Part("form", "Search", 0),
        Part("textbox", "Name", 1),
        Part("button", "Search", 1),
        Part("button", "Reset", 1),
        Part("group", "Danger", 0),
        Part("button", "Reset", 1),
    ]
    found = possible_moves(parts)
    assert [(move.name, move.ordinal) for move in found.moves if "Reset" in move.name] == [
        ("Reset your password", 0),
        ("Reset", 1),
    ]
    assert len(found.left_out) == 1
