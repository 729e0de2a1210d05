"""A heal is the same thing, shown by what it is and by what it did; whatever else a model did is refused."""

import pytest
from msgspec.structs import replace

from muster_evidence.healing import find_difference, find_unlike
from muster_protocol.facts import Evidence
from muster_protocol.step_recordings import Described, RecordedCall, Replay
from muster_protocol.tool_calls import Consequence

ADDED = Consequence(path="/shop", texts=("Cart (#)", "Checkout"))
BUTTON = Described(role="button", name="Add to cart", place="Backpack", beside=("Details", "Compare"))
ADD = RecordedCall(tool="click", effect="act", does="point", target=BUTTON, after=ADDED)
FIELD = Described(role="textbox", name="E-mail", place="Sign up", beside=("Name", "Send"))
ENTER = RecordedCall(
    tool="type", effect="idempotent", does="enter", arguments={"text": "${mail}"}, target=FIELD, after=ADDED
)


def moved(call: RecordedCall, **changes: object) -> RecordedCall:
    assert call.target is not None
    return replace(call, target=replace(call.target, **changes))


@pytest.mark.parametrize(
    "healed",
    [
        ADD,
        moved(ADD, beside=("", "Share")),
        moved(ADD, name="Add to basket"),
        moved(ADD, name="Put in", role="link"),
        moved(ENTER, name="Your e-mail"),
        moved(ENTER, name="Your e-mail", place="up Sign"),
    ],
    ids=[
        "same",
        "other neighbours",
        "renamed",
        "a link now",
        "field renamed",
        "words in another order",
    ],
)
def test_what_is_recognisably_the_same_and_does_the_same_is_healed(healed: RecordedCall):
    old = ENTER if healed.does == "enter" else ADD
    assert find_difference(old, healed) == ""


@pytest.mark.parametrize(
    ("healed", "why"),
    [
        (moved(ADD, name="Add to wishlist", beside=("Compare", "Share")), "another name, and stands elsewhere"),
        (replace(moved(ADD, name="Delete"), after=Consequence(path="/shop", texts=("Gone",))), "another effect"),
        (moved(ADD, place="Bike", beside=("Map", "Share")), "it is elsewhere"),
        (moved(ADD, place="Bike"), "it is elsewhere"),
        (moved(ADD, framed=True), "it is elsewhere"),
        (moved(ADD, name="Do not add to cart"), "says something else"),
        (moved(ADD, name="Add 2 to cart"), "says something else"),
        (moved(ENTER, name="E-mail of a friend"), "another name"),
        (replace(ADD, after=Consequence(path="/other", texts=("Cart (#)",))), "another effect"),
        (moved(ADD, role="checkbox"), "another kind of element"),
        (moved(ADD, name="Buy"), "says that it pays"),
        (moved(ADD, name="Delete"), "says that it deletes"),
        (
            replace(moved(ADD, name="Save for later"), after=Consequence(path="/shop", texts=("Checkout",))),
            "did not come",
        ),
        (replace(ADD, tool="double_click", does="double"), "was done instead of"),
        (moved(ENTER, name="Telephone"), "another name"),
        (moved(ENTER, name="Confirm e-mail", beside=("E-mail", "Send")), "stands elsewhere"),
        (replace(ENTER, arguments={"text": "${name}"}), "was done instead of"),
    ],
)
def test_what_may_be_something_else_is_refused(healed: RecordedCall, why: str):
    old = ENTER if healed.tool == "type" else ADD
    assert why in find_difference(old, healed)


def test_a_renamed_button_whose_recorded_effect_was_nothing_to_see_is_refused():
    quiet = replace(ADD, after=Consequence(path="/shop"))
    assert "no effect was seen" in find_difference(quiet, moved(quiet, name="Put in"))


def test_a_renamed_button_that_is_still_called_alike_by_something_else_may_show_more_or_less():
    known = moved(ADD, aliases=("add-17",))
    assert (
        find_difference(
            known, replace(moved(known, name="Put in"), after=Consequence(path="/shop", texts=("Checkout",)))
        )
        == ""
    )


def test_a_button_that_said_so_before_may_say_in_other_words_that_it_deletes():
    assert find_difference(moved(ADD, name="Delete"), moved(ADD, name="Erase")) == ""


CHECK = RecordedCall(tool="check_text", effect="check", arguments={"text": "59.98"}, clause="the total is 59.98")
PROOF = Evidence(clause="the total is 59.98", check="check_text", call=5, passed=True)


def healed(*done: RecordedCall, left: tuple[RecordedCall, ...] = (ADD, CHECK)) -> Replay:
    return Replay(key="step-1", digest="d", miss="none", left=left, done=done)


