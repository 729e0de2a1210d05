"""Words of steps that cannot be taken back."""

import pytest

from muster_text.lasting_effects import EFFECTS, find_effect

ALL = tuple(EFFECTS)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ('Click the "Buy now" button', "pays (“buy now”)"),
        ('Press "PLACE-ORDER"', "pays (“place order”)"),
        ("Complete the order", "pays (“complete the order”)"),
        ('Klicke auf "Jetzt kaufen"', "pays (“jetzt kaufen”)"),
        ('Run "rm -rf build"', "deletes (“rm”)"),
        ('Click "deleteAccount"', "deletes (“delete”)"),
        ("Cancel my subscription", "deletes (“cancel my subscription”)"),
        ("Remove the backpack from the cart", "deletes (“remove”)"),
        ("Run \"psql -c 'DROP TABLE users'\"", "deletes (“drop table”)"),
        ("E-mail the invoice to Ann", "mails (“e mail”)"),
        ('Click "Send"', "mails (“send”)"),
        ("Invite Bob", "mails (“invite”)"),
        ('Type "ann@example.org" into the "Mail" field', ""),
        ("Sort the table by order", ""),
        ("Open the payload viewer", ""),
        ('Click the "Format-free" tab', "deletes (“format”)"),
        ("Log in", ""),
    ],
)
def test_effects_are_found_by_words_of_steps_and_names_of_controls(text: str, effect: str):
    assert find_effect(text, ALL) == effect


def test_a_team_watches_for_words_of_its_own():
    assert find_effect("Deploy to production", ("go live", "deploy")) == "“deploy”"
    assert find_effect("Redeployment", ("deploy",)) == ""
    assert find_effect("Buy a bag", ("deletes",)) == ""
    assert find_effect("Buy a bag", ()) == ""
