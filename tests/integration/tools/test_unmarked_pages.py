"""Pages whose markup tells little: values without fields, forms in tables, overlays without a role, pictures in names."""

from driving import User
from served import Site

from muster_protocol.causes import Failure

FORM = """<table><tr><td>Full name:</td><td><input></td></tr>
<tr><td>Group:</td><td><select><option>none<option>Admins</select></td></tr></table>"""
OVERLAY = """<p>Invoices</p><div id=over style="position:fixed;inset:0;display:none;background:#0008">
<div style="background:#fff;margin:99px;height:300px">New invoice <button>Cancel</button></div></div>
<button onclick="over.style.display='block'">Add</button>"""


async def test_a_definition_without_a_text_is_empty(look: User, site: Site) -> None:
    await look.open(site.page("<dl><dt>VAT ID</dt><dd></dd><dt>Plan</dt><dd>Free</dd></dl>"))
    assert (await look.bad("check_value", element="VAT ID", value="", negate=True)).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_state", element="VAT ID", state="empty")
    assert (await look.bad("check_state", element="Plan", state="empty")).failure == Failure.EXPECTATION_FALSE


async def test_a_cell_of_a_row_is_empty(look: User, site: Site) -> None:
    rows = "<tr><td>Dune<td><tr><td>Emma<td>1 May"
    await look.open(site.page(f"<table><tr><th>Title<th>Due{rows}</table>"))
    await look.ok("check_state", element="Due", within="Dune", state="empty")
    for row, failure in (("Emma", Failure.EXPECTATION_FALSE), ("Ulysses", Failure.NAME_UNKNOWN)):
        assert (await look.bad("check_state", element="Due", within=row, state="empty")).failure == failure


async def test_the_field_in_the_cell_beside_a_label_is_its_value(look: User, site: Site) -> None:
    await look.open(site.page(FORM))
    await look.ok("check_state", element="Full name", state="empty")
    await look.ok("check_value", element="Group", value="none")
    await look.ok("type", element="Full name", text="Ada")
    assert (await look.bad("check_state", element="Full name", state="empty")).failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_value", element="Group", value="Admins")).failure == Failure.EXPECTATION_FALSE


async def test_what_lies_over_the_page_is_a_dialog_whatever_it_is_called(look: User, site: Site) -> None:
    await look.open(site.page(OVERLAY))
    await look.ok("check_visible", element="", role="dialog", absent=True)
    await look.ok("click", element="Add")
    gone = await look.bad("check_visible", element="", role="dialog", absent=True)
    assert gone.failure == Failure.EXPECTATION_FALSE
    await look.ok("check_dialog", text="New invoice", match="contains")


async def test_pictures_at_the_ends_of_a_name_are_no_part_of_it(look: User, site: Site) -> None:
    await look.open(site.page("<button>✏ Compose</button><button>Compose later</button><button>★</button>"))
    await look.ok("click", element="Compose", within=["by its whole name"])
    await look.ok("check_visible", element="★", role="button")


async def test_what_styles_draw_into_an_empty_text_is_no_value(look: User, site: Site) -> None:
    style = "<style>[contenteditable]:empty::before{content:'Write something'}</style>"
    await look.open(site.page(f"{style}<div contenteditable role=textbox aria-label=Note></div>"))
    await look.ok("check_state", element="Note", state="empty")
    await look.ok("type", element="Note", text="Hello")
    assert (await look.bad("check_state", element="Note", state="empty")).failure == Failure.EXPECTATION_FALSE


async def test_the_header_of_a_part_is_the_header_where_the_page_has_none(look: User, site: Site) -> None:
    await look.open(site.page("<main><header><b>Orders</b></header><p>Bills</p></main>"))
    await look.ok("check_text", text="Orders", within=["in banner"])
    assert (await look.bad("check_text", text="Bills", within=["in banner"])).failure == Failure.EXPECTATION_FALSE


async def test_items_are_sorted_by_what_tells_them_apart(look: User, site: Site) -> None:
    rows = "".join(f"<li>{name} <button>Delete</button></li>" for name in ("Milk", "Milk chocolate", "Salt"))
    await look.open(site.page(f"<ul>{rows}</ul>"))
    await look.ok("check_sorted", element="", within=["in list"])
    wrong = await look.bad("check_sorted", element="", within=["in list"], descending=True)
    assert wrong.failure == Failure.EXPECTATION_FALSE
    await look.open(site.page("<ul><li>Milk</li></ul>"))
    assert (await look.bad("check_sorted", element="", within=["in list"])).failure == Failure.NO_EVIDENCE


