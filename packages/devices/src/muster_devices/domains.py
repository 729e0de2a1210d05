"""Which hosts a device and the HTTP tools may reach. Pure."""

import re
from collections.abc import Sequence
from urllib.parse import urljoin, urlsplit

from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure

_PASSIVE = ("about", "blob", "data")
"""What a page may show of itself; nobody can be sent there."""


def allowed(url: str, domains: Sequence[str]) -> bool:
    """Return whether a URL's host is among the domains or below one of them; no domains allow every host."""
    parts = urlsplit(url)
    if not domains or parts.scheme in _PASSIVE:
        return True
    host = (parts.hostname or "").lower()
    return any(_covers(domain.lower(), host, parts.port) for domain in domains)


def _covers(domain: str, host: str, port: int | None) -> bool:
    name, _, wanted = domain.removeprefix("*.").partition(":")
    if wanted and wanted != str(port or ""):
        return False
    return host == name or host.endswith("." + name)


def checked(url: str, domains: Sequence[str]) -> str:
    """Return a URL one may be sent to: http or https, and an allowed host.

    Raises:
        DeviceRefused: it is not, and why.
    """
    scheme = urlsplit(url).scheme
    if url == "about:blank":
        return url
    if scheme not in ("http", "https"):
        text = f"{url!r} is no web address: give a full one, such as https://example.com/login"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL, where=url)
    if not allowed(url, domains):
        raise DeviceRefused(outside(url, domains), failure=Failure.INVALID_CALL, where=url)
    return url


def outside(url: str, domains: Sequence[str]) -> str:
    """Return the words for a URL that is not allowed."""
    return f"{urlsplit(url).netloc} is not among the allowed hosts ({', '.join(domains)})"


def address(url: str, base: str = "") -> str:
    """Return a full web address: `/cart` is meant on the page's own host, `shop.test` without its scheme is http."""
    if re.match(r"[a-z][a-z0-9+.-]*://|(about|data|javascript|mailto|file|blob):", url, re.IGNORECASE):
        return url
    if url.startswith(("/", "?", "#", "./", "../")):
        return urljoin(base, url)
    return f"http://{url}"
