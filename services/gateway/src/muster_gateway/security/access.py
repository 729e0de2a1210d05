"""Rules on host names, origins, cookies and headers. Pure."""

import re
from typing import NamedTuple
from urllib.parse import quote, urlsplit

REFUSED = "muster.refused"
"""Key in a request's scope: why the application refused it."""
SPAN = "muster.span"
"""Key in a request's scope: the `traceparent` of its span."""
MOST_COOKIES = 4
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
USUAL_PORTS = {"http": ":80", "https": ":443"}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

SECURITY_HEADERS: dict[str, str] = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
}
"""Added to every response that does not set them itself."""

CONSOLE_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy of the console's pages."""

PREFLIGHT_HEADERS: dict[str, str] = {
    "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE",
    "access-control-allow-headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range"
    ),
    "access-control-max-age": "600",
}
"""What pages of a trusted origin may send. They need a key: cookies work only on the gateway's own pages."""
EXPOSED_HEADERS = "Accept-Ranges, Content-Disposition, Content-Range, ETag, Location, Retry-After"

_CONTENT_TYPE = re.compile(r"[\w.+-]{1,64}/[\w.+-]{1,64}(; ?charset=[\w-]{1,32})?", re.ASCII)
_PLAIN = re.compile(r"[^A-Za-z0-9 ._()+=@-]")


class Access(NamedTuple):
    """Host names of the gateway (empty: any), and origins it trusts in addition to its own."""

    hosts: frozenset[str]
    origins: frozenset[str]


class Refused(NamedTuple):
    """Why a request is refused."""

    status: int
    reason: str
    retry: int = 0
    """Seconds until a retry makes sense; 0: never."""
    times: int = 0
    """Number of refusals in a row for this reason; 0: not counted."""
    quiet: bool = False
    """Whether the audit log skips this one, because it has similar ones."""


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    return host in LOOPBACK or host.startswith("127.")


def build_access(http_host: str, allowed_hosts: str = "", allowed_origins: str = "") -> Access:
    """Return the rules for the settings."""
    hosts = _split_list(allowed_hosts)
    if hosts or is_loopback(http_host):
        hosts |= LOOPBACK | {http_host}
    return Access(hosts, _split_list(allowed_origins))


def find_refusal(rules: Access, method: str, host: str, origin: str | None, site: str = "") -> Refused | None:
    """Return why a request is refused, or None; `method` can be `WEBSOCKET`, `site` is `Sec-Fetch-Site`.

    The host is checked because a foreign name can resolve to loopback (DNS rebinding); origin and site because any open
    page can post to the gateway.
    """
    if rules.hosts and _host_name(host) not in rules.hosts:
        return Refused(421, "this gateway does not have that host name; ALLOWED_HOSTS lists its names")
    if method in SAFE_METHODS or is_trusted(rules, origin):
        return None
    foreign = site in ("cross-site", "same-site") if origin is None else not _is_own_origin(origin, host)
    if foreign:
        return Refused(403, "pages of other origins may not do this; ALLOWED_ORIGINS lists those that may")
    return None


def is_trusted(rules: Access, origin: str | None) -> bool:
    """Return whether an origin is in ALLOWED_ORIGINS."""
    return origin is not None and origin.lower() in rules.origins


def cookie_name(host: str) -> str:
    """Return the name of the login cookie, with the port: cookies ignore ports, and gateways can share a host."""
    try:
        port = urlsplit(f"//{host}").port
    except ValueError:
        port = None
    return f"muster-{port}" if port else "muster"


def parse_cookies(header: str, name: str) -> tuple[str, ...]:
    """Return the values of the cookies with a name in a `Cookie` header, at most `MOST_COOKIES`.

    Other servers on the same host name, on any port, can add cookies with our name for longer paths.
    """
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return tuple(value for found, _, value in pairs if found == name)[:MOST_COOKIES]


def parse_bearer(header: str | None) -> str | None:
    """Return the key in an `Authorization` header; None if it has none."""
    scheme, _, key = (header or "").strip().partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


def content_disposition(name: str) -> str:
    """Return a header value that makes browsers save a file under the last part of a name."""
    last = name.rsplit("/", 1)[-1] or "file"
    return f"attachment; filename=\"{_PLAIN.sub('_', last)}\"; filename*=UTF-8''{quote(last, safe='')}"


def content_type(claimed: str) -> str:
    """Return a content type if it is valid, else `application/octet-stream`."""
    return claimed if _CONTENT_TYPE.fullmatch(claimed) else "application/octet-stream"


def _split_list(text: str) -> frozenset[str]:
    return frozenset(part.strip().lower() for part in text.split(",") if part.strip())


def _is_own_origin(origin: str, host: str) -> bool:
    """Return whether an origin belongs to a host; ignores the default port of the scheme, which proxies may add."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    usual = USUAL_PORTS.get(parts.scheme, "")
    name = parts.netloc.lower().removesuffix(usual)
    return name != "" and name == host.lower().removesuffix(usual)


def _host_name(host: str) -> str:
    """Return the host without port and brackets; empty if it is invalid."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises for an invalid port
    except ValueError:
        return ""
    return "" if "@" in host else (parts.hostname or "").lower()
