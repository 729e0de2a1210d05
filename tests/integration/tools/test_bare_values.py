"""Values and states without a label of their own: the price of a card, the box beside its words, a masked field."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

CARDS = """<div class=card><h3>Backpack</h3><p>$29.99</p><button>Buy</button></div>
<div class=card><h3>Lamp</h3><s>9,99 €</s> <p>4,99 €</p><button>Buy</button></div>
<div class=card><h3>Set</h3><p>$1.00</p><p>$2.00</p><button>Buy</button></div>"""
TODOS = """<ul><li><input type=checkbox checked><label>Milk</label></li><li><input type=checkbox><label>Eggs</label></li></ul>"""


async def test_the_price_of_a_card_is_its_only_amount_of_money(look: User, site: Site) -> None:
    await look.open(site.page(CARDS))
    await look.ok("check_value", element="price", within="Backpack", value="$29.99")
    await look.ok("check_value", element="price", within="Lamp", value="4,99 €")
    outcome = await look.bad("check_value", element="price", within="Backpack", value="$2.00")
    assert outcome.failure == Failure.EXPECTATION_FALSE
    assert (
        await look.bad("check_value", element="price", within="Set", value="$2.00")
    ).failure == Failure.TARGET_UNCLEAR
    assert (
        await look.bad("check_value", element="size", within="Lamp", value="4,99 €")
    ).failure == Failure.NAME_UNKNOWN
    assert (await look.bad("check_value", element="price", value="$29.99")).failure != Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(("name", "state"), [("Milk", "checked"), ("Eggs", "unchecked")])
async def test_a_box_is_known_by_the_words_beside_it(look: User, site: Site, name: str, state: str) -> None:
    await look.open(site.page(TODOS))
    await look.ok("check_state", element=name, state=state)
    other = "checked" if state == "unchecked" else "unchecked"
    assert (await look.bad("check_state", element=name, state=other)).failure == Failure.EXPECTATION_FALSE


async def test_words_without_a_box_have_no_such_state(look: User, site: Site) -> None:
    await look.open(site.page("<p>Milk</p><p>Text</p><label>News <input type=checkbox></label>"))
    assert (await look.bad("check_state", element="Milk", state="unchecked")).failure == Failure.TARGET_UNCLEAR


async def test_options_of_a_closed_list_are_counted(look: User, site: Site) -> None:
    await look.open(site.page("<select aria-label=Size><option>S<option>M</select>"))
    await look.ok("check_options", element="Size", count=2)
    assert (await look.bad("check_options", element="Size", count=3)).failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_options", element="Size")).failure == Failure.INVALID_CALL
    options = "".join(f"<option>{number}" for number in range(120))
    await look.open(site.page(f"<select aria-label=Size>{options}</select>"))
    assert (await look.bad("check_options", element="Size", count=100)).failure == Failure.NO_EVIDENCE


async def test_an_image_that_did_not_come_is_not_shown(look: User, site: Site) -> None:
    drawn = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
    await look.open(site.page(f'<img alt=Map src="{drawn}"><img alt=Photo src="/none.png" width=40 height=40>'))
    await look.ok("check_visible", element="Map", role="image")
    assert (await look.bad("check_visible", element="Photo", role="image")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_count", element="", role="image", count=1)


async def test_a_listbox_is_a_list(do: User, site: Site) -> None:
    await do.open(site.page("<div role=listbox aria-label=Fruits tabindex=0><div role=option>Apple</div></div>"))
    await do.ok("click", element="Fruits", role="list")
    await do.ok("check_text", text="Apple", within=["in list"])


async def test_a_cell_that_is_empty_holds_nothing(look: User, site: Site) -> None:
    rows = "<tr><td>Ada<td>Admin<tr><td>Bob<td>"
    await look.open(site.page(f"<table><tr><th>Name<th>Role{rows}</table>"))
    await look.ok("check_value", element="Role", within="Ada", value="Admin")
    await look.ok("check_value", element="Role", within="Bob", value="")
    outcome = await look.bad("check_value", element="Role", within="Bob", value="Admin")
    assert outcome.failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><th>Name<th>Role<tr><td>Ada<td>Admin<tr><td>Bob<td></table>",
        "<div><div class=card><h3>Ada</h3><p>Role</p><p>Admin</p></div><div class=card><h3>Bob</h3><p></p><p></p></div></div>",
        "<ul><li><b>Ada</b> <dl><dt>Role<dd>Admin</dl><li><b>Bob</b> <dl><dt><dd></dl></ul>",
        "<div><div><h3>Ada</h3><i>Role: Admin</i><p></p></div><div><h3>Bob</h3><i></i><p></p></div></div>",
    ],
)
async def test_what_one_of_many_lacks_is_not_that_of_another(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    await look.ok("check_value", element="Role", within="Ada", value="Admin")
    await look.bad("check_value", element="Role", within="Bob", value="Admin")
    await look.bad("check_text", text="Admin", within="Bob")


CARD = "<div class=card><h3>{name}</h3>{more}</div>"
LACKING = [
    CARD.format(name="Lamp", more="<button>Buy</button>") + CARD.format(name="Desk", more=""),
    "<h2>Lamp</h2><button>Buy</button><h2>Desk</h2>",
    "<section><h2>Lamp</h2><button>Buy</button></section><section><h2>Desk</h2></section>",
    "<ul><li>Lamp <button>Buy</button><li>Desk</ul>",
    "<ul><li><a href=#>Lamp</a> <button>Buy</button><li><a href=#>Desk</a></ul>",
    "<fieldset><legend>Lamp</legend><button>Buy</button></fieldset><fieldset><legend>Desk</legend></fieldset>",
    "<div class=line><b class=name>Lamp</b><button>Buy</button></div><div class=line><b class=name>Desk</b></div>",
    "<details open><summary>Lamp</summary><button>Buy</button></details><details open><summary>Desk</summary></details>",
]


@pytest.mark.parametrize("around", ["{}", pytest.param("<section><h1>Goods</h1>{}</section>", marks=pytest.mark.slow)])
@pytest.mark.parametrize("body", LACKING)
async def test_a_part_that_lacks_a_control_has_not_that_of_another(
    do: User, site: Site, body: str, around: str
) -> None:
    await do.open(site.page(around.format(body)))
    await do.ok("check_visible", element="Buy", role="button", within="Lamp")
    await do.bad("check_visible", element="Buy", role="button", within="Desk")
    await do.bad("click", element="Buy", role="button", within="Desk")


async def test_an_empty_place_beside_a_label_is_its_value(look: User, site: Site) -> None:
    await look.open(site.page("<div><b>Total</b><span></span></div><div><b>Tax</b><span>5</span></div>"))
    await look.ok("check_value", element="Tax", value="5")
    await look.bad("check_value", element="Total", value="5", match="contains")


@pytest.mark.parametrize(
    "body",
    [
        "<table><thead><tr><th><div>Name</div></th><th><div>Status</div></th></tr></thead></table>",
        "<label>Status</label>",
        "<h3>Status</h3>",
        "<div><div>Name</div><div>Status:</div></div>",
        "<dl><dt>Status</dt></dl>",
    ],
)
async def test_what_is_only_called_so_has_no_value_that_could_be_denied(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    assert (await look.bad("check_value", element="Status", value="Booked", negate=True)).failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_value", element="Status", value="", negate=True)).failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_value", element="Status", value="Booked")).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(
    "body",
    [
        "<dl><dt>Status<dd>Open</dl>",
        "<p>Status: <b>Open</b></p>",
        "<input aria-label=Status value=Status>",
        "<p data-testid=status>Open</p>",
        "<button aria-label=Status>Open</button>",
    ],
)
async def test_a_value_can_be_denied(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    await look.ok("check_value", element="Status", value="Booked", negate=True)


FIGURES = [
    "<div class=card><div style='font-size:32px'>{one}</div><div>Visitors</div></div>"
    "<div class=card><div style='font-size:32px'>{other}</div><div>Orders</div></div>",
    "<section><div><h3>{one}</h3><p>Visitors</p></div><i></i></section><section><div><h3>{other}</h3><p>Orders</p></div></section>",
    "<div style='display:grid;grid-template-columns:auto auto'><b>{one}</b><span>Visitors</span><b>{other}</b><span>Orders</span></div>",
    "<ul><li><strong>{one}</strong> <span>Visitors</span><li><strong>{other}</strong> <span>Orders</span></ul>",
]


@pytest.mark.parametrize("body", FIGURES)
@pytest.mark.parametrize(("one", "other"), [("42", "7"), ("$1,200.50", "31%"), ("-5 °C", "26K")])
async def test_a_figure_stands_before_its_label(look: User, site: Site, body: str, one: str, other: str) -> None:
    await look.open(site.page(body.format(one=one, other=other)))
    await look.ok("check_value", element="Visitors", value=one)
    await look.ok("check_value", element="Orders", value=other)
    assert (await look.bad("check_value", element="Visitors", value=other)).failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_value", element="Orders", value=one)).failure == Failure.EXPECTATION_FALSE


async def test_what_stands_before_a_label_that_has_its_value_behind_it_is_not_its_value(look: User, site: Site) -> None:
    await look.open(site.page("<p><b>3</b><span>Total</span><b>12.00</b></p><p><i>Ada</i><span>Owner</span></p>"))
    await look.ok("check_value", element="Total", value="12.00")
    await look.bad("check_value", element="Total", value="3")
    await look.bad("check_value", element="Owner", value="Ada")


async def test_a_label_that_a_line_begins_comes_before_one_that_ends_a_longer_one(look: User, site: Site) -> None:
    lines = "<div>Price total</div><div>Item total: $29.99</div><div>Tax: $2.40</div><div>Total: $32.39</div>"
    await look.open(site.page(lines))
    await look.ok("check_value", element="total", value="$32.39")
    assert (await look.bad("check_value", element="total", value="$29.99")).failure == Failure.TARGET_UNCLEAR
    await look.open(site.page(lines.replace("Total:", "Sum total:")))
    assert "2 values" in (await look.bad("check_value", element="total", value="$32.39")).text
