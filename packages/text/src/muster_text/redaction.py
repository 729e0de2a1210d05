"""Masks secret values, in every encoding, in whatever a session stores. Pure."""

import contextlib
import re
from collections.abc import Iterable
from typing import Any, cast

from muster_text.masking import MASK, forms


class Redactor:
    """Holds the values of a session's secrets; never print, log or encode it."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = frozenset(values)
        self._forms = sorted({form for value in self._values for form in forms(value)}, key=len, reverse=True)
        self._bytes = [form.encode(errors="surrogatepass") for form in self._forms]
        self._bytes += [data for value in self._values if value for data in _other_encodings(value)]
        self._whole = re.compile("|".join(map(re.escape, self._forms)))
        self._firsts = {form[0] for form in self._forms}

    def __repr__(self) -> str:
        return f"Redactor({len(self._values)} values)"

    def __bool__(self) -> bool:
        return bool(self._forms)

    def knowing(self, values: Iterable[str]) -> "Redactor":
        """Return a redactor that masks these values too."""
        wider = self._values.union(values)
        return self if wider == self._values else Redactor(wider)

    def holds(self, data: str | bytes) -> bool:
        """Return whether the text or bytes contain a value in any encoding."""
        if isinstance(data, bytes):
            return any(form in data for form in self._bytes)
        return any(form in data for form in self._forms)

    def mask(self, text: str) -> str:
        """Return the text with every encoding of every value masked."""
        for form in self._forms:
            text = text.replace(form, MASK)
        return text

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the (start, end) of each value in the text, in any encoding."""
        return [found.span() for found in self._whole.finditer(text)] if self else []

    def masked(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """Return a JSON value with its strings masked; a number that is a secret becomes 0, to keep the type."""
        match value:
            case str():
                return self.mask(value)
            case list():
                return [self.masked(item) for item in cast("list[Any]", value)]
            case dict():
                items = cast("dict[str, Any]", value).items()
                return {self.mask(key): self.masked(item) for key, item in items}
            case int() | float() if str(value) in self._values:
                return 0
            case _:
                return value

    def split(self, text: str) -> tuple[str, str]:
        """Split a chunk of a stream: text to mask now, and an end that may be the start of a value."""
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


def _other_encodings(value: str) -> list[bytes]:
    """Return a value in encodings other than UTF-8."""
    found = [value.encode(encoding, errors="surrogatepass") for encoding in ("utf-16-le", "utf-16-be")]
    with contextlib.suppress(UnicodeEncodeError):
        found += [data] if (data := value.encode("cp1252")) != value.encode(errors="surrogatepass") else []
    return found
