"""What the demo shop offers beyond a purchase, driven over HTTP: sorting, coupons, the profile, returns, slowness."""

import re
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

SERVER = Path(__file__).parents[3] / "examples" / "shop" / "server.py"


@contextmanager
def visitor(*options: str) -> Generator[httpx.Client]:
    """Serve a shop on a free port and give a client that is logged in and follows redirects."""
    command = [sys.executable, str(SERVER), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={})
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        with httpx.Client(base_url=url, follow_redirects=True, timeout=20, trust_env=False) as client:
            client.post("/login", data={"user": "tester", "password": "swordfish"})
            yield client
    finally:
        process.kill()
        process.communicate(timeout=10)


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with visitor() as made:
        yield made


def total(page: httpx.Response) -> str:
    return re.findall(r'<output id="total">([^<]+)</output>', page.text)[0]


def order(client: httpx.Client) -> httpx.Response:
    """Order two backpacks and return the page that thanks for them."""
    client.post("/cart/add", data={"product": "backpack", "quantity": 2})
    form = {"name": "Ada Example", "email": "ada@example.com", "delivery": "standard", "terms": "on"}
    review = client.post("/checkout", data=form, files={"upload": ("", b"")})
    return client.post("/review", data={"token": re.findall(r'name="token" value="(\w+)"', review.text)[0]})


def test_products_are_sorted_by_price_or_name(client: httpx.Client):
    def names(sort: str) -> list[str]:
        return re.findall(
            r'<h2 id="name-[\w-]+"><a [^>]+>([^<]+)<', client.get("/products", params={"sort": sort}).text
        )

    assert names("price") == ["Onesie", "Bike light", "T-shirt", "Bolt shirt", "Backpack", "Fleece jacket"]
    assert names("name") == sorted(names("none"))
    assert names("none")[0] == "Backpack"


def test_a_coupon_takes_ten_percent_off_cart_and_order_and_is_used_up(client: httpx.Client):
    client.post("/cart/add", data={"product": "backpack", "quantity": 2})
    refused = client.post("/cart/coupon", data={"code": "SUMMER99"})
    assert "There is no such coupon." in refused.text
    assert total(refused) == "$59.98"
    assert total(client.post("/cart/coupon", data={"code": " spring10 "})) == "$53.98"
    placed = order(client)  # two more backpacks: 119.96 less 12.00
    assert "$107.96" in placed.text
    client.post("/cart/add", data={"product": "backpack"})
    assert total(client.get("/cart")) == "$29.99"


def test_the_profile_is_kept_and_begins_the_checkout(client: httpx.Client):
    saved = client.post(
        "/profile", data={"name": "Ada <E>", "email": "a@b.example", "city": "Oslo", "newsletter": "on"}
    )
    assert "Your profile was saved." in saved.text
    assert 'value="Ada &lt;E&gt;"' in saved.text
    assert 'name="newsletter" checked' in saved.text
    assert "checked" not in client.post("/profile", data={"name": "Ada", "email": "a@b.example"}).text
    client.post("/cart/add", data={"product": "onesie"})
    assert 'value="a@b.example"' in client.get("/checkout").text


def test_an_order_can_be_returned_once(client: httpx.Client):
    number = re.findall(r"A-\d+", order(client).text)[0]
    assert "Return this order" in client.get(f"/orders/{number}").text
    returned = client.post(f"/orders/{number}/return").text
    assert "<dt>Status</dt><dd>Returned</dd>" in returned
    assert "Return this order" not in returned


def test_a_slow_shop_takes_its_time_and_is_right(client: httpx.Client):
    with visitor("--bug", "slow") as slow:
        answer = slow.get("/products")
    assert answer.elapsed.total_seconds() >= 0.7
    assert answer.text == client.get("/products").text


@pytest.mark.parametrize(
    ("fault", "path", "sound", "broken"),
    [
        ("count-inflated", "/products", '<p class="count" role="status">6 products', "16 products found"),
        ("greeting-wrong", "/products", "Hello, tester", "Hello, admin"),
        ("tabs-swapped", "/terms", 'aria-labelledby="tab-Delivery" tabindex="0"><p>Standard', "><p>This shop forgets"),
    ],
)
def test_a_fault_changes_what_it_says_and_the_healthy_shop_does_not_have_it(
    client: httpx.Client, fault: str, path: str, sound: str, broken: str
):
    assert sound in client.get(path).text
    with visitor("--bug", fault) as faulty:
        page = faulty.get(path).text
    assert broken in page
    assert sound not in page
