"""Numbers, sums of money and dates as pages and testers write them, compared by what they amount to. Pure.

What can be read in two ways (`1.234`, `01/02/2026`) counts as both: a comparison holds only if it holds either way.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from itertools import product
from typing import NamedTuple

_NUMBER = re.compile(
    r"(?P<sign>[-+−]\s?)?(?P<before>[$€£¥]|\b(?:USD|EUR|GBP|CHF)\s)?\s?(?P<late>[-+−])?"
    r"(?<![\w.,])(?P<digits>\d+(?:[.,'  ]\d+)*)(?!\w)\s?(?P<after>[%€£¥]|(?:USD|EUR|GBP|CHF)\b)?"
)
_CODES = {"$": "USD", "€": "EUR", "£": "GBP"}
_DATE = re.compile(
    r"(?<!\w)(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}(?:st|nd|rd|th)?\.? [A-Za-z]{3,9},? \d{4}"
    r"|[A-Za-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\w)"
)
_PLAIN_FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y")
_DAY_FIRST = (*_PLAIN_FORMATS, "%d/%m/%Y", "%d-%m-%Y")
_MONTH_FIRST = (*_PLAIN_FORMATS, "%m/%d/%Y", "%m-%d-%Y")
_FORMATS = (*_DAY_FIRST, *_MONTH_FIRST)

RELATIONS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "same": lambda seen, wanted: seen == wanted,
    "above": lambda seen, wanted: seen > wanted,
    "at_least": lambda seen, wanted: seen >= wanted,
    "below": lambda seen, wanted: seen < wanted,
    "at_most": lambda seen, wanted: seen <= wanted,
}
"""How amounts are compared."""


class Amount(NamedTuple):
    """What a text amounts to."""

    unit: str
    """`date`, a currency, `%`, or nothing."""
    values: tuple[Decimal, ...]
    """More than one where it can be read in several ways; a date is its number of days."""
    doubt: str = ""
    """The separator that may stand for thousands or decimals; the first value reads it as thousands."""
    point: str = ""
    """The decimal separator, if it is unambiguous."""


def amount_of(text: str) -> Amount | None:
    """Return the one amount in a text; None if there is none, or more than one."""
    dates = [_days(found.group()) for found in _DATE.finditer(text)]
    rest = _DATE.sub(" ", text)
    numbers = list(_NUMBER.finditer(rest))
    found = [Amount("date", days) for days in dates if days] + [_number(one) for one in numbers]
    return found[0] if len(found) == 1 and all(dates) else None


def relates(seen: str, wanted: str, relation: str) -> bool:
    """Return whether an amount stands to another as said; False where either is none, or of another unit."""
    one, other = amount_of(seen), amount_of(wanted)
    if one is None or other is None or not _comparable(one.unit, other.unit):
        return False
    return all(RELATIONS[relation](left, right) for left, right in _readings(one, other))


def _readings(one: Amount, other: Amount) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield what two amounts may be, written by one convention: "41,250" beside "40,000" is no 41.25."""
    if one.doubt and one.doubt == other.doubt:
        return zip(one.values, other.values, strict=True)
    return product(_settled(one, other.point).values, _settled(other, one.point).values)


def _settled(amount: Amount, point: str) -> Amount:
    """Return an amount as it is beside one with a known decimal separator; a comma before three figures groups
    thousands unless there are decimal commas."""
    groups = (amount.doubt == "," and point != ",") or (amount.doubt == "." and point == ",")
    return _grouped(amount) if groups else amount


def _grouped(amount: Amount) -> Amount:
    """Return the amount with its ambiguous separator read as grouping thousands."""
    return amount._replace(values=amount.values[:1]) if amount.doubt else amount


def _comparable(one: str, other: str) -> bool:
    """A unit that is left out is any, but a date is never a number."""
    return one == other or ("date" not in (one, other) and not (one and other))


def _number(found: re.Match[str]) -> Amount:
    unit = (found["before"] or found["after"] or "").strip()
    minus = any((found[group] or "").strip() in ("-", "−") for group in ("sign", "late"))
    number = _read(found["digits"])
    values = tuple(-value if minus else value for value in number.values)
    return number._replace(unit=_CODES.get(unit, unit), values=values)


def _read(digits: str) -> Amount:
    """Return what figures may stand for: of two separators the last is the decimal one, and one that stands twice, or
    is a blank, groups thousands."""
    plain = re.sub(r"['  ]", "", digits)
    points = [char for char in plain if char in ".,"]
    whole = Decimal(re.sub(r"[.,]", "", plain))
    if not points:
        return Amount("", (whole,))
    head, _, tail = plain.rpartition(points[-1])
    parted = Decimal(f"{re.sub('[.,]', '', head)}.{tail}")
    if len(set(points)) > 1:
        return Amount("", (parted,), point=points[-1])
    if len(points) > 1:
        return Amount("", (whole,))
    if len(tail) == 3 and head != "0":
        return Amount("", (whole, parted), doubt=points[0])
    return Amount("", (parted,), point=points[0])


def _days(text: str, forms: tuple[str, ...] = _FORMATS) -> tuple[Decimal, ...]:
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|(?<=[A-Za-z])\.|,", "", text).replace(". ", " ")
    plain = plain.replace("Sept ", "Sep ")
    return tuple(sorted({Decimal(day.toordinal()) for day in _dates(plain, forms)}))


def _dates(text: str, forms: tuple[str, ...]) -> Iterator[date]:
    for form in forms:
        try:
            yield datetime.strptime(text, form).date()
        except ValueError:
            continue


def _of_one_convention(amounts: list[Amount | None]) -> list[Amount | None]:
    """Settle what groups thousands by the others of a column: where decimals are written, each value has some."""
    known = [one for one in amounts if one is not None]
    points = {one.point for one in known if one.point}
    if len(points) > 1:
        return amounts
    point = next(iter(points), "")
    plain = any(not one.doubt and not one.point for one in known)
    alike = len({one.doubt for one in known}) == 1
    return [
        one and (_grouped(one) if (plain or alike) and one.doubt != point else _settled(one, point)) for one in amounts
    ]


def is_sorted(texts: list[str], *, descending: bool = False) -> bool | None:
    """Return whether texts stand in order: by size where all are amounts of one unit, else by letters.

    None where it depends on how they are read, as a column of dates of which none tells day from month.
    """
    amounts = _of_one_convention([amount_of(text) for text in texts])
    known = [one for one in amounts if one is not None]
    if len(known) < len(texts) or len({one.unit for one in known}) > 1:
        letters = [[text.casefold() for text in texts], [_without_accents(text) for text in texts]]
        return any(keys == sorted(keys, reverse=descending) for keys in letters)
    verdicts = {keys == sorted(keys, reverse=descending) for keys in _columns(texts, known)}
    return verdicts.pop() if len(verdicts) == 1 else None


def _without_accents(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))


def _columns(texts: list[str], amounts: list[Amount]) -> Iterator[list[Decimal]]:
    """Yield what the amounts of a column are by each convention that reads all of them."""
    if all(len(one.values) == 1 for one in amounts):
        yield [one.values[0] for one in amounts]
    elif amounts[0].unit == "date":
        for forms in (_DAY_FIRST, _MONTH_FIRST):
            days = [day for text in texts if (found := _DATE.search(text)) and (day := _days(found.group(), forms))]
            if len(days) == len(texts):
                yield [day[0] for day in days]
    else:
        yield from ([one.values[place] for one in amounts] for place in (0, -1))
