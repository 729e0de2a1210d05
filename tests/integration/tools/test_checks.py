"""Checks: when they hold, what they say is there when they do not, and what they can never be fooled by."""

import pytest
from driving import User
from served import Site, later

from muster_protocol.causes import Failure

PAGE = """<h1>Your  cart</h1><p>Total: <b>29</b>.99 €</p><p style='text-transform:uppercase'>Order now</p>
<p hidden>Secret offer</p><input aria-label=Name value=Ada><select aria-label=Size><option>S<option selected>M</select>
<textarea aria-label=Note>Ring twice</textarea><button>Pay</button>"""

DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("Your cart", True),
        ("Total: 29.99 €", True),
        ("Order now", True),
        ("ORDER NOW", True),
        ("Ada", True),
        ("M", True),
        ("Ring twice", True),
        ("Secret offer", False),
        ("Total: 29.98", False),
    ],
)
async def test_a_text_is_visible_if_a_person_can_read_it(look: User, site: Site, text: str, visible: bool) -> None:
    await look.open(site.page(PAGE))
    if visible:
        await look.ok("check_text", text=text)
        assert (await look.bad("check_text", text=text, absent=True)).failure == Failure.EXPECTATION_FALSE
    else:
        outcome = await look.bad("check_text", text=text)
        assert (outcome.status, outcome.failure) == ("failed", Failure.EXPECTATION_FALSE)
        await look.ok("check_text", text=text, absent=True)


@pytest.mark.parametrize("text", ["", " "])
async def test_an_empty_text_is_looked_for_in_vain(look: User, site: Site, text: str) -> None:
    await look.open(site.page(PAGE))
    for absent in (False, True):
        outcome = await look.bad("check_text", text=text, absent=absent)
        assert (outcome.status, outcome.failure) == ("error", Failure.NO_EVIDENCE)
    assert (await look.bad("check_title", title=text, match="contains")).failure == Failure.NO_EVIDENCE


