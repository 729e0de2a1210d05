"""Summarises the recorded network and console of a session for the search for a cause. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from muster_views.texts import shorten, strip_controls, to_one_line

LONGEST_BODY, LONGEST_LINE, MOST_REQUESTS = 500, 400, 60


class _Content(Struct, frozen=True):
    text: str = ""
    encoding: str = ""


class _Response(Struct, frozen=True):
    status: int = 0
    statusText: str = ""
    content: _Content = _Content()


class _Request(Struct, frozen=True):
    method: str = ""
    url: str = ""


class _Exchange(Struct, frozen=True):
    request: _Request = _Request()
    response: _Response = _Response()

    @property
    def failed(self) -> bool:
        return self.response.status >= 400 or self.response.status <= 0


class _Log(Struct, frozen=True):
    entries: tuple[_Exchange, ...] = ()


class _Har(Struct, frozen=True):
    log: _Log = _Log()


class _Said(Struct, frozen=True):
    level: str = ""
    text: str = ""
    url: str = ""
    line: int = 0


def describe_network(data: bytes) -> str:
    """Return the requests of a HAR: those that failed with the beginning of their answers, then the last ones."""
    try:
        exchanges = msgspec.json.decode(data, type=_Har).log.entries
    except msgspec.DecodeError as error:
        return f"(the HAR cannot be read: {error})"
    failed = [it for it in exchanges if it.failed]
    parts = [f"{len(exchanges)} requests, {len(failed)} of them failed", *map(_with_body, failed[-MOST_REQUESTS:])]
    return "\n".join((*parts, "The last ones:", *map(_in_short, exchanges[-MOST_REQUESTS // 2 :])))


def describe_console(data: bytes) -> str:
    """Return the messages of a console, errors and warnings alone if there are any."""
    said = list(_decoded(data.splitlines()))
    bad = [it for it in said if it.level in ("error", "warning")]
    return "\n".join(f"{it.level}: {shorten(strip_controls(it.text), LONGEST_LINE)}{_place(it)}" for it in bad or said)


def _decoded(lines: Sequence[bytes]) -> Iterable[_Said]:
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=_Said)
        except msgspec.DecodeError:
            continue


def _place(said: _Said) -> str:
    return f"  ({said.url}:{said.line})" if said.url else ""


def _in_short(it: _Exchange) -> str:
    status: Any = it.response.status if it.response.status > 0 else "no answer"
    return to_one_line(f"{it.request.method} {it.request.url} → {status} {it.response.statusText}", LONGEST_LINE)


def _with_body(it: _Exchange) -> str:
    content = it.response.content
    body = "" if content.encoding else strip_controls(content.text).strip()[:LONGEST_BODY]
    return f"{_in_short(it)}\n  {body}" if body else _in_short(it)
