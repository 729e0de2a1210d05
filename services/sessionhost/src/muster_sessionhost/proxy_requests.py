"""Parses the requests of commands to their proxy. Pure."""

import re
from typing import NamedTuple

_LINE = re.compile(r"([A-Z]{1,20}) (\S{1,8000}) HTTP/1\.[01]")
_ADDRESS = re.compile(r"[Hh][Tt][Tt][Pp]://(?:[^/?#@\\]*@)?([^/?#@\\]+)((?:[/?][^#]*)?)(?:#.*)?")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")
_BETWEEN_TWO = frozenset(
    {"connection", "proxy-connection", "proxy-authorization", "keep-alive", "upgrade", "te", "host"}
)
"""Headers that a proxy does not forward, and `Host`, which it derives from the address."""


class NoProxyRequest(ValueError):
    """The data is not a request to a proxy."""


class ProxyRequest(NamedTuple):
    """The target of a request, and what to send there."""

    host: str
    """Host name or IP address, without brackets."""
    port: int
    head: bytes
    """The head of the request to send to the server; empty for a tunnel."""


def read_request(head: bytes) -> ProxyRequest:
    """Parse the head of a request: `CONNECT host:port`, or another method with an absolute `http:` address.

    Raises:
        NoProxyRequest: the head is neither.
    """
    first, *headers = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    line = _LINE.fullmatch(first)
    if line is None:
        raise NoProxyRequest("not a request to a proxy")
    method, target = line.groups()
    if method == "CONNECT":
        return ProxyRequest(*_split_authority(target, None), b"")
    address = _ADDRESS.fullmatch(target)
    if address is None:
        raise NoProxyRequest("a proxy accepts absolute http: addresses, and CONNECT for everything else")
    authority, path = address.groups()
    kept = [header for header in headers if header.partition(":")[0].strip().lower() not in _BETWEEN_TWO]
    asked = path if path.startswith("/") else f"/{path}"
    lines = (f"{method} {asked} HTTP/1.1", f"Host: {authority}", *kept, "Connection: close", "", "")
    return ProxyRequest(*_split_authority(authority, 80), "\r\n".join(lines).encode("latin-1"))


def _split_authority(text: str, default_port: int | None) -> tuple[str, int]:
    found = _AUTHORITY.fullmatch(text)
    port = int(found[2] or default_port or 0) if found else 0
    if found is None or not 0 < port < 65_536:
        raise NoProxyRequest(f"{text[:100]!r} is not a host and port")
    return found[1].strip("[]"), port