async def test_a_missing_text_names_what_is_most_like_it(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    outcome = await look.bad("check_text", text="Total: 39.99 €")
    assert outcome.expected == 'the text "Total: 39.99 €" is visible'
    assert outcome.seen == '"Total: 29.99 €"'
    assert outcome.where == f"{site.url}/"


async def test_an_exact_text_stands_alone(look: User, site: Site) -> None:
    await look.open(site.page("<p>Total</p><p>Total: 5</p><p>Subtotal of all</p>"))
    await look.ok("check_text", text="Total", exact=True)
    await look.bad("check_text", text="Subtotal", exact=True)
    await look.ok("check_text", text="Subtotal", exact=True, absent=True)


async def test_a_text_in_a_part_that_is_not_there_is_missing(look: User, site: Site) -> None:
    await look.open(site.page("<section><h2>Cart</h2><p>empty</p></section>"))
    await look.ok("check_text", text="empty", within="Cart")
    outcome = await look.bad("check_text", text="empty", within="Wishes", absent=True)
    assert (outcome.status, outcome.failure) == ("error", Failure.NAME_UNKNOWN)


async def test_title_and_url_are_compared_and_shown(look: User, site: Site) -> None:
    await look.open(site.page("x", "/cart", "Your cart (2)"))
    await look.ok("check_title", title="Your cart (2)")
    await look.ok("check_title", title="cart", match="contains")
    await look.ok("check_title", title=r"\(\d\)$", match="matches")
    await look.ok("check_title", title="Error", match="contains", negate=True)
    outcome = await look.bad("check_title", title="Checkout")
    assert (outcome.expected, outcome.seen) == ('the page title is "Checkout"', '"Your cart (2)"')
    await look.ok("check_url", url=f"{site.url}/cart")
    await look.ok("check_url", url="/cart", match="ends")
    outcome = await look.bad("check_url", url="cart", match="contains", negate=True)
    assert outcome.seen == f'"{site.url}/cart"'
    outcome = await look.bad("check_title", title="(", match="matches")
    assert outcome.failure == Failure.INVALID_CALL


async def test_checks_wait_until_they_hold(do: User, site: Site) -> None:
    change = "document.title = 'Late'; p.textContent = 'done'; i.value = 'x'; i.disabled = true; r.role = 'row'"
    url = site.page(f"<p id=p>a</p><input id=i aria-label=I><b id=r>r</b>{later(change)}")
    for tool, arguments in [
        ("check_text", {"text": "done"}),
        ("check_title", {"title": "Late"}),
        ("check_value", {"element": "I", "value": "x"}),
        ("check_state", {"element": "I", "state": "disabled"}),
        ("check_count", {"element": "", "role": "row", "count": 1}),
    ]:
        await do.open(url)
        await do.ok(tool, **arguments)


async def test_visibility_of_elements(look: User, site: Site) -> None:
    body = (
        f"<button>Save</button><a href=# style='visibility:hidden'>Help</a><h2>Welcome</h2><img alt=Logo src='{DOT}'>"
    )
    await look.open(site.page(body + "<p style='display:none'><button>Deep</button></p>"))
    await look.ok("check_visible", element="Save", role="button")
    await look.ok("check_visible", element="Welcome", role="heading")
    await look.ok("check_visible", element="Logo", role="image")
    await look.ok("check_visible", element="Help", absent=True)
    await look.ok("check_visible", element="Cancel", role="button", absent=True)
    outcome = await look.bad("check_visible", element="Help")
    assert outcome.seen == 'link "Help" is on the page, but hidden'
    outcome = await look.bad("check_visible", element="Welcom", role="link")
    assert "closest" in outcome.seen
    outcome = await look.bad("check_visible", element="Save", absent=True)
    assert outcome.seen == 'button "Save"'


@pytest.mark.parametrize(
    ("body", "element", "value"),
    [
        ("<label>Total <input value=29.99></label>", "Total", "29.99"),
        ("<dl><dt>Total</dt><dd>29.99</dd></dl>", "total", "29.99"),
        ("<p>Total: 29.99</p>", "Total", "29.99"),
        ("<p><b>Total</b> 29.99</p>", "Total", "29.99"),
        ("<div><span>Total</span><span>29.99</span></div>", "Total", "29.99"),
        ("<table><tr><th>Total</th><td>29.99</td></tr></table>", "Total", "29.99"),
        ("<table><tr><th>Item<th>Total<tr><td>Bag<td>29.99</table>", "Total", "29.99"),
        ("<p data-testid=total>29.99</p>", "total", "29.99"),
        ("<output aria-label=Total>29.99</output>", "Total", "29.99"),
        ("<h2>29.99</h2>", "29.99", "29.99"),
    ],
)
async def test_a_value_is_what_its_label_names(look: User, site: Site, body: str, element: str, value: str) -> None:
    await look.open(site.page(body))
    await look.ok("check_value", element=element, value=value)
    outcome = await look.bad("check_value", element=element, value="30.00")
    assert (outcome.status, outcome.seen) == ("failed", f'"{value}"')


async def test_a_cell_is_named_by_its_column_and_row(look: User, site: Site) -> None:
    rows = "<tr><td>Bag<td>$29<td>1</tr><tr><td>Hat<td>$7<td>2</tr>"
    await look.open(site.page(f"<table><thead><tr><th>Item<th>Price<th>Count</thead>{rows}</table>"))
    await look.ok("check_value", element="Price", role="cell", within="Hat", value="$7")
    await look.ok("check_count", element="", role="row", count=2)
    outcome = await look.bad("check_value", element="Price", value="$7")
    assert outcome.failure == Failure.TARGET_UNCLEAR
    assert '"$29", "$7"' in outcome.text


async def test_states_are_told(look: User, site: Site) -> None:
    body = """<button disabled>Pay</button><input aria-label=Name required readonly value=x><details><summary>More</summary>y</details>
      <a href=# role=tab aria-selected=true>One</a><input aria-label=Empty autofocus><select aria-label=S><option>1</select>"""
    await look.open(site.page(body))
    for element, state in [
        ("Pay", "disabled"),
        ("Name", "required"),
        ("Name", "readonly"),
        ("More", "collapsed"),
        ("One", "selected"),
        ("Empty", "empty"),
        ("Empty", "focused"),
        ("Empty", "editable"),
        ("S", "enabled"),
    ]:
        await look.ok("check_state", element=element, state=state)
    outcome = await look.bad("check_state", element="Pay", state="enabled")
    assert (outcome.expected, outcome.seen) == ('"Pay" is enabled', 'button "Pay" is disabled')
    outcome = await look.bad("check_state", element="Nothing", state="enabled")
    assert outcome.failure == Failure.NAME_UNKNOWN
    outcome = await look.bad("check_state", element="Pay", state="sleepy")
    assert outcome.failure == Failure.INVALID_CALL


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ("<p>Milk</p>", "unchecked"),
        ("<li>Milk</li>", "checked"),
        ("<h2>Milk</h2>", "disabled"),
        ("<p>Milk</p>", "enabled"),
        ("<button>Milk</button>", "unchecked"),
        ("<button>Milk</button>", "collapsed"),
        ("<p>Milk</p>", "readonly"),
        ("<table><tr><td>Milk</table>", "required"),
        ("<p>Milk</p>", "selected"),
    ],
)
async def test_an_element_without_a_state_is_neither_in_it_nor_out_of_it(
    look: User, site: Site, body: str, state: str
) -> None:
    await look.open(site.page(body))
    outcome = await look.bad("check_state", element="Milk", state=state)
    assert outcome.failure is Failure.TARGET_UNCLEAR


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ("<label>Milk <input type=checkbox></label>", "unchecked"),
        ("<div role=checkbox aria-checked=false tabindex=0>Milk</div>", "unchecked"),
        ("<button aria-pressed=true>Milk</button>", "checked"),
        ("<a href=# aria-disabled=true>Milk</a>", "disabled"),
        ("<details><summary>Milk</summary>x</details>", "collapsed"),
        ("<div role=row aria-selected=true>Milk</div>", "selected"),
        ("<a href=# aria-current=page>Milk</a>", "selected"),
        ("<div role=textbox contenteditable aria-required=true aria-label=Milk></div>", "required"),
        ("<fieldset disabled aria-label=Milk></fieldset>", "disabled"),
        ("<p>Milk</p><label>Milk <input type=checkbox></label>", "unchecked"),
    ],
)
async def test_an_element_is_in_the_states_that_it_has(look: User, site: Site, body: str, state: str) -> None:
    await look.open(site.page(body))
    await look.ok("check_state", element="Milk", state=state)