async def test_a_list_without_an_option(look: User, site: Site) -> None:
    await look.open(site.page("<select aria-label=Size><option>S<option>M</select>"))
    await look.ok("check_options", element="Size", options=["L"], absent=True)
    assert (
        await look.bad("check_options", element="Size", options=["M"], absent=True)
    ).failure == Failure.EXPECTATION_FALSE


async def test_every_cell_of_a_column_is_just_so(look: User, site: Site) -> None:
    table = "<table><tr><th>Status</th></tr><tr><td>Done</td></tr><tr><td>{}</td></tr></table>"
    where = {"role": "cell", "within": ['in column "Status"']}
    await look.open(site.page(table.format("Done")))
    await look.ok("check_each", **where, text="Done", exact=True)
    await look.open(site.page(table.format("Not Done")))
    assert (await look.bad("check_each", **where, text="Done", exact=True)).failure == Failure.EXPECTATION_FALSE


async def test_a_field_beside_a_plain_text_is_read_as_it_is_typed_into(look: User, site: Site) -> None:
    fields = (
        "<div><span>Client name</span><input></div><p>Lane <select><option>To do<option selected>Review</select></p>"
    )
    await look.open(site.page(fields))
    client = {"element": "Client name", "role": "textbox"}
    await look.ok("check_state", **client, state="empty")
    assert (await look.bad("check_value", **client, value="", negate=True)).failure == Failure.EXPECTATION_FALSE
    await look.ok("type", element="Client name", text="Bo")
    await look.ok("check_value", element="Client name", value="Bo")
    assert (await look.bad("check_state", **client, state="empty")).failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_visible", **client, absent=True)).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_value", element="Lane", value="Review")
    assert (
        await look.bad("check_value", element="Lane", value="To do", match="contains")
    ).failure == Failure.EXPECTATION_FALSE


async def test_a_value_that_is_set_apart_behind_its_label_in_one_line(look: User, site: Site) -> None:
    await look.open(site.page("<p>Total <b>12.00</b></p><p>Save <a href=#x>as draft</a></p>"))
    await look.ok("check_value", element="Total", value="12.00")
    wrong = await look.bad("check_value", element="Total", value="13.00")
    assert (wrong.failure, wrong.seen) == (Failure.EXPECTATION_FALSE, '"12.00"')
    await look.bad("check_value", element="Save", value="as draft")
    await look.open(site.page("<p>Total <b>12.00</b></p><table><tr><th>Total<td>13.00</table>"))
    assert (await look.bad("check_value", element="Total", value="12.00")).failure == Failure.TARGET_UNCLEAR


BY_STYLES = """<style>.tab{appearance:none} .tab::before{content:attr(aria-label)} .tab:not(:checked) + p, .fold input:not(:checked) ~ p{display:none}
.fold{position:relative} .fold input{position:absolute;inset:0 0 auto;height:30px;width:100%;margin:0;opacity:0} .fold div{height:30px}</style>
<div role=tablist><input type=radio name=t class=tab aria-label=General checked><p>General text</p>
<input type=radio name=t class=tab aria-label=Security><p>Security text</p></div>
<section class=fold><input type=checkbox><div>How do I pay?</div><p>By card</p></section>
<fieldset><legend>Nickname</legend><input value=Zed><p>Optional</p></fieldset>
<label><span>Email</span><input type=email required value=bad><p>Enter a valid address</p></label>"""


async def test_what_radio_buttons_and_unseen_boxes_do_by_styles_alone_is_used_as_it_is_drawn(
    look: User, site: Site
) -> None:
    await look.open(site.page(BY_STYLES))
    await look.ok("check_text", text="By card", absent=True)
    await look.ok("click", element="How do I pay?")
    await look.ok("check_text", text="By card")
    await look.ok("click", element="Security", role="tab")
    await look.ok("check_state", element="Security", role="tab", state="selected")
    await look.bad("check_state", element="General", role="tab", state="selected")
    await look.ok("check_text", text="General text", absent=True)
    await look.ok("check_value", element="Nickname", value="Zed")
    await look.bad("check_value", element="Nickname", value="Optional")
    await look.ok("check_value", element="Email", value="bad")
