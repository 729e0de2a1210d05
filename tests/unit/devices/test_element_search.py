"""A target means one element of the screen, by its name, role, ordinal and where it stands; or it is refused."""

import pytest
from shop_screens import app_of

from muster_devices.actions import Target
from muster_devices.element_search import search
from muster_devices.observations import ElementsSeen, FindElements, ReadText, ReadValue, Use
from muster_devices.refusals import refusal_of
from muster_devices.screen import Screen
from muster_devices.screen_text import read_text, read_value
from muster_devices.screens.rendering import screen_of
from muster_devices.screens.simulator import Simulator
from muster_protocol.causes import Cause, Failure, cause_of
from muster_protocol.narrowing import Relation
from muster_text.text_match import match_tier

SCREENS = """
home:
  elements:
    - {role: heading, name: Products}
    - role: row
      elements:
        - {role: text, text: Backpack}
        - {role: button, name: Buy}
        - {role: button, name: Details}
    - role: row
      elements:
        - {role: text, text: Bike light}
        - {role: button, name: Buy}
        - {role: button, name: Details, states: {disabled: true}}
    - {role: heading, name: Account}
    - {role: textbox, name: "Name:", id: name, value: Ada}
    - {role: textbox, name: PIN, id: pin, value: "1234", secret: true}
    - {role: text, text: "Order total: 12.50"}
    - {role: text, text: Log}
    - {role: link, name: Blog}
    - {role: button, name: Save changes}
    - {role: button, name: Save}
    - role: table
      elements:
        - role: row
          elements: [{role: columnheader, name: City}, {role: columnheader, name: Price}]
        - role: row
          elements: [{role: cell, text: Rome}, {role: cell, text: "16"}]
        - role: row
          elements: [{role: rowheader, name: Bonn}, {role: cell, text: "6"}]
"""


def screen() -> Screen:
    app = app_of(SCREENS)
    simulator = Simulator(app, {})
    state = simulator.begin(0.0)
    return screen_of(app, state, simulator.rendered(state))


def found(target: Target, use: Use = "click") -> ElementsSeen:
    return search(screen(), FindElements(target=target, use=use, explain=True))


def one(target: Target, use: Use = "click") -> str:
    seen = found(target, use)
    assert seen.total == 1, [match.words() for match in seen.matches]
    return seen.matches[0].ref


@pytest.mark.parametrize(
    ("text", "want", "tier"),
    [
        ("Save", "save", 0), ("Name:", "name", 0), ("E-mail (required)", "E-mail", 0), ("Save all", "save", 1),
        ("To save", "save", 2), ("Blog", "log", 3), ("16", "6", None), ("$59.98", "$59", None), ("Rome", "Bonn", None),
        ("", "x", None),
    ],
)  # fmt: skip
def test_a_name_fits_exactly_at_its_beginning_as_words_or_as_part_of_a_word(text: str, want: str, tier: int | None):
    assert match_tier(text, want) == tier


def test_the_exact_name_wins_over_a_longer_one():
    assert found(Target(name="Save")).matches[0].name == "Save"
    assert found(Target(name="Save")).strategy == "name"
    assert found(Target(name="changes")).strategy == "words"


def test_what_may_mean_two_is_refused_with_both_and_how_to_tell_them_apart():
    target = Target(name="Buy")
    seen = found(target)
    assert seen.total == 2
    refused = refusal_of(target, "click", seen)
    assert refused.failure == Failure.TARGET_UNCLEAR
    assert '1) button "Buy" in "Backpack"; 2) button "Buy" in "Bike light"' in refused.text


@pytest.mark.parametrize("how", ["in", "next_to"])
@pytest.mark.parametrize("anchor", ["Backpack", "Bike light"])
def test_a_relation_names_one_of_several(how: str, anchor: str):
    chosen = found(Target(name="Buy", relations=(Relation(how, anchor),)))  # type: ignore[arg-type]
    assert [match.place for match in chosen.matches] == [anchor]


def test_an_ordinal_counts_from_either_end():
    first, last = one(Target(name="Buy", ordinal=1)), one(Target(name="Buy", ordinal=-1))
    assert (first, one(Target(name="Buy", ordinal=2))) != (last, first)
    assert one(Target(name="Buy", ordinal=2)) == last
    assert found(Target(name="Buy", ordinal=3)).total == 0


