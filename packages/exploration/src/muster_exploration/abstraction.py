"""Texts and addresses without what changes from one visit to the next: numbers, dates, ids. Pure."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache
from urllib.parse import parse_qsl, urljoin, urlsplit

from muster_protocol.codec import read_number

_MONTH = r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*\.?"
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-zä]*\.?,?"
_TOKENS = (
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"  # UUID
    r"|\b(?=[0-9a-z_-]*\d)(?=[0-9a-z_-]*[a-z])[0-9a-z_-]{16,}\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b"
)
_TOKEN = re.compile(_TOKENS)
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
_NOW = re.compile(rf"(?:{_MONTH} |\b)[\d.,/ -]*\b\d{{1,2}}:\d{{2}}:\d{{2}}\b|\b(?:an?|\d+) \w+ ago\b", re.IGNORECASE)
"""A time to the second, with the date before it, or how long ago something was: another one at each visit."""
_TYPED = frozenset({"q", "query", "search", "s", "term", "terms", "text", "keyword", "keywords", "suche", "name"})
"""Names of what people type into an address by a form."""
_DIGITS, _LETTER = re.compile(r"\d+"), re.compile(r"[a-z]")
_YEARS = range(1900, 2200)
FAR = 2
"""Pages of a sequence that one may lead to though they are not around it."""
GAP = "#"
"""Stands for what was taken out."""


def abstract_text(text: str) -> str:
    """Return a text in lower case with numbers, dates and ids taken out: `Cart (2)` is `cart (#)`."""
    return " ".join(_VOLATILE.sub(GAP, text.lower()).split())


def before_moment(text: str) -> str:
    """Return what stands before the moment that a text names; empty: it names none, or nothing stands before it."""
    found = _NOW.search(text)
    return text[: found.start()].rstrip(" :,-(") if found else ""


@lru_cache(maxsize=10_000)
def abstract_address(address: str) -> str:
    """Return an address with numbers and ids taken out of its path and query; of the query the names stay."""
    names, (page, fragment) = ",".join(view_of(address)), _page_parts(address)
    return f"{page}{f'?{names}' if names else ''}{fragment}"


@lru_cache(maxsize=10_000)
def abstract_page(address: str) -> str:
    """Return an abstract address without its query; a folder that repeats itself stands once, as in `/a/b/a/b`."""
    return "".join(_page_parts(address))


@lru_cache(maxsize=10_000)
def view_of(address: str) -> tuple[str, ...]:
    """Return what the query of an address asks for, in a fixed order: words stay, numbers and inputs are gaps."""
    pairs = parse_qsl(urlsplit(address).query, keep_blank_values=True)
    return tuple(sorted(f"{name}={_value(name, value)}" for name, value in pairs))


def query_pairs(address: str) -> frozenset[tuple[str, str]]:
    """Return the names and values of a query."""
    return frozenset(parse_qsl(urlsplit(address).query, keep_blank_values=True))


def carried_tokens(address: str, links: Sequence[str]) -> frozenset[str]:
    """Return the ids of an address that all links of its page pass on: a session's, not the page's."""
    own = frozenset(_TOKEN.findall(address.lower()))
    near = [link.lower() for link in links if urlsplit(link).netloc == urlsplit(address).netloc]
    return frozenset(token for token in own if len(near) > 1 and all(token in link for link in near))


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
    """Return whether a page links only to its neighbours among the pages of its kind, as in long lists and calendars.

    Two links may lead further, such as those to the first page and the last, or to today. A page that links to at most
    one other of its kind counts as well: in a chain of ids, nothing tells which one comes next.
    """
    kind, own = abstract_address(address), numbers_of(address)
    others = {numbers_of(full) for link in links if abstract_address(full := urljoin(address, link)) == kind} - {own}
    return len(others) <= 1 or _is_window(_places(own), [_places(other) for other in others])


def _is_window(own: tuple[int, ...], others: Sequence[tuple[int, ...]]) -> bool:
    """Return whether all but `FAR` of the places adjoin one's own without a gap."""
    if not own or any(len(other) != len(own) for other in others):
        return False
    varying = [at for at in range(len(own)) if any(other[at] != own[at] for other in others)]
    if len(varying) != 1:
        return False
    here, left = own[varying[0]], {other[varying[0]] for other in others}
    for step in (-1, 1):
        near = here + step
        while near in left:
            left.remove(near)
            near += step
    return len(left) < len(others) and len(left) <= FAR


def _places(numbers: tuple[str, ...]) -> tuple[int, ...]:
    """Return numbers as whole ones, a year with its month or day as one of them; () if they are none."""
    digits = [read_number(digit) for number in numbers for digit in _DIGITS.findall(number)]
    if any(_LETTER.search(number) for number in numbers):
        return ()
    for at in range(len(digits) - 1):
        year, month = digits[at : at + 2]
        day = digits[at + 2] if at + 2 < len(digits) else 0
        if year in _YEARS and 1 <= month <= 12:
            with suppress(ValueError):
                return (*digits[:at], date(year, month, day).toordinal(), *digits[at + 3 :])
            return (*digits[:at], year * 12 + month, *digits[at + 2 :])
    return tuple(digits)


def _page_parts(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    fragment = f"#{abstract_text(parts.fragment)}" if _is_route(parts.fragment) else ""
    path = "/".join(_unrepeated([abstract_text(part) for part in parts.path.rstrip("/").split("/")]))
    return f"{parts.scheme}://{parts.netloc.lower()}{path or '/'}", fragment


def _unrepeated(parts: Sequence[str]) -> list[str]:
    """Return the parts of a path, of those that repeat what stands before them one round."""
    kept: list[str] = []
    for part in parts:
        kept.append(part)
        for length in range(1, len(kept) // 2 + 1):
            if GAP not in kept[-length:] and kept[-length:] == kept[-2 * length : -length]:
                del kept[-length:]
                break
    return kept


def _is_route(fragment: str) -> bool:
    """Return whether a fragment names a page of a one-page app, not a place within the page."""
    return fragment.startswith(("/", "!"))


def _value(name: str, value: str) -> str:
    """Return a value of a query: a short word says which view it is, anything else is somebody's input."""
    typed = name.lower() in _TYPED
    return value.lower() if not typed and re.fullmatch(r"[A-Za-z_-]{1,20}", value) else GAP
