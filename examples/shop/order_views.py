"""What the shop answers about orders: checkout, review, the orders themselves, returns, and the JSON of all orders."""

import os
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass

import order_pages
from bugs import bug
from store import DELIVERIES, UPLOAD_TYPES, Checkout, Order, Shop, Visit, money, total_of
from web import Problem, Request, Response, Upload, as_json, html, redirect

MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


@dataclass(frozen=True)
class OrderViews:
    """The answers from the checkout on; all but the JSON are of one visit."""

    shop: Shop

    def all_orders(self, _: Request) -> Response:
        """Return every order of every visit as JSON, for tests to look at."""
        if bug("api-500"):
            raise Problem(500, "Something went wrong")
        with self.shop.lock:
            return as_json([_plain(order) for order in self.shop.orders])

    def show_checkout(self, visit: Visit, _: Request) -> Response:
        """Show the checkout form, filled in as it was left, at first with what the profile knows."""
        _break_on_purpose()
        if not visit.cart:
            return redirect("/cart")
        last = visit.checkout
        if last is None or bug("change-forgets"):
            return html(order_pages.checkout(visit, _from_profile(visit), {}, None))
        values = last._asdict() | {"delivery": last.delivery.id, "terms": "on"}
        return html(order_pages.checkout(visit, values, {}, last.upload))

    def check_out(self, visit: Visit, request: Request) -> Response:
        """Take the checkout form, or show it again with what is wrong."""
        _break_on_purpose()
        if not visit.cart:
            return redirect("/cart")
        before = visit.checkout.upload if visit.checkout else None
        upload = request.files.get("upload", before)
        errors = _checkout_errors(request, upload)
        if errors:
            values: Mapping[str, str] = {} if bug("form-lost") else request.form
            return html(order_pages.checkout(visit, values, errors, before), 422)
        visit.checkout = _checkout(request, upload)
        if bug("coupon-lost"):
            visit.coupon = ""
        return redirect("/review")

    def review(self, visit: Visit, _: Request) -> Response:
        """Show what will be ordered."""
        if visit.checkout is None or not visit.cart:
            return redirect("/cart")
        total = total_of(visit.lines(), visit.coupon, visit.checkout.delivery)
        return html(order_pages.review(visit, visit.checkout, total))

    def place_order(self, visit: Visit, request: Request) -> Response:
        """Place the order; the same form sent again leads to the same order."""
        if bug("place-500"):
            raise Problem(500, "Something went wrong")
        order = self.shop.place_order(visit, request.form.get("token", ""))
        return redirect(f"/orders/{order.number}/placed" if order and not bug("place-wrong-redirect") else "/cart")

    def placed(self, visit: Visit, _: Request, number: str) -> Response:
        """Thank the customer."""
        order = _order(visit, number)
        if bug("place-loses-order"):
            visit.orders.remove(order)
        return html(order_pages.placed(visit, order), 500 if bug("thanks-with-500") else 200)

    def orders(self, visit: Visit, request: Request) -> Response:
        """Show the orders of this visit, newest first."""
        words = request.query.get("q", "").strip()
        if bug("orders-loop"):
            return redirect("/orders")
        if bug("orders-hang"):
            time.sleep(600)
        wanted = "" if bug("order-search-ignored") else words.lower()
        found = [order for order in reversed(visit.orders) if wanted in order.number.lower()]
        return html(order_pages.orders(visit, found, words))

    def order(self, visit: Visit, _: Request, number: str) -> Response:
        """Show one order."""
        order = _order(visit, number)
        return html(order_pages.order(visit, visit.orders[0] if bug("order-shows-another") else order))

    def give_back(self, visit: Visit, _: Request, number: str) -> Response:
        """Take an order back."""
        if not bug("return-not-done"):
            _order(visit, number).status = "Returned"
        visit.notice = f"Order {number} was returned."
        return redirect(f"/orders/{number}")

    def invoice(self, visit: Visit, _: Request, number: str) -> Response:
        """Return the invoice as a file to keep."""
        if bug("invoice-404"):
            raise Problem(404, "There is no invoice")
        order = _order(visit, number)
        attachment = {"Content-Disposition": f'attachment; filename="invoice-{order.number}.txt"'}
        return Response(order_pages.invoice(order).encode(), 200, "text/plain; charset=utf-8", attachment)


def _break_on_purpose() -> None:
    if bug("shop-dies"):
        os._exit(1)
    if bug("checkout-slow-500"):
        time.sleep(4)
    if bug("server-error") or bug("checkout-slow-500"):
        raise Problem(500, "Something went wrong")


def _order(visit: Visit, number: str) -> Order:
    for order in visit.orders:
        if order.number == number:
            return order
    raise Problem(404, "There is no such order")


def _from_profile(visit: Visit) -> Mapping[str, str]:
    return {} if bug("profile-not-used") else {"name": visit.profile.name, "email": visit.profile.email}


def _checkout_errors(request: Request, upload: Upload | None) -> dict[str, str]:
    form = request.form
    email_fits = MAIL.fullmatch(form.get("email", "").strip()) or bug("email-unchecked")
    upload_fits = upload is None or upload.name.lower().endswith(UPLOAD_TYPES) or bug("upload-anything")
    wrong = {
        "name": ("Enter your full name.", not form.get("name", "").strip()),
        "email": ("Enter an e-mail address such as ada@example.com.", not email_fits),
        "delivery": ("Choose how we deliver.", form.get("delivery") not in DELIVERIES),
        "upload": ("The delivery note has to be a text, PDF or PNG file.", not upload_fits),
        "terms": ("Accept the terms to go on.", "terms" not in form and not bug("terms-not-needed")),
    }
    return {name: message for name, (message, is_wrong) in wrong.items() if is_wrong}


def _checkout(request: Request, upload: Upload | None) -> Checkout:
    form = request.form
    return Checkout(
        name=form["name"].strip(),
        email=form["email"].strip(),
        delivery=DELIVERIES["standard" if bug("express-lost") else form["delivery"]],
        note="" if bug("remarks-lost") else form.get("note", "").strip(),
        upload=None if bug("upload-lost") else upload,
        token=secrets.token_hex(8),
    )


def _plain(order: Order) -> dict[str, object]:
    checkout = order.checkout
    return {
        "id": order.number,
        "items": [
            {"product": line.product.name, "quantity": 1 if bug("api-drops-quantity") else line.quantity}
            for line in order.lines
        ],
        "total": money(order.total),
        "customer": checkout.name,
        "email": checkout.email,
        "delivery": checkout.delivery.name,
        "note": checkout.note,
        "upload": {"name": checkout.upload.name, "size": len(checkout.upload.content)} if checkout.upload else None,
        "submitted": order.submitted,
    }