def test_below_means_the_nearest_below_and_in_column_all_of_it():
    assert found(Target(role="button", relations=(Relation("below", "Blog"),))).matches[0].name == "Save changes"
    prices = found(Target(role="cell", relations=(Relation("in_column", "Price"),)), "read")
    assert [match.text for match in prices.matches] == ["16", "6"]


def test_a_part_that_is_not_there_is_named_with_the_closest():
    target = Target(name="Buy", relations=(Relation("in", "Backpck"),))
    refused = refusal_of(target, "click", found(target))
    assert refused.failure == Failure.NAME_UNKNOWN
    assert 'named "Backpck" on the page; closest: text "Backpack"' in refused.text


def test_a_heading_names_the_section_below_it():
    assert found(Target(name="Save", relations=(Relation("in", "Account"),))).total == 1
    assert found(Target(name="Save", relations=(Relation("in", "Products"),))).total == 0


def test_a_use_leaves_out_what_cannot_be_used_so_and_says_what_bears_the_name():
    target = Target(name="Save")
    refused = refusal_of(target, "type", found(target, "type"))
    assert refused.failure == Failure.TARGET_UNCLEAR
    assert 'is not a field one can type into: the page has button "Save"' in refused.text


def test_what_is_disabled_is_refused_as_that():
    target = Target(name="Details", relations=(Relation("in", "Bike light"),))
    assert "is disabled" in refusal_of(target, "click", found(target)).text


def test_to_look_for_a_word_is_not_to_look_for_part_of_another():
    assert [match.name for match in found(Target(name="Log"), "read").matches] == ["Log"]
    assert found(Target(name="lo"), "read").total == 0


def test_a_ref_wins_over_the_rest():
    ref = one(Target(name="Save"))
    assert found(Target(name="Nothing", ref=ref)).matches[0].name == "Save"
    assert found(Target(ref="e999")).total == 0


def test_a_role_is_also_met_by_what_testers_call_so():
    assert found(Target(name="Blog", role="button")).matches[0].role == "link"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Name", ["Ada"]), ("PIN", ["1234"]), ("Order total", ["12.50"]), ("City", ["Rome"]), ("Price", ["16", "6"]),
        ("Bonn", ["6"]), ("Nothing", []),
    ],
)  # fmt: skip
def test_a_label_names_a_field_a_cell_or_what_follows_it(name: str, values: list[str]):
    seen = read_value(screen(), ReadValue(name=name))
    assert [value.value for value in seen.values] == values
    assert bool(seen.near) != bool(values)
    assert [value.secret for value in seen.values] == [name == "PIN"] * len(values)


def test_lines_hold_what_is_shown_but_no_password():
    lines = read_text(screen(), ReadText()).lines
    assert {"Backpack", "Ada", "Order total: 12.50"} <= set(lines)
    assert "1234" not in lines


def test_a_text_is_found_whole_and_in_a_part_alone():
    assert read_text(screen(), ReadText(text="12.50")).sources == ("Order total: 12.50",)
    assert read_text(screen(), ReadText(text="6")).sources == ("6",)
    assert read_text(screen(), ReadText(text="Buy", within=(Relation("in", "Backpack"),))).lines == (
        "Backpack",
        "Buy",
        "Details",
    )
    assert read_text(screen(), ReadText(within=(Relation("in", "Nowhere"),))).unknown_part


def test_what_bears_a_name_is_told_of_where_it_is_asked_for_and_no_text_says_it():
    asked = ReadText(text="Name", bearers=True)
    assert read_text(screen(), asked).bearers == ('textbox "Name:"',)
    assert not read_text(screen(), ReadText(text="Name")).bearers
    assert not read_text(screen(), ReadText(text="Order", bearers=True)).bearers


def test_what_nothing_is_in_is_no_section():
    assert found(Target(name="Account", role="section"), "read").total == 1
    assert found(Target(name="Buy", role="section"), "read").total == 0


def test_what_could_be_used_and_was_not_is_blamed_for_what_was_seen_of_it_alone():
    target = Target(name="Save")
    unsteady = refusal_of(target, "click", found(target), "it was moving")
    assert (unsteady.failure, unsteady.text[-13:]) == (Failure.ELEMENT_MISSING, "it was moving")
    slow = refusal_of(target, "click", found(target))
    assert cause_of(slow.failure) == Cause.ENVIRONMENT
    assert "too slow or busy" in slow.text
