"""What a person reads where markup tells less: chips of a field, titles of dialogs, prices that are struck out, steps."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

CHIPS = """<style>.f{border:1px solid}.c{background:#ddd}.f input{border:0}</style>
<label for=t>Spices</label><div class=f><span class=c><span>salt</span><button aria-label="Remove salt">×</button></span>
<span class=c>pepper <button>×</button></span><input id=t placeholder="Add"></div>
<label>Search <input><button>Go</button></label> <div class=f><label for=q>Query</label> <input id=q><button>?</button> Help</div>
<div style="border:1px solid"><ul><li>Milk <button>Delete</button></ul><label>New item <input></label></div>"""


async def test_a_field_holds_its_chips(look: User, site: Site) -> None:
    await look.open(site.page(CHIPS))
    await look.ok("check_value", element="Spices", value="pepper", match="contains")
    await look.ok("check_value", element="Spices", value="salt", match="includes")
    assert (await look.bad("check_state", element="Spices", state="empty")).failure == Failure.EXPECTATION_FALSE
    assert (
        await look.bad("check_value", element="Spices", value="mint", match="includes")
    ).failure == Failure.EXPECTATION_FALSE
    for name in ("Search", "Query", "New item"):
        await look.ok("check_state", element=name, state="empty")


LISTED = """<label for=city>Cities</label><select id=s multiple style="display:none"><option selected>Oslo<option>Rome</select>
<div><div class=box><div class=item id=shown>Oslo</div><input id=city autocomplete=off style="border:0"></div>
<div id=drop hidden><div role=option onmousedown="pick()">Rome</div></div></div><label>Other <input></label><script>
city.onclick = () => { drop.hidden = false };
function pick() { s.options[1].selected = true; shown.textContent += ', Rome'; drop.hidden = true }</script>"""


async def test_what_takes_the_keys_for_an_unseen_list_holds_what_is_chosen_there(look: User, site: Site) -> None:
    await look.open(site.page(LISTED))
    await look.ok("check_value", element="Cities", value="Oslo", match="includes")
    await look.bad("check_value", element="Cities", value="Rome", match="includes")
    assert (await look.ok("select", element="Cities", options=["Rome"])).confirmed
    await look.ok("check_value", element="Cities", value="Rome", match="includes")
    await look.ok("check_state", element="Other", state="empty")


WHOLE = ["by its whole name"]


@pytest.mark.parametrize("title", ["<h4>Attention</h4>", "<div style='font-size:20px'>Attention</div>"])
async def test_a_dialog_without_a_name_has_its_first_heading_as_its_title(look: User, site: Site, title: str) -> None:
    await look.open(site.page(f"<div role=dialog>{title}<p>Modal words</p><h5>More</h5><button>OK</button></div>"))
    await look.ok("check_visible", element="Attention", role="dialog", within=WHOLE)
    for other in ("Modal words", "More", "Attentio"):
        await look.bad("check_visible", element=other, role="dialog", within=WHOLE)


PRICES = """<p>Total: <del>$50.00</del> <ins>$40.00</ins></p><table><tr><th>Item<th>Price</tr>
<tr><td>Mug<td><s>$9.00</s> $7.00</tr><tr><td>Cup<td><s>$3.00</s></tr></table>
<p>Status: <span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)">not </span>approved</p>"""


async def test_what_is_struck_out_is_no_value(look: User, site: Site) -> None:
    await look.open(site.page(PRICES))
    await look.ok("check_value", element="Total", value="$40.00")
    await look.ok("check_value", element="Price", within="Mug", value="$7.00")
    await look.ok("check_value", element="Price", within="Cup", value="$3.00")
    for element, within, value in (("Total", "", "$50.00"), ("Price", "Mug", "$9.00")):
        await look.bad("check_value", element=element, within=within, value=value)


async def test_words_that_nobody_sees_part_no_text(look: User, site: Site) -> None:
    await look.open(site.page(PRICES))
    await look.ok("check_text", text="Status: approved")
    await look.bad("check_text", text="Status: approved", absent=True)
    await look.bad("check_text", text="Status: not approved")
    await look.bad("check_text", text="Total: approved")


