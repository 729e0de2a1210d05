"""Where a step speaks of a row, the acts must be on it."""

import pytest
from msgspec.structs import replace

from muster_protocol.facts import Act
from muster_subagent.agent.row_choice import find_wrong_row

VIEW = """"Inbox" http://127.0.0.1/
- heading "Messages" [level=1] [ref=e1]
- table [ref=e2]:
  - row "Rent reminder Archive" [ref=e3]:
    - cell "Rent reminder" [ref=e4]
    - cell [ref=e5]:
      - button "Archive" [ref=e6]
  - row "Gym reminder Archive" [ref=e7]:
    - cell "Gym reminder" [ref=e8]
    - cell [ref=e9]:
      - button "Archive" [ref=e10]
- checkbox "Rent" [ref=e11]
- checkbox "Gym" [ref=e12]
- button "Archive at random" [ref=e13]
- button "Help" [ref=e14]"""
RENT = Act(
    call=1, tool="click", does="point", status="ok", target=("Archive",), place=("Rent reminder",), role="button"
)
GYM = replace(RENT, place=("Gym reminder",))


@pytest.mark.parametrize(
    ("action", "act"),
    [
        ("Archive the rent reminder", RENT),
        ("Archive the reminder", GYM),
        ("Archive the first message", GYM),
        ("Archive every reminder but the rent", GYM),
        ('Archive "Rent reminder"', RENT),
        ('Archive "Rent"', RENT),
        ("Tick the gym", replace(RENT, target=("Gym",), place=(), role="checkbox")),
        ("Archive the rent reminder", replace(RENT, place=())),
    ],
)
def test_an_act_on_the_row_that_is_spoken_of_or_where_no_word_tells_is_right(action: str, act: Act):
    assert find_wrong_row(action, [act], VIEW) == ""


@pytest.mark.parametrize(
    ("action", "act", "why"),
    [
        ("Archive the rent reminder", GYM, "used in another row"),
        ('Archive "Rent reminder"', GYM, "used in another row"),
        ("Tick the gym", replace(RENT, target=("Rent",), place=(), role="checkbox"), "used in another row"),
        ("Archive the rent reminder", replace(RENT, target=("Archive at random",), place=()), "nothing was done"),
        ("Archive the rent reminder", replace(RENT, target=("Help",), place=()), "nothing was done"),
    ],
)
def test_an_act_in_another_row_or_in_none_is_wrong(action: str, act: Act, why: str):
    assert why in find_wrong_row(action, [act], VIEW)


def test_both_rows_that_are_spoken_of_are_right():
    assert find_wrong_row("Archive the rent and the gym reminder", [RENT, GYM], VIEW) == ""
