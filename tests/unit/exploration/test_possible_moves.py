"""What can be done on a screen, and what is left out."""

import pytest

from muster_exploration.form_values import value_for
from muster_exploration.move_phrases import sentences_of
from muster_exploration.possible_moves import find_control, possible_moves
from muster_exploration.risky_words import risk_in
from muster_exploration.screen_shape import Part
from muster_grammar import parse_action
from muster_protocol.explorations import Blank, Move

LOGIN = [
    Part("textbox", "User name", 0),
    Part("textbox", "Password", 0),
    Part("button", "Log in", 0),
    Part("link", "Help", 0, "http://a.test/help"),
]


def test_a_form_is_filled_and_also_left_empty() -> None:
    moves = possible_moves(LOGIN).moves
    assert [(move.do, move.name) for move in moves] == [("fill", "Log in"), ("tap", "Log in"), ("tap", "Help")]
    assert [blank.name for blank in moves[0].blanks] == ["User name", "Password"]


def test_a_button_that_waits_for_its_fields_is_only_pressed_with_them() -> None:
    moves = possible_moves([Part("textbox", "Name", 0), Part("button", "Go", 0, enabled=False)]).moves
    assert [move.do for move in moves] == ["fill"]


@pytest.mark.parametrize(
    "name", ["Delete", "Delete account", "DELETE", "Log out", "Logout", "Log-out", "Pay now", "Konto löschen",
             "Zahlungspflichtig bestellen", "Abmelden", "Nachricht senden", "signOut", "Place order"],
)  # fmt: skip
def test_what_destroys_pays_sends_or_ends_is_left_out(name: str) -> None:
    possible = possible_moves([Part("button", name, 0)])
    assert possible.moves == ()
    assert name in possible.left_out[0]
    assert possible_moves([Part("button", name, 0)], allow=[name]).moves
    assert possible_moves([Part("button", name, 0)], allow=["*"]).moves


@pytest.mark.parametrize("name", ["Undeleted items", "Payments", "Sender", "Log in", "Postal code", "Bestellungen"])
def test_words_that_only_look_like_it_stay(name: str) -> None:
    assert risk_in(name) == ""


def test_an_allowed_phrase_does_not_allow_what_else_a_name_says() -> None:
    assert risk_in("Delete and log out", allow=["log out"]) == "delete"


def test_other_hosts_files_and_mail_are_left_out() -> None:
    addresses = ["http://b.test/", "mailto:a@b.test", "http://a.test/manual.pdf", "http://a.test/ok"]
    parts = [Part("link", f"Link {number}", 0, address) for number, address in enumerate(addresses)]
    possible = possible_moves(parts, lambda address: "//a.test" in address)
    assert [move.address for move in possible.moves] == ["http://a.test/ok"]
    assert len(possible.left_out) == 3


def test_of_a_long_list_the_first_rows_come_first_and_buttons_of_later_ones_not_at_all() -> None:
    parts = [Part("list", "", 0)]
    for number in range(30):
        link = Part("link", f"Thing {number}", 2, f"http://a.test/thing/{number}")
        parts += [Part("listitem", "", 1), link, Part("button", "Add", 2)]
    moves = possible_moves([*parts, Part("button", "More", 0)]).moves
    assert [move.name for move in moves[:5]] == ["Thing 0", "Add", "Thing 1", "Add", "More"]
    assert {move.late for move in moves[5:]} == {True}
    assert {move.role for move in moves[5:]} == {"link"}


def test_controls_are_found_again_though_their_numbers_change() -> None:
    assert (found := find_control([Part("link", "Cart (3)", 0)], "link", "Cart (1)", 0)) is not None
    assert found.part.name == "Cart (3)"
    assert find_control([Part("link", "Cart (3)", 0), Part("link", "Cart (4)", 0)], "link", "Cart (1)", 0) is None


@pytest.mark.parametrize(
    "move",
    [
        Move(do="tap", role="link", name='The "best" mug'),
        Move(do="tap", role="menuitem", name="File"),
        Move(do="tap", role="treeitem", name="Folder"),
        Move(do="tap", role="button", name="Add", ordinal=2),
        Move(do="toggle", role="switch", name="Gift", option="off"),
        Move(do="toggle", role="checkbox", name="Gift"),
        Move(do="toggle", role="radio", name="Red"),
        Move(do="choose", role="combobox", name="Sort", option="Price"),
        Move(do="enter", role="searchbox", name="Search"),
        Move(do="fill", role="button", name="Go", blanks=(Blank(role="textbox", name="Name", ordinal=2),)),
    ],
)
def test_each_move_is_a_sentence_that_needs_no_model(move: Move) -> None:
    for sentence in sentences_of(move, ["a"]):
        assert parse_action(sentence)
    assert parse_action(
        " and ".join(one[0].lower() + one[1:] if at else one for at, one in enumerate(sentences_of(move, ["a"])))
    )


def test_values_fit_their_fields_and_come_from_the_seed() -> None:
    email, zip_code = Blank(role="textbox", name="E-mail address"), Blank(role="textbox", name="PLZ")
    assert value_for(email, 1, {}) == value_for(email, 1, {})
    assert len({value_for(email, seed, {}) for seed in range(20)}) > 5
    assert "@example.com" in value_for(email, 1, {})
    assert value_for(zip_code, 1, {}).isdecimal()
    assert value_for(email, 1, {"e-mail address": "${secret:MAIL}"}) == "${secret:MAIL}"
    assert value_for(Blank(role="combobox", name="Size", options=("Choose", "S")), 1, {}) == "S"


def test_a_form_is_sent_with_its_boxes_ticked_as_it_stands_and_empty() -> None:
    parts = [
        Part("form", "", 0),
        Part("textbox", "Name", 1),
        Part("radio", "By mule", 1),
        Part("radio", "By hand", 1),
        Part("checkbox", "I agree", 1),
        Part("checkbox", "Delete my account", 1),
        Part("button", "Next", 1, enabled=False),
    ]
    full, plain = (move for move in possible_moves(parts).moves if move.do == "fill")
    assert [one.name for one in full.first] == ["By mule", "I agree"]
    assert not plain.first
    assert [blank.name for blank in plain.blanks] == ["Name"]


def test_boxes_alone_make_a_form_too_unless_all_are_ticked() -> None:
    box, button = Part("checkbox", "I agree", 0), Part("button", "Next", 0)
    assert [len(move.first) for move in possible_moves([box, button]).moves] == [0, 1, 0]
    assert [len(move.first) for move in possible_moves([box._replace(checked=True), button]).moves] == [0, 0]


def test_the_last_button_may_end_all_fields_whatever_buttons_stand_in_between() -> None:
    name, note = Part("textbox", "Name", 0), Part("textbox", "Note", 0)
    parts = [name, Part("button", "Browse…", 0), note, Part("button", "Next", 0)]
    fills = [(move.name, [blank.name for blank in move.blanks]) for move in possible_moves(parts).moves if move.blanks]
    assert fills == [("Browse…", ["Name"]), ("Next", ["Name", "Note"]), ("Next", ["Note"])]
