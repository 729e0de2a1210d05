"""Webhooks: who receives a verdict, how it is signed, and when it is sent again. Pure."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from muster_gateway.problem_details import Refusal
from muster_gateway.settings import GatewaySettings
from muster_protocol import codec
from muster_protocol.requests import RunRequest
from muster_protocol.verdicts import Verdict
from muster_protocol.webhook_messages import build_body
from muster_service.settings import SettingsError
from muster_text.request_rules import is_web_address

SIGNATURE, DELIVERY, ATTEMPT = "Muster-Signature", "Muster-Delivery", "Muster-Attempt"
"""Headers of what is posted."""
PORTS = {"http": 80, "https": 443}
FACTOR, LONGEST_DELAY = 3.0, 1800.0
"""By how much each delay is longer than the one before, and seconds that none exceeds."""
_WEBHOOK = re.compile(r'("webhook"\s*:\s*")((?:[^"\\]|\\.)*)')
GONE = 410
"""What a receiver answers that never wants to be told again."""


class Rules(NamedTuple):
    """What the settings say of webhooks."""

    urls: tuple[str, ...] = ()
    hosts: frozenset[str] = frozenset()
    """Hosts that requests may name, as `host:port`."""
    secrets: tuple[str, ...] = ()
    attempts: int = 8
    first_delay: float = 5.0
    timeout: float = 10.0

    @property
    def unsigned(self) -> bool:
        """Whether somebody may be told, and cannot tell that it comes from here."""
        return bool(self.urls or self.hosts) and not self.secrets


class Receiver(NamedTuple):
    """One receiver's address, and a key for it that does not reveal it."""

    key: str
    url: str

    @property
    def shown(self) -> str:
        """The address as it may be shown: what is behind the host is often as good as a password."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{_host(self.url)}" if parts.port else f"{parts.scheme}://{parts.hostname}"


class Delivery(NamedTuple):
    """What is posted."""

    headers: dict[str, str]
    body: bytes


class Outcome(NamedTuple):
    """What came of an attempt: the status of the answer (0: none), or why there is none."""

    status: int
    reason: str = ""

    @property
    def taken(self) -> bool:
        """Whether the receiver has it."""
        return 200 <= self.status < 300

    @property
    def description(self) -> str:
        """The outcome in words."""
        if not self.status:
            return self.reason
        redirected = " (redirects are not followed)" if 300 <= self.status < 400 else ""
        return f"answered {self.status}{redirected}"


def read_rules(settings: GatewaySettings) -> Rules:
    """Return what the settings say.

    Raises:
        SettingsError: WEBHOOK_URLS holds what is no address.
    """
    urls = tuple(dict.fromkeys(_listed(settings.webhook_urls)))
    wrong = [number for number, url in enumerate(urls, 1) if not is_web_address(url)]
    if wrong:  # an address may be a secret: it is not shown
        raise SettingsError(f"environment variable `WEBHOOK_URLS`: entry {wrong[0]} is no http:// or https:// address")
    return Rules(
        urls=urls,
        hosts=frozenset(name.lower() for name in _listed(settings.webhook_hosts)),
        secrets=tuple(_listed(settings.webhook_secret)),
        attempts=settings.webhook_attempts,
        first_delay=settings.webhook_delay_seconds,
        timeout=settings.webhook_timeout_seconds,
    )


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _host(url: str) -> str:
    """Return host and port of an address, the port also where it is that of the scheme."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or PORTS[parts.scheme]}"


def build_receiver(url: str) -> Receiver:
    """Return an address as a receiver."""
    return Receiver(hashlib.sha256(url.encode()).hexdigest()[:16], url)


def hide_address(url: str) -> str:
    """Return an address as it may be shown, without what is behind its host; empty if it is none."""
    return build_receiver(url).shown if is_web_address(url) else ""


def hide_addresses(request: str) -> str:
    """Return the JSON text of a request, or what is none, with the address of its webhook cut down to its host."""
    return _WEBHOOK.sub(lambda found: found[1] + hide_address(found[2]), request)


def is_host_allowed(hosts: frozenset[str], url: str) -> bool:
    """Return whether a request may name an address: its host is listed, with its port unless that is the scheme's."""
    if not is_web_address(url):
        return False
    parts = urlsplit(url)
    usual = parts.port in (None, PORTS[parts.scheme])
    return _host(url) in hosts or (usual and parts.hostname in hosts)


def list_receivers(told: Rules, asked: str) -> dict[str, Receiver]:
    """Return the receivers of a run's verdict by key, given the address its request names ("": none)."""
    urls = (*told.urls, asked) if asked and is_host_allowed(told.hosts, asked) else told.urls
    return {one.key: one for one in map(build_receiver, urls)}


def find_host_refusal(told: Rules, asked: str) -> str:
    """Return why the address that a request names gets no webhook, or ""."""
    if not asked or asked in told.urls or is_host_allowed(told.hosts, asked):
        return ""
    host = _host(asked) if is_web_address(asked) else "that address"
    return f"webhook: {host} is not among the hosts that may be told of verdicts (WEBHOOK_HOSTS of the gateway)"


def require_hosts_allowed(told: Rules, requests: Iterable[RunRequest]) -> None:
    """Raise a Refusal if a request names an address that would get no webhook."""
    reasons = tuple(filter(None, (find_host_refusal(told, request.webhook) for request in requests)))
    if reasons:
        raise Refusal(400, *dict.fromkeys(reasons))


def delivery_id(run: str, key: str) -> str:
    """Return the id of a verdict's delivery to a receiver: the same at each attempt, by whichever gateway."""
    return f"{run}.{key}"


def build_delivery(verdict: Verdict, to: Receiver, secrets: tuple[str, ...], attempt: int, now: float) -> Delivery:
    """Return what a receiver is sent of a verdict."""
    id = delivery_id(verdict.run, to.key)
    body = codec.encode(build_body(verdict, id))
    headers = {"Content-Type": "application/json", DELIVERY: id, ATTEMPT: str(attempt)}
    if secrets:
        headers[SIGNATURE] = sign(body, secrets, int(now))
    return Delivery(headers, body)


def sign(body: bytes, secrets: tuple[str, ...], at: int) -> str:
    """Return the header by which a receiver that knows one of the secrets can tell that the body is from here."""
    signed = b"%d." % at + body
    signs = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    return ",".join([f"t={at}", *(f"v1={sign}" for sign in signs)])


def retry_delay(told: Rules, attempt: int, outcome: Outcome) -> float | None:
    """Return seconds until the next attempt after this one (1 is the first); None if there is none."""
    if attempt >= told.attempts or outcome.status == GONE:
        return None
    return min(told.first_delay * FACTOR ** (attempt - 1), LONGEST_DELAY)
