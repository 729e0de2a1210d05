"""Rate limits: one token bucket per caller. Pure: time is an argument."""

import ipaddress
from collections import OrderedDict
from typing import NamedTuple

MOST = 10_000
"""Callers remembered; the least recent one is dropped first."""
_EPSILON = 1e-9


class Wait(NamedTuple):
    """Seconds to wait; 0: the request may proceed."""

    seconds: float = 0.0
    refused: int = 0
    """Refusals of this caller in a row."""


class _Bucket:
    """The tokens of one caller."""

    __slots__ = ("at", "refused", "tokens")

    def __init__(self, tokens: float, at: float) -> None:
        self.tokens, self.at, self.refused = tokens, at, 0


class Limiter:
    """Allows each caller `burst` requests at once and `rate` per second; a rate of 0 means no limit."""

    def __init__(self, rate: float, burst: float, most: int = MOST) -> None:
        self._rate, self._burst, self._most = rate, max(burst, 1.0), most
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, who: str, now: float) -> Wait:
        """Take a token at `now` (monotonic seconds), or return how long to wait for one."""
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
    """Return whether to log a refusal: the first, tenth, hundredth … in a row."""
    return str(refused).rstrip("0") == "1"


def caller_network(address: str) -> str:
    """Return the network that counts as one caller: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
