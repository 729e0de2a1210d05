"""Finds the hosts that a test case names. Pure.

`Open "http://shop.test:8080/login"` names `shop.test:8080`.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from muster_protocol.requests import TestCase
from muster_text.values import fill_known

_ADDRESS = re.compile(r"https?://[^\s\"'“”‘’`<>\\]+", re.IGNORECASE)
_BARE = re.compile(
    r"\b(?:open|opens|visit|visits|go to|goes to|navigate to|browse to)\s+(?:(?:the|page|site|address|url)\s+){0,3}"
    r"[\"'“‘`]?((?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+){0,8}\.(?:[a-z]{2,}|\d{1,3}))(?::\d{1,5})?)(?=[/?#\s\"'”’`]|$)",
    re.IGNORECASE,
)
"""A host without a scheme, after a verb such as "open"."""


def hosts_named(case: TestCase) -> tuple[str, ...]:
    """Return the hosts in steps, preconditions and variables, with their ports if given."""
    return hosts_in((*(fill_known(text, case.variables) for text in case.texts), *case.variables.values()))


def hosts_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the hosts of the addresses in texts, in order, without duplicates."""
    found: dict[str, None] = {}
    for text in texts:
        addresses = (match.group() for match in _ADDRESS.finditer(text))
        bare = (f"http://{match.group(1)}" for match in _BARE.finditer(text))
        for address in (*addresses, *bare):
            found |= dict.fromkeys(_host(address))
    return tuple(found)


def _host(address: str) -> tuple[str, ...]:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return ()
    host = (parts.hostname or "").rstrip(".,;")
    return (f"{host}:{port}" if port else host,) if host else ()
