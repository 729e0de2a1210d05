"""Texts and addresses without what changes from one visit to the next: numbers, dates, ids. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import parse_qsl, urljoin, urlsplit

_MONTH = r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*\.?"
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-zä]*\.?,?"
_VOLATILE = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"  # UUID
    rf"|\b(?:{_DAY} )?\d{{1,2}}\.? {_MONTH}(?: \d{{2,4}})?\b"  # 24 December 2026
    rf"|\b(?:{_DAY} )?{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:, \d{{2,4}})?\b"  # December 24, 2026
    rf"|\b{_MONTH} \d{{4}}\b"
    r"|\b(?=[0-9a-z_-]*\d)(?=[0-9a-z_-]*[a-z])[0-9a-z_-]{16,}\b"  # a token
    r"|\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b"
    r"|[-+]?\d+(?:[.,:/-]\d+)*"
    r"|\b\d+(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_TYPED = frozenset({"q", "query", "search", "s", "term", "terms", "text", "keyword", "keywords", "suche", "name"})
"""Names of what people type into an address by a form."""
GAP = "#"
"""Stands for what was taken out."""


def abstract_text(text: str) -> str:
    """Return a text in lower case with numbers, dates and ids taken out: `Cart (2)` is `cart (#)`."""
    return " ".join(_VOLATILE.sub(GAP, text.lower()).split())


@lru_cache(maxsize=10_000)
def abstract_address(address: str) -> str:
    """Return an address with numbers and ids taken out of its path and query; of the query the names stay."""
    parts = urlsplit(address)
    names = ",".join(
        sorted(f"{name}={_value(name, value)}" for name, value in parse_qsl(parts.query, keep_blank_values=True))
    )
    fragment = f"#{abstract_text(parts.fragment)}" if _is_route(parts.fragment) else ""
    path = "/".join(abstract_text(part) for part in parts.path.rstrip("/").split("/"))
    return f"{parts.scheme}://{parts.netloc.lower()}{path or '/'}{f'?{names}' if names else ''}{fragment}"


def numbers_of(address: str) -> tuple[str, ...]:
    """Return what `abstract_address` takes out of an address, in a fixed order."""
    parts = urlsplit(address)
    pairs = sorted(parse_qsl(parts.query, keep_blank_values=True))
    texts = [
        *parts.path.split("/"),
        *(value for _, value in pairs),
        parts.fragment if _is_route(parts.fragment) else "",
    ]
    return tuple(match for text in texts for match in _VOLATILE.findall(text.lower()))


def is_sequence(address: str, links: Sequence[str]) -> bool:
    """Return whether a page leads on to the next and the previous of its kind alone, as pages of long lists do.

    At most one other page of its kind is a sequence, too: of a chain of ids nobody can tell which is the next.
    """
    kind, own = abstract_address(address), numbers_of(address)
    others = {numbers_of(full) for link in links if abstract_address(full := urljoin(address, link)) == kind} - {own}
    return len(others) <= 1 or all(_is_neighbour(own, other) for other in others)


def _is_neighbour(own: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if len(own) != len(other):
        return False
    pairs = [(one, two) for one, two in zip(own, other, strict=True) if one != two]
    whole = all(one.lstrip("-+").isdecimal() and two.lstrip("-+").isdecimal() for one, two in pairs)
    return whole and all(abs(int(one) - int(two)) <= 1 for one, two in pairs)


def _is_route(fragment: str) -> bool:
    """Return whether a fragment names a page of a one-page app, not a place within the page."""
    return fragment.startswith(("/", "!"))


def _value(name: str, value: str) -> str:
    """Return a value of a query: a short word says which view it is, anything else is somebody's input."""
    typed = name.lower() in _TYPED
    return value.lower() if not typed and re.fullmatch(r"[A-Za-z_-]{1,20}", value) else GAP
