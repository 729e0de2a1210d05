"""A small site over HTTP with fifteen faults that can be mended, and a page that can be made slow."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple

from muster_protocol.explorations import FindingKind

PIXEL = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
MAIN = "<!doctype html><html lang=en><title>{0}</title><main><h1>{0}</h1>{1}</main></html>"


class Fault(NamedTuple):
    """A fault of one page."""

    kind: FindingKind
    page: str
    says: str
    """What the finding's text contains."""


class Answer(NamedTuple):
    """What a request is answered; the body of a 302 is where it leads."""

    status: int
    body: bytes = b""
    type: str = "text/html; charset=utf-8"


FAULTS = (
    Fault("server_error", "/orders", "/orders answered 500"),
    Fault("server_error", "/sent", "/sent answered 503"),
    Fault("server_error", "/figures", "/api/figures answered 500"),
    Fault("dead_link", "/old", "/old answered 404"),
    Fault("dead_link", "/gone", "/gone answered 410"),
    Fault("dead_link", "/circle", "/circle answered net::ERR_TOO_MANY_REDIRECTS"),
    Fault("broken_image", "/pictures", "/logo.gif answered 404"),
    Fault("exception", "/thrown", "cart is undefined"),
    Fault("exception", "/clicked", "no handler"),
    Fault("console_error", "/logged", "the catalogue is stale"),
    Fault("blank_page", "/blank", "shows nothing"),
    Fault("access", "/nameless", "button-name"),
    Fault("access", "/portraits", "image-alt"),
    Fault("access", "/unlabelled", "label"),
    Fault("access", "/tongue", "html-has-lang"),
)
_FORM = "<form method=post action=/sent><label>Subject <input name=subject></label><button>Look up</button></form>"
_CLICK = "<button onclick='{}'>Count</button>"


def _healthy(path: str) -> Answer:
    pages = {
        "/": "".join(f"<p><a href={one.page}>To {one.page[1:]}</a>" for one in FAULTS if one.page != "/sent") + _FORM,
        "/figures": "<p id=f></p><script>fetch('/api/figures').then(a => a.text()).then(t => f.textContent = t)</script>",
        "/pictures": "<img alt=Logo src=/logo.gif>",
        "/clicked": _CLICK.format('document.title += "!"'),
        "/nameless": "<button aria-label=Count><svg></svg></button>",
        "/portraits": "<img alt=Ada src=/ada.gif>",
        "/unlabelled": "<label>Town <input></label>",
    }
    if path.endswith(".gif"):
        return Answer(200, PIXEL, "image/gif")
    if path == "/api/figures":
        return Answer(200, b"12 orders", "text/plain")
    if path not in pages and path not in {one.page for one in FAULTS}:
        return Answer(404 if path != "/favicon.ico" else 204)
    return Answer(200, MAIN.format(path[1:].title() or "Home", pages.get(path, "<p>All is well")).encode())


def _broken(path: str) -> Answer:
    bodies = {
        "/thrown": "<script>throw new TypeError('cart is undefined')</script>",
        "/clicked": _CLICK.format('throw new Error("no handler")'),
        "/logged": "<script>console.error('the catalogue is stale')</script>",
        "/nameless": "<button><svg></svg></button>",
        "/portraits": "<img src=/ada.gif>",
        "/unlabelled": "<input>",
    }
    statuses = {"/orders": 500, "/sent": 503, "/api/figures": 500, "/old": 404, "/gone": 410, "/logo.gif": 404}
    if path in statuses:
        return Answer(statuses[path], MAIN.format("Sorry", "").encode())
    if path == "/circle":
        return Answer(302, path.encode())
    if path == "/blank":
        return Answer(200, b"<!doctype html><html lang=en><title>Blank</title><body></body></html>")
    if path == "/tongue":
        return Answer(200, MAIN.format("Tongue", "<p>All is well").replace(" lang=en", "").encode())
    return Answer(200, MAIN.format(path[1:].title(), bodies[path]).encode()) if path in bodies else _healthy(path)


class FaultySite:
    """The site while it is served."""

    def __init__(self, url: str) -> None:
        self.url, self.mended = url, False
        self.delays: dict[str, float] = {}
        """Seconds before a path is answered, until all is mended."""


@contextmanager
def faulty_site() -> Generator[FaultySite]:
    """Serve the site with all of its faults, until `mended` is set."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not site.mended:
                time.sleep(site.delays.get(self.path, 0.0))
            answer = (_healthy if site.mended else _broken)(self.path.partition("?")[0])
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.type)
            if answer.status == 302:
                self.send_header("Location", answer.body.decode())
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = FaultySite(f"http://127.0.0.1:{server.server_port}/")
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
