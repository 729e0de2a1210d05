"""Texts with `${name}` in them, and conditions, over the data of a simulated app. Pure."""

import re
from collections.abc import Iterator, Mapping

from muster_devices.screens.app import Compare, Condition, Value

_FIELD = re.compile(r"\$\{([^}:]*)(?::\.(\d)f)?\}")
"""`${total}`, or `${total:.2f}` with two decimals."""


def names_in(text: str) -> Iterator[str]:
    """Yield the names that a template fills in."""
    return (found.group(1).strip() for found in _FIELD.finditer(text))


def fill(text: str, data: Mapping[str, Value]) -> str:
    """Return a template with the data in it."""

    def value(found: re.Match[str]) -> str:
        held = data.get(found.group(1).strip(), "")
        digits = found.group(2)
        number = isinstance(held, int | float) and not isinstance(held, bool)
        return f"{held:.{digits}f}" if digits and number else shown(held)

    return _FIELD.sub(value, text)


def shown(value: Value) -> str:
    """Return a value as the app shows it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def holds(condition: Condition, data: Mapping[str, Value]) -> bool:
    """Return whether all of a condition holds."""
    return all(_fits(data.get(name, ""), wanted) for name, wanted in condition.items())


def _fits(have: Value, wanted: Value | Compare) -> bool:
    if not isinstance(wanted, Compare):
        return _same(have, wanted)
    return (
        (wanted.is_ is None or _same(have, wanted.is_))
        and (wanted.not_ is None or not _same(have, wanted.not_))
        and (wanted.above is None or _number(have) > wanted.above)
        and (wanted.below is None or _number(have) < wanted.below)
    )


def _same(have: Value, wanted: Value) -> bool:
    """Compare as they are shown: what was typed is a text, though the file has a number."""
    return shown(have) == shown(wanted)


def _number(value: Value) -> float:
    try:
        return float(value)
    except ValueError:
        return float("nan")  # compares as false, whatever it is compared with


def plus(value: Value, more: int | float) -> Value:
    """Return a number with another added; what is no number counts as 0."""
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else 0
    return round(number + more, 9)  # so that what was added and taken away again leaves nothing
