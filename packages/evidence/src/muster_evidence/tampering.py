"""Does a call bring about by itself what only the product may show? Pure; worker and orchestrator agree on it.

Nobody can tell every such call from honest work. These rules know the usual ways: the text as it is, in pieces,
encoded, turned round, computed, or put into a program of its own.
"""

import base64
import binascii
import re
from collections.abc import Collection, Iterator
from urllib.parse import unquote_plus

from muster_text.wording import stands_alone

_INLINE = r"(?:\b(?:echo|printf)\b|<<)"
_COMPOSED = (
    re.compile(_INLINE + r"[^|]*\|\s*(?:base64|xxd|rev|tr|sed|awk|openssl|gunzip|zcat)\b", re.DOTALL),
    re.compile(r"\bchr\(|fromCharCode|\\x[0-9a-f]{2}|\\[0-3][0-7]{2}|\$'", re.IGNORECASE),
    re.compile(r"(?:^|[;&\s])(\w+)=[^\s;&$`]+.*\b(?:echo|printf)\b[^|;]*\$\{?\1\b", re.DOTALL),
)
"""Commands that put a text together in a way that hides it."""
_PRINTS = r"(?:\b(?:echo|printf)\b|\bprint\s*\(|\bcat\s*<<)"
_PROGRAM = (
    re.compile(r"\b(?:echo|printf)\s+(?:-\S+\s+)?(['\"]).*?(?:#!|" + _PRINTS + r").*?\1.*>\s*[^&\s]", re.DOTALL),
    re.compile(r"<<-?\s*['\"]?(\w+).*\n.*" + _PRINTS + r".*\n\s*\1", re.DOTALL),
    re.compile(r"write(?:_text)?\(.*" + _PRINTS, re.DOTALL),
)
"""Commands that write a program which prints."""
_STAND_IN = re.compile(
    r"\b(?:ln|cp|install)\b[^;&|]*(?:/bin/|\bwhich\s+|command -v\s+)(?:true|false|echo|yes|cat|printf|busybox|env)\b"
    r"|\balias\s+\w+=|(?:^|[;&\s])[\w-]+\s*\(\)\s*\{"
)
"""Commands that put something else in the place of a program."""
_PRINTED = re.compile(r"\b(?:echo|printf|print\s*\()\s*((?:\"[^\"]*\"|'[^']*'|[^;|&>\n])+)")
"""What a command prints of its own."""
_SCRIPT = re.compile(r"\A#!|(?:^|[;&|])\s*" + _PRINTS, re.MULTILINE)
_SHORTEST = 4
"""Letters and digits a text must have to be looked for in pieces."""


def forms(text: str) -> Iterator[str]:
    """Yield a text, and what hides in it: unescaped, without quotes and gaps, decoded; small letters."""
    plain = _unescaped(text.casefold())
    yield from (text.casefold(), plain, squash(plain))
    for token in re.findall(r"[A-Za-z0-9+/]{6,}={0,2}", text):
        with_padding = token + "=" * (-len(token) % 4)
        try:
            yield base64.b64decode(with_padding, validate=True).decode().casefold()
        except (binascii.Error, UnicodeDecodeError):
            continue


def squash(text: str) -> str:
    """Return a text with runs of white space as one blank, as pages show it."""
    return " ".join(text.split())


def names(texts: Collection[str], literal: str) -> bool:
    """Return whether any of the texts has a literal, in whatever form; a short one as a word of its own."""
    wanted = squash(literal.casefold())
    short = len(_letters(literal)) < _SHORTEST
    return any(stands_alone(form, wanted) if short else wanted in form for text in texts for form in forms(text))


def is_pieced_together(command: str, literal: str) -> bool:
    """Return whether all that a command prints of its own has the letters of a literal in a row, either way round."""
    letters = _letters(literal)
    printed = "".join(_letters(found) for found in _PRINTED.findall(command))
    return len(letters) >= _SHORTEST and (letters in printed or letters in printed[::-1])


def composes(command: str) -> bool:
    """Return whether a command makes up a text in a way that hides what it says."""
    return any(pattern.search(command) for pattern in _COMPOSED)


def writes_program(command: str) -> bool:
    """Return whether a command writes a program that prints."""
    return any(pattern.search(command) for pattern in _PROGRAM)


def stands_in(command: str) -> bool:
    """Return whether a command puts something else in the place of a program."""
    return _STAND_IN.search(command) is not None


def is_program(content: str) -> bool:
    """Return whether the content of a file is a program, or prints something."""
    return _SCRIPT.search(content) is not None


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _unescaped(text: str) -> str:
    """Return a text without what hides a literal from a plain search: percent signs (twice), quotes, backslashes."""
    return re.sub(r"[\"'\\]", "", unquote_plus(unquote_plus(text)))
