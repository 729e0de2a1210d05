"""How much one caller may ask: token buckets, one a caller. Pure: time is handed in."""

import ipaddress
from collections import OrderedDict
from typing import NamedTuple

MOST = 10_000
"""Callers remembered; the one not heard of for longest is forgotten first."""
_EPSILON = 1e-9


class Wait(NamedTuple):
    """What became of a request: it may go on (0 seconds), or has to wait."""

    seconds: float = 0.0
    refused: int = 0
    """How often in a row this caller was refused."""


class _Bucket:
    """What one caller has left."""

    __slots__ = ("at", "refused", "tokens")

    def __init__(self, tokens: float, at: float) -> None:
        self.tokens, self.at, self.refused = tokens, at, 0


class Limiter:
    """Lets each caller have `burst` at once and `rate` a second from then on; a rate of 0 lets everything through."""

    def __init__(self, rate: float, burst: float, most: int = MOST) -> None:
        self._rate, self._burst, self._most = rate, max(burst, 1.0), most
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, who: str, now: float) -> Wait:
        """Take one from a caller's bucket at a time in seconds (monotonic), or say how long until there is one."""
        if not self._rate:
            return Wait()
        bucket = self._filled(who, now)
        if bucket.tokens >= 1.0 - _EPSILON:
            bucket.tokens -= 1.0
            bucket.refused = 0
            return Wait()
        bucket.refused += 1
        return Wait((1.0 - bucket.tokens) / self._rate, bucket.refused)

    def _filled(self, who: str, now: float) -> _Bucket:
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = _Bucket(self._burst, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(who)
        bucket.tokens = min(self._burst, bucket.tokens + max(0.0, now - bucket.at) * self._rate)
        bucket.at = now
        return bucket


def is_worth_logging(refused: int) -> bool:
    """Return whether a refusal is one to write down: the first, the tenth, the hundredth in a row and so on."""
    return str(refused).rstrip("0") == "1"


def caller_network(address: str) -> str:
    """Return what counts as one caller: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
