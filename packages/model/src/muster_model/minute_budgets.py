"""A budget of requests and tokens a minute: when the next request may be sent. Pure.

The generic cell rate algorithm: each request moves a due time on by what it costs, and may be sent shortly before that
time. Whoever asks is given its time at once, in the order of asking, so nobody is overtaken or has to ask again.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from muster_protocol.model_pace import PaceRow

if TYPE_CHECKING:
    from muster_model.settings import Endpoint

MINUTE = 60.0
BURST_SECONDS = 5.0
"""How many seconds of the budget may be spent in one burst; rates are computed over a minute plus this."""
LimitedBy = Literal["requests", "tokens", "none"]


class MinuteBudget(NamedTuple):
    """The most a fleet sends to one endpoint in a minute; 0: no limit."""

    requests: int = 0
    tokens: int = 0


class Place(NamedTuple):
    """When a request may be sent, and what is reckoned with afterwards."""

    row: PaceRow
    start: float
    """Unix seconds."""
    by: LimitedBy
    """What it waits for."""


def take_place(row: PaceRow, budget: MinuteBudget, now: float, tokens: int) -> Place:
    """Return the place of a request with so many tokens.

    In no minute are more requests sent than the budget has, nor more tokens than it has beside those of one request.
    """
    waits: dict[LimitedBy, float] = {"none": now}
    if budget.requests:
        waits["requests"] = row.requests - BURST_SECONDS
    if budget.tokens:
        waits["tokens"] = row.tokens - BURST_SECONDS
    by = max(waits, key=waits.__getitem__)
    start = waits[by]
    requests = max(row.requests, start) + _seconds(1, budget.requests)
    return Place(PaceRow(requests=requests, tokens=max(row.tokens, start) + _seconds(tokens, budget.tokens)), start, by)


def correct(row: PaceRow, budget: MinuteBudget, now: float, *, requests: int = 0, tokens: int) -> PaceRow:
    """Return the row after requests that were not sent (-1), or more or fewer tokens than were reckoned with."""
    return PaceRow(
        requests=max(row.requests, now) + _seconds(requests, budget.requests),
        tokens=max(row.tokens, now) + _seconds(tokens, budget.tokens),
    )


def _seconds(count: int, limit: int) -> float:
    return count * (MINUTE + BURST_SECONDS) / limit if limit else 0.0


class Pace(Protocol):
    """The budget that all workers share."""

    async def wait(self, endpoint: "Endpoint", tokens: int, told: Callable[[float], None]) -> None:
        """Wait until the fleet may send a request of this many tokens; `told` is called with the seconds to wait."""
        ...

    def settle(self, endpoint: "Endpoint", tokens: int) -> None:
        """Charge the tokens that a request used beyond its estimate."""
        ...


class Outgoing(NamedTuple):
    """A question on its way: its estimated tokens, and what to call when it has to wait."""

    tokens: int
    told: Callable[[float], None]


OUTGOING: ContextVar[Outgoing] = ContextVar("OUTGOING")
"""The question that the current task asks; the client's library sends it again after a fault."""
