"""A site whose pages are given by path, for tests that need a product of their own."""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from serving import serving


class Visit(NamedTuple):
    """A request as a page reads it."""

    method: str
    fields: dict[str, str]
    """Of the query and the form, the last value of each."""


class Sent(NamedTuple):
    """What a page answers."""

    body: str
    status: int = 200
    kind: str = "text/html; charset=utf-8"


Page = str | Sent | Callable[[Visit], Sent | str]


class Site:
    """Pages by path; they may be changed at any time."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.url = ""

    def answer(self, path: str, visit: Visit) -> Sent:
        """Return what a path answers."""
        page = self.pages.get(path)
        if page is None:
            return Sent("<!doctype html><title>Not found</title><h1>Not found</h1>", 404)
        found = page(visit) if callable(page) else page
        sent = found if isinstance(found, Sent) else Sent(found)
        if not sent.kind.startswith("text/html"):
            return sent
        return sent._replace(
            body=sent.body if "<title" in sent.body else f"<!doctype html><title>Page</title>{sent.body}"
        )


@contextmanager
def site() -> Generator[Site]:
    """Serve a site on a free port of this machine."""
    made = Site()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send("GET", "")

        def do_POST(self) -> None:
            self._send("POST", self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())

        def _send(self, method: str, form: str) -> None:
            parts = urlsplit(self.path)
            fields = {name: values[-1] for text in (parts.query, form) for name, values in parse_qs(text).items()}
            sent = made.answer(parts.path, Visit(method, fields))
            data = sent.body.encode()
            with suppress(OSError):
                self.send_response(sent.status)
                self.send_header("Content-Type", sent.kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as made.url:
        yield made
