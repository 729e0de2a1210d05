"""The console of a session's pages, written to a file line by line."""

from pathlib import Path

import structlog
from msgspec import Struct
from msgspec.structs import replace
from playwright.async_api import BrowserContext, ConsoleMessage, WebError

from muster_devices.record_times import moment
from muster_devices.web.page_events import quiet, whole
from muster_devices.web.trace_redaction import lines_of
from muster_protocol import codec
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

TEXT_LIMIT = 20_000
"""Characters of one message."""
CUT = "…"
BUFFER_BYTES = 64_000
MARK_BYTES = 200
"""Room for the line that says that the rest was not recorded."""


class ConsoleLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message, or one error that no script caught; one line of JSON in the file."""

    at: float
    """Unix seconds."""
    level: str
    text: str
    url: str = ""
    line: int = 0
    page: str = ""
    """Address of the page it came from, at that time."""


def masked(line: bytes, redactor: Redactor) -> bytes:
    """Return a line of the file without secrets; where its text was cut, without the part of one before the cut. Pure.

    Raises:
        msgspec.DecodeError: it is no line of a console.
    """
    said = codec.decode(line, ConsoleLine)
    was_cut = len(said.text) > TEXT_LIMIT
    text = redactor.split(said.text.removesuffix(CUT))[0] + CUT if was_cut else said.text
    if not was_cut and not redactor.holds(line):
        return line
    mask, number = redactor.mask, redactor.masked(said.line)
    return codec.encode(replace(said, text=mask(text), url=mask(said.url), page=mask(said.page), line=number))


def write_console(source: Path, target: Path, redactor: Redactor) -> None:
    """Write a console's file anew, without secrets."""
    with target.open("wb") as out:
        for line in lines_of(source):
            out.write(masked(line, redactor) + b"\n")


class ConsoleFile:
    """Writes what the pages of a context say, up to a number of bytes; a page may talk without end."""

    def __init__(self, path: Path, limit: int) -> None:
        self._path, self._left = path, limit - MARK_BYTES
        self._waiting = bytearray()

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context, those opened later included."""
        context.on("console", self._on_message)
        context.on("weberror", self._on_error)

    def close(self) -> None:
        """Write what is left; what comes later is not recorded."""
        self._left = 0
        self._write_out()

    @quiet
    def _on_message(self, message: ConsoleMessage) -> None:
        where, page = message.location, message.page
        url, line = (where["url"], where["lineNumber"]) if where else ("", 0)
        self._write(message.type, message.text, url=url, line=line, page=page.url if page else "")

    @quiet
    def _on_error(self, error: WebError) -> None:
        text, page = error.error.stack or str(error.error), error.page
        self._write("error", text, page=page.url if page else "")

    def _write(self, level: str, text: str, *, url: str = "", line: int = 0, page: str = "") -> None:
        if self._left <= 0:
            return
        at, text = moment(), whole(text if len(text) <= TEXT_LIMIT else text[:TEXT_LIMIT] + CUT)
        said = ConsoleLine(at=at, level=level, text=text, url=whole(url), line=line, page=whole(page))
        data = codec.encode(said) + b"\n"
        self._left -= len(data)
        if self._left <= 0:
            data = (
                codec.encode(ConsoleLine(at=at, level="warning", text="(the rest was not recorded: too long)")) + b"\n"
            )
        self._waiting += data
        if len(self._waiting) >= BUFFER_BYTES:
            self._write_out()

    def _write_out(self) -> None:
        if not self._waiting:
            return
        try:
            with self._path.open("ab") as file:
                file.write(self._waiting)
        except OSError as error:  # such as a full disk; the session is worth more than its recording
            log.warning("console of the pages no longer recorded", error=str(error))
            self._left = 0
        self._waiting.clear()
