"""How a secret value may look wherever it is stored, so that every form of it can be blacked out. Pure."""

import base64
import html
import json
import re
from urllib.parse import quote, quote_plus

MASK = "••••••"

MARKS = "!'()*~"
"""Left as they are by JavaScript's encodeURIComponent, but not by forms or Python."""


def forms(value: str) -> set[str]:
    """Return how a value may look: plain, URL-encoded in each usual way, escaped for JSON, HTML or a shell, base64."""
    if not value:
        return set()
    plain = {value, html.escape(value), html.escape(value, quote=False), re.sub(r'([\\$`"])', r"\\\1", value)}
    escaped = {value, repr(value)[1:-1]}
    for _ in range(2):  # JSON within JSON: a request's body within a HAR
        escaped |= {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form in escaped for ascii_only in (True, False)}
    return plain | escaped | _url_encoded(value) | _base64(value)


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
    """Return the parts of a base64 text that are the same whatever stands before and after the value."""
    data, found = value.encode(), set[str]()
    for before in range(3):
        text = base64.b64encode(b"\0" * before + data).decode().rstrip("=")
        middle = text[(0, 2, 3)[before] : len(text) - (1 if (len(data) + before) % 3 else 0)]
        if len(middle) >= 6:
            found |= {middle, middle.replace("+", "-").replace("/", "_"), quote(middle, safe="")}
    return found
