"""Reads what commands ask of their proxy. Pure."""

import re
from typing import NamedTuple

_LINE = re.compile(r"([A-Z]{1,20}) (\S{1,8000}) HTTP/1\.[01]")
_ADDRESS = re.compile(r"[Hh][Tt][Tt][Pp]://(?:[^/?#@\\]*@)?([^/?#@\\]+)((?:[/?][^#]*)?)(?:#.*)?")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")
_BETWEEN_TWO = frozenset(
    {"connection", "proxy-connection", "proxy-authorization", "keep-alive", "upgrade", "te", "host"}
)
"""Headers that end at a proxy, and the one that follows from the address."""


class NoProxyRequest(ValueError):
    """It is nothing that a proxy carries out."""


class ProxyRequest(NamedTuple):
    """Where to, and with which words."""

    host: str
    """A name or an address, without brackets."""
    port: int
    head: bytes
    """What the server is to be sent first; empty: nothing, a tunnel was asked for."""


def read_request(head: bytes) -> ProxyRequest:
    """Read the head of a request: `CONNECT host:port`, or any other method with a full `http:` address.

    Raises:
        NoProxyRequest: it is neither.
    """
    first, *headers = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    line = _LINE.fullmatch(first)
    if line is None:
        raise NoProxyRequest("it is no request to a proxy")
    method, target = line.groups()
    if method == "CONNECT":
        return ProxyRequest(*_authority(target, None), b"")
    address = _ADDRESS.fullmatch(target)
    if address is None:
        raise NoProxyRequest("a proxy takes full http: addresses, and CONNECT for everything else")
    authority, path = address.groups()
    kept = [header for header in headers if header.partition(":")[0].strip().lower() not in _BETWEEN_TWO]
    asked = path if path.startswith("/") else f"/{path}"
    lines = (f"{method} {asked} HTTP/1.1", f"Host: {authority}", *kept, "Connection: close", "", "")
    return ProxyRequest(*_authority(authority, 80), "\r\n".join(lines).encode("latin-1"))


def _authority(text: str, usual: int | None) -> tuple[str, int]:
    found = _AUTHORITY.fullmatch(text)
    port = int(found[2] or usual or 0) if found else 0
    if found is None or not 0 < port < 65_536:
        raise NoProxyRequest(f"{text[:100]!r} is no host and port")
    return found[1].strip("[]"), port
