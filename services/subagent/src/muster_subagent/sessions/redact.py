"""Taking secret values out of what a session stores, in every form they may have there. Pure."""

import base64
import html
import json
import re
from collections.abc import Iterable
from typing import Any, cast
from urllib.parse import quote, quote_plus

from muster_subagent.secrets import MASK

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


class Redactor:
    """Knows the values of a session's secrets; never printed, logged or encoded."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = frozenset(values)
        self._forms = sorted({form for value in self._values for form in forms(value)}, key=len, reverse=True)
        self._bytes = [form.encode(errors="surrogatepass") for form in self._forms]
        self._whole = re.compile("|".join(map(re.escape, self._forms)))
        self._firsts = {form[0] for form in self._forms}

    def __repr__(self) -> str:
        return f"Redactor({len(self._values)} values)"

    def __bool__(self) -> bool:
        return bool(self._forms)

    def knowing(self, values: Iterable[str]) -> "Redactor":
        """Return one that knows these values too."""
        wider = self._values.union(values)
        return self if wider == self._values else Redactor(wider)

    def holds(self, data: str | bytes) -> bool:
        """Return whether any form of any value stands in the text or the bytes."""
        if isinstance(data, bytes):
            return any(form in data for form in self._bytes)
        return any(form in data for form in self._forms)

    def mask(self, text: str) -> str:
        """Return the text with every form of every value blacked out."""
        for form in self._forms:
            text = text.replace(form, MASK)
        return text

    def masked(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """Return a JSON value with all its strings masked; numbers stay, so that its type stays what it was."""
        match value:
            case str():
                return self.mask(value)
            case list():
                return [self.masked(item) for item in cast("list[Any]", value)]
            case dict():
                items = cast("dict[str, Any]", value).items()
                return {self.mask(key): self.masked(item) for key, item in items}
            case _:
                return value

    def split(self, text: str) -> tuple[str, str]:
        """Return what can be masked now, and the end that may begin a value and waits for what follows."""
        if not self:
            return text, ""
        cut = len(text) - self._unfinished(text)
        for found in self._whole.finditer(text):
            if found.start() < cut < found.end():
                cut = found.start()
        return text[:cut], text[cut:]

    def _unfinished(self, text: str) -> int:
        tail = text[max(0, len(text) - len(self._forms[0]) + 1) :]
        for index, character in enumerate(tail):
            if character in self._firsts and any(form.startswith(tail[index:]) for form in self._forms):
                return len(tail) - index
        return 0
