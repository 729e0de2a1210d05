"""Identifies callers, limits their requests, and ends the streams of callers whose key was revoked."""

import asyncio
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import structlog

from muster_gateway.security.access import Refused, is_loopback
from muster_gateway.security.api_keys import StoredKey
from muster_gateway.security.keyring import Keyring
from muster_gateway.security.rate_limits import Limiter, Wait, caller_network, is_worth_logging
from muster_gateway.settings import GatewaySettings
from muster_protocol.errors import MusterError
from muster_protocol.requests import TEAM_LABEL

log = structlog.get_logger("muster.gateway")

WATCH_SECONDS = 1.0
"""Interval of checks of the keys file and of open streams."""
UNKNOWN = "unknown key: it was revoked, or belongs to another gateway; see `muster keys list`"
STALE = "your login has expired or its key was revoked: log in again"
UNLIMITED = frozenset({"/healthz", "/readyz"})


class OpenToAll(MusterError):
    """The gateway would be open to a network without keys."""


class Credentials(NamedTuple):
    """The address and credentials of a request."""

    peer: str
    path: str = ""
    key: str | None = None
    """From the header `Authorization: Bearer`; None: missing."""
    cookies: tuple[str, ...] = ()


class Caller(NamedTuple):
    """The sender of a request."""

    name: str = ""
    """Name of the key; empty: unknown."""
    role: str = ""
    via: Literal["", "open", "key", "cookie", "chat"] = ""
    problem: str = ""
    """Why the caller's key or cookie is invalid."""
    key: StoredKey | None = None
    until: int = 0
    """Expiry of the cookie (unix seconds); 0: no cookie."""
    chain: Mapping[str, str] = {}
    """Labels of the runs that it starts, which say what triggers have led to them."""

    conversation: str = ""
    """The run of the conversation whose agent calls; empty: it is none."""

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the runs that it starts, whatever its requests say."""
        team = self.key.team if self.key is not None else ""
        return {**self.chain, **({TEAM_LABEL: team} if team else {})}


class Admitted(NamedTuple):
    """The caller of a request, and why it is refused, if it is."""

    caller: Caller
    refused: Refused | None = None


class Cookie(NamedTuple):
    """The result of a login: value and lifetime (seconds) of the cookie, and the caller."""

    value: str
    seconds: int
    caller: Caller


class Visit:
    """A request in progress, which can be ended."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.task = asyncio.current_task()
        self.streams = False
        """Whether the response has started; until then the request may finish, since half of it may be done."""
        self.expelled = False

    def expel(self) -> None:
        """End the request."""
        if self.task is not None and not self.expelled:
            self.expelled = True
            self.task.cancel()


class Gate:
    """Checks keys, limits the requests of each caller, and tracks requests in progress."""

    def __init__(self, settings: GatewaySettings, now: Callable[[], float]) -> None:
        """Read the keys; `now` is the time (Unix seconds) by which keys and logins expire, the same at each gateway.

        Raises:
            BadKeys: the keys are invalid.
            OpenToAll: there are none, and the address is not loopback.
        """
        self.keys = Keyring(settings.api_key, settings.api_keys_file)
        if self.keys.open and not settings.allow_open and not is_loopback(settings.http_host):
            raise OpenToAll(
                f"HTTP_HOST={settings.http_host} opens the gateway to a network, and anyone who can submit a case can "
                "run commands: create keys (`muster keys add`) and set API_KEYS_FILE, or set ALLOW_OPEN=1 if a "
                "login stands in front of it"
            )
        self._now = now
        self._requests = Limiter(settings.rate_limit, settings.rate_burst)
        self._failures = Limiter(settings.login_failures / 60, settings.login_failures)
        self._login_seconds = int(settings.login_hours * 3600)
        self._visits: set[Visit] = set()

    def admit(self, shown: Credentials) -> Admitted:
        """Identify the caller of a request; refuse invalid keys and too many requests."""
        caller, refused = self._identify(shown)
        if refused is not None or shown.path in UNLIMITED:
            return Admitted(caller, refused)
        who = f"key {caller.name}" if caller.key else f"peer {caller_network(shown.peer)}"
        wait = self._requests.take(who, time.monotonic())
        return Admitted(caller, _refuse_flood("too many requests: send fewer", wait) if wait.seconds else None)

    def key_named(self, name: str) -> StoredKey | None:
        """Return the key of a name if it is in force now."""
        return self.keys.named(name, self._now())

    def login(self, given: str, peer: str) -> Cookie | Refused:
        """Return the cookie for a key, or a refusal if the key is invalid or expired, or after too many attempts."""
        caller, refused = self._identify_by_key(given, peer)
        if refused is not None or caller.key is None:
            return refused or Refused(401, UNKNOWN)
        now = int(self._now())
        until = min(now + self._login_seconds, caller.key.expires_at or now + self._login_seconds)
        return Cookie(
            self.keys.cookie(given, caller.key, until), until - now, caller._replace(via="cookie", until=until)
        )

    @contextmanager
    def visit(self, caller: Caller) -> Generator[Visit]:
        """Track a request as long as it is served."""
        visit = Visit(caller)
        if caller.key is not None:
            self._visits.add(visit)
        try:
            yield visit
        finally:
            self._visits.discard(visit)

    async def watch(self) -> None:
        """Reload the keys file when it changes, and end streams whose key was revoked; runs for ever."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                self.keys.refresh()
                self._expel(self._now())
            except Exception:  # the watch must survive, or revoked keys would keep their streams
                log.exception("checking the API keys failed; trying again")

    def _expel(self, now: float) -> None:
        for visit in [visit for visit in self._visits if visit.streams and not self._is_in_force(visit.caller, now)]:
            visit.expel()

    def _is_in_force(self, caller: Caller, now: float) -> bool:
        assert caller.key is not None
        return self.keys.holds(caller.key, now) and not (caller.until and now >= caller.until)

    def _identify(self, shown: Credentials) -> Admitted:
        if self.keys.open:
            return Admitted(Caller(role="admin", via="open"))
        if shown.path in UNLIMITED:
            return Admitted(Caller())
        if shown.key is not None:
            return self._identify_by_key(shown.key, shown.peer)
        return Admitted(self._identify_by_cookies(shown.cookies) if shown.cookies else Caller())

    def _identify_by_cookies(self, cookies: tuple[str, ...]) -> Caller:
        now = self._now()
        for login in [self.keys.login(cookie, now) for cookie in cookies]:
            if login is not None and not login.key.expired(now):
                return Caller(login.key.name, login.key.role, "cookie", key=login.key, until=login.until)
        return Caller(problem=STALE)

    def _identify_by_key(self, given: str, peer: str) -> Admitted:
        key = self.keys.key(given)
        if key is None:
            wait = self._failures.take(caller_network(peer), time.monotonic())
            slow = _refuse_flood("too many invalid keys: wait before you try another", wait)
            return Admitted(Caller(), slow if wait.seconds else Refused(401, UNKNOWN))
        if key.expired(self._now()):
            ended = datetime.fromtimestamp(key.expires_at, UTC)
            return Admitted(Caller(), Refused(401, f"the key {key.name!r} expired at {ended:%Y-%m-%d %H:%M} UTC"))
        return Admitted(Caller(key.name, key.role, "key", key=key))


def _refuse_flood(reason: str, wait: Wait) -> Refused:
    """Return a 429 with the time to wait; the audit log skips most of a row."""
    return Refused(429, reason, max(1, int(wait.seconds + 0.999)), wait.refused, not is_worth_logging(wait.refused))
