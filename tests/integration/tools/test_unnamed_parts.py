"""Parts that nothing names, known by what they hold: the numbers of pages, the days of a month; and what opens a menu."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action
from muster_protocol.causes import Failure

DAYS = [f"<a onclick=\"s.textContent='day {day}'\" href=#>{day}</a>" for day in range(1, 32)]
WEEKS = ["".join(f"<td>{day}</td>" for day in DAYS[at : at + 7]) for at in range(0, 31, 7)]
IN_A_TABLE = (
    f"<table><tr><th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su{''.join(f'<tr>{week}</tr>' for week in WEEKS)}</table>"
)
IN_A_GRID = f"<div style='display:grid;grid-template-columns:repeat(7,30px)'>{''.join(DAYS)}</div>"
BY_WEEKS = "".join(f"<div>{' '.join(DAYS[at : at + 7])}</div>" for at in range(0, 31, 7))
AROUND = """<table><tr><th>Room<th>Floor<tr><td>R1<td><a href=#>2</a><tr><td>R2<td><a href=#>3</a></table>
<p>Orders: <b>20</b></p><ul><li><a href=#>1</a><li><a href=# onclick="s.textContent='page 2'">2</a>
<li><a href=# onclick="s.textContent='page 20'">20</a></ul><p id=s></p>"""
MENU = """<div><a class=dropdown-toggle data-toggle=dropdown href=# onclick="s.textContent='open'">Add filter</a></div>
<a href=#>Home</a><p id=s></p>"""


async def act(user: User, sentence: str) -> str:
    [call] = parse_action(sentence)
    return (await user.ok(call.tool, **call.arguments)).text


@pytest.mark.parametrize("month", [IN_A_TABLE, IN_A_GRID, BY_WEEKS])
async def test_days_of_a_month_are_no_pages_of_a_list(do: User, site: Site, month: str) -> None:
    await do.open(site.page(f"{AROUND}<div>May 2026 <div>{month}</div></div>"))
    for sentence, shown in (
        ('Click "20" in the calendar', "day 20"),
        ('Click "2" in the pagination', "page 2"),
        ("Click page 20", "page 20"),
        ('Click page "2"', "page 2"),
    ):
        await act(do, sentence)
        await do.ok("check_text", text=shown)
    await do.ok("check_text", text="31", within="calendar")
    told = await do.bad("check_text", text="31", within="pagination")
    assert told.failure is Failure.EXPECTATION_FALSE


async def test_numbers_elsewhere_are_no_pagination(look: User, site: Site) -> None:
    await look.open(site.page("<p>1</p><div>2</div><table><tr><td>3<td>4</table>"))
    assert (await look.bad("check_text", text="2", within="pagination")).failure is not None
    assert (await look.bad("check_text", text="3", within="calendar")).failure is not None


async def test_what_opens_a_menu_is_called_a_dropdown_where_it_is_clicked(do: User, site: Site) -> None:
    await do.open(site.page(MENU))
    await act(do, 'Click the "Add filter" dropdown')
    await do.ok("check_text", text="open")
    await do.ok("check_visible", element="Add filter", role="combobox")
    await do.bad("check_visible", element="Home", role="combobox")
    await do.bad("select", element="Add filter", role="combobox", options=["Home"])
