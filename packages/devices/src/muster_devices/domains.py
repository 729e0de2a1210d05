"""Which hosts a device and the HTTP tools may reach. Pure."""

import ipaddress
import re
import socket
from collections.abc import Sequence
from urllib.parse import urljoin, urlsplit

from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure

NATS_MONITOR = 8222
LINK_LOCAL = ("169.254.*", "[fe80:*", "[fd00:ec2::254]", "metadata.google.internal")
"""Patterns of what is never for a case: addresses of the machine's own link, where clouds tell who it is."""
_PASSIVE = ("about", "blob", "data", "chrome-error")
"""What a page may show of itself, and the browser in its place; nobody can be sent there."""


def allowed(url: str, domains: Sequence[str]) -> bool:
    """Return whether a URL's host is among the domains or below one of them; no domains allow every host but the
    machine's own link."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    if is_link_local(host) or "\\" in parts.netloc:  # a browser takes what is before a backslash for the host
        return False
    if not domains or parts.scheme in _PASSIVE:
        return True
    return any(_covers(domain.lower(), host, parts.port) for domain in domains)


def is_link_local(host: str) -> bool:
    """Return whether a host is an address of the machine's own link, in whatever form it is written."""
    name = host.lower().rstrip(".")
    try:
        found = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        try:
            found = ipaddress.ip_address(socket.inet_aton(name))  # 2852039166, 0xa9.254.43518
        except OSError:
            return name in LINK_LOCAL
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_link_local or f"[{found}]" in LINK_LOCAL


def own_addresses(nats_url: str) -> tuple[str, ...]:
    """Return what of a fleet itself is closed to its cases, as `host:port`: its NATS servers and their monitors."""
    servers = [urlsplit(server.strip()) for server in nats_url.split(",")]
    return tuple(f"{it.hostname}:{port}" for it in servers for port in (it.port or 4222, NATS_MONITOR))


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
    if url == "about:blank":
        return url
    if not _is_readable(url) or urlsplit(url).scheme not in ("http", "https"):
        text = f"{url!r} is not a web address: give a full one, such as https://example.com/login"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL, where=url)
    if not allowed(url, domains):
        raise DeviceRefused(outside(url, domains), failure=Failure.INVALID_CALL, where=url)
    return url


def refuse_untrusted(url: str, hosts: Sequence[str]) -> None:
    """Refuse a secret to an address that is not of these hosts; no hosts: to every one.

    Raises:
        DeviceRefused: it may not have one, and what to write into the case if it should.
    """
    if urlsplit(url).scheme in ("http", "https") and hosts and allowed(url, hosts):
        return
    host = urlsplit(url).netloc or url or "this page"
    known = f" ({', '.join(hosts)})" if hosts else ""
    text = f"a secret does not go to {host}: it is none of the hosts that the case names{known}. Add it to `domains`"
    raise DeviceRefused(text, failure=Failure.INVALID_CALL, where=url)


def outside(url: str, domains: Sequence[str]) -> str:
    """Return the words for a URL that is not allowed."""
    if is_link_local(urlsplit(url).hostname or ""):
        return f"{urlsplit(url).netloc} is an address of the machine's own link, which is closed to cases"
    return f"{urlsplit(url).netloc} is not among the allowed hosts ({', '.join(domains)})"


def address(url: str, base: str = "") -> str:
    """Return a full web address: `/cart` is meant on the page's own host, `shop.test` without its scheme is http."""
    if re.match(r"[a-z][a-z0-9+.-]*://|(about|data|javascript|mailto|file|blob):", url, re.IGNORECASE):
        return url
    if url.startswith(("/", "?", "#", "./", "../")):
        return joined(base, url) or url
    return f"http://{url}"


def joined(base: str, target: str) -> str:
    """Return where a link on a page leads; "" if nobody can tell, as of `http://[your-host]/` and `http://host:port/`."""
    try:
        full = urljoin(base, target)
    except ValueError:
        return ""
    return full if _is_readable(full) else ""


def _is_readable(url: str) -> bool:
    """Return whether a URL can be taken apart."""
    try:
        _ = urlsplit(url).port
    except ValueError:
        return False
    return True
