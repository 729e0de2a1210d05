"""What the shop sells and what it remembers: products, carts, orders, logins."""

import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bugs import bug
from web import Upload

USER = "tester"
MAX_QUANTITY = 5
MAX_SESSIONS = 1000
UPLOAD_TYPES = (".txt", ".pdf", ".png")
COUPONS: Mapping[str, int] = {"SPRING10": 10}
"""Percent that each coupon takes off."""


class Product(NamedTuple):
    """Something to buy; the price is in cents."""

    id: str
    name: str
    category: str
    price: int
    description: str


PRODUCTS: Mapping[str, Product] = {
    product.id: product
    for product in (
        Product("backpack", "Backpack", "Bags", 2999, "Room for a laptop, a lunch and a change of plans. 22 litres."),
        Product("bike-light", "Bike light", "Lights", 999, "Bright red, seen from 300 metres. Charges over USB-C."),
        Product("t-shirt", "T-shirt", "Clothing", 1599, "Soft organic cotton that keeps its shape after 50 washes."),
        Product(
            "fleece-jacket", "Fleece jacket", "Clothing", 4999, "Warm, light and quick to dry, with zipped pockets."
        ),
        Product("onesie", "Onesie", "Clothing", 799, "For the smallest visitors: three snaps and no fuss."),
        Product("bolt-shirt", "Bolt shirt", "Clothing", 1899, "A shirt with a bolt on it. Faster in every way."),
    )
}
CATEGORIES = tuple(sorted({product.category for product in PRODUCTS.values()}))


class Delivery(NamedTuple):
    """A way to get the parcel; the price is in cents."""

    id: str
    name: str
    price: int
    description: str


DELIVERIES: Mapping[str, Delivery] = {
    delivery.id: delivery
    for delivery in (
        Delivery("standard", "Standard", 0, "3 to 5 days, free"),
        Delivery("express", "Express", 499, "tomorrow, $4.99"),
        Delivery("pickup", "Pick up", 0, "in the shop, free"),
    )
}


class Checkout(NamedTuple):
    """What the customer filled in; `token` is one use of the order form."""

    name: str
    email: str
    delivery: Delivery
    note: str
    upload: Upload | None
    token: str


class Line(NamedTuple):
    """One product in a cart or an order."""

    product: Product
    quantity: int

    @property
    def amount(self) -> int:
        """Cents for all pieces together."""
        return self.product.price * self.quantity


@dataclass
class Order:
    """An order that was placed; the total is in cents and holds the delivery."""

    number: str
    lines: tuple[Line, ...]
    checkout: Checkout
    total: int
    submitted: int = 1
    """How often its form was sent; more than once means that somebody pressed twice."""
    status: str = "Received"


class Profile(NamedTuple):
    """What the customer told about herself."""

    name: str = ""
    email: str = ""
    city: str = ""
    newsletter: bool = False


@dataclass
class Visit:
    """One login: its cart, its half-filled checkout and its orders."""

    cart: dict[str, int] = field(default_factory=dict[str, int])
    checkout: Checkout | None = None
    orders: list[Order] = field(default_factory=list[Order])
    coupon: str = ""
    profile: Profile = field(default_factory=Profile)
    notice: str = ""
    """Shown once, on the next page."""

    def lines(self) -> tuple[Line, ...]:
        """Return the cart in the order in which it was filled."""
        return tuple(Line(PRODUCTS[product], quantity) for product, quantity in self.cart.items())

    def set_quantity(self, product: str, quantity: int) -> None:
        """Put so many pieces into the cart, at most `MAX_QUANTITY`; none takes the product out."""
        if quantity > 0:
            self.cart[product] = min(quantity, 3 if bug("quantity-capped") else MAX_QUANTITY)
        else:
            self.cart.pop(product, None)

    def take_notice(self) -> str:
        """Return the notice and forget it."""
        notice, self.notice = self.notice, self.notice if bug("notice-stays") else ""
        return notice


class Shop:
    """All visits and orders of one process. Hold `lock` while using a visit: pages are served by many threads."""

    def __init__(self, password: str) -> None:
        self.lock = threading.RLock()
        self.orders: list[Order] = []
        self._password = password
        self._visits: OrderedDict[str, Visit] = OrderedDict()

    def log_in(self, user: str, password: str) -> str | None:
        """Return the key of a new visit, or None if name or password are wrong; the oldest visits are forgotten."""
        right = hmac.compare_digest(password.encode(), self._password.encode()) or bug("login-any-password")
        if user != USER or not right:
            return None
        key = secrets.token_urlsafe(16)
        with self.lock:
            self._visits[key] = Visit()
            while len(self._visits) > MAX_SESSIONS:
                self._visits.popitem(last=False)
        return key

    def visit(self, key: str) -> Visit | None:
        """Return the visit with this key, None if there is none (any more)."""
        return self._visits.get(key)

    def log_out(self, key: str) -> None:
        """Forget a visit; its orders stay in `orders`."""
        self._visits.pop(key, None)

    def place_order(self, visit: Visit, token: str) -> Order | None:
        """Turn the cart into an order; the same token again counts as sent once more, an unknown one gives None."""
        for order in visit.orders:
            if order.checkout.token == token:
                order.submitted += 1
                return order
        checkout, lines = visit.checkout, visit.lines()
        if checkout is None or checkout.token != token or not lines:
            return None
        for _ in range(2 if bug("place-twice") else 1):
            number, total = f"A-{1001 + len(self.orders)}", total_of(lines, visit.coupon, checkout.delivery)
            order = Order(number, lines, checkout, total, status="Sent" if bug("status-wrong") else "Received")
            self.orders.append(order)
            visit.orders.append(order)
        if not bug("place-keeps-cart"):
            visit.cart, visit.checkout, visit.coupon = {}, None, ""
        return visit.orders[-1]


def total_of(lines: tuple[Line, ...], coupon: str = "", delivery: Delivery | None = None) -> int:
    """Return the cents to pay for the lines, less a coupon, and for the delivery."""
    goods = sum(line.product.price if bug("total") else line.amount for line in lines)
    fee = delivery.price if delivery and not bug("express-free") else 0
    return goods - (0 if bug("coupon-ignored") else discount(lines, coupon)) + fee


def discount(lines: tuple[Line, ...], coupon: str) -> int:
    """Return the cents that a coupon takes off, rounded; none without a coupon."""
    percent = 1 if coupon and bug("coupon-wrong-percent") else COUPONS.get(coupon, 0)
    return (sum(line.amount for line in lines) * percent + 50) // 100


def money(cents: int) -> str:
    """Return an amount as customers read it."""
    return f"${cents // 100:,}.{cents % 100:02}"
