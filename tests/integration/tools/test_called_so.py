"""What a thing is called though no text says it, and what is not called so though it says it."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

SHAPE = "<svg width=20 height=20><rect width=20 height=20 /></svg>"
ICON = f'<button aria-label="Delete">{SHAPE}</button>'
PARTS = (
    "<section aria-label=Cart><p>Lamp</p></section>"
    "<div class=panel><div class=panel-heading>Login</div><div>Name <input></div></div>"
    "<h2>News</h2><p>a</p><details open><summary>Advanced</summary><p>x</p></details>"
    "<fieldset><legend>Address</legend><input></fieldset><button>Buy</button>"
)
DIALOG = "<dialog open aria-label=Confirm><h2>Remove it?</h2><p>Sure?</p><button>Delete</button></dialog>"
HOLDERS = "<table aria-label=Users><tr><th>Name<th>Mail</tr><tr><td>Ada<td>a@b</tr></table><ul aria-label=Fruit><li>Apple</ul>"
BOARD = (
    "<div><section><h3>To do</h3><div class=card>Task 1</div></section>"
    "<section><h3>Done</h3><div class=card>Task 2</div></section></div>"
)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (ICON, "Delete"),
        (f"<div role=status aria-label=Loading>{SHAPE}</div>", "Loading"),
        ("<input aria-label=Search>", "Search"),
        ("<input type=image alt=Go src='x.png'>", "Go"),
    ],
)
async def test_a_thing_that_is_called_so_is_there_though_no_text_says_it(
    look: User, site: Site, page: str, text: str
) -> None:
    await look.open(site.page(f"{page}<p>Hello</p>"))
    outcome = await look.bad("check_text", text=text, absent=True)
    assert outcome.failure == Failure.EXPECTATION_FALSE
    assert "is called so" in outcome.text
    assert (await look.bad("check_text", text=text)).failure == Failure.EXPECTATION_FALSE


async def test_what_nobody_sees_as_a_thing_of_the_name_is_no_bearer_of_it(look: User, site: Site) -> None:
    hidden = ICON.replace("<button", "<button hidden")
    await look.open(
        site.page(f'<nav aria-label="Delete"><p>x</p></nav>{hidden}<button data-testid="Delete">×</button>')
    )
    await look.ok("check_text", text="Delete", absent=True)


async def test_only_a_part_or_its_heading_is_a_section(look: User, site: Site) -> None:
    await look.open(site.page(PARTS))
    for name in ("Cart", "Login", "News", "Advanced", "Address"):
        await look.ok("check_visible", element=name, role="section")
    for name in ("Lamp", "Buy"):
        await look.ok("check_visible", element=name, role="section", absent=True)


async def test_a_holder_is_not_called_by_what_it_holds(look: User, site: Site) -> None:
    await look.open(site.page(HOLDERS + DIALOG))
    for role, name in (("table", "Users"), ("list", "Fruit"), ("dialog", "Confirm"), ("dialog", "Remove it?")):
        await look.ok("check_visible", element=name, role=role)
    for role, name in (("table", "Ada"), ("list", "Apple"), ("dialog", "Delete")):
        await look.ok("check_visible", element=name, role=role, absent=True)
    await look.ok("check_visible", element="Sure?", role="dialog")  # a dialog is known by its question


async def test_the_columns_of_a_board_are_columns(look: User, site: Site) -> None:
    await look.open(site.page(BOARD))
    await look.ok("check_text", text="Task 2", within=['in column "Done"'])
    await look.ok("check_text", text="Task 1", within=['in column "Done"'], absent=True)
    assert (await look.bad("check_text", text="Task 2", within=['in column "To do"'])).text
    outcome = await look.bad("check_text", text="Task 1", within=['in column "Doing"'], absent=True)
    assert outcome.failure == Failure.NAME_UNKNOWN


async def test_a_text_field_is_not_unchecked(look: User, site: Site) -> None:
    await look.open(site.page("<label>Age <input></label>"))
    assert (await look.bad("check_state", element="Age", state="unchecked")).failure == Failure.TARGET_UNCLEAR


async def test_any_dialog_is_one_and_none_is_none(look: User, site: Site) -> None:
    await look.open(site.page(DIALOG))
    await look.ok("check_dialog", text="", match="contains")
    await look.bad("check_visible", element="", role="dialog", absent=True)
    await look.open(site.page("<p>x</p>"))
    await look.bad("check_dialog", text="", match="contains")
    await look.ok("check_visible", element="", role="dialog", absent=True)
