"""Formats numbers, and strips text from pages and commands of anything that could colour or forge lines."""

import re
from datetime import UTC, datetime

from muster_protocol.tool_calls import Usage

LEFT_OUT = " … {} characters left out … "
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\x9c|$)"  # OSC, DCS, SOS, PM, APC up to their end
    r"|\x1b[ -/]*[0-~]?"
    r"|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls other than tab and line end
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # change the direction of what follows
    "\u200b\u2028\u2029\u2060-\u2064\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"  # nothing that anybody would see
)
_ORDERS = re.compile(r"^[ \t]*:(?=:[A-Za-z][\w-]*[^\n]*::)|##(?=\w*\[)", re.MULTILINE)
"""What build servers carry out where they find it in a job's output: `::error::`, `##vso[…]`, `##teamcity[…]`."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def strip_controls(text: str) -> str:
    """Return the text without escape sequences and control characters; line ends and tabs stay.

    Orders to build servers are parted by a space, so that a product's text in the output of a job is none.
    """
    seen = _UNSEEN.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return _ORDERS.sub(r"\g<0> ", seen) if "::" in seen or "##" in seen else seen


def to_one_line(text: str, width: int = 0) -> str:
    """Return the text on one line, cut to `width` characters with an ellipsis (0: not cut)."""
    line = " ".join(strip_controls(text).split())
    return f"{line[: width - 1]}…" if width and len(line) > width else line


def to_xml(text: str) -> str:
    """Return the text with only the characters that XML 1.0 can hold."""
    return _NOT_XML.sub("\ufffd", strip_controls(text))


def format_seconds(value: float) -> str:
    """Return a duration in seconds as text: `0.4 s`, `12 s`, `3 min 20 s`."""
    if value < 10:
        return f"{max(value, 0.0):.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def to_slug(text: str, width: int = 40) -> str:
    """Return the text as a file name: letters, digits, `.`, `_` and `-`; never empty, never hidden."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:width].strip("-.") or "run"


def shorten(text: str, room: int) -> str:
    """Return head and tail of a text, `room` characters together, without control characters."""
    clean = strip_controls(text).strip()
    if len(clean) <= room + len(LEFT_OUT):
        return clean
    head = room * 2 // 3
    tail = room - head
    return f"{clean[:head]}{LEFT_OUT.format(len(clean) - head - tail)}{clean[-tail:]}"


def format_duration(value: float) -> str:
    """Return a duration in seconds as text, below 1 s in milliseconds; empty for 0."""
    if value <= 0:
        return ""
    return f"{max(1, round(value * 1000))} ms" if value < 1 else format_seconds(value)


def format_size(value: int) -> str:
    """Return a size in bytes as text."""
    if value < 1000:
        return f"{value} B"
    return f"{value / 1000:.1f} kB" if value < 1_000_000 else f"{value / 1_000_000:.1f} MB"


def format_money(value: float) -> str:
    """Return a cost, in the currency of the price table, with as many digits as it needs."""
    return f"{value:.2f}" if value >= 1 else f"{value:.4f}".rstrip("0")


def format_usage(usage: Usage) -> str:
    """Return tokens and cost as text; empty without model calls."""
    parts = [f"{usage.tokens:,} tokens"] if usage.tokens else []
    parts += [f"cost {format_money(usage.cost)}"] if usage.cost else []
    return ", ".join(parts)


def format_time(at: float) -> str:
    """Return unix seconds as a date and time; empty for 0."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC" if at > 0 else ""


def format_count(number: int, what: str) -> str:
    """Return a number of things: `1 step`, `2 steps`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def to_words(name: str) -> str:
    """Return a name from the wire as words: `model_unavailable` is `model unavailable`."""
    return str(name).replace("_", " ")
