"""Totals of a test's ended runs, day by day, and which runs count for its health. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from muster_protocol.logs import RunRow

DAY = 86_400.0
"""Seconds."""
MOST_DAYS = 30


class DaySum(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the runs came to that ended on one day, in UTC."""

    day: float
    """Its beginning (Unix seconds)."""
    passed: int = 0
    failed: int = 0
    """Runs that failed with cause `product`."""
    unjudged: int = 0
    tokens: int = 0
    """Of all models."""
    cost: float = 0.0
    """In the currency of the price table."""


def sum_days(rows: Iterable[RunRow]) -> tuple[DaySum, ...]:
    """Return the newest days with ended runs, oldest first."""
    by_day: dict[float, list[RunRow]] = {}
    for row in rows:
        if counts(row):
            by_day.setdefault(row.ended_at // DAY * DAY, []).append(row)
    return tuple(_sum(day, by_day[day]) for day in sorted(by_day)[-MOST_DAYS:])


def counts(row: RunRow) -> bool:
    """Return whether a row is a run of a test case that ended and says something of it; a drill passes, too."""
    return not row.job and row.status in ("pass", "fail") and row.cause != "cancelled"


def is_judged(row: RunRow) -> bool:
    """Return whether an ended run judged the product."""
    return row.status == "pass" or row.cause == "product"


def _sum(day: float, rows: list[RunRow]) -> DaySum:
    passed = sum(row.status == "pass" for row in rows)
    judged = sum(is_judged(row) for row in rows)
    return DaySum(
        day=day,
        passed=passed,
        failed=judged - passed,
        unjudged=len(rows) - judged,
        tokens=sum(row.tokens for row in rows),
        cost=round(sum(row.cost for row in rows), 6),
    )
