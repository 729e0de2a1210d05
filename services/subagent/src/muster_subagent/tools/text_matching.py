"""Comparing, shortening and naming texts, as checks and errors need it. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal

from muster_protocol.causes import Failure
from muster_subagent.tools.tool import ToolError

Match = Literal["is", "contains", "starts", "ends", "matches"]
"""How a text is compared with what is expected; `matches` takes a regular expression."""

_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_PARTED = re.compile(r"\d\.\d+$")
"""It has its decimals: a further point makes it a version, or a million."""
_RUNS_INTO = re.compile(r"\d[.,']?$")
_RUNS_ON = re.compile(r"[.,']?\d")
_PARTED_RUNS_ON = re.compile(r"[,']?\d|\.\d{3}(?!\d)")
_KEYS = {
    "enter": "Enter",
    "return": "Enter",
    "esc": "Escape",
    "escape": "Escape",
    "tab": "Tab",
    "space": "Space",
    "spacebar": "Space",
    "backspace": "Backspace",
    "delete": "Delete",
    "del": "Delete",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "page up": "PageUp",
    "page down": "PageDown",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "ctrl": "Control",
    "control": "Control",
    "strg": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "meta": "Meta",
    "win": "Meta",
    "alt": "Alt",
    "option": "Alt",
    "shift": "Shift",
}


def squash(text: str) -> str:
    """Return the text with runs of white space as one blank, and typographic quotes made plain."""
    return " ".join(text.translate(_CURLY).split())


def compares(seen: str, expected: str, match: Match) -> bool:
    """Return whether a text is as expected; white space counts as one blank, upper and lower case differ. A number that
    the expected text begins or ends with must not be part of a longer one.

    Raises:
        ToolError: `expected` is not a regular expression, though `match` says so, or an empty part of a text.
    """
    have, want = squash(seen), squash(expected)
    if match != "is":
        refuse_empty(expected)
    match match:
        case "is":
            return have == want
        case "contains":
            return has_whole(have, want)
        case "starts":
            return have.startswith(want) and _whole_at(have, want, 0)
        case "ends":
            return have.endswith(want) and _whole_at(have, want, len(have) - len(want))
        case "matches":
            return pattern(expected).search(seen) is not None


def refuse_empty(text: str) -> None:
    """Refuse to look for a text that is part of any other.

    Raises:
        ToolError: it is empty.
    """
    if not squash(text):
        raise ToolError("an empty text is part of any text: to look for it shows nothing", failure=Failure.NO_EVIDENCE)


def has_whole(have: str, want: str) -> bool:
    """Return whether a text has another in it whose numbers are whole there: "6" is not in "16", "$59" not in "$59.98".

    The script in the page has the same helper (`hasWhole`).
    """
    return next(_whole_hits(have, want), None) is not None


def count_whole(have: str, want: str) -> int:
    """Return how often a text has another in it whose numbers are whole there."""
    return sum(1 for _ in _whole_hits(have, want))


def _whole_hits(have: str, want: str) -> Iterator[int]:
    at = have.find(want)
    while at >= 0:
        if _whole_at(have, want, at):
            yield at
        at = have.find(want, at + 1) if want else -1


def _whole_at(have: str, want: str, at: int) -> bool:
    if want[:1].isdecimal() and _RUNS_INTO.search(have[max(0, at - 3) : at]):
        return False
    after = have[at + len(want) :][:9]
    return not want[-1:].isdecimal() or not (_PARTED_RUNS_ON if _PARTED.search(want) else _RUNS_ON).match(after)


def pattern(text: str) -> re.Pattern[str]:
    """Return a compiled regular expression.

    Raises:
        ToolError: it is not one.
    """
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        text = f"{text!r} is not a regular expression: {error}"
        raise ToolError(text, failure=Failure.INVALID_CALL) from error


def says(match: Match, expected: str, *, negate: bool = False) -> str:
    """Return a comparison in words, as in `contains "Login"`."""
    verbs = {"is": "is", "contains": "contains", "starts": "starts with", "ends": "ends with", "matches": "matches"}
    if not negate:
        return f"{verbs[match]} {quote(expected)}"
    return f"{'is not' if match == 'is' else 'does not have: ' + verbs[match]} {quote(expected)}"


def quote(text: str, limit: int = 200) -> str:
    """Return the text in quotes on one line, cut at `limit` characters."""
    flat = squash(text)
    return f'"{flat if len(flat) <= limit else flat[: limit - 1] + "…"}"'


def listed(names: Iterable[str], limit: int = 8) -> str:
    """Return names in quotes with commas between, and how many more there are."""
    items = list(dict.fromkeys(names))
    more = f" and {len(items) - limit} more" if len(items) > limit else ""
    return ", ".join(quote(item, 60) for item in items[:limit]) + more


def _likeness(want: str, have: str) -> float:
    if not have:
        return 0.0
    if want in have or have in want:
        return 0.9 * min(len(want), len(have)) / max(len(want), len(have)) + 0.4
    return SequenceMatcher(None, want, have).ratio()


def nearest(want: str, names: Iterable[str], limit: int = 4, least: float = 0.45) -> list[str]:
    """Return the names that are most like the wanted one, best first."""
    wanted = squash(want).lower()
    scored = [(_likeness(wanted, squash(name).lower()[:200]), name) for name in dict.fromkeys(names)]
    scored = sorted((pair for pair in scored if pair[0] >= least), key=lambda pair: -pair[0])
    return [name for _, name in scored[:limit]]


def shorten(text: str, limit: int = 4000) -> str:
    """Return head and tail of a long text, with a note of how much was left out between them."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 2 // 3], text[len(text) - limit // 3 :]
    left = text[len(head) : len(text) - len(tail)]
    return f"{head}\n… {len(left)} characters ({left.count(chr(10))} lines) left out …\n{tail}"


def key_name(key: str) -> str:
    """Return a key or chord as the browser names it: `ctrl + A` is `Control+a`, `esc` is `Escape`."""
    if len(key) == 1:
        return {" ": "Space"}.get(key, key)
    plus = re.sub(r"(?i)\b(ctrl|control|alt|shift|cmd|meta)-", r"\1+", key.strip())
    parts = [_key(part) for part in re.split(r"\s*\+\s*", plus) if part]
    # an upper-case letter would bring a Shift of its own into the chord
    chord = len(parts) > 1 and "Shift" not in parts
    return "+".join(part.lower() if chord and len(part) == 1 else part for part in parts)


def _key(part: str) -> str:
    known = _KEYS.get(part.lower().removesuffix(" key"))
    if known:
        return known
    return part.upper() if re.fullmatch(r"[fF]\d{1,2}", part) else part


def lines_like(want: str, lines: Sequence[str], limit: int = 3) -> list[str]:
    """Return the lines of a page that are closest to a text that is not there."""
    return nearest(want, (line for line in lines if len(line) <= 300), limit, least=0.4)
