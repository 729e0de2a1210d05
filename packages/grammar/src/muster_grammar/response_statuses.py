"""How sentences name the status of a response: by number, by class, or in the words of HTTP. Pure."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Literal, NamedTuple

from muster_grammar.tokens import Words, folded, line


class Status(NamedTuple):
    """A response status, or with `match` "class" its first digit."""

    status: int
    match: Literal["is", "class"]


_REASONS = {one.phrase.lower(): str(one.value) for one in HTTPStatus if one.value >= 400 and one.phrase.isascii()}
"""Statuses of failures by what HTTP calls them: "not found"."""
REASONS_PATTERN = "|".join(line(folded(reason))[1:] for reason in _REASONS)


def read_status(some: Words) -> Sequence[Status]:
    """Read a status, none if the words are no status."""
    text = some[0].text.lower()
    text = re.sub(r"(?<=^\d\d\d) [a-z' -]+$", "", text)  # "404 Not Found"
    text = _REASONS.get(" ".join(token.text.lower() for token in some), text)
    if not re.fullmatch(r"[1-5](?:\d\d|xx)", text):
        return ()
    return (Status(int(text[0]), "class") if text.endswith("xx") else Status(int(text), "is"),)
