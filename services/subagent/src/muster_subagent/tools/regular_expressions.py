"""Regular expressions as people and models write them, run by RE2: in time linear in the text, whatever they say. Pure.

Written as for Python's `re` with MULTILINE. `\\w`, `\\d` and `\\s` mean letters, digits and blanks of every script:
RE2 knows them in ASCII alone, so they become classes of the characters that the text has.
"""

import re
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, cast

import re2

from muster_protocol.causes import Failure
from muster_subagent.tools.tool import ToolError

LONGEST = 1000
"""Characters of an expression."""
MOST_WORK = 20_000_000
"""Instructions of an expression times bytes of a text; RE2 takes 5 ns for each at worst, and mostly far less."""
MOST_SECONDS = 2.0
"""For all matches in a text together."""

_OPTIONS: Final = re2.Options()
_OPTIONS.log_errors = False

_ASCII = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\x09-\x0d\x1c-\x20"}
_ASCII_OTHER = {"d": r"\x00-/:-\x7f", "w": r"\x00-/:-@\[-\^`{-\x7f", "s": r"\x00-\x08\x0e-\x1b\x21-\x7f"}
_BEYOND: dict[str, Callable[[str], bool]] = {"d": str.isdecimal, "w": str.isalnum, "s": str.isspace}
_PIECE = re.compile(r"\\(?P<code>u[0-9A-Fa-f]{4}|.)|(?P<open>\[\^?\]?)|(?P<close>\])|(?P<upto>\{,(?=\d*\}))", re.DOTALL)
_REFERENCE = re.compile(r"invalid escape sequence: \\[1-9]|\(\?P$")
_LOOKAROUND = re.compile(r"\(\?<?[=!]")


class RegularExpression:
    """A regular expression that can be run on any text.

    Raises:
        ToolError: it is none, is too long, or asks for what RE2 cannot do.
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise _refusal(f"a regular expression has at most {LONGEST:,} characters, and this one has {len(text):,}")
        if _storable(text) != text:
            raise _refusal("this regular expression contains half a character (a lone surrogate)")
        self._text = text
        _compile(text, "")

    def is_in(self, text: str) -> bool:
        """Return whether it matches somewhere in a text.

        Raises:
            ToolError: the text is too long for it.
        """
        text = _storable(text)
        return self._for(text).search(text) is not None

    def find_values(self, text: str) -> Iterator[str]:
        """Yield each match in a text: its first group if it has one, else all of it.

        Raises:
            ToolError: the text is too long for it.
        """
        text, deadline = _storable(text), time.monotonic() + MOST_SECONDS
        compiled = self._for(text)
        for match in compiled.finditer(text):
            yield (match.group(1) if compiled.groups else match.group(0)) or ""
            if time.monotonic() > deadline:
                raise _refusal(f"{self._text!r} matches too often in a text of {len(text):,} characters")

    def _for(self, text: str) -> Any:  # noqa: ANN401 - re2 has no types
        beyond = "" if text.isascii() else "".join(sorted(one for one in set(text) if one > "\x7f"))
        compiled, size = _compile(self._text, beyond), len(text.encode())
        if compiled.programsize * size > MOST_WORK:
            raise _refusal(f"{self._text!r} is too costly for a text of {size:,} bytes: make it, or the text, smaller")
        if _asks_for_boundary(self._text) and (letter := next(filter(str.isalnum, beyond), "")):
            instead = r"`(^|\W)` and `(\W|$)`"
            raise _refusal(rf"`\b` cannot be told beside letters like {letter!r}, which the text has: use {instead}")
        return compiled


def _refusal(text: str) -> ToolError:
    return ToolError(text, failure=Failure.INVALID_CALL)


def _storable(text: str) -> str:
    """Return a text as it can be encoded: halves of characters become question marks."""
    return text if text.isascii() else text.encode(errors="replace").decode()


@lru_cache(maxsize=64)
def _compile(text: str, beyond: str) -> Any:  # noqa: ANN401 - re2 has no types
    try:
        return cast("Any", re2).compile(f"(?m){_translate(text, beyond)}", _OPTIONS)
    except cast("type[Exception]", re2.error) as error:
        said = cast("bytes", error.args[0]).decode(errors="replace").replace("(?m)", "")
        if _LOOKAROUND.search(said):
            said = "it may not look ahead or behind, `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`"
        elif _REFERENCE.search(said):
            said = "it may not refer back to a group"
        raise _refusal(f"{text!r} is not a regular expression that can be run in bounded time (RE2): {said}") from None


def _translate(text: str, beyond: str) -> str:
    """Translate an expression to RE2's syntax, for texts with these non-ASCII characters."""
    inside, pieces, end = False, list[str](), 0
    for piece in _PIECE.finditer(text):
        pieces.append(text[end : piece.start()])
        end = piece.end()
        match piece.lastgroup:
            case "code":
                pieces.append(_translate_code(piece["code"], beyond, inside=inside))
            case "open" if inside:  # `[` is a character like any other there, and `]` ends the class
                pieces.append(rf"\[{piece['open'][1:]}")
                inside = not piece["open"].endswith("]")
            case "open":
                inside = True
                pieces.append(piece["open"].replace("]", r"\]"))
            case "close":
                inside = False
                pieces.append("]")
            case _:
                pieces.append("{," if inside else "{0,")
    return "".join((*pieces, text[end:]))


def _translate_code(code: str, beyond: str, *, inside: bool) -> str:
    """Return what stands for an escape."""
    kind = code.lower()
    if kind in _BEYOND:
        known, fits = (_ASCII if code == kind else _ASCII_OTHER)[kind], _BEYOND[kind]
        more = "".join(rf"\x{{{ord(one):x}}}" for one in beyond if fits(one) is (code == kind))
        return f"{known}{more}" if inside else f"[{known}{more}]"
    if len(code) == 5:
        return rf"\x{{{code[1:]}}}"
    if code in ("C", "Q", "E"):  # RE2 alone knows these: half a character, quoting
        raise _refusal(rf"`\{code}` is not supported in a regular expression here")
    return r"\z" if code == "Z" else rf"\{code}"


def _asks_for_boundary(text: str) -> bool:
    return any((piece["code"] or "") in ("b", "B") for piece in _PIECE.finditer(text) if piece["code"])
