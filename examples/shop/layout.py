"""The frame around every page, and the small pieces of HTML that pages share."""

from html import escape

from bugs import bug
from store import USER, Line, Visit, money

Rows = list[tuple[str, str]]


def page(title: str, body: str, visit: Visit | None = None, narrow: bool = False) -> str:
    """Return a whole page; without a visit it shows no navigation. The title is not escaped here, the body neither."""
    notice = _notice(visit.take_notice()) if visit else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/shop.css">
<script src="/static/shop.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>{_header(visit)}</header>
<main id="content"{' class="narrow"' if narrow else ""}>
{notice}
{body}
</main>
<footer><a href="/terms" target="_blank" rel="noopener">Terms</a> <a href="/late">Late pages</a></footer>
</body>
</html>
"""


def _notice(text: str) -> str:
    if not text:
        return ""
    more = " hidden" if bug("notice-hidden") else ""
    more += ' style="opacity:0"' if bug("notice-transparent") else ""
    more += ' style="position:absolute;left:-9999px"' if bug("notice-offscreen") else ""
    return f'<p class="notice" role="status"{more}>{escape(text)}</p>'


def _header(visit: Visit | None) -> str:
    brand = '<a class="brand" href="/"><img src="/static/icon.svg" alt="" width="28" height="28">Demo shop</a>'
    if visit is None:
        return brand
    pieces = len(visit.cart) if bug("badge-counts-products") else sum(visit.cart.values())
    count = f"1{pieces}" if pieces and bug("badge-inflated") else pieces
    user = "admin" if bug("greeting-wrong") else USER
    badge = f'<span class="badge" role="img" aria-label="{count} in the cart">{count}</span>' if count else ""
    return f"""{brand}
<nav aria-label="Shop"><a href="/products">Products</a><span><a href="/cart">Cart</a>{badge}</span>
<a href="/orders">Orders</a> <a href="/profile">Profile</a></nav>
<form class="account" method="post" action="/logout"><span>Hello, {user}</span>
<button class="quiet">Log out</button></form>"""


def art(product: str) -> str:
    """Return the picture of a product; it is decoration, its name stands beside it."""
    return f'<svg class="art" aria-hidden="true"><use href="/static/products.svg#{product}"></use></svg>'


def field(name: str, label: str, value: str = "", kind: str = "text", *, error: str = "", more: str = "") -> str:
    """Return a labelled input, with its error below it."""
    return f"""<div class="field"><label for="{name}">{label}</label>
<input id="{name}" name="{name}" type="{kind}" value="{escape(value)}"{invalid(name, error)} {more}>
{error_note(name, error)}</div>"""


def invalid(name: str, error: str) -> str:
    """Return the attributes that tie a field to its error, if it has one."""
    return f' aria-invalid="true" aria-describedby="{name}-error"' if error else ""


def error_note(name: str, error: str) -> str:
    """Return the error of a field as the customer reads it."""
    return f'<p class="error" id="{name}-error">{escape(error)}</p>' if error else ""


def facts(rows: Rows) -> str:
    """Return terms and what they are; the values are not escaped here."""
    return "<dl>" + "".join(f"<dt>{term}</dt><dd>{value}</dd>" for term, value in rows) + "</dl>"


def total_line(cents: int) -> str:
    """Return the total, which reads `Total: $59.98` and is labelled `Total`."""
    more = ' style="color:transparent"' if bug("total-invisible") else ""
    more += " hidden" if bug("total-hidden") else ""
    slip = "<script>setTimeout(() => { total.textContent = '$0.00'; }, 2000)</script>" if bug("total-slips") else ""
    label, shown = "Subtotal" if bug("total-only-subtotal") else "Total", _misprinted(money(cents))
    return f'<p class="total"><label for="total">{label}</label>: <output id="total"{more}>{shown}</output></p>{slip}'


def _misprinted(amount: str) -> str:
    if bug("total-drops-cents"):
        return amount.partition(".")[0]
    if bug("total-in-euro"):
        return amount.replace("$", "€")
    if bug("total-inflated"):
        return amount.replace("$", "$1")
    return f"{amount}5" if bug("total-more-digits") else amount


def lines_table(lines: tuple[Line, ...]) -> str:
    """Return the products of an order as a table."""
    rows = "".join(
        f'<tr><th scope="row">{line.product.name}</th><td class="number">{money(line.product.price)}</td>'
        f'<td class="number">{line.quantity}</td><td class="number">{money(line.amount)}</td></tr>'
        for line in lines
    )
    return f"""<table><thead><tr><th scope="col">Product</th><th scope="col" class="number">Price</th>
<th scope="col" class="number">Quantity</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>{rows}</tbody></table>"""
