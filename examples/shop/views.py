"""What the shop answers to each request: log-in, products, cart, checkout, orders, and the JSON of all orders."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import order_pages
import pages
from store import CATEGORIES, DELIVERIES, PRODUCTS, UPLOAD_TYPES, Checkout, Order, Product, Shop, Visit, money
from web import Problem, Request, Response, Route, Upload, as_json, html, redirect

STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")

VisitView = Callable[..., Response]


def routes(shop: Shop) -> list[Route]:
    """Return all routes of the shop but those of the late pages."""
    views = Views(shop)
    guarded = views.guarded
    return [
        Route("GET", "/", views.home),
        Route("GET", "/static/{}", static),
        Route("GET", "/login", views.show_login),
        Route("POST", "/login", views.log_in),
        Route("POST", "/logout", views.log_out),
        Route("GET", "/terms", terms),
        Route("GET", "/api/orders", views.all_orders),
        Route("GET", "/products", guarded(views.products)),
        Route("GET", "/products/{}", guarded(views.product)),
        Route("GET", "/cart", guarded(views.cart)),
        Route("POST", "/cart/add", guarded(views.add)),
        Route("POST", "/cart/quantity", guarded(views.quantity)),
        Route("GET", "/cart/remove/{}", guarded(views.ask_remove)),
        Route("POST", "/cart/remove/{}", guarded(views.remove)),
        Route("GET", "/checkout", guarded(views.show_checkout)),
        Route("POST", "/checkout", guarded(views.check_out)),
        Route("GET", "/review", guarded(views.review)),
        Route("POST", "/review", guarded(views.place_order)),
        Route("GET", "/orders", guarded(views.orders)),
        Route("GET", "/orders/{}", guarded(views.order)),
        Route("GET", "/orders/{}/placed", guarded(views.placed)),
        Route("GET", "/orders/{}/invoice", guarded(views.invoice)),
    ]


def terms(_: Request) -> Response:
    """Show the terms, to anybody."""
    return html(pages.terms())


def static(_: Request, name: str) -> Response:
    """Return a file of the `static` folder."""
    path = STATIC / name
    if path.parent != STATIC or not path.is_file() or path.suffix not in TYPES:
        raise Problem(404, "There is no such file")
    return Response(path.read_bytes(), content_type=TYPES[path.suffix], headers={"Cache-Control": "max-age=600"})


@dataclass(frozen=True)
class Views:
    """The answers that need the shop; those of a visit are wrapped by `guarded`."""

    shop: Shop

    def guarded(self, view: VisitView) -> Callable[..., Response]:
        """Return the view for visitors who are logged in; others are sent to the log-in page."""

        def answer(request: Request, *segments: str) -> Response:
            with self.shop.lock:
                visit = self.shop.visit(request.session)
                return view(visit, request, *segments) if visit else redirect("/login?first=1")

        return answer

    def home(self, request: Request) -> Response:
        """Lead to the products, by way of the log-in where that is needed."""
        return redirect("/products" if self.shop.visit(request.session) else "/login")

    def show_login(self, request: Request) -> Response:
        """Show the log-in page, also to those who are logged in."""
        return html(pages.login(note="Please log in first." if "first" in request.query else ""))

    def log_in(self, request: Request) -> Response:
        """Begin a visit of its own for whoever knows the password."""
        user = request.form.get("user", "").strip()
        key = self.shop.log_in(user, request.form.get("password", ""))
        if key is None:
            return html(pages.login(user, "User name and password do not match."), 422)
        return redirect("/products", cookie=key)

    def log_out(self, request: Request) -> Response:
        """End the visit."""
        with self.shop.lock:
            self.shop.log_out(request.session)
        return redirect("/login")

    def all_orders(self, _: Request) -> Response:
        """Return every order of every visit as JSON, for tests to look at."""
        with self.shop.lock:
            return as_json([_plain(order) for order in self.shop.orders])

    def products(self, visit: Visit, request: Request) -> Response:
        """Show the products with these words in name or description, in this category."""
        words = request.query.get("q", "").strip()
        category = request.query.get("category", "All")
        kept = {category} & set(CATEGORIES) or set(CATEGORIES)
        found = [p for p in PRODUCTS.values() if p.category in kept and words.lower() in p.name.lower()]
        return html(pages.products(visit, found, words, category))

    def product(self, visit: Visit, _: Request, name: str) -> Response:
        """Show one product."""
        return html(pages.product(visit, _product(name)))

    def cart(self, visit: Visit, _: Request) -> Response:
        """Show the cart."""
        return html(pages.cart(visit, self.shop.total(visit.lines())))

    def add(self, visit: Visit, request: Request) -> Response:
        """Put a product into the cart, on top of what is there."""
        product = _product(request.form.get("product", ""))
        visit.set_quantity(product.id, visit.cart.get(product.id, 0) + _quantity(request))
        visit.notice = f"{product.name} was added to your cart."
        return redirect("/products" if "back" in request.form else f"/products/{product.id}")

    def quantity(self, visit: Visit, request: Request) -> Response:
        """Set how many pieces of a product are in the cart."""
        visit.set_quantity(_product(request.form.get("product", "")).id, _quantity(request))
        return redirect("/cart")

    def ask_remove(self, visit: Visit, _: Request, name: str) -> Response:
        """Ask before a product is removed, where no script did."""
        return html(pages.remove(visit, _product(name)))

    def remove(self, visit: Visit, _: Request, name: str) -> Response:
        """Take a product out of the cart."""
        product = _product(name)
        visit.set_quantity(product.id, 0)
        visit.notice = f"{product.name} was removed from your cart."
        return redirect("/cart")

    def show_checkout(self, visit: Visit, _: Request) -> Response:
        """Show the checkout form, filled in as it was left."""
        self._break_on_purpose()
        if not visit.cart:
            return redirect("/cart")
        last = visit.checkout
        values = last._asdict() | {"delivery": last.delivery.id, "terms": "on"} if last else {}
        return html(order_pages.checkout(visit, values, {}, last.upload if last else None))

    def check_out(self, visit: Visit, request: Request) -> Response:
        """Take the checkout form, or show it again with what is wrong."""
        self._break_on_purpose()
        if not visit.cart:
            return redirect("/cart")
        before = visit.checkout.upload if visit.checkout else None
        upload = request.files.get("upload", before)
        errors = _checkout_errors(request, upload)
        if errors:
            return html(order_pages.checkout(visit, request.form, errors, before), 422)
        visit.checkout = _checkout(request, upload)
        return redirect("/review")

    def _break_on_purpose(self) -> None:
        if self.shop.bug == "server-error":
            raise Problem(500, "Something went wrong")

    def review(self, visit: Visit, _: Request) -> Response:
        """Show what will be ordered."""
        if visit.checkout is None or not visit.cart:
            return redirect("/cart")
        return html(order_pages.review(visit, visit.checkout, self.shop.total(visit.lines(), visit.checkout.delivery)))

    def place_order(self, visit: Visit, request: Request) -> Response:
        """Place the order; the same form sent again leads to the same order."""
        order = self.shop.place_order(visit, request.form.get("token", ""))
        return redirect(f"/orders/{order.number}/placed" if order else "/cart")

    def placed(self, visit: Visit, _: Request, number: str) -> Response:
        """Thank the customer."""
        return html(order_pages.placed(visit, _order(visit, number)))

    def orders(self, visit: Visit, request: Request) -> Response:
        """Show the orders of this visit, newest first."""
        words = request.query.get("q", "").strip()
        found = [order for order in reversed(visit.orders) if words.lower() in order.number.lower()]
        return html(order_pages.orders(visit, found, words))

    def order(self, visit: Visit, _: Request, number: str) -> Response:
        """Show one order."""
        return html(order_pages.order(visit, _order(visit, number)))

    def invoice(self, visit: Visit, _: Request, number: str) -> Response:
        """Return the invoice as a file to keep."""
        order = _order(visit, number)
        attachment = {"Content-Disposition": f'attachment; filename="invoice-{order.number}.txt"'}
        return Response(order_pages.invoice(order).encode(), 200, "text/plain; charset=utf-8", attachment)


def _product(name: str) -> Product:
    if name not in PRODUCTS:
        raise Problem(404, "There is no such product")
    return PRODUCTS[name]


def _order(visit: Visit, number: str) -> Order:
    for order in visit.orders:
        if order.number == number:
            return order
    raise Problem(404, "There is no such order")


def _quantity(request: Request) -> int:
    number = request.form.get("quantity", "1")
    if not number.isdecimal():
        raise Problem(422, "The quantity is not a number")
    return int(number)


def _checkout_errors(request: Request, upload: Upload | None) -> dict[str, str]:
    form = request.form
    wrong = {
        "name": ("Enter your full name.", not form.get("name", "").strip()),
        "email": (
            "Enter an e-mail address such as ada@example.com.",
            not MAIL.fullmatch(form.get("email", "").strip()),
        ),
        "delivery": ("Choose how we deliver.", form.get("delivery") not in DELIVERIES),
        "upload": (
            "The delivery note has to be a text, PDF or PNG file.",
            upload is not None and not upload.name.lower().endswith(UPLOAD_TYPES),
        ),
        "terms": ("Accept the terms to go on.", "terms" not in form),
    }
    return {name: message for name, (message, is_wrong) in wrong.items() if is_wrong}


def _checkout(request: Request, upload: Upload | None) -> Checkout:
    form = request.form
    return Checkout(
        name=form["name"].strip(),
        email=form["email"].strip(),
        delivery=DELIVERIES[form["delivery"]],
        note=form.get("note", "").strip(),
        upload=upload,
        token=secrets.token_hex(8),
    )


def _plain(order: Order) -> dict[str, object]:
    checkout = order.checkout
    return {
        "id": order.number,
        "items": [{"product": line.product.name, "quantity": line.quantity} for line in order.lines],
        "total": money(order.total),
        "customer": checkout.name,
        "email": checkout.email,
        "delivery": checkout.delivery.name,
        "note": checkout.note,
        "upload": {"name": checkout.upload.name, "size": len(checkout.upload.content)} if checkout.upload else None,
        "submitted": order.submitted,
    }
