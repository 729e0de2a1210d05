"""The pages of an order: checkout, review, placed, all orders, one order, its invoice."""

from collections.abc import Mapping, Sequence
from html import escape

from bugs import bug
from layout import Rows, error_note, facts, field, invalid, lines_table, page, total_line
from store import DELIVERIES, UPLOAD_TYPES, Checkout, Delivery, Order, Upload, Visit, discount, money


def checkout(visit: Visit, values: Mapping[str, str], errors: Mapping[str, str], upload: Upload | None) -> str:
    """Return the form for name, address and delivery, with the errors of the last try."""
    alert = ""
    if errors:
        items = "".join(f"<li>{escape(error)}</li>" for error in errors.values())
        alert = f'<div class="error" role="alert"><p>Please look at these again:</p><ul>{items}</ul></div>'
    chosen = values.get("delivery", "standard")
    name, email = ("E-mail", "Full name") if bug("labels-swapped") else ("Full name", "E-mail")
    needs = "" if bug("terms-not-needed") else ' data-needs="terms"'
    body = f"""<h1>Checkout</h1>{alert}
<form class="panel" method="post" action="/checkout" enctype="multipart/form-data" novalidate>
{field("name", name, values.get("name", ""), error=errors.get("name", ""), more='autocomplete="name"')}
{field("email", email, values.get("email", ""), "email", error=errors.get("email", ""), more='autocomplete="email"')}
<fieldset><legend>Delivery</legend>{"".join(_delivery(delivery, chosen) for delivery in DELIVERIES.values())}</fieldset>
{_upload(upload, errors.get("upload", ""))}
<div class="field"><label for="note">Remarks</label>
<textarea id="note" name="note" rows="3" maxlength="500">{escape(values.get("note", ""))}</textarea></div>
{_terms("terms" in values, errors.get("terms", ""))}
<p class="actions"><button{needs}>Continue to review</button> <a href="/cart">Back to the cart</a></p>
</form>"""
    return page("Checkout - Demo shop", body, visit, narrow=True)


def _delivery(delivery: Delivery, chosen: str) -> str:
    name = f"delivery-{delivery.id}"
    checked = " checked" if delivery.id == chosen else ""
    return f"""<div class="choice"><input type="radio" id="{name}" name="delivery" value="{delivery.id}"{checked}
aria-describedby="{name}-about"><label for="{name}">{delivery.name}</label>
<span class="small" id="{name}-about">{delivery.description}</span></div>"""


def _upload(upload: Upload | None, error: str) -> str:
    attached = f"<p>Attached: {escape(upload.name)}</p>" if upload else ""
    return f"""<div class="field"><label for="upload">Delivery note</label>
<input id="upload" name="upload" type="file" accept="{",".join(UPLOAD_TYPES)}"{invalid("upload", error)}>
<p class="small">A text, PDF or PNG file, if the courier has to know something.</p>{attached}
{error_note("upload", error)}</div>"""


def _terms(accepted: bool, error: str) -> str:
    return f"""<div class="choice"><input type="checkbox" id="terms" name="terms"{" checked" if accepted else ""}
{invalid("terms", error)}><label for="terms">I accept the terms</label>
<a class="small" href="/terms" target="_blank" rel="noopener">Read them in a new tab</a>
{error_note("terms", error)}</div>"""


def review(visit: Visit, filled: Checkout, total: int) -> str:
    """Return all that will be ordered, and the button that orders it."""
    kind = " type=button" if bug("place-dead") else " disabled" if bug("place-disabled") else ""
    body = f"""<h1>Review your order</h1>
{lines_table(visit.lines())}
{facts([*_filled(filled), *_discount(visit)])}
{total_line(total)}
<form class="actions" method="post" action="/review"><input type="hidden" name="token" value="{filled.token}">
<button{kind}>Place order</button> <a href="/checkout">Change something</a></form>"""
    return page("Review - Demo shop", body, visit)


def _discount(visit: Visit) -> Rows:
    return [("Discount", f"-{money(discount(visit.lines(), visit.coupon))}")] if visit.coupon else []


def _filled(filled: Checkout) -> Rows:
    return [
        ("Name", escape(filled.name)),
        ("E-mail address", escape(filled.email)),
        ("Sent by", f"{filled.delivery.name} ({money(filled.delivery.price)})"),
        ("Delivery note", escape(filled.upload.name) if filled.upload else "none"),
        ("Remarks", escape(filled.note) or "none"),
    ]


def placed(visit: Visit, order: Order) -> str:
    """Return the page after an order, with its number."""
    customer = "" if bug("thanks-nobody") else escape(order.checkout.name)
    number = f"{order.number}0" if bug("number-differs") else order.number
    body = f"""<section class="panel"><h1>Order placed</h1>
<p>Thank you, {customer}! We start packing at once.</p>
{facts([("Order number", number), ("Total", money(order.total))])}
<p class="actions"><a class="button" href="/orders/{order.number}">Show this order</a>
<a href="/products">Go on shopping</a></p></section>"""
    return page("Order placed - Demo shop", body, visit, narrow=True)


def orders(visit: Visit, found: Sequence[Order], words: str) -> str:
    """Return the table of orders that match what was searched for."""
    more = "0" if bug("orders-longer-number") else ""
    rows = "".join(
        f'<tr><th scope="row"><a href="/orders/{order.number}">{order.number}{more}</a></th>'
        f'<td class="wide">{", ".join(line.product.name for line in order.lines)}</td>'
        f'<td class="number">{money(order.total)}</td><td>{order.status}</td></tr>'
        for order in found
    )
    table = f"""<table><thead><tr><th scope="col">Order number</th><th scope="col" class="wide">Products</th>
<th scope="col" class="number">Total</th><th scope="col">Status</th></tr></thead><tbody>{rows}</tbody></table>"""
    body = f"""<h1>Your orders</h1>
<form class="filter" role="search" action="/orders"><div class="field"><label for="q">Search orders</label>
<input id="q" name="q" type="search" value="{escape(words)}"></div><button>Search</button></form>
{table if found else "<p>No orders found.</p>"}"""
    return page("Orders - Demo shop", body, visit)


def order(visit: Visit, shown: Order) -> str:
    """Return one order with everything that belongs to it."""
    status = f"<span hidden>{shown.status}</span>" if bug("status-hidden") else shown.status
    button = '<button class="quiet">Return this order</button>'
    if shown.status == "Returned" and not bug("return-twice"):
        button = ""
    body = f"""<p class="small"><a href="/orders">Back to all orders</a></p>
<h1>Order {shown.number}</h1>
{lines_table(shown.lines)}
{facts([("Order number", shown.number), ("Status", status), *_filled(shown.checkout)])}
{total_line(shown.total)}
<p class="actions"><a class="button" href="/orders/{shown.number}/invoice" download>Download invoice</a></p>
<form method="post" action="/orders/{shown.number}/return">{button}</form>"""
    return page(f"Order {shown.number} - Demo shop", body, visit)


def invoice(shown: Order) -> str:
    """Return the invoice as plain text."""
    total = shown.total - shown.checkout.delivery.price if bug("invoice-wrong-total") else shown.total
    items = [
        f"{line.quantity} x {line.product.name:<20} {money(line.product.price):>10} {money(line.amount):>10}"
        for line in shown.lines
    ]
    fee = f"{'Delivery: ' + shown.checkout.delivery.name:<35} {money(shown.checkout.delivery.price):>10}"
    head = [f"Demo shop - invoice for order {shown.number}", f"Customer: {shown.checkout.name}", ""]
    return "\n".join([*head, *items, fee, "", f"Total: {money(total)}", ""])
