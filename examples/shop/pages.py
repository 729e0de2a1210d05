"""The pages of the shop, from the log-in to the cart. Each function returns the HTML of one page."""

from collections.abc import Iterable, Mapping
from html import escape

from bugs import bug
from layout import art, field, page, total_line
from store import CATEGORIES, MAX_QUANTITY, Line, Product, Visit, discount, money

Errors = Mapping[str, str]
SORTS: Mapping[str, str] = {"none": "Our choice", "price": "Price", "name": "Name"}


def login(user: str = "", error: str = "", note: str = "") -> str:
    """Return the log-in page, which is also the shop's front page."""
    alert = f'<p class="error" role="alert">{escape(error)}</p>' if error else ""
    hint = f'<p class="notice" role="status">{escape(note)}</p>' if note else ""
    button = f"<button{' type=button' if bug('login-button-dead') else ''}>Log in</button>"
    body = f"""<section class="panel">
<h1>Welcome</h1>
<p>Bags, lights and warm things, sold to people who test software.</p>
{hint}{alert}
<form method="post" action="/login">
{field("user", "User name", user, more='autocomplete="username" autofocus')}
{field("password", "Password", kind="password", more='autocomplete="current-password"')}
{"" if bug("login-button-gone") else button}
</form></section>"""
    return page("Demo shop", body, narrow=True)


def products(visit: Visit, found: Iterable[Product], words: str, category: str, sort: str) -> str:
    """Return the list of products that match what was searched for."""
    cards = [_card(product, visit) for product in found]
    if bug("products-empty"):
        return page("Products - Demo shop", "", visit)
    number = 6 if bug("count-stale") else len(cards)
    count = "1 product" if number == 1 else f"{'1' if bug('count-inflated') else ''}{number} products"
    options = "".join(
        f"<option{' selected' if name == category else ''}>{name}</option>" for name in ("All", *CATEGORIES)
    )
    sorts = "".join(
        f'<option value="{key}"{" selected" if key == sort else ""}>{name}</option>' for key, name in SORTS.items()
    )
    submits = "" if bug("category-dead") else "data-autosubmit"
    kept = "" if bug("search-words-lost") else words
    cover = '<div style="position:fixed;inset:0"></div>' if bug("buttons-covered") else ""
    listing = f'<ul class="cards">{"".join(cards)}</ul>' if cards else "<p>Nothing matches your search.</p>"
    body = f"""<h1>All products</h1>
<form class="filter" role="search" action="/products">
<div class="field"><label for="q">Search products</label>
<input id="q" name="q" type="search" value="{escape(kept)}"></div>
<div class="field"><label for="category">Category</label>
<select id="category" name="category" {submits}>{options}</select></div>
<div class="field"><label for="sort">Sort by</label>
<select id="sort" name="sort" data-autosubmit>{sorts}</select></div>
<button>Search</button></form>
<p class="count" role="status">{count} found</p>
{listing}{cover}"""
    return page("Products - Demo shop", body, visit)


def _card(product: Product, visit: Visit) -> str:
    target = "backpack" if bug("card-wrong-link") else product.id
    price = product.price + 100 if bug("card-wrong-price") else product.price
    more = ' style="visibility:hidden"' if bug("buttons-hidden") and product.category != "Clothing" else ""
    more += ' type="button"' if bug("add-only-once") and product.id in visit.cart else ""
    return f"""<li class="card" aria-labelledby="name-{product.id}"><a class="cover" href="/products/{product.id}"
tabindex="-1" aria-hidden="true">{art(product.id)}</a>
<h2 id="name-{product.id}"><a href="/products/{target}">{product.name}</a></h2>
<p class="small">{product.category}</p>
<form method="post" action="/cart/add"><span class="price">{money(price)}</span>
<input type="hidden" name="product" value="{product.id}"><input type="hidden" name="back" value="list">
<button{more}>Add to cart</button></form></li>"""


def product(visit: Visit, shown: Product) -> str:
    """Return the page of one product."""
    price = shown.price * 10 if bug("product-wrong-price") else shown.price
    body = f"""<p class="small"><a href="/products">Back to all products</a></p>
<article class="detail">{art(shown.id)}<div>
<h1>{shown.name}</h1><p class="small">{shown.category}</p><p>{shown.description}</p>
<p class="price">{money(price)}</p>
<form method="post" action="/cart/add"><input type="hidden" name="product" value="{shown.id}">
<div class="field"><label for="quantity">Quantity</label>
<select id="quantity" name="quantity">{_quantities(1)}</select></div>
<button>Add to cart</button></form></div></article>"""
    return page(f"{shown.name} - Demo shop", body, visit)


