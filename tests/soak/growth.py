"""Whether something that should be flat grew: its last third against its first. Pure.

All is compared by the middle. What goes up and down with the runs in flight (browsers, queues) is shown and not judged:
on a machine that gets busier they take longer. Browsers that belong to no run are judged, as `strays`.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

MB = 2**20


class Reading(NamedTuple):
    """What was seen at one moment."""

    at: float
    """Seconds since the load began."""
    values: Mapping[str, float]
    """By `<who> <what>`, as in `worker-1 memory`."""


class Allowance(NamedTuple):
    """How much something may grow: so much, or such a share of what it was, whichever is more."""

    absolute: float
    share: float = 0.0


ALLOWED: Mapping[str, Allowance] = {
    "memory": Allowance(12 * MB, 0.10),
    "index": Allowance(48 * MB, 0.50),
    "files": Allowance(10),
    "threads": Allowance(4),
    "strays": Allowance(8),
    "children": Allowance(math.inf),
    "connections": Allowance(1),
    "subscriptions": Allowance(40, 0.10),
    "consumers": Allowance(2),
    "streams": Allowance(0),
    "processes": Allowance(math.inf),
    "waiting": Allowance(math.inf),
}
"""By what is measured. A server's memory is an `index`: what it stores it has to find again, so it grows with history."""


class Trend(NamedTuple):
    """How one value went."""

    name: str
    first: float
    """In the first third, after the warming up."""
    last: float
    most: float
    limit: float
    """The most it may have been in the last third."""

    @property
    def grew(self) -> bool:
        """Whether it is more than it may be."""
        return self.last > self.limit


def trends(readings: Sequence[Reading], warm_up: float) -> tuple[Trend, ...]:
    """Return how each value went that was read at all times after so many seconds; none with fewer than six readings."""
    warm = [reading for reading in readings if reading.at >= warm_up]
    if len(warm) < 6:
        return ()
    third = len(warm) // 3
    always = set(warm[0].values).intersection(*(reading.values for reading in warm))
    return tuple(_trend(name, [reading.values[name] for reading in warm], third) for name in sorted(always))


def _trend(name: str, values: Sequence[float], third: int) -> Trend:
    first, last = median(values[:third]), median(values[-third:])
    allowed = ALLOWED[name.rpartition(" ")[2]]
    return Trend(name, first, last, max(values), first + max(allowed.absolute, first * allowed.share))


def shown(name: str, value: float) -> str:
    """Return a value as people read it: megabytes where it is memory."""
    if math.isinf(value):
        return ""
    in_bytes = name.endswith((" memory", " index"))
    return f"{value / MB:.0f} MB" if in_bytes else f"{value:.0f}"


def table(found: Sequence[Trend]) -> str:
    """Return what was measured as a table in Markdown."""
    lines = ["| what | first third | last third | most | may be | |", "|---|--:|--:|--:|--:|---|"]
    for it in found:
        numbers = " | ".join(shown(it.name, value) for value in (it.first, it.last, it.most, it.limit))
        judged = "" if math.isinf(it.limit) else "**grew**" if it.grew else "flat"
        lines.append(f"| {it.name.replace(' index', ' memory')} | {numbers} | {judged} |")
    return "\n".join(lines)
