"""Which case of `bench/cases` has to find which fault of the demo shop, and whose fault its verdict has to call it."""

from collections.abc import Mapping
from typing import NamedTuple

from muster_protocol.causes import Cause


class Mutant(NamedTuple):
    """The shop with a fault: the case that has to fail on it, and the cause that is right."""

    bug: str
    case: str
    cause: Cause


FOUND_BY: Mapping[str, str] = {
    "A visitor logs in and out": (
        "shop-down login-button-dead login-button-gone login-500 login-any-password login-wrong-redirect "
        "login-not-needed greeting-wrong logout-keeps-visit"
    ),
    "A visitor leaves": "logout-500",
    "The terms have tabs": "tabs-swapped",
    "Late pages come in the end": "late-list-500 late-total-wrong late-sent-twice",
    "The list shows all products": (
        "count-inflated product-missing products-empty card-wrong-link card-wrong-price product-wrong-price "
        "buttons-hidden"
    ),
    "Products are searched for": "search-500 search-ignored search-case search-words-lost count-stale",
    "Products are narrowed to a category": "category-ignored category-dead",
    "Products are sorted by price": "sort-ignored sort-as-text",
    "A product is put into the cart": (
        "buttons-covered add-500 add-silent add-lost add-twice add-wrong-product "
        "notice-hidden notice-transparent notice-offscreen notice-stays"
    ),
    "A product is put into the cart twice": "add-only-once",
    "The cart adds up": (
        "add-ignores-quantity total amount-ignores-quantity amounts-swapped badge-counts-products badge-inflated "
        "quantity-ignored quantity-dead quantity-capped total-hidden total-only-subtotal "
        "cart-alerts"
    ),
    "The total is written out and stays": (
        "total-drops-cents total-in-euro total-more-digits total-inflated total-invisible total-slips"
    ),
    "A product is taken out of the cart": (
        "remove-keeps remove-comes-back remove-without-asking remove-wrong-question "
        "remove-though-dismissed remove-wrong-line"
    ),
    "A product that is removed is gone": "remove-500 remove-dies",
    "A coupon takes ten percent off": "coupon-ignored coupon-any coupon-wrong-percent coupon-lost",
    "A checkout with mistakes is refused": (
        "checkout-link-wrong shop-dies server-error checkout-slow-500 terms-not-needed email-unchecked form-lost"
    ),
    "A delivery note has to be a document": "upload-anything",
    "The review shows what was filled in": (
        "remarks-lost express-lost express-free upload-lost change-forgets labels-swapped"
    ),
    "The profile is kept and used": "profile-not-saved profile-city-cut newsletter-stuck profile-not-used",
    "An order is placed and listed": (
        "place-dead place-disabled place-500 place-loses-order place-keeps-cart place-twice place-wrong-redirect "
        "thanks-with-500 thanks-nobody number-differs orders-longer-number orders-loop orders-hang status-wrong"
    ),
    "One of two orders is found again": "order-search-ignored order-shows-another",
    "An order has an invoice": "invoice-wrong-total invoice-404",
    "An order can be read by machines": "api-500 api-drops-quantity",
    "An order is returned": "status-hidden return-not-done return-twice",
}
"""By the name of the case, the faults it has to find."""

UNREACHABLE = frozenset({"shop-down", "shop-dies", "remove-dies", "orders-hang"})
"""The faults with which the shop, or a page of it, does not answer at all: the environment's by the table of causes."""

HARMLESS = ("slow",)
"""Faults that no case may fail on."""

MUTANTS = tuple(
    Mutant(bug, case, Cause.ENVIRONMENT if bug in UNREACHABLE else Cause.PRODUCT)
    for case, bugs in FOUND_BY.items()
    for bug in bugs.split()
)
