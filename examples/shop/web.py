"""The little web framework under the shop: requests, responses, routes, and the server that joins them."""

import json
import re
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from functools import partial
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from socketserver import BaseServer
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from bugs import bug

MAX_BODY = 2_000_000
COOKIE = "shop_session"


class Upload(NamedTuple):
    """A file that came with a form."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Request:
    """What the browser sent, taken apart; `form` and `files` are empty unless a form was posted."""

    method: str
    path: str
    query: Mapping[str, str]
    session: str
    form: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, Upload] = field(default_factory=dict[str, Upload])


@dataclass(frozen=True)
class Response:
    """What goes back to the browser."""

    body: bytes = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def html(text: str, status: int = 200) -> Response:
    """Return a page that is never cached, so that going back shows the present state."""
    return Response(text.encode(), status, headers={"Cache-Control": "no-store"})


def as_json(value: object) -> Response:
    """Return a value as JSON that is never cached."""
    return Response(json.dumps(value).encode(), content_type="application/json", headers={"Cache-Control": "no-store"})


def redirect(location: str, cookie: str = "") -> Response:
    """Send the browser to another page by GET, with a new session cookie if one is given."""
    headers = {"Location": location, "Cache-Control": "no-store"}
    if cookie:
        headers["Set-Cookie"] = f"{COOKIE}={cookie}; Path=/; HttpOnly; SameSite=Lax"
    return Response(status=303, headers=headers)


class Problem(Exception):
    """A request that is answered by an error page instead of its own."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.message = message
        super().__init__(message)


class Route(NamedTuple):
    """A method, a path in which `{}` stands for one segment, and what answers it."""

    method: str
    path: str
    view: Callable[..., Response]
    """Called with the request, and the segment if the path has one."""


class Router:
    """Finds the view for a request, and turns a `Problem` into a page."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = [(route, re.compile(route.path.replace("{}", "([^/]+)"))) for route in routes]

    def answer(self, request: Request) -> Response:
        """Return the response; every fault becomes a page with a fitting status."""
        if bug("slow"):
            time.sleep(0.7)
        try:
            return self._dispatch(request)
        except Problem as problem:
            return error_page(problem.status, problem.message)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            return error_page(500, "Something went wrong")

    def _dispatch(self, request: Request) -> Response:
        known = [(route, match) for route, pattern in self._routes if (match := pattern.fullmatch(request.path))]
        for route, match in known:
            if route.method == request.method or (route.method, request.method) == ("GET", "HEAD"):
                return route.view(request, *match.groups())
        raise Problem(405, "This page cannot be used like that") if known else Problem(404, "There is no such page")


def error_page(status: int, message: str) -> Response:
    """Return a plain page that says what is wrong and leads back to the shop."""
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{message} - Demo shop</title>'
    style = '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/static/shop.css">'
    body = f'<main class="narrow panel"><h1>{message}</h1><p>Error {status}.</p><p><a href="/">Back to the shop</a></p>'
    return html(f"{head}{style}{body}</main></html>", status)


def parse_form(content_type: str, body: bytes) -> tuple[dict[str, str], dict[str, Upload]]:
    """Return the fields and the files of a posted form; a file field left empty is in neither.

    Raises:
        Problem: the body is not a form.
    """
    if not body:
        return {}, {}
    if content_type.startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True)), {}
    if not content_type.startswith("multipart/form-data"):
        raise Problem(415, "This page takes forms only")
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1")
    message = message_from_bytes(head + body, policy=policy.HTTP)
    fields: dict[str, str] = {}
    files: dict[str, Upload] = {}
    for part in message.iter_parts():
        name = str(part.get_param("name", "", header="content-disposition"))
        payload = part.get_payload(decode=True)
        content = payload if isinstance(payload, bytes) else b""
        filename = part.get_filename()
        if filename is None:
            fields[name] = content.decode(errors="replace")
        elif filename:
            files[name] = Upload(re.split(r"[/\\]", filename)[-1], content)
    return fields, files


class Handler(BaseHTTPRequestHandler):
    """Reads a request, asks the router, writes the response."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 300

    def __init__(self, router: Router, connection: socket, address: tuple[str, int], server: BaseServer) -> None:
        self._router = router
        super().__init__(connection, address, server)  # answers requests until the connection ends

    def do_GET(self) -> None:
        """Answer a request of any method."""
        try:
            response = self._router.answer(self._request())
        except Problem as problem:
            self.close_connection = True
            response = error_page(problem.status, problem.message)
        self._send(response)

    do_POST = do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent: the one line a shop prints is its address."""

    def _request(self) -> Request:
        url = urlsplit(self.path)
        form: dict[str, str] = {}
        files: dict[str, Upload] = {}
        if self.command == "POST":
            form, files = parse_form(self.headers.get("Content-Type", ""), self._body())
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        return Request(self.command, unquote(url.path).rstrip("/") or "/", query, self._cookie(), form, files)

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise Problem(411, "The length of the form is missing")
        if int(length) > MAX_BODY:
            raise Problem(413, "That is too much to upload")
        return self.rfile.read(int(length))

    def _cookie(self) -> str:
        try:
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
        except CookieError:
            return ""
        return cookies[COOKIE].value if COOKIE in cookies else ""

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(response.body)))
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)


class WebServer(ThreadingHTTPServer):
    """One thread a connection, none of which outlives the process."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], router: Router) -> None:
        super().__init__(address, partial(Handler, router))

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that hung up; it does so with every page it leaves early."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            traceback.print_exc(file=sys.stderr)
