"""Escapes a sentence for its place in a file: quotes doubled, bars and backslashes escaped. Pure."""

import re

from muster_authoring.sentence_cursor import Style

_UNSAFE = re.compile(r":(?=\s|$)|\s#")
"""What ends a text in YAML that stands without quotes."""
_UNSAFE_START = re.compile(r"[-?:](?=\s|$)|[\s,\[\]{}#&*!|>'\"%@`]")


def styled(text: str, style: Style, *, first: bool, last: bool) -> str | None:
    """Return a text as it is written in a style; None if it cannot be.

    `first` and `last` say whether nothing else of the sentence stands before and after it.
    """
    if "\n" in text:
        return None
    match style:
        case "single":
            return text.replace("'", "''")
        case "double":
            return text.replace("\\", "\\\\").replace('"', '\\"')
        case "cell":
            return text.replace("|", "\\|")
        case "plain" if _UNSAFE.search(text) or (first and _UNSAFE_START.match(text)):
            quoted = text.replace("'", "''")
            return f"'{quoted}'" if first and last else None
        case _:
            return text
