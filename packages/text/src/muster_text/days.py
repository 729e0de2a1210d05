"""Days as people say them, counted from today, and how a date is written. Pure."""

import re
from calendar import monthrange
from datetime import date, timedelta

_NAMED = {"today": 0, "tomorrow": 1, "yesterday": -1}
_OFFSET = re.compile(
    r"(?:(?P<sign>[+-])\s?|(?P<lead>in)\s)?(?P<number>\d{1,5})\s(?P<unit>day|week|month|year)s?"
    r"(?P<ago>\sago|\sfrom now|\sfrom today)?"
)
_TOKEN = re.compile(r"yyyy|yy|mmmm|mmm|mm|m|dd|d", re.IGNORECASE)
_DIRECTIVES = {"yyyy": "%Y", "yy": "%y", "mmmm": "%B", "mmm": "%b", "mm": "%m", "dd": "%d"}


def day_of(words: str, today: date) -> date | None:
    """Return the day that words such as `today`, `tomorrow`, `today + 3 days`, `2 weeks ago` mean; None if none."""
    said = " ".join(words.casefold().split())
    if said in _NAMED:
        return today + timedelta(days=_NAMED[said])
    found = _OFFSET.fullmatch(said.removeprefix("today").strip())
    if found is None or not (found["sign"] or found["lead"] or found["ago"]):
        return None
    back = found["sign"] == "-" or (found["ago"] or "").strip() == "ago"
    number = -int(found["number"]) if back else int(found["number"])
    try:
        return _moved(today, number, found["unit"])
    except (ValueError, OverflowError):
        return None


def _moved(day: date, number: int, unit: str) -> date:
    """Return a day some time later; a month that is shorter gives its last day.

    Raises:
        ValueError, OverflowError: no calendar goes that far.
    """
    if unit in ("day", "week"):
        return day + timedelta(days=number * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + number * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def written(day: date, form: str = "") -> str:
    """Return a date in a form such as `dd.mm.yyyy` or `MMM d, yyyy`; without one, as `2026-01-31`."""
    if not form:
        return day.isoformat()

    def part(found: re.Match[str]) -> str:
        token = found.group().lower()
        return str(day.month if token == "m" else day.day) if len(token) == 1 else day.strftime(_DIRECTIVES[token])

    return _TOKEN.sub(part, form)
