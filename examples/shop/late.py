"""Pages on which things come late, to show that a test needs no fixed waits. None of them needs a log-in."""

import secrets
import threading
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from bugs import bug
from layout import page
from store import money
from web import Problem, Request, Response, Route, as_json, html, redirect

FRAGMENTS = Path(__file__).parent / "late"
LONGEST_MS = 10_000
PRICE = 2999


class LatePage(NamedTuple):
    """A late page: its address below `/late/` is its slug, its content the file of that name."""

    slug: str
    title: str
    about: str


PAGES = {
    late.slug: late
    for late in (
        LatePage("slow-fetch", "Slow list", "A list appears when a slow request is answered (600 ms)."),
        LatePage("delayed", "Delayed steps", "Three steps and a button are drawn one after another, 200 ms apart."),
        LatePage("redirects", "Redirects", "A link leads through three redirects of 150 ms each."),
        LatePage("moving-button", "Moving button", "A button slides in for a second before it rests."),
        LatePage("late-button", "Late button", "A button can be pressed only after 700 ms."),
        LatePage("double-submit", "Double submit", "A button sends an order by script, and the server counts them."),
        LatePage("stale-total", "Stale total", "A total shows its old value until a slow request is answered."),
        LatePage("re-render", "Re-render", "A form is drawn anew after 500 ms; what was done to the old one is lost."),
        LatePage("lazy-frame", "Lazy frame", "A frame far below is loaded when it comes into view, and slowly."),
        LatePage("covered", "Covered button", "A cover lies over a button until a slow request is answered (700 ms)."),
        LatePage("restless", "Restless page", "A page that asks the server again and again and is never quiet."),
    )
}

_submits: Counter[str] = Counter()
_submits_lock = threading.Lock()


def routes() -> list[Route]:
    """Return the routes below `/late`."""
    return [
        Route("GET", "/late", index),
        Route("GET", "/late/hop", hop),
        Route("GET", "/late/arrived", arrived),
        Route("GET", "/late/frame", frame),
        Route("GET", "/late/api/items", items),
        Route("GET", "/late/api/total", total),
        Route("GET", "/late/api/tick", tick),
        Route("POST", "/late/submit", submit),
        Route("GET", "/late/counter", counter),
        Route("GET", "/late/{}", late_page),
    ]


def index(_: Request) -> Response:
    """List the late pages."""
    rows = "".join(
        f'<dt><a href="/late/{late.slug}">{late.title}</a></dt><dd>{late.about}</dd>' for late in PAGES.values()
    )
    about = "<p>Each takes <code>?ms=</code> to be slower or faster.</p>"
    return html(page("Late pages - Demo shop", f"<h1>Late pages</h1>{about}<dl class='index'>{rows}</dl>", narrow=True))


def late_page(request: Request, slug: str) -> Response:
    """Return one late page."""
    if slug not in PAGES:
        raise Problem(404, "There is no such page")
    fragment = (FRAGMENTS / f"{slug}.html").read_text(encoding="utf-8")
    # a page opened without ?id= counts for itself alone
    fragment = fragment.replace("{{id}}", _id(request) or secrets.token_hex(4))
    about = f'<p class="small">{PAGES[slug].about}</p>'
    return html(_page(PAGES[slug].title, about + fragment))


def _page(title: str, body: str) -> str:
    script = '<script src="/static/late.js"></script>'
    return page(
        f"{title} - Demo shop", f'{script}<h1>{title}</h1>{body}<p><a href="/late">All late pages</a></p>', narrow=True
    )


def hop(request: Request) -> Response:
    """Take a while, then lead on to the next hop; the last leads to the goal."""
    _dawdle(request, 150)
    left = _number(request, "left", 3)
    if left <= 1:
        return redirect("/late/arrived")
    return redirect(f"/late/hop?left={min(left, 10) - 1}&ms={_number(request, 'ms', 150)}")


def arrived(_: Request) -> Response:
    """Return the goal of the redirects."""
    return html(_page("Arrived", "<p>You have arrived.</p>"))


def frame(request: Request) -> Response:
    """Return the content of the lazy frame."""
    _dawdle(request, 500)
    button = """<p id="state">The frame is loaded.</p>
<button onclick="document.getElementById('state').textContent = 'Confirmed in the frame.'">Confirm</button>"""
    style = '<link rel="stylesheet" href="/static/shop.css">'
    return html(f'<!doctype html><html lang="en"><title>Frame</title>{style}<main>{button}</main></html>')


def items(request: Request) -> Response:
    """Return the items of the slow list."""
    _dawdle(request, 600)
    if bug("late-list-500"):
        raise Problem(500, "Something went wrong")
    return as_json(["Backpack", "Bike light", "T-shirt", "Fleece jacket", "Onesie"])


def total(request: Request) -> Response:
    """Return what `?quantity=` pieces cost."""
    _dawdle(request, 600)
    quantity = 1 if bug("late-total-wrong") else min(_number(request, "quantity", 1), 100)
    return as_json({"total": money(PRICE * quantity)})


def tick(request: Request) -> Response:
    """Return the time of the server in milliseconds, after a short while."""
    _dawdle(request, 150)
    return as_json({"now": time.time_ns() // 1_000_000})


def submit(request: Request) -> Response:
    """Count one more submit of `?id=`, then take a while to say so."""
    with _submits_lock:
        _submits[_id(request)] += 2 if bug("late-sent-twice") else 1
    _dawdle(request, 500)
    return counter(request)


def counter(request: Request) -> Response:
    """Return how often `?id=` was submitted."""
    with _submits_lock:
        return as_json({"id": _id(request), "count": _submits[_id(request)]})


def _id(request: Request) -> str:
    name = request.query.get("id", "")
    if name and not name.replace("-", "").isalnum():
        raise Problem(422, "An id consists of letters, digits and hyphens")
    return name[:64]


def _number(request: Request, name: str, default: int) -> int:
    number = request.query.get(name, "")
    return int(number) if number.isdecimal() and len(number) < 10 else default


def _dawdle(request: Request, default: int) -> None:
    time.sleep(min(_number(request, "ms", default), LONGEST_MS) / 1000)
