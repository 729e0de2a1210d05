"""What the shop answers to each request, up to the cart; `order_views` answers from the checkout on."""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import account
import pages
from bugs import bug
from order_views import OrderViews
from store import CATEGORIES, COUPONS, PRODUCTS, Product, Shop, Visit, total_of
from web import Problem, Request, Response, Route, html, redirect

STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

VisitView = Callable[..., Response]


def routes(shop: Shop) -> list[Route]:
    """Return all routes of the shop but those of the late pages."""
    views, of_orders = Views(shop), OrderViews(shop)
    guarded = views.guarded
    return [
        Route("GET", "/", views.home),
        Route("GET", "/static/{}", static),
        Route("GET", "/login", views.show_login),
        Route("POST", "/login", views.log_in),
        Route("POST", "/logout", views.log_out),
        Route("GET", "/terms", terms),
        Route("GET", "/api/orders", of_orders.all_orders),
        Route("GET", "/products", guarded(views.products)),
        Route("GET", "/products/{}", guarded(views.product)),
        Route("GET", "/cart", guarded(views.cart)),
        Route("POST", "/cart/add", guarded(views.add)),
        Route("POST", "/cart/quantity", guarded(views.quantity)),
        Route("GET", "/cart/remove/{}", guarded(views.ask_remove)),
        Route("POST", "/cart/remove/{}", guarded(views.remove)),
        Route("POST", "/cart/coupon", guarded(views.coupon)),
        Route("GET", "/checkout", guarded(of_orders.show_checkout)),
        Route("POST", "/checkout", guarded(of_orders.check_out)),
        Route("GET", "/review", guarded(of_orders.review)),
        Route("POST", "/review", guarded(of_orders.place_order)),
        Route("GET", "/orders", guarded(of_orders.orders)),
        Route("GET", "/orders/{}", guarded(of_orders.order)),
        Route("GET", "/orders/{}/placed", guarded(of_orders.placed)),
        Route("GET", "/orders/{}/invoice", guarded(of_orders.invoice)),
        Route("POST", "/orders/{}/return", guarded(of_orders.give_back)),
        Route("GET", "/profile", guarded(account.show)),
        Route("POST", "/profile", guarded(account.save)),
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
                visit = self.shop.visit(request.session) or (Visit() if bug("login-not-needed") else None)
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
        if bug("login-500"):
            raise Problem(500, "Something went wrong")
        user = request.form.get("user", "").strip()
        key = self.shop.log_in(user, request.form.get("password", ""))
        if key is None:
            return html(pages.login(user, "User name and password do not match."), 422)
        return redirect("/cart" if bug("login-wrong-redirect") else "/products", cookie=key)

    def log_out(self, request: Request) -> Response:
        """End the visit."""
        if bug("logout-500"):
            raise Problem(500, "Something went wrong")
        if not bug("logout-keeps-visit"):
            with self.shop.lock:
                self.shop.log_out(request.session)
        return redirect("/login")

    def products(self, visit: Visit, request: Request) -> Response:
        """Show the products with these words in name or description, in this category."""
        words = request.query.get("q", "").strip()
        if words and bug("search-500"):
            raise Problem(500, "Something went wrong")
        category, sort = request.query.get("category", "All"), request.query.get("sort", "none")
        found = _sorted([product for product in PRODUCTS.values() if _fits(product, words, category)], sort)
        return html(pages.products(visit, found, words, category, sort))

    def product(self, visit: Visit, _: Request, name: str) -> Response:
        """Show one product."""
        return html(pages.product(visit, _product(name)))

    def cart(self, visit: Visit, _: Request) -> Response:
        """Show the cart."""
        return html(pages.cart(visit, total_of(visit.lines(), visit.coupon)))

    def add(self, visit: Visit, request: Request) -> Response:
        """Put a product into the cart, on top of what is there."""
        if bug("add-500"):
            raise Problem(500, "Something went wrong")
        product = _product(request.form.get("product", ""))
        added = _quantity(request) * (2 if bug("add-twice") else 1)
        added = 1 if bug("add-ignores-quantity") else added
        put = "onesie" if bug("add-wrong-product") else product.id
        if not bug("add-lost"):
            visit.set_quantity(put, visit.cart.get(put, 0) + added)
        visit.notice = "" if bug("add-silent") else f"{product.name} was added to your cart."
        return redirect("/products" if "back" in request.form else f"/products/{product.id}")

    def quantity(self, visit: Visit, request: Request) -> Response:
        """Set how many pieces of a product are in the cart."""
        product = _product(request.form.get("product", ""))
        if not bug("quantity-ignored"):
            visit.set_quantity(product.id, _quantity(request))
        return redirect("/cart")

    def coupon(self, visit: Visit, request: Request) -> Response:
        """Keep a coupon for this cart, if there is such a one."""
        code = request.form.get("code", "").strip().upper()
        if code in COUPONS or bug("coupon-any"):
            visit.coupon, visit.notice = code, f"Coupon {code} was applied."
        else:
            visit.notice = "There is no such coupon."
        return redirect("/cart")

    def ask_remove(self, visit: Visit, _: Request, name: str) -> Response:
        """Ask before a product is removed, where no script did."""
        return html(pages.remove(visit, _product(name)))

    def remove(self, visit: Visit, _: Request, name: str) -> Response:
        """Take a product out of the cart."""
        product = _product(name)
        if bug("remove-dies"):
            os._exit(1)
        if bug("remove-500"):
            raise Problem(500, "Something went wrong")
        gone = next(iter(visit.cart), name) if bug("remove-wrong-line") else name
        if not bug("remove-keeps"):
            visit.set_quantity(gone, 0)
        if bug("remove-comes-back"):
            threading.Timer(0.5, visit.set_quantity, (gone, 1)).start()
        visit.notice = f"{product.name} was removed from your cart."
        return redirect("/cart")


def _product(name: str) -> Product:
    if name not in PRODUCTS:
        raise Problem(404, "There is no such product")
    return PRODUCTS[name]


def _quantity(request: Request) -> int:
    number = request.form.get("quantity", "1")
    if not number.isdecimal():
        raise Problem(422, "The quantity is not a number")
    return int(number)


def _fits(product: Product, words: str, category: str) -> bool:
    """Return whether a product's name has the words, in any case, and its category is the chosen one, if one is."""
    has_words = words in product.name if bug("search-case") else words.lower() in product.name.lower()
    in_category = category not in CATEGORIES or product.category == category
    return (has_words or bug("search-ignored")) and (in_category or bug("category-ignored"))


def _sorted(products: list[Product], sort: str) -> list[Product]:
    found = products[:-1] if bug("product-missing") else products
    if sort == "name":
        return sorted(found, key=lambda product: product.name)
    if sort == "price" and not bug("sort-ignored"):
        return sorted(found, key=lambda product: str(product.price) if bug("sort-as-text") else product.price)
    return found