@pytest.mark.parametrize(
    "style", ["color:#eee", "font-size:4px", "opacity:.1", "width:30px;overflow:hidden;white-space:nowrap"]
)
async def test_parted_words_that_can_hardly_be_read_are_not_seen_either(look: User, site: Site, style: str) -> None:
    await look.open(site.page(f"<div style='{style}'>Your order<b hidden> 17</b> is placed</div><p>Thanks</p>"))
    await look.bad("check_text", text="Your order is placed")


STEPS = """<style>.now{font-weight:bold;color:#08f}</style><div class=steps>
<div class=step><div class=dot>1</div><div class=title>Order</div></div>
<div class="step now" data-current><div class=dot data-current>2</div><div class=title>Cook</div><div class=bar data-current></div></div>
<div class=step><div class=dot>3</div><div class=title>Serve</div></div></div>"""


async def test_the_number_of_a_step_is_no_step_beside_its_name(look: User, site: Site) -> None:
    await look.open(site.page(STEPS))
    await look.ok("check_state", element="Cook", state="selected")
    for name in ("Order", "Serve"):
        await look.bad("check_state", element=name, state="selected")


WIZARD = """<div><ol><li aria-current=step>Address<li>Payment</ol><div><div role=group aria-label=Delivery>Street please</div></div></div>"""


async def test_what_stands_below_a_list_of_steps_is_no_step(look: User, site: Site) -> None:
    await look.open(site.page(WIZARD))
    await look.ok("check_state", element="Address", state="selected")
    assert (await look.bad("check_state", element="Delivery", state="selected")).failure == Failure.TARGET_UNCLEAR


SORTED = """<table style="width:900px"><tr><th style="text-align:left"><a href="#asc">total</a><th>item</tr>
<tr><td>2<td>b</tr><tr><td>1<td>a</tr></table>"""


async def test_a_column_is_clicked_where_it_can_be_used(do: User, site: Site) -> None:
    await do.open(site.page(SORTED))
    await do.ok("click", element="total", role="columnheader")
    await do.ok("check_url", url="#asc", match="contains")


VEIL = """<style>.through{pointer-events:none !important}</style><div style="position:fixed;inset:0;background:#0006"></div>
<div role=dialog aria-label=Sure class=through style="position:fixed;inset:0"><div style="background:#fff;width:300px;margin:200px auto">
<h2>Sure</h2><button style="pointer-events:auto">Yes</button></div></div><p>Page</p>"""


async def test_a_page_that_insists_on_letting_clicks_through_is_seen_as_it_is(look: User, site: Site) -> None:
    await look.open(site.page(VEIL))
    await look.ok("check_visible", element="Sure", role="dialog")


SEVERAL = """<style>.f{border:1px solid;display:flex;gap:4px}.f i{display:inline-flex;background:#ddd}.f input{border:0}
.b{display:inline-block;background:#ddd;margin:2px}</style>
<label for=a>Drinks</label><div class=f><i>Tea<button aria-hidden=true tabindex=-1>×</button></i><i>Oat milk<button aria-hidden=true>×</button></i>
<input id=a role=combobox aria-expanded=false></div>
<label for=b>Fruits</label><div class=f><i>Fig</i><i>Star fruit</i><input id=b role=combobox aria-expanded=false></div>
<span id=c>Nuts</span><button aria-haspopup=listbox aria-labelledby=c><span class=b>Cashew</span><span class=b>Pine nut</span></button>
<span id=d>Seeds</span><div role=combobox tabindex=0 aria-labelledby=d aria-expanded=false><span class=b>Chia</span><span class=b>Black sesame</span></div>
<span id=e>City</span><div role=combobox tabindex=0 aria-labelledby=e aria-expanded=false><span>New</span> <span>York</span></div>"""


