"""Lists the encodings in which a secret value may be stored, so that all of them can be masked. Pure."""

import base64
import html
import json
import re
from itertools import product, starmap
from typing import NamedTuple
from urllib.parse import quote, quote_plus

MASK = "••••••"

MARKS = "!'()*~"
"""Characters that JavaScript's encodeURIComponent leaves as they are, but forms and Python encode."""

APOSTROPHES = ("'", "&#x27;", "&#39;", "&#039;", "&apos;")
QUOTES = ('"', "&quot;", "&#34;")
"""Spellings in HTML."""

SHORTEST_BASE64 = 4
"""Minimum characters of base64 to search for; fewer match by chance."""
SHORTEST_HEX = 3
"""Minimum bytes of a secret to search for in hex."""
SHORTEST_DOUBLE_BASE64 = 5
"""Minimum characters of base64 to search for encoded twice."""


class _Style(NamedTuple):
    """Optional escaping of a JSON writer: `/`, and marks or non-ASCII letters as `\\uXXXX` in either case of hex."""

    upper: bool
    marks: str
    slash: bool
    ascii_only: bool

    def written(self, text: str) -> str:
        """Return a text as the content of a JSON string."""
        escaped = json.dumps(text, ensure_ascii=self.ascii_only)[1:-1]
        return re.sub(r"\\u[0-9a-f]{4}|\\.|.", lambda match: self._piece(match.group()), escaped)

    def _piece(self, piece: str) -> str:
        mark = piece[-1]
        if len(piece) <= 2 and mark in self.marks and piece in (mark, '\\"'):
            piece = f"\\u{ord(mark):04x}"
        elif piece == "/" and self.slash:
            piece = r"\/"
        return rf"\u{piece[2:].upper()}" if self.upper and len(piece) == 6 else piece


STYLES = tuple(starmap(_Style, product((False, True), ("", "<>&", "<>&'", "<>&'\"+`"), (False, True), (True, False))))
"""All combinations; the first two are the common ones."""


def forms(value: str) -> set[str]:
    """Return the encodings of a value: plain, in other cases, URL-encoded, escaped for JSON, HTML or a shell, each
    character as a number, hex, base64, and base64 encoded twice."""
    if not value:
        return set()
    shell, python = re.sub(r'([\\$`"])', r"\\\1", value), repr(value)[1:-1]
    escaped = {form for text in {value, python} for form in _json(text)}
    packed = _base64(value)
    twice = {form for text in packed if len(text) >= SHORTEST_DOUBLE_BASE64 for form in _base64(text)}
    found = {value, shell, python} | escaped | _html(value) | _url_encoded(value) | _numbered(value) | packed | twice
    return found | {form for text in _letters(value) for form in ({text, quote(text, safe="")} | _html(text))}


def _letters(value: str) -> set[str]:
    """Return a value in the letter cases that style sheets and programs produce."""
    return {value.upper(), value.lower(), value.title(), value.swapcase(), value[:1].upper() + value[1:]}


def _numbered(value: str) -> set[str]:
    """Return a value with each character or byte as a number: hex, `%70`, `\\x70`, `\\u0070`, `&#112;`, `&#x70;`."""
    data = value.encode(errors="surrogatepass")
    units = value.encode("utf-16-be", errors="surrogatepass").hex()
    found = {"".join(f"{start}{byte:02x}" for byte in data) for start in ("%", r"\x")}
    found |= {"".join(rf"\u{units[at : at + 4]}" for at in range(0, len(units), 4))}
    found |= {"".join(f"&#{start}{ord(one):x}{end}" for one in value) for start in ("x", "x00") for end in (";", "")}
    found |= {data.hex()} if len(data) >= SHORTEST_HEX else set()
    upper = {re.sub(r"(?<![\\&#])[a-f]", lambda letter: letter.group().upper(), form) for form in found}
    return found | upper | {"".join(f"&#{ord(one)}{end}" for one in value) for end in (";", "")}


def _html(value: str) -> set[str]:
    text = html.escape(value, quote=False)
    return {text.replace("'", one).replace('"', two) for one in APOSTROPHES for two in QUOTES}


def _json(value: str) -> set[str]:
    """Return a value as JSON, and as JSON within JSON, such as a request body in a HAR."""
    usual = STYLES[:2]
    found = {style.written(value): style for style in STYLES}  # styles with the same result count once
    within = {outer.written(inner) for inner, style in found.items() for outer in (style, *usual)}
    inside_usual = {style.written(first.written(value)) for style in found.values() for first in usual}
    return {*found, *within, *inside_usual}


def _url_encoded(value: str) -> set[str]:
    encoded = {
        quote(value),
        quote(value, safe=""),
        quote(value, safe=MARKS),
        quote(value, safe=MARKS + ";,/?:@&=+$#"),
        quote_plus(value),
        quote_plus(value, safe="*").replace("~", "%7E"),
    }
    return encoded | {re.sub(r"%[0-9A-F]{2}", lambda match: match.group().lower(), form) for form in encoded}


def _base64(value: str) -> set[str]:
    """Return the parts of a base64 text that do not depend on the bytes before and after the value."""
    data, found = value.encode(errors="surrogatepass"), set[str]()
    for before in range(3):
        text = base64.b64encode(b"\0" * before + data).decode().rstrip("=")
        middle = text[(0, 2, 3)[before] : len(text) - (1 if (len(data) + before) % 3 else 0)]
        if len(middle) >= SHORTEST_BASE64:
            found |= {middle, middle.replace("+", "-").replace("/", "_"), quote(middle, safe="")}
    return found
