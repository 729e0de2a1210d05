"""Rows, tabs, buttons and dialogs that are drawn of plain elements: checks find them as clicks do, and never miss them."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

STYLE = """<style>body{font:14px sans-serif}.row{display:grid;grid-template-columns:90px 200px 120px 90px}.h{font-weight:700;color:#667}
.btn{cursor:pointer}.red{color:#900}</style>"""
HEAD = "<div class='row h'><div>No.</div><div>Client</div><div>Status</div><div></div></div>"


def row(number: int, client: str, status: str, action: str = "Pay") -> str:
    cells = f"<div>#{number}</div><div>{client}</div><div><span class=red>{status}</span></div><div class=btn>{action}</div>"
    return f"<div class=row>{cells}</div>"


def grid(*rows: str, head: str = HEAD) -> str:
    tabs = "<div><span class=btn>All</span> <span class=btn>Open</span></div>"
    return f"{STYLE}<h1>Invoices</h1>{tabs}{head}<div id=rows>{''.join(rows)}</div><p>Total: 3</p>"


THREE = (row(1, "Acme", "Paid", "View"), row(2, "Globex", "Overdue"), row(3, "Initech", "Open"))


async def test_whether_rows_that_show_nothing_but_lines_count_nobody_can_tell(look: User, site: Site) -> None:
    style, loader = "<style>td{border:1px solid}</style>", "<tr><td><span style='opacity:0'>Loading more</span></table>"
    await look.open(
        site.page(f"{style}<table><tr><th>Name<tr><td>Ada<tr><td>Bob<tr><td><input aria-label=New>{loader}")
    )
    for count in (3, 4):
        assert (await look.bad("check_count", element="", role="row", count=count)).failure == Failure.NO_EVIDENCE
    await look.ok("check_count", element="", role="row", count=3, comparison="at_least")
    for count in (2, 5):
        assert (await look.bad("check_count", element="", role="row", count=count)).failure == Failure.EXPECTATION_FALSE


async def test_drawn_rows_are_counted_without_their_head(look: User, site: Site) -> None:
    await look.open(site.page(grid(*THREE)))
    await look.ok("check_count", element="", role="row", count=3)
    for wrong in (0, 2, 4):
        outcome = await look.bad("check_count", element="", role="row", count=wrong)
        assert outcome.failure == Failure.EXPECTATION_FALSE and outcome.seen == "3"
    await look.open(site.page(grid(THREE[1])))
    await look.ok("check_count", element="", role="row", count=1)
    assert (await look.bad("check_count", element="", role="row", count=0)).failure == Failure.EXPECTATION_FALSE
    await look.open(site.page(grid()))
    await look.ok("check_count", element="", role="row", count=0)


async def test_rows_without_a_head_only_look_like_rows(look: User, site: Site) -> None:
    await look.open(site.page(grid(*THREE, head="")))
    await look.ok("check_count", element="", role="row", count=3)
    assert (await look.bad("check_count", element="", role="row", count=0)).failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_count", element="", role="row", count=4)).failure == Failure.NO_EVIDENCE


async def test_cells_of_drawn_rows_have_values(look: User, site: Site) -> None:
    await look.open(site.page(grid(*THREE)))
    await look.ok("check_value", element="Status", within="Globex", value="Overdue")
    wrong = await look.bad("check_value", element="Status", within="Globex", value="Paid")
    assert (wrong.failure, wrong.seen) == (Failure.EXPECTATION_FALSE, '"Overdue"')
    await look.ok("check_sorted", element="Client")
    assert (await look.bad("check_sorted", element="Client", descending=True)).failure == Failure.EXPECTATION_FALSE
    where = {"role": "cell", "within": ['in column "Status"']}
    assert (await look.bad("check_each", **where, text="Paid")).failure == Failure.EXPECTATION_FALSE
    await look.open(site.page(grid(row(1, "Acme", "Open"), row(2, "Globex", "Open"))))
    await look.ok("check_each", **where, text="Open")


async def test_what_a_drawn_row_lacks(look: User, site: Site) -> None:
    await look.open(site.page(grid(*THREE)))
    pay = {"element": "Pay", "role": "button"}
    await look.ok("check_visible", **pay, within="Globex")
    await look.ok("check_visible", **pay, within="Acme", absent=True)
    gone = await look.bad("check_visible", **pay, within="Globex", absent=True)
    assert gone.failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_visible", **pay, within="Acme")).failure == Failure.EXPECTATION_FALSE


async def test_a_drawn_row_is_there_by_its_name(look: User, site: Site) -> None:
    await look.open(site.page(grid(*THREE)))
    await look.ok("check_visible", element="Globex", role="row")
    await look.ok("check_visible", element="Hooli", role="row", absent=True)
    assert (
        await look.bad("check_visible", element="Globex", role="row", absent=True)
    ).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_visible", element="Open", role="tab")
    await look.ok("check_visible", element="Draft", role="tab", absent=True)
    assert (
        await look.bad("check_visible", element="Open", role="tab", absent=True)
    ).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize("role", ["button", "dialog", "alert", "row"])
async def test_what_may_be_it_is_no_proof_of_absence(look: User, site: Site, role: str) -> None:
    await look.open(site.page("<p>Orders</p><div><span>Saved</span></div>"))
    outcome = await look.bad("check_visible", element="Saved", role=role, absent=True)
    assert outcome.failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_count", element="Saved", role=role, count=0)).failure == Failure.NO_EVIDENCE
    await look.ok("check_visible", element="Sent", role=role, absent=True)


async def test_a_heading_is_no_button_and_an_opener_no_dialog(look: User, site: Site) -> None:
    await look.open(site.page("<h2>Archive</h2><button>New invoice</button>"))
    await look.ok("check_visible", element="Archive", role="button", absent=True)
    await look.ok("check_visible", element="New invoice", role="dialog", absent=True)
    assert (
        await look.bad("check_visible", element="Archive", role="dialog", absent=True)
    ).failure == Failure.NO_EVIDENCE


async def test_a_table_that_says_so_is_believed(look: User, site: Site) -> None:
    table = "<table><tr><th>Name</table>"
    await look.open(site.page(f"{table}{STYLE}<span>Hooli</span>{''.join(THREE)}"))
    await look.ok("check_count", element="", role="row", count=0)
    await look.ok("check_visible", element="Hooli", role="row", absent=True)
    await look.bad("check_visible", element="Globex", role="row", absent=True)


async def test_a_form_and_a_menu_are_no_rows(look: User, site: Site) -> None:
    line = "<div style='display:flex'><label for=a>Name</label><input id=a><span>required</span></div>"
    link = "<div style='display:flex'><span>Inbox</span><span>3</span></div>"
    await look.open(site.page(f"{line * 2}<nav>{link * 3}</nav>"))
    await look.ok("check_count", element="", role="row", count=0)


async def test_an_overlay_is_a_dialog_by_its_title(look: User, site: Site) -> None:
    over = "<div style='position:fixed;inset:0;background:#fff'><b>New invoice</b><p>Amount</p></div>"
    await look.open(site.page(f"<p>Invoices</p>{over}"))
    await look.ok("check_visible", element="New invoice", role="dialog")
    gone = await look.bad("check_visible", element="New invoice", role="dialog", absent=True)
    assert gone.failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_visible", element="Old invoice", role="dialog")).failure == Failure.EXPECTATION_FALSE


def split(body: str, width: int = 200) -> str:
    """Return a table whose head stays where its body scrolls: two tables, as component libraries make them."""
    head = f"<table style='table-layout:fixed;width:{width}px'><thead><tr><th>Name<th>Age</tr></thead></table>"
    rows = f"<div style='height:80px;overflow:auto'><table style='table-layout:fixed;width:200px'><tbody>{body}</tbody></table></div>"
    return f"<style>table{{border-spacing:0}}div::-webkit-scrollbar{{width:0}}</style><section><div><div>{head}</div>{rows}</div></section>"


async def test_a_head_over_a_body_that_scrolls_is_one_table(look: User, site: Site) -> None:
    many = "".join(f"<tr><td>Cy {number}<td>{number}" for number in range(10, 30))
    await look.open(site.page(split(f"<tr><td>Ann<td>9<tr><td>Bo<td>7{many}")))
    await look.ok("check_count", element="", role="table", count=1)
    await look.ok("check_count", element="", role="row", count=22)
    await look.ok("check_value", element="Age", within="Bo", value="7")
    await look.bad("check_value", element="Age", within="Bo", value="9")
    await look.bad("check_order", element="Age")


@pytest.mark.parametrize("width", [200, 320])
async def test_tables_of_other_columns_stay_two(look: User, site: Site, width: int) -> None:
    await look.open(site.page(split("<tr><td>Ann<td>9<td>x" if width == 200 else "<tr><td>Ann<td>9", width)))
    await look.ok("check_count", element="", role="table", count=2)


SUMS = """<table><caption>Stock</caption><thead><tr><th>Name<th>Quantity<th>Value</tr></thead><tbody><tr><td>Nut<td>3<td>6<tr><td>Bolt<td>4<td>4
</tbody><tfoot><tr><td>Total<td>7<td>10</tr></tfoot></table>"""


async def test_sums_in_the_foot_of_a_table_are_no_rows_but_have_values(look: User, site: Site) -> None:
    await look.open(site.page(SUMS))
    await look.ok("check_count", element="", role="row", within="Stock", count=2)
    await look.bad("check_count", element="", role="row", within="Stock", count=3)
    for sure in ("Bolt", "Total"):  # the last row of the body, or of the table?
        unclear = await look.bad("check_text", text=sure, within=["in last row"])
        assert unclear.failure == Failure.TARGET_UNCLEAR
        await look.bad("check_text", text=sure, within=["in last row"], absent=True)
    await look.ok("check_value", element="Quantity", within="Total", value="7")
    await look.bad("check_value", element="Quantity", within="Total", value="10")
    await look.ok("check_visible", element="Total", role="row")
    await look.ok("check_value", element="Value", within="Bolt", value="4")


async def test_a_field_of_the_same_name_elsewhere_does_not_hide_a_column(look: User, site: Site) -> None:
    await look.open(site.page(f"{SUMS}<label>Quantity <input value=99></label>"))
    await look.ok("check_value", element="Quantity", within="Bolt", value="4")
    await look.bad("check_value", element="Quantity", within="Bolt", value="99")


async def test_a_part_that_each_item_has_once_is_no_list_of_its_own(look: User, site: Site) -> None:
    post = "<div class=post><div>{}</div><div class=act><button>Like</button><button>Reply</button></div></div>"
    posts = "".join(post.format(who) for who in ("Ann", "Bo", "Cy"))
    await look.open(site.page(f"<div>{posts}</div>"))
    await look.ok("check_count", element="", role="listitem", count=3)
    await look.ok("check_count", element="", role="list", count=1)
    answers = "<div class=answer><b>Di</b><i>Yes</i></div>" * 3
    await look.open(site.page(f"<div>{posts.replace('</div></div>', f'</div>{answers}</div>', 1)}</div>"))
    await look.bad("check_count", element="", role="listitem", count=3)


@pytest.mark.parametrize("chosen", ["on", "is-active"])
async def test_the_chosen_line_heads_nothing(look: User, site: Site, chosen: str) -> None:
    style = f"<style>p{{display:flex;margin:0}}span{{width:90px}}.{chosen}{{font-weight:700}}</style>"
    line = "<p class='{}'><span>{}</span><span>{}</span></p>"
    await look.open(site.page(style + line.format(chosen, "Inbox", 2) + line.format("", "Drafts", 1)))
    await look.ok("check_value", element="Inbox", value="2")
    wrong = await look.bad("check_value", element="Inbox", value="1")
    assert (wrong.failure, wrong.seen) == (Failure.EXPECTATION_FALSE, '"2"')


async def test_lines_elsewhere_are_no_rows_beside_a_head(look: User, site: Site) -> None:
    side = "<div class=v style='display:flex;width:150px'><span>{}</span><span>{}</span></div>"
    lines = side.format("Assigned to me", 8) + side.format("Unassigned", 2)
    await look.open(site.page(f"<div style='width:150px'>{lines}</div>{STYLE}{HEAD}{''.join(THREE)}"))
    await look.ok("check_count", element="", role="row", count=3)
    await look.bad("check_text", text="Assigned to me", within=["in first row"])
    await look.ok("check_visible", element="Unassigned", role="row")
    await look.open(site.page(f"<div style='width:150px'>{lines}</div>{STYLE}{HEAD}"))
    assert (await look.bad("check_count", element="", role="row", count=0)).failure != Failure.EXPECTATION_FALSE