async def test_elements_are_counted(look: User, site: Site) -> None:
    await look.open(
        site.page("<ul><li>Bag<li>Hat<li hidden>Ghost</ul><button>Add</button><button>Add</button><p>Add</p>")
    )
    await look.ok("check_count", element="", role="listitem", count=2)
    await look.ok("check_count", element="Add", role="button", count=2)
    await look.ok("check_count", element="Add", count=3)
    await look.ok("check_count", element="Add", role="button", count=1, comparison="at_least")
    await look.ok("check_count", element="Gone", role="button", count=0)
    outcome = await look.bad("check_count", element="", role="listitem", count=1, comparison="at_most")
    assert (outcome.expected, outcome.seen) == ("at most 1 × listitem", "2")


async def test_a_failed_request_around_a_failed_check_is_told(do: User, site: Site) -> None:
    site.say("/api/cart", "{}", status=503)
    await do.open(site.page("<button onclick=\"fetch('/api/cart', {method: 'POST'})\">Add</button>"))
    await do.ok("click", element="Add")
    outcome = await do.bad("check_text", text="1 item")
    assert outcome.failure == Failure.EXPECTATION_FALSE
    assert f"POST {site.url}/api/cart answered HTTP 503" in outcome.seen


async def test_a_check_within_a_frame_and_a_shadow_tree(look: User, site: Site) -> None:
    site.page("<h2>Card details</h2><p>Visa</p>", "/frame")
    shadow = "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p>In the shadow</p>'</script>"
    await look.open(site.page(f"<iframe src=/frame></iframe>{shadow}"))
    await look.ok("check_text", text="Visa")
    await look.ok("check_text", text="In the shadow")
    await look.bad("check_text", text="Visa", absent=True)
    await look.ok("check_visible", element="Card details", role="heading")
