"""The connection to NATS: making it, and what it reports."""

import asyncio
import re
from collections.abc import Coroutine
from typing import Any

import structlog
from nats.errors import Error as NatsError
from nats.errors import NoServersError
from prometheus_client import Counter, Gauge

from muster_bus.bus import Bus
from muster_bus.credentials import credentials_option
from muster_bus.nats_client import PING_SECONDS, UNANSWERED_PINGS, Client, Denied
from muster_bus.server_clock import set_clock
from muster_bus.store_answers import describe_error
from muster_bus.tls import Tls, describe_refusal
from muster_protocol.errors import BusError
from muster_service.settings import BusSettings

log = structlog.get_logger("muster.bus")

CONNECTED = Gauge("muster_nats_connected", "Whether the connection to NATS is up (1) or not (0)")
RECONNECTS = Counter("muster_nats_reconnects", "Times the connection to NATS came back")
ERRORS = Counter("muster_nats_errors", "Errors that NATS reported to this client", ["kind"])
ERRORS.labels("permission")  # create it at 0, so that the first count shows as an increase

LOGIN = "set NATS_USER and NATS_PASSWORD to a user of the server's nats.conf and its password, or NATS_CREDENTIALS"
CERTIFICATES = (
    "docs/operations.md has a section on TLS; NATS_URL, NATS_TLS_CA, NATS_TLS_CERT and NATS_TLS_KEY belong to it"
)
SCHEMES = ("nats", "tls", "ws", "wss")
ADDRESS = "set NATS_URL to nats://HOST:PORT"
ABSENT = "start it, or set NATS_URL to where it is (nats://HOST:PORT); `muster up` starts a private one with a fleet"


class _Events:
    """Turns nats-py's connection callbacks into log lines, metrics and problems."""

    def __init__(self, bus: Bus, url: str) -> None:
        self.refused: asyncio.Future[BusError] = asyncio.get_running_loop().create_future()
        """Done when NATS refuses this process; holds why, and what to do about it."""
        self._bus, self._url = bus, url
        self.last_error = ""
        """The last error, such as a certificate that is not trusted; empty once connected again."""

    async def lost(self) -> None:
        CONNECTED.set(0)
        if not self._bus.closing:
            log.warning("connection to NATS lost; trying again", url=self._url)

    async def reconnected(self) -> None:
        CONNECTED.set(1)
        RECONNECTS.inc()
        self.last_error = ""
        self._bus.problems.resolve("login")
        log.info("connection to NATS is back")
        self._bus.notify_reconnected()

    async def failed(self, error: Exception) -> None:
        text = str(error)
        kind = "permission" if isinstance(error, Denied) else type(error).__name__
        ERRORS.labels(kind).inc()
        if "authorization violation" in text.lower():
            self._refuse("refuses the credentials (authorization violation)", LOGIN)
        elif words := describe_refusal(error, self._bus.settings):
            self._refuse(words, CERTIFICATES)
        elif isinstance(error, Denied):
            log.error("NATS denied permission to this service's user", error=text, remedy=error.remedy)
            self._bus.notify_denied(error)
        elif not isinstance(error, (ConnectionError, NoServersError)) and text != self.last_error:
            self.last_error = text  # the same error repeats several times a second during reconnection
            log.warning("NATS error", error=text or describe_error(error))

    def _refuse(self, words: str, remedy: str) -> None:
        self._bus.problems.report("login", f"NATS {words}; trying again")
        if not self.refused.done():
            self.refused.set_result(BusError(f"NATS at {self._url} {words}", remedy=remedy))


def unconnected(settings: BusSettings) -> Bus:
    """Return a bus to connect with `dial`; until then its `trouble` says that there is no connection.

    Raises:
        SettingsError: a certificate or key file cannot be used.
    """
    return Bus(Client(Tls(settings), settings.nats_user), settings)


async def dial(bus: Bus, name: str, patience: float | None = None) -> None:
    """Connect a bus to NATS; wait up to `patience` seconds for the server, without it for ever.

    Raises:
        BusError: the address is none of a NATS server, the server did not answer within `patience`, or refuses the
            credentials or the certificate.
        SettingsError: the file of credentials holds none.
    """
    url = without_password(bus.settings.nats_url)
    _check_schemes(url)
    events = _Events(bus, url)
    await _dial(bus.nc.connect(**_options(bus.settings, name, events)), events, url, patience)
    CONNECTED.set(1)


async def connect(settings: BusSettings, name: str, patience: float | None = None) -> Bus:
    """Return a connected bus that knows the server's time; raises the errors of `unconnected` and `dial`."""
    bus = unconnected(settings)
    await dial(bus, name, patience)
    await set_clock(bus)
    return bus


def _options(settings: BusSettings, name: str, events: _Events) -> dict[str, Any]:
    """Return the arguments of nats-py's `connect`."""
    return {
        "servers": [server.strip() for server in settings.nats_url.split(",")],
        "name": name,
        "user": settings.nats_user or None,
        "password": settings.nats_password or None,
        **credentials_option(settings.nats_credentials),
        "disconnected_cb": events.lost,
        "reconnected_cb": events.reconnected,
        "error_cb": events.failed,
        "max_reconnect_attempts": -1,
        "reconnect_time_wait": 0.25,
        "connect_timeout": 2,
        "ping_interval": PING_SECONDS,
        "max_outstanding_pings": UNANSWERED_PINGS,
        "inbox_prefix": f"_INBOX_{settings.nats_user}" if settings.nats_user else "_INBOX",
    }


def without_password(url: str) -> str:
    """Return an address, or several separated by commas, without user and password."""
    return re.sub(r"//[^/@,]*@", "//", url)


def _check_schemes(url: str) -> None:
    for server in url.split(","):
        scheme, mark, _ = server.strip().partition("://")
        if mark and scheme not in SCHEMES:
            raise BusError(f"{server.strip()} is not the address of a NATS server", remedy=ADDRESS)


async def _dial(connecting: Coroutine[None, None, None], events: _Events, url: str, patience: float | None) -> None:
    dialing, refused = asyncio.ensure_future(connecting), events.refused
    waited = 0.0
    while True:
        step = 5.0 if patience is None else max(0.0, min(5.0, patience - waited))
        await asyncio.wait({dialing, refused}, timeout=step, return_when=asyncio.FIRST_COMPLETED)
        if dialing.done():
            break
        waited += step
        if refused.done() or (patience is not None and waited >= patience):
            dialing.cancel()
            await asyncio.wait({dialing})
            if refused.done():
                raise refused.result()
            why = f"; last: {events.last_error}" if events.last_error else ""
            raise BusError(f"no NATS server answers at {url} (waited {patience:g} s{why})", remedy=ABSENT)
        log.warning("waiting for NATS", url=url, seconds=waited)
    try:
        dialing.result()
    except (NatsError, OSError) as error:
        words = f"cannot connect to NATS at {url}: {error or type(error).__name__}"
        raise BusError(words, remedy=ABSENT) from error