def cart(visit: Visit, total: int) -> str:
    """Return the cart with the total in cents."""
    lines = visit.lines()
    if not lines:
        empty = '<h1>Your cart</h1><p>Your cart is empty.</p><p><a class="button" href="/products">Go shopping</a></p>'
        return page("Cart - Demo shop", empty, visit)
    amounts = [line.product.price if bug("amount-ignores-quantity") else line.amount for line in lines]
    amounts = amounts[::-1] if bug("amounts-swapped") else amounts
    alert = "<script>alert('Something went wrong.')</script>" if bug("cart-alerts") else ""
    checkout = "/products" if bug("checkout-link-wrong") else "/checkout"
    body = f"""<h1>Your cart</h1>
<table><thead><tr><th scope="col">Product</th><th scope="col" class="number wide">Price</th>
<th scope="col">Quantity</th><th scope="col" class="number">Amount</th>
<th scope="col"><span class="unseen">Remove</span></th></tr></thead>
<tbody>{"".join(_cart_row(line, amount) for line, amount in zip(lines, amounts, strict=True))}</tbody></table>
{_coupon(visit)}
{total_line(total)}
<p class="actions"><a class="button" href="{checkout}">Check out</a> <a href="/products">Go on shopping</a></p>
{alert}"""
    return page("Cart - Demo shop", body, visit)


def _coupon(visit: Visit) -> str:
    if visit.coupon:
        less = money(discount(visit.lines(), visit.coupon))
        return f'<p class="small">Coupon {escape(visit.coupon)}: -{less}</p>'
    return """<form class="filter" method="post" action="/cart/coupon">
<div class="field"><label for="code">Coupon</label>
<input id="code" name="code"></div><button class="quiet">Apply</button></form>"""


def _cart_row(line: Line, amount: int) -> str:
    item = line.product
    submits = "" if bug("quantity-dead") else "data-autosubmit"
    named = "Gift card" if bug("remove-wrong-question") else item.name
    asks = "" if bug("remove-without-asking") else f'data-confirm="Remove {named} from the cart?"'
    asks += " data-whatever-is-answered" if bug("remove-though-dismissed") else ""
    return f"""<tr><th scope="row"><a href="/products/{item.id}">{item.name}</a></th>
<td class="number wide">{money(item.price)}</td>
<td><form method="post" action="/cart/quantity"><input type="hidden" name="product" value="{item.id}">
<label class="unseen" for="quantity-{item.id}">Quantity of {item.name}</label>
<select id="quantity-{item.id}" name="quantity" {submits}>{_quantities(line.quantity)}</select>
<noscript><button>Update</button></noscript></form></td>
<td class="number">{money(amount)}</td>
<td class="number"><a href="/cart/remove/{item.id}" {asks}
>Remove<span class="unseen"> {item.name}</span></a></td></tr>"""


def remove(visit: Visit, shown: Product) -> str:
    """Return the question that browsers without scripts get instead of a dialog."""
    body = f"""<h1>Remove {shown.name} from the cart?</h1>
<form method="post" action="/cart/remove/{shown.id}" class="actions"><button>Remove</button>
<a href="/cart">Keep it</a></form>"""
    return page("Cart - Demo shop", body, visit, narrow=True)


def _quantities(chosen: int) -> str:
    numbers = range(1, MAX_QUANTITY + 1)
    return "".join(f"<option{' selected' if number == chosen else ''}>{number}</option>" for number in numbers)


def terms() -> str:
    """Return the terms, in three tabs."""
    texts = {
        "Delivery": "Standard parcels take 3 to 5 days. Express parcels arrive on the next working day.",
        "Returns": "Send back whatever you do not like within 30 days. We pay the postage.",
        "Privacy": "This shop forgets everything when it is switched off.",
    }
    if bug("tabs-swapped"):
        texts = dict(zip(texts, reversed(texts.values()), strict=True))
    tabs = "".join(
        f'<button role="tab" id="tab-{name}" aria-controls="panel-{name}" aria-selected="{str(not place).lower()}"'
        f"{' tabindex=-1' if place else ''}>{name}</button>"
        for place, name in enumerate(texts)
    )
    panels = "".join(
        f'<div role="tabpanel" id="panel-{name}" aria-labelledby="tab-{name}" tabindex="0"'
        f"{' hidden' if place else ''}><p>{text}</p></div>"
        for place, (name, text) in enumerate(texts.items())
    )
    body = f"""<h1>Terms of the shop</h1><div role="tablist" aria-label="Terms">{tabs}</div>{panels}"""
    return page("Terms - Demo shop", body, narrow=True)