def test_every_recorded_act_must_be_done_in_order_and_no_other():
    assert find_unlike(healed(ADD), (PROOF,), 4) == ""
    assert "was not done" in find_unlike(healed(), (PROOF,), 4)
    assert "was done as well" in find_unlike(healed(ADD, moved(ADD, name="Send")), (PROOF,), 4)
    assert "was done instead of" in find_unlike(healed(ENTER, ADD, left=(ADD, ENTER)), (), 4)


def test_looking_around_and_clearing_a_banner_away_are_no_other_acts():
    banner = RecordedCall(
        tool="click", effect="act", does="point", target=Described(role="button", name="OK"), optional=True
    )
    scroll = RecordedCall(tool="scroll", effect="idempotent", does="scroll")
    assert find_unlike(healed(banner, scroll, ADD), (PROOF,), 4) == ""
    assert find_unlike(healed(ADD, left=(banner, ADD, CHECK)), (PROOF,), 4) == ""


@pytest.mark.parametrize(
    "evidence",
    [
        (),
        (replace(PROOF, passed=False),),
        (replace(PROOF, call=3),),
        (replace(PROOF, check="check_element"),),
    ],
    ids=["not made", "false", "before the last act", "another check"],
)
def test_a_recorded_check_is_never_healed(evidence: tuple[Evidence, ...]):
    assert "the recorded check" in find_unlike(healed(ADD), evidence, 4)


def test_a_captured_value_is_never_healed():
    capture = RecordedCall(tool="capture", effect="read", arguments={"name": "order", "element": "Order"})
    other = replace(capture, arguments={"name": "order", "element": "Invoice"})
    assert "never healed" in find_unlike(healed(other, left=(capture,)), (), -1)
    assert find_unlike(healed(capture, left=(capture,)), (), -1) == ""


def test_a_part_whose_old_name_still_stands_beside_the_target_may_be_called_otherwise():
    named = moved(ADD, beside=("Backpack", "Compare"))
    assert find_difference(named, moved(named, place="Rucksack")) == ""


def test_what_is_counted_in_brackets_is_no_part_of_a_name():
    cart = moved(ADD, name="Cart (3)")
    assert find_difference(cart, moved(cart, name="Cart (4)")) == ""


def test_a_part_whose_name_has_the_words_of_the_target_is_the_same_after_that_was_renamed():
    letters = moved(ENTER, name="Letters", place="of ours")  # of "Letters of ours", without the target's own name
    assert find_difference(letters, moved(ENTER, name="Your letters", place="Letters of ours")) == ""


FORM = moved(ADD, name="Send", place="Join", beside=("Mail", "Save draft"), sole=True)
FIRST = moved(ENTER, name="Name", place="Join", beside=("Join", "Mail"), sole=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FORM, moved(FORM, place="Become a member")),
        (FIRST, moved(FIRST, place="Become a member", beside=("Become a member", "Mail"))),
    ],
    ids=["its button", "its first field"],
)
def test_a_form_that_is_known_without_its_heading_may_get_another_one(old: RecordedCall, new: RecordedCall):
    assert find_difference(old, new) == ""


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (moved(FORM, place="Leave", sole=False), "elsewhere"),
        (moved(FORM, place="Leave", beside=("Mail", "Reset")), "elsewhere"),
        (moved(FORM, place="Delete account"), "says that it deletes"),
        (moved(FORM, place="Do not join"), "says something else"),
        (moved(FORM, place="Join 2"), "says something else"),
        (replace(moved(FORM, place="Leave"), after=Consequence(path="/shop", texts=("Checkout",))), "did not come"),
    ],
)
def test_a_form_under_another_heading_that_may_be_another_form_is_refused(new: RecordedCall, why: str):
    assert why in find_difference(FORM, new)


def test_a_form_that_was_one_of_several_is_known_by_its_heading_alone():
    assert "elsewhere" in find_difference(moved(FORM, sole=False), moved(FORM, place="Leave"))


def test_a_renamed_button_must_lead_to_what_the_page_said_below_its_heading():
    led = replace(ADD, after=Consequence(path="/sent", moved=True, texts=("Letters",), opening=("It is on its way.",)))
    kept = Consequence(path="/sent", moved=True, texts=("Letters",), opening=("It is kept.",))
    assert find_difference(led, moved(led, name="Put in")) == ""
    assert "'It is on its way.' did not come" in find_difference(
        led, replace(moved(led, name="Put in later"), after=kept)
    ).replace('"', "'")
