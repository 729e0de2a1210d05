"""Does a call itself produce what only the product may show? Pure; worker and orchestrator apply the same rules.

No rule can tell every such call from honest work. These rules know the usual ways: the text as it is, in pieces,
encoded, reversed, computed, or printed by a new program.
"""

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from itertools import pairwise
from urllib.parse import unquote_plus

from muster_text.wording import stands_alone

_INLINE = re.compile(r"\b(?:echo|printf)\b|<<")
_DECODER = re.compile(r"\s*(?:base64|xxd|rev|tr|sed|awk|openssl|gunzip|zcat)\b")
_CODES = re.compile(r"\bchr\(|fromCharCode|\\x[0-9a-f]{2}|\\[0-3][0-7]{2}|\$'", re.IGNORECASE)
_VARIABLES = re.compile(
    r"(?<![^;&\s])(?P<set>\w+)=(?=[^\s;&$`])|(?P<prints>\b(?:echo|printf)\b)|(?P<ends>[|;])|\$\{?(?P<used>\w+)"
)
_PRINTS_TEXT = r"(?:\b(?:echo|printf)\b|\bprint\s*\(|\bcat\s*<<)"
_PRINTS = re.compile(_PRINTS_TEXT)
_QUOTED = {quote: re.compile(rf"\b(?:echo|printf)\s+(?:-\S+\s+)?{quote}") for quote in "'\""}
_PROGRAM_OR_PRINTS = re.compile(rf"#!|{_PRINTS_TEXT}")
_REDIRECTED = re.compile(r">\s*[^&\s]")
_HERE = re.compile(r"<<-?\s*['\"]?(\w)")
_LINE_BEGINS = re.compile(r"\n[^\S\n]*(\w)")
_WRITES = re.compile(r"write(?:_text)?\(")
_COPIES = re.compile(r"\b(?:ln|cp|install)\b")
_TOOL = re.compile(r"(?:/bin/|\bwhich\s+|command -v\s+)(?:true|false|echo|yes|cat|printf|busybox|env)\b")
_COMMAND_END = re.compile(r"[;&|]")
_RENAMES = re.compile(r"\balias\s+\w+=|(?:^|[;&\s])[\w-]+\s*\(\)\s*\{")
"""Commands that replace a program with something else."""
_PRINTED = re.compile(r"\b(?:echo|printf|print\s*\()\s*((?:\"[^\"]*\"|'[^']*'|[^;|&>\n])+)")
"""The text that a command prints itself."""
_SCRIPT = re.compile(rf"\A#!|(?:^|[;&|])[^\S\n]*{_PRINTS_TEXT}", re.MULTILINE)
_SHORTEST = 4
"""Fewest letters and digits of a text that is searched for in pieces."""


def forms(text: str) -> Iterator[str]:
    """Yield a text in lower case: as it is, unescaped without quotes, with white space squashed, and base64-decoded."""
    plain = _unescaped(text.casefold())
    yield from (text.casefold(), plain, squash(plain))
    for token in re.findall(r"[A-Za-z0-9+/]{6,}={0,2}", text):
        with_padding = token + "=" * (-len(token) % 4)
        try:
            yield base64.b64decode(with_padding, validate=True).decode().casefold()
        except (binascii.Error, UnicodeDecodeError):
            continue


def squash(text: str) -> str:
    """Return a text with each run of white space as one space, as pages show it."""
    return " ".join(text.split())


def names(texts: Collection[str], literal: str) -> bool:
    """Return whether any of the texts contains a literal in any form; a short literal must stand alone."""
    wanted = squash(literal.casefold())
    short = len(_letters(literal)) < _SHORTEST
    return any(stands_alone(form, wanted) if short else wanted in form for text in texts for form in forms(text))


def is_pieced_together(command: str, literal: str) -> bool:
    """Return whether the letters that a command prints contain those of a literal, forwards or backwards."""
    letters = _letters(literal)
    printed = "".join(_letters(found) for found in _PRINTED.findall(command))
    return len(letters) >= _SHORTEST and (letters in printed or letters in printed[::-1])


def composes(command: str) -> bool:
    """Return whether a command builds a text from codes, through a decoder or from variables."""
    return _CODES.search(command) is not None or _decodes(command) or _prints_variable(command)


def _decodes(command: str) -> bool:
    """Return whether printed text is piped through a program that changes it."""
    pieces = command.split("|")
    return any(_INLINE.search(one) and _DECODER.match(following) for one, following in pairwise(pieces))


def _prints_variable(command: str) -> bool:
    """Return whether a variable is set and then printed."""
    known: dict[str, int] = {}
    printing = -1
    for found in _VARIABLES.finditer(command):
        match found.lastgroup:
            case "set":
                known.setdefault(found["set"], found.end() + 1)  # the value has at least one letter
            case "prints":
                printing = found.start()
            case "ends":
                printing = -1
            case _ if known.get(found["used"], len(command)) <= printing:
                return True
            case _:
                pass
    return False


def writes_program(command: str) -> bool:
    """Return whether a command writes a program that prints."""
    written = _WRITES.search(command)
    if written and _PRINTS.search(command, written.end()):
        return True
    return any(_redirects_program(command, quote) for quote in _QUOTED) or _feeds_program(command)


def _redirects_program(command: str, quote: str) -> bool:
    """Return whether a quoted program that prints is redirected into a file; takes linear time."""
    begins = _QUOTED[quote].search(command)
    prints = begins and _PROGRAM_OR_PRINTS.search(command, begins.end())
    closes = command.find(quote, prints.end()) if prints else -1
    return closes >= 0 and _REDIRECTED.search(command, closes + 1) is not None


def _feeds_program(command: str) -> bool:
    """Return whether a here-document contains a line that prints; takes close to linear time."""
    prints = [(found.start(), found.end()) for found in _PRINTS.finditer(command)]
    last = {found[1]: found.start() for found in _LINE_BEGINS.finditer(command)}
    first: dict[str, int] = {}
    for found in _HERE.finditer(command):
        first.setdefault(found[1], found.end())
    for letter, begins in first.items():
        line = command.find("\n", begins)
        at = bisect_right(prints, (line, 0)) if line >= 0 else len(prints)
        if at < len(prints) and prints[at][1] <= last.get(letter, -1):
            return True
    return False


def stands_in(command: str) -> bool:
    """Return whether a command replaces a program with something else."""
    for part in _COMMAND_END.split(command):
        copies = _COPIES.search(part)
        if copies and _TOOL.search(part, copies.end()):
            return True
    return _RENAMES.search(command) is not None


def is_program(content: str) -> bool:
    """Return whether a file's content is a program, or a command that prints."""
    return _SCRIPT.search(content) is not None


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _unescaped(text: str) -> str:
    """Return a text percent-decoded (twice) and without quotes and backslashes, which can hide a literal."""
    return re.sub(r"[\"'\\]", "", unquote_plus(unquote_plus(text)))
