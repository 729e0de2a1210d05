"""What of an address a case may leave out, and what it may not."""

import pytest

from muster_subagent.tools.comparisons import Match
from muster_subagent.tools.page_addresses import is_address

_AFTER_LOGOUT = "http://shop.test/login?next=/cart"


@pytest.mark.parametrize(
    ("seen", "said", "match"),
    [
        ("http://shop.test/cart", "/cart", "is"),
        ("http://shop.test/cart/", "/cart", "is"),
        ("http://shop.test/cart", "cart", "is"),
        ("http://shop.test/cart", "shop.test/cart", "is"),
        ("http://shop.test/cart#", "http://shop.test/cart", "is"),
        ("http://shop.test/", "http://shop.test", "is"),
        ("http://shop.test/", "/", "is"),
        ("http://shop.test/#/cart", "/#/cart", "is"),
        ("about:blank", "about:blank", "is"),
        ("http://shop.test/admin/users", "/admin", "starts"),
        ("http://shop.test/orders/12", r"^/orders/\d+$", "matches"),
        (_AFTER_LOGOUT, "/login", "ends"),
        (_AFTER_LOGOUT, "http://shop.test/login", "ends"),
        (_AFTER_LOGOUT, "next=/cart", "contains"),
        ("http://shop.test/#/login?next=/cart", "/login", "ends"),
        ("http://shop.test/help.html#contact", "contact", "ends"),
        ("http://shop.test/?route=checkout/cart", "checkout/cart", "contains"),
    ],
)
def test_what_a_case_leaves_out_makes_no_difference(seen: str, said: str, match: Match):
    assert is_address(seen, said, match) is True
    denied = is_address(seen, said, match, denied=True)
    assert denied is not False, "the opposite would be proven as well"


@pytest.mark.parametrize(
    ("seen", "said", "match"),
    [
        (_AFTER_LOGOUT, "/cart", "is"),
        (_AFTER_LOGOUT, "/cart", "ends"),
        ("http://shop.test/#/login?next=/cart", "/cart", "ends"),
        ("http://shop.test/cart/", "/", "is"),
        ("http://shop.test/#/cart", "/", "is"),
        ("http://shop.test/orders/12", "/orders/1", "is"),
        ("http://shop.test/orders/12", "2", "ends"),
        ("http://shop.test/shopping-cart", "cart", "is"),
        ("http://shop.test/users", "/admin", "starts"),
    ],
)
def test_another_page_is_not_taken_for_it(seen: str, said: str, match: Match):
    assert is_address(seen, said, match) is False


@pytest.mark.parametrize(
    ("seen", "said", "match"),
    [
        ("http://shop.test/login?error=1", "/login", "is"),
        ("http://shop.test/login?error=1", "http://shop.test/login", "is"),
        ("http://shop.test/eu/cart", "/cart", "is"),
        ("http://shop.test/eu/help.html", "help.html", "is"),
        (_AFTER_LOGOUT, "/cart", "contains"),
    ],
)
def test_what_depends_on_how_much_is_meant_is_not_guessed(seen: str, said: str, match: Match):
    assert is_address(seen, said, match) is None
    assert is_address(seen, said, match, denied=True) is None


def test_a_page_with_a_query_does_not_prove_that_it_is_another_one():
    assert is_address(_AFTER_LOGOUT, "/login", "ends", denied=True) is None
    assert is_address(_AFTER_LOGOUT, "/cart", "ends", denied=True) is None
