"""The demo shop, driven over HTTP as a process of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

SERVER = Path(__file__).parents[3] / "examples" / "shop" / "server.py"
PNG = b"\x89PNG\r\n\x1a\n\x00\r\rIHDR\n--not a boundary\r\n\xff\xfe"
CUSTOMER = {"name": "Ada <Example>", "email": "ada@example.com", "delivery": "express", "note": "Ring twice"}


@contextmanager
def shop(*options: str, password: str = "") -> Generator[tuple[subprocess.Popen[str], str]]:
    """Start a shop on a free port; give its process and address, and end it afterwards."""
    process = subprocess.Popen(
        [sys.executable, str(SERVER), "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SHOP_PASSWORD": password},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Demo shop on http://127.0.0.1:"), line
        yield process, line.split()[-1]
    finally:
        process.kill()
        process.communicate(timeout=10)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shop() as (_, url):
        yield url


@contextmanager
def visitor(address: str, password: str = "swordfish") -> Generator[httpx.Client]:
    """Give a client that is logged in and follows redirects."""
    with httpx.Client(base_url=address, follow_redirects=True, timeout=20, trust_env=False) as client:
        client.post("/login", data={"user": "tester", "password": password})
        yield client


def add(client: httpx.Client, product: str, quantity: int = 1) -> None:
    client.post("/cart/add", data={"product": product, "quantity": quantity})


def check_out(client: httpx.Client, **changes: str) -> httpx.Response:
    """Send the checkout form with a PNG as delivery note; an empty value leaves its field out."""
    fields = {key: value for key, value in {**CUSTOMER, "terms": "on", **changes}.items() if value}
    return client.post("/checkout", data=fields, files={"upload": ("note.png", PNG, "image/png")})


def token(page: httpx.Response) -> str:
    match = re.search(r'name="token" value="(\w+)"', page.text)
    assert match, page.text
    return match[1]


def order_number(page: httpx.Response) -> str:
    match = re.search(r"<dt>Order number</dt><dd>([^<]+)</dd>", page.text)
    assert match, page.text
    return match[1]


def placed_order(client: httpx.Client, number: str) -> dict[str, object]:
    return next(order for order in client.get("/api/orders").json() if order["id"] == number)


def total(page: httpx.Response) -> str:
    match = re.search(r'<output id="total">([^<]+)</output>', page.text)
    assert match, page.text
    return match[1]


def test_the_front_page_is_the_login_and_is_called_demo_shop(address: str):
    page = httpx.get(address, follow_redirects=True, trust_env=False)
    assert page.url.path == "/login"
    assert "<title>Demo shop</title>" in page.text
    assert "swordfish" not in page.text


def test_a_wrong_password_is_refused_and_shows_no_products(address: str):
    with visitor(address, password="wrong") as client:
        assert client.get("/products").url.path == "/login"
        answer = client.post("/login", data={"user": "tester", "password": "wrong"})
        assert answer.status_code == 422
        assert "do not match" in answer.text


def test_the_password_comes_from_the_environment():
    with shop(password="another word") as (_, url):
        with visitor(url, "another word") as client:
            assert client.get("/products").url.path == "/products"
        with visitor(url, "swordfish") as client:
            assert client.get("/products").url.path == "/login"


@pytest.mark.parametrize(("query", "count"), [("", 6), ("?q=shirt", 2), ("?category=Bags", 1), ("?q=nothing", 0)])
def test_search_and_category_narrow_the_list(address: str, query: str, count: int):
    with visitor(address) as client:
        assert client.get(f"/products{query}").text.count("<button>Add to cart</button>") == count


def test_what_is_searched_for_is_shown_as_text_and_never_as_html(address: str):
    with visitor(address) as client:
        page = client.get("/products", params={"q": '"><script>alert(1)</script>'}).text
    assert "<script>alert" not in page
    assert "&quot;&gt;&lt;script&gt;alert" in page


def test_the_cart_adds_up_prices_and_quantities(address: str):
    with visitor(address) as client:
        add(client, "backpack", 2)
        add(client, "bike-light")
        assert total(client.get("/cart")) == "$69.97"
        client.post("/cart/quantity", data={"product": "backpack", "quantity": "3"})
        removed = client.post("/cart/remove/bike-light")
        assert "Bike light was removed from your cart." in removed.text
        assert total(removed) == "$89.97"


def test_two_logins_have_carts_of_their_own(address: str):
    with visitor(address) as one, visitor(address) as other:
        add(one, "onesie")
        assert "Onesie" in one.get("/cart").text
        assert "Your cart is empty" in other.get("/cart").text


def test_an_order_keeps_everything_the_customer_gave(address: str):
    with visitor(address) as client:
        add(client, "backpack", 2)
        review = check_out(client)
        assert review.url.path == "/review"
        number = order_number(client.post("/review", data={"token": token(review)}))
        assert placed_order(client, number) == {
            "id": number,
            "items": [{"product": "Backpack", "quantity": 2}],
            "total": "$64.97",
            "customer": "Ada <Example>",
            "email": "ada@example.com",
            "delivery": "Express",
            "note": "Ring twice",
            "upload": {"name": "note.png", "size": len(PNG)},
            "submitted": 1,
        }
        shown = client.get(f"/orders/{number}").text
        assert "note.png" in shown
        assert "Ada &lt;Example&gt;" in shown
        assert "Your cart is empty" in client.get("/cart").text


def test_an_order_is_found_by_its_number_and_has_an_invoice(address: str):
    with visitor(address) as client, visitor(address) as stranger:
        add(client, "t-shirt")
        number = order_number(client.post("/review", data={"token": token(check_out(client))}))
        assert number in client.get("/orders", params={"q": number.lower()}).text
        assert "No orders found" in client.get("/orders", params={"q": "A-0000"}).text
        invoice = client.get(f"/orders/{number}/invoice")
        assert invoice.headers["content-disposition"] == f'attachment; filename="invoice-{number}.txt"'
        assert "Total: $20.98" in invoice.text
        assert stranger.get(f"/orders/{number}").status_code == 404


def test_an_order_form_sent_twice_is_one_order_that_was_submitted_twice(address: str):
    with visitor(address) as client:
        add(client, "onesie")
        form = {"token": token(check_out(client))}
        with ThreadPoolExecutor(2) as pool:
            sent = [pool.submit(client.post, "/review", data=form) for _ in range(2)]
            numbers = {order_number(answer.result(timeout=20)) for answer in sent}
        assert len(numbers) == 1
        assert placed_order(client, numbers.pop())["submitted"] == 2
        assert client.get("/orders").text.count('<th scope="row">') == 1


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "Enter your full name."),
        ("email", "ada", "Enter an e-mail address"),
        ("delivery", "by-pigeon", "Choose how we deliver."),
        ("terms", "", "Accept the terms to go on."),
    ],
)
def test_a_checkout_that_is_not_complete_says_what_is_missing(address: str, field: str, value: str, message: str):
    with visitor(address) as client:
        add(client, "onesie")
        answer = check_out(client, **{field: value})
        assert answer.status_code == 422
        assert answer.text.count(message) == (1 if field == "delivery" else 2)
        assert client.get("/review").url.path == "/cart"


def test_a_delivery_note_of_another_kind_is_refused(address: str):
    with visitor(address) as client:
        add(client, "onesie")
        file = {"upload": ("note.exe", b"MZ")}
        answer = client.post("/checkout", data={**CUSTOMER, "terms": "on"}, files=file)
        assert "has to be a text, PDF or PNG file" in answer.text


def test_too_large_an_upload_is_refused(address: str):
    with visitor(address) as client:
        answer = client.post("/checkout", content=b"x" * 2_100_000, headers={"Content-Type": "multipart/form-data"})
        assert answer.status_code == 413


def test_bug_total_forgets_the_quantity():
    with shop("--bug", "total") as (_, url), visitor(url) as client:
        add(client, "backpack", 2)
        cart = client.get("/cart")
        assert "$59.98" in cart.text
        assert total(cart) == "$29.99"


def test_bug_server_error_breaks_the_checkout_and_nothing_else():
    with shop("--bug", "server-error") as (_, url), visitor(url) as client:
        add(client, "backpack")
        assert client.get("/checkout").status_code == 500
        assert check_out(client).status_code == 500
        assert client.get("/cart").status_code == 200


@pytest.mark.parametrize("path", ["/static/../server.py", "/static/..%2Fserver.py", "/nowhere", "/late/nowhere"])
def test_what_is_not_there_is_answered_with_404(address: str, path: str):
    assert httpx.get(address + path, trust_env=False).status_code == 404


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_shop_at_once_even_with_a_slow_request_under_way(stop: signal.Signals):
    with shop() as (process, url), ThreadPoolExecutor(1) as pool:
        slow = pool.submit(httpx.post, f"{url}/late/submit?id=slow&ms=10000", timeout=20, trust_env=False)
        with httpx.Client(base_url=url, trust_env=False) as client:
            assert any(client.get("/late/counter?id=slow").json()["count"] for _ in range(2000))
        process.send_signal(stop)
        assert process.wait(timeout=5) == 0
        assert isinstance(slow.exception(timeout=5), httpx.TransportError)


def test_every_late_page_is_on_the_index_and_answers(address: str):
    with httpx.Client(base_url=address, trust_env=False) as client:
        slugs = re.findall(r'href="/late/([\w-]+)"', client.get("/late/").text)
        assert len(slugs) == len(set(slugs)) == 11
        assert {client.get(f"/late/{slug}").status_code for slug in slugs} == {200}


def test_a_slow_answer_takes_the_time_that_was_asked_for(address: str):
    quick = httpx.get(f"{address}/late/api/items?ms=0", trust_env=False)
    slow = httpx.get(f"{address}/late/api/items?ms=300", trust_env=False)
    assert slow.json() == quick.json()
    assert slow.elapsed.total_seconds() >= 0.3 > quick.elapsed.total_seconds()


def test_redirects_lead_over_three_hops_to_the_goal(address: str):
    answer = httpx.get(f"{address}/late/hop?ms=1", follow_redirects=True, trust_env=False)
    assert [hop.url.params.get("left", "3") for hop in answer.history] == ["3", "2", "1"]
    assert "You have arrived." in answer.text


def test_submits_are_counted_for_each_id(address: str):
    with httpx.Client(base_url=address, trust_env=False) as client:
        for name in ("one", "two", "two"):
            client.post(f"/late/submit?id={name}&ms=0")
        assert client.get("/late/counter?id=two").json() == {"id": "two", "count": 2}
        assert client.get("/late/counter?id=three").json() == {"id": "three", "count": 0}
