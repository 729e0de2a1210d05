"""Serves the web console: its files, and one page for all other addresses."""

import hashlib
import re
from pathlib import Path
from typing import Annotated, NamedTuple

from litestar import HttpMethod, Response, route
from litestar.params import FromPath, HeaderParameter

from muster_gateway.http.ranges import client_has
from muster_gateway.security.access import CONSOLE_CSP
from muster_gateway.security.access_roles import OPEN
from muster_protocol import codec
from muster_protocol.requests import OVER
from muster_views.words import CAUSES, FAILURES, STATES

FILES = Path(__file__).parent / "console"
PAGE = "index.html"
WORDS = "words.js"
"""A generated module, not a file."""
READ = (HttpMethod.GET, HttpMethod.HEAD)
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".md": "text/markdown",
}
"""Content types by extension; paths with other extensions are addresses of the page."""
MAX_PATH_CHARACTERS = 200
"""File systems reject paths that are much longer."""
_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*/)*[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)


class Served(NamedTuple):
    """The content of a response."""

    content: bytes
    media_type: str
    etag: str


def _render_words_module() -> bytes:
    """Return the JavaScript module with the words shared by reports and command line."""
    looks = {state: look._asdict() for state, look in STATES.items()}
    parts = {"STATES": looks, "OVER": OVER, "CAUSES": CAUSES, "FAILURES": FAILURES}
    return b"".join(b"export const %s = %s;\n" % (name.encode(), codec.encode(part)) for name, part in parts.items())


def find_file(path: str, files: Path = FILES) -> Served:
    """Return the console's file at a path relative to `/console/`; the page if there is no such file."""
    name = path.strip("/")
    if name == WORDS:
        return _build_served(_render_words_module(), ".js")
    file = files / name
    plain = len(name) <= MAX_PATH_CHARACTERS and _NAME.fullmatch(name) is not None and file.suffix in TYPES
    if not plain or file.is_symlink() or not file.is_file():
        file = files / PAGE
    return _build_served(file.read_bytes(), file.suffix)


def _build_served(content: bytes, suffix: str) -> Served:
    return Served(content, TYPES[suffix], f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def respond(path: str, if_none_match: str = "") -> Response[bytes]:
    """Return the response for a path: the file, or 304 if the client has it."""
    served = find_file(path)
    headers = {"ETag": served.etag, "Cache-Control": "no-cache", "Content-Security-Policy": CONSOLE_CSP}
    if client_has(if_none_match, served.etag):
        return Response(b"", status_code=304, headers=headers, media_type=served.media_type)
    return Response(served.content, headers=headers, media_type=served.media_type)


_Held = Annotated[str, HeaderParameter(name="If-None-Match")]


@route("/console", http_method=READ, opt=OPEN, include_in_schema=False, sync_to_thread=False)
def root(if_none_match: _Held = "") -> Response[bytes]:
    """Serve the page."""
    return respond("", if_none_match)


@route("/console/{path:path}", http_method=READ, opt=OPEN, include_in_schema=False, sync_to_thread=False)
def asset(path: FromPath[str], if_none_match: _Held = "") -> Response[bytes]:
    """Serve a file of the console, or the page at any other address below `/console/`."""
    return respond(path, if_none_match)


HANDLERS = (root, asset)
