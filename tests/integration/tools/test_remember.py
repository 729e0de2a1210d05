"""Capturing values, which is never a guess."""

import pytest
from driving import User
from served import Site, later

from muster_protocol.causes import Failure


@pytest.mark.parametrize(
    "body",
    [
        "<dl><dt>Order number</dt><dd>A-17</dd><dt>Total</dt><dd>5</dd></dl>",
        "<p>Thank you!</p><p>Order number: A-17</p>",
        "<p>Your order number is A-17.</p>",
        "<label>Order number <input readonly value=A-17></label>",
        "<table><tr><th>Order number</th><td>A-17</td></tr><tr><th>Total</th><td>5</td></tr></table>",
        "<table><tr><th>Order number<th>Total</tr><tr><td>A-17<td>5</tr></table>",
        "<div><div>Order number</div><div>A-17</div></div>",
        "<span data-testid=order-number>A-17</span>",
        "<p><strong>Order number:</strong> A-17</p>",
    ],
)
async def test_a_value_is_found_by_its_label(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    outcome = await look.ok("remember", name="order", element="order number")
    assert outcome.captured == {"order": "A-17"}
    await look.ok("check_text", text="${order}")


async def test_a_pattern_keeps_its_first_group(do: User, site: Site) -> None:
    await do.open(site.page("<p>Order number: A-17 of today</p>", "/o/99", "Order A-17"))
    assert (await do.ok("remember", name="n", element="Order number", pattern=r"A-(\d+)")).captured == {"n": "17"}
    assert (await do.ok("remember", name="n", pattern=r"A-\d+")).captured == {"n": "A-17"}
    assert (await do.ok("remember", name="n", source="url", pattern=r"/o/(\d+)")).captured == {"n": "99"}
    assert (await do.ok("remember", name="n", source="title")).captured == {"n": "Order A-17"}
    await do.ok("execute_command", command="echo id=4")
    assert (await do.ok("remember", name="n", source="output", pattern="id=(.)")).captured == {"n": "4"}


async def test_more_than_one_value_is_an_error(look: User, site: Site) -> None:
    body = "<table><tr><th>Item<th>Price<tr><td>Bag<td>29<tr><td>Hat<td>7</table>"
    await look.open(site.page(body))
    outcome = await look.bad("remember", name="price", element="Price")
    assert outcome.failure == Failure.TARGET_UNCLEAR
    assert '"29", "7"' in outcome.text
    assert (await look.ok("remember", name="price", element="Price", within="Hat")).captured == {"price": "7"}
    outcome = await look.bad("remember", name="price", pattern=r"\b\d+\b")
    assert outcome.failure == Failure.TARGET_UNCLEAR


async def test_a_missing_value_is_an_error(look: User, site: Site) -> None:
    await look.open(site.page("<p>Order number: A-17</p><dl><dt>Note</dt><dd></dd></dl>"))
    outcome = await look.bad("remember", name="x", element="Invoice number")
    assert outcome.failure == Failure.NAME_UNKNOWN
    assert 'there is no value named "Invoice number" on the page' in outcome.text
    outcome = await look.bad("remember", name="x", element="Order number", pattern="B-")
    assert outcome.failure == Failure.ELEMENT_MISSING
    outcome = await look.bad("remember", name="1x", element="Order number")
    assert outcome.failure == Failure.INVALID_CALL


async def test_a_value_that_comes_late_is_waited_for(do: User, site: Site) -> None:
    await do.open(site.page("<p id=p></p>" + later("p.textContent = 'Order number: A-17'")))
    assert (await do.ok("remember", name="order", element="Order number")).captured == {"order": "A-17"}
