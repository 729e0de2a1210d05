"""The web console: its files, and one page for all of its addresses."""

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
from muster_views.words import CAUSES, FAILURES, STATES

FILES = Path(__file__).parent / "console"
PAGE = "index.html"
WORDS = "words.js"
"""The one module that is no file."""
READ = (HttpMethod.GET, HttpMethod.HEAD)
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".md": "text/markdown",
}
"""What is served as a file, by its ending; everything else is an address of the page."""
MAX_PATH_CHARACTERS = 200
"""Characters of a file's path; file systems refuse to look for names that are much longer."""
_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*/)*[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)


class Served(NamedTuple):
    """A file as clients get it."""

    content: bytes
    media_type: str
    etag: str


def render_words_module() -> bytes:
    """Return the module with the words that reports and the command line use, too."""
    looks = {state: look._asdict() for state, look in STATES.items()}
    parts = {"STATES": looks, "CAUSES": CAUSES, "FAILURES": FAILURES}
    return b"".join(b"export const %s = %s;\n" % (name.encode(), codec.encode(part)) for name, part in parts.items())


def find_file(path: str, files: Path = FILES) -> Served:
    """Return the file of the console at a path relative to `/console/`, or its page if there is none."""
    name = path.strip("/")
    if name == WORDS:
        return _build_served(render_words_module(), ".js")
    file = files / name
    plain = len(name) <= MAX_PATH_CHARACTERS and _NAME.fullmatch(name) is not None and file.suffix in TYPES
    if not plain or file.is_symlink() or not file.is_file():
        file = files / PAGE
    return _build_served(file.read_bytes(), file.suffix)


def _build_served(content: bytes, suffix: str) -> Served:
    return Served(content, TYPES[suffix], f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def respond(path: str, if_none_match: str = "") -> Response[bytes]:
    """Return the answer for a path of the console: the file, or 304 if the client has it."""
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
    """Serve a file of the console, or its page at any other address below `/console/`."""
    return respond(path, if_none_match)


HANDLERS = (root, asset)