@pytest.mark.parametrize(
    ("field", "held"),
    [
        ("Drinks", ("Tea", "Oat milk")),
        ("Fruits", ("Fig", "Star fruit")),
        ("Nuts", ("Cashew", "Pine nut")),
        ("Seeds", ("Chia", "Black sesame")),
    ],
)
async def test_what_is_chosen_in_a_list_of_several_is_told_apart(
    look: User, site: Site, field: str, held: tuple[str, ...]
) -> None:
    await look.open(site.page(SEVERAL))
    for name in held:
        await look.ok("check_value", element=field, value=name, match="includes")
        await look.bad("check_value", element=field, value=name, match="includes", negate=True)
    part = held[1].split()[0]
    await look.bad("check_value", element=field, value=part, match="includes")
    await look.ok("check_value", element=field, value=part, match="includes", negate=True)
    await look.ok("check_value", element="City", value="New York")


SUMMED = """<span id=a>Paint</span><button aria-haspopup=listbox aria-labelledby=a>2 selected</button>
<span id=b>Guests</span><button aria-haspopup=listbox aria-labelledby=b>Ada, +3</button>
<span id=c>Rooms</span><button aria-haspopup=listbox aria-labelledby=c>2 beds</button><label>Words <input value="alpha,beta"></label>"""


async def test_a_number_of_choices_does_not_tell_which(look: User, site: Site) -> None:
    await look.open(site.page(SUMMED))
    for field in ("Paint", "Guests"):
        for negate in (False, True):
            outcome = await look.bad("check_value", element=field, value="Red", match="includes", negate=negate)
            assert outcome.failure == Failure.NO_EVIDENCE
    await look.ok("check_value", element="Guests", value="Ada", match="includes")
    await look.ok("check_value", element="Rooms", value="1 bed", match="includes", negate=True)
    await look.ok("check_value", element="Words", value="alpha", match="includes")
    await look.bad("check_value", element="Words", value="beta", match="includes", negate=True)


LABELLED = """<style>[aria-checked=true]{background:#080}</style><div role=radiogroup aria-label=Size><span><span role=radio tabindex=0 aria-checked=false aria-labelledby=l
style="display:inline-block;width:14px;height:14px;border:1px solid" onclick="this.setAttribute('aria-checked', 'true')"></span>
<label id=l onclick="this.previousElementSibling.click()">Large</label></span></div><button>Small</button><label id=m>Small</label>"""


async def test_the_label_of_a_drawn_control_is_no_second_thing(look: User, site: Site) -> None:
    await look.open(site.page(LABELLED))
    await look.ok("click", element="Large")
    await look.ok("check_state", element="Large", state="checked")
    assert (await look.bad("click", element="Small")).failure == Failure.TARGET_UNCLEAR


ARROWED = """<span id=a>Country</span><button aria-haspopup=listbox aria-labelledby=a><span>Norway</span><span aria-hidden=true>◆</span></button>
<span id=b>City</span><div role=combobox tabindex=0 aria-labelledby=b aria-expanded=false>Oslo <span>▼</span></div>
<table role=grid><tr role=row><td role=gridcell aria-labelledby=d><a id=d aria-label="March 25, 2026" tabindex=0>25</a><div>Fair</div></td>
<td role=gridcell aria-labelledby=e><a id=e aria-label="March 26, 2026" tabindex=0>26</a></td></tr></table>"""


async def test_the_arrow_of_a_list_is_no_part_of_what_is_chosen(look: User, site: Site) -> None:
    await look.open(site.page(ARROWED))
    for field, held in (("Country", "Norway"), ("City", "Oslo")):
        await look.ok("check_value", element=field, value=held)
        await look.ok("check_value", element=field, value=held, match="includes")
        await look.bad("check_value", element=field, value=held, match="includes", negate=True)


async def test_the_label_in_a_cell_is_not_the_cell(look: User, site: Site) -> None:
    await look.open(site.page(ARROWED))
    await look.ok("check_value", element="March 25, 2026", role="cell", value="Fair", match="contains")
    await look.bad("check_value", element="March 26, 2026", role="cell", value="Fair", match="contains")
