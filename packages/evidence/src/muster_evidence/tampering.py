"""Does a call bring about by itself what only the product may show? Pure; worker and orchestrator agree on it.

Nobody can tell every such call from honest work. These rules know the usual ways: the text as it is, in pieces,
encoded, turned round, computed, or put into a program of its own.
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
"""Commands that put something else in the place of a program."""
_PRINTED = re.compile(r"\b(?:echo|printf|print\s*\()\s*((?:\"[^\"]*\"|'[^']*'|[^;|&>\n])+)")
"""What a command prints of its own."""
_SCRIPT = re.compile(rf"\A#!|(?:^|[;&|])[^\S\n]*{_PRINTS_TEXT}", re.MULTILINE)
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
    return _CODES.search(command) is not None or _decodes(command) or _prints_variable(command)


def _decodes(command: str) -> bool:
    """Return whether what is printed goes through a program that changes it."""
    pieces = command.split("|")
    return any(_INLINE.search(one) and _DECODER.match(following) for one, following in pairwise(pieces))


def _prints_variable(command: str) -> bool:
    """Return whether a variable is set, and then printed."""
    known: dict[str, int] = {}
    printing = -1
    for found in _VARIABLES.finditer(command):
        match found.lastgroup:
            case "set":
                known.setdefault(found["set"], found.end() + 1)  # after a value of one letter
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
    """Return whether a quoted text that prints goes into a file: each part is looked for after the one before."""
    begins = _QUOTED[quote].search(command)
    prints = begins and _PROGRAM_OR_PRINTS.search(command, begins.end())
    closes = command.find(quote, prints.end()) if prints else -1
    return closes >= 0 and _REDIRECTED.search(command, closes + 1) is not None


def _feeds_program(command: str) -> bool:
    """Return whether a here-document holds a line that prints."""
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
    """Return whether a command puts something else in the place of a program."""
    for part in _COMMAND_END.split(command):
        copies = _COPIES.search(part)
        if copies and _TOOL.search(part, copies.end()):
            return True
    return _RENAMES.search(command) is not None


def is_program(content: str) -> bool:
    """Return whether the content of a file is a program, or prints something."""
    return _SCRIPT.search(content) is not None


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _unescaped(text: str) -> str:
    """Return a text without what hides a literal from a plain search: percent signs (twice), quotes, backslashes."""
    return re.sub(r"[\"'\\]", "", unquote_plus(unquote_plus(text)))
