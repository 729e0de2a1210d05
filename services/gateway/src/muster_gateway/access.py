"""Who may ask, and what is safe to say: rules on hosts, origins and headers. Pure."""

import re
from typing import NamedTuple
from urllib.parse import quote, urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

SECURITY_HEADERS: dict[str, str] = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Sent with every answer that does not set them itself."""

_CONTENT_TYPE = re.compile(r"[\w.+-]{1,64}/[\w.+-]{1,64}(; ?charset=[\w-]{1,32})?", re.ASCII)
_PLAIN = re.compile(r"[^A-Za-z0-9 ._()+=@-]")


class Access(NamedTuple):
    """The names the gateway answers to (empty: any), and the origins it trusts beside its own."""

    hosts: frozenset[str]
    origins: frozenset[str]


class Refused(NamedTuple):
    """Why a request goes no further."""

    status: int
    reason: str


def access(http_host: str, allowed_hosts: str = "", allowed_origins: str = "") -> Access:
    """Return the rules that follow from the settings."""
    hosts = _listed(allowed_hosts)
    if hosts or http_host in LOOPBACK or http_host.startswith("127."):
        hosts |= LOOPBACK | {http_host}
    return Access(hosts, _listed(allowed_origins))


def refusal(rules: Access, method: str, host: str, origin: str | None) -> Refused | None:
    """Return why a request is refused, or None; `method` is that of HTTP, or `WEBSOCKET`.

    The host is looked at since a foreign name can be made to lead to loopback; the origin, since any page a person has
    open can post to it.
    """
    if rules.hosts and _name(host) not in rules.hosts:
        return Refused(421, "this gateway does not go by that host name; ALLOWED_HOSTS lists the names it answers to")
    if origin is None or method in SAFE_METHODS or origin.lower() in rules.origins:
        return None
    if urlsplit(origin).netloc.lower() != host.lower():
        return Refused(403, "pages of another origin may not do this; ALLOWED_ORIGINS lists those that may")
    return None


def content_disposition(name: str) -> str:
    """Return a header value that has a browser save a file under the last part of the name."""
    last = name.rsplit("/", 1)[-1] or "file"
    return f"attachment; filename=\"{_PLAIN.sub('_', last)}\"; filename*=UTF-8''{quote(last, safe='')}"


def content_type(claimed: str) -> str:
    """Return the content type if it is one, else that of plain bytes."""
    return claimed if _CONTENT_TYPE.fullmatch(claimed) else "application/octet-stream"


def _listed(text: str) -> frozenset[str]:
    return frozenset(part.strip().lower() for part in text.split(",") if part.strip())


def _name(host: str) -> str:
    """Return the host without its port and brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
