"""Rules of webhooks: receivers, signatures and retries. Pure."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from muster_gateway.problem_details import Refusal
from muster_gateway.settings import GatewaySettings
from muster_gateway.webhooks.verdict_texts import describe_verdict
from muster_protocol import codec
from muster_protocol.requests import RunRequest
from muster_protocol.verdicts import Verdict
from muster_protocol.webhook_messages import build_body
from muster_service.settings import SettingsError
from muster_text.request_rules import is_web_address

SIGNATURE, DELIVERY, ATTEMPT = "Muster-Signature", "Muster-Delivery", "Muster-Attempt"
"""Headers of a delivery."""
PORTS = {"http": 80, "https": 443}
FACTOR, LONGEST_DELAY = 3.0, 1800.0
"""Growth of the delay per attempt, and its maximum in seconds."""
_WEBHOOK = re.compile(r'("webhook"\s*:\s*")((?:[^"\\]|\\.)*)')
LONGEST_TURN = 300.0
GONE = 410
"""Status with which a receiver stops the retries."""


class Rules(NamedTuple):
    """The settings of webhooks."""

    urls: tuple[str, ...] = ()
    hosts: frozenset[str] = frozenset()
    """Hosts that requests may name, as `host:port`."""
    chat_hosts: frozenset[str] = frozenset()
    """Hosts that take messages for people instead."""
    secrets: tuple[str, ...] = ()
    attempts: int = 8
    first_delay: float = 5.0
    timeout: float = 10.0

    @property
    def unsigned(self) -> bool:
        """Whether there may be receivers but no secret to sign with."""
        return bool(self.urls or self.hosts) and not self.secrets


class Receiver(NamedTuple):
    """A receiver's address, and a key that does not reveal it."""

    key: str
    url: str

    @property
    def host(self) -> str:
        """Host and port, which receivers may share."""
        return _host(self.url)

    @property
    def shown(self) -> str:
        """Scheme and host; the rest of an address often works like a password."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{_host(self.url)}" if parts.port else f"{parts.scheme}://{parts.hostname}"


class Delivery(NamedTuple):
    """Headers and body of a webhook."""

    headers: dict[str, str]
    body: bytes


class Outcome(NamedTuple):
    """The result of an attempt: the response's status (0: none), or why there is none."""

    status: int
    reason: str = ""

    @property
    def taken(self) -> bool:
        """Whether the receiver accepted it."""
        return 200 <= self.status < 300

    @property
    def description(self) -> str:
        """The outcome in words."""
        if not self.status:
            return self.reason
        redirected = " (redirects are not followed)" if 300 <= self.status < 400 else ""
        return f"answered {self.status}{redirected}"


def read_rules(settings: GatewaySettings) -> Rules:
    """Return the rules for the settings.

    Raises:
        SettingsError: WEBHOOK_URLS has an invalid address.
    """
    urls = tuple(dict.fromkeys(_listed(settings.webhook_urls)))
    wrong = [number for number, url in enumerate(urls, 1) if not is_web_address(url)]
    if wrong:  # an address may be a secret: it is not shown
        raise SettingsError(f"environment variable `WEBHOOK_URLS`: entry {wrong[0]} is not an http(s):// address")
    return Rules(
        urls=urls,
        hosts=frozenset(name.lower() for name in _listed(settings.webhook_hosts)),
        chat_hosts=frozenset(name.lower() for name in _listed(settings.webhook_chat_hosts)),
        secrets=tuple(_listed(settings.webhook_secret)),
        attempts=settings.webhook_attempts,
        first_delay=settings.webhook_delay_seconds,
        timeout=settings.webhook_timeout_seconds,
    )


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _host(url: str) -> str:
    """Return host and port of an address, default ports included."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or PORTS[parts.scheme]}"


def build_receiver(url: str) -> Receiver:
    """Return the receiver for an address."""
    return Receiver(hashlib.sha256(url.encode()).hexdigest()[:16], url)


def hide_address(url: str) -> str:
    """Return scheme and host of an address; empty if it is invalid."""
    return build_receiver(url).shown if is_web_address(url) else ""


def hide_addresses(request: str) -> str:
    """Return the JSON text of a request, valid or not, with the address of its webhook reduced to its host."""
    return _WEBHOOK.sub(lambda found: found[1] + hide_address(found[2]), request)


def is_host_allowed(hosts: frozenset[str], url: str) -> bool:
    """Return whether a request may use an address: its host is listed, with its port unless it is the default."""
    if not is_web_address(url):
        return False
    parts = urlsplit(url)
    usual = parts.port in (None, PORTS[parts.scheme])
    return _host(url) in hosts or (usual and parts.hostname in hosts)


def list_receivers(rules: Rules, asked: str) -> dict[str, Receiver]:
    """Return the receivers of a run's verdict by key; `asked` is the webhook in its request ("": none)."""
    urls = (*rules.urls, asked) if asked and is_host_allowed(rules.hosts, asked) else rules.urls
    return {one.key: one for one in map(build_receiver, urls)}


def find_host_refusal(rules: Rules, asked: str) -> str:
    """Return why the webhook of a request is refused, or ""."""
    if not asked or asked in rules.urls or is_host_allowed(rules.hosts, asked):
        return ""
    host = _host(asked) if is_web_address(asked) else "that address"
    return f"webhook: {host} is not an allowed host; add it to WEBHOOK_HOSTS of the gateway"


def require_hosts_allowed(rules: Rules, requests: Iterable[RunRequest]) -> None:
    """Raise a Refusal if the webhook of a request is not allowed."""
    reasons = tuple(filter(None, (find_host_refusal(rules, request.webhook) for request in requests)))
    if reasons:
        raise Refusal(400, *dict.fromkeys(reasons))


def delivery_id(run: str, key: str) -> str:
    """Return the id of a verdict's delivery to a receiver, the same for each attempt and gateway."""
    return f"{run}.{key}"


def build_delivery(verdict: Verdict, to: Receiver, rules: Rules, attempt: int, now: float) -> Delivery:
    """Return the headers and body for a receiver."""
    id = delivery_id(verdict.run, to.key)
    chat = is_host_allowed(rules.chat_hosts, to.url)
    body = codec.encode({"text": describe_verdict(verdict)} if chat else build_body(verdict, id))
    headers = {"Content-Type": "application/json", DELIVERY: id, ATTEMPT: str(attempt)}
    if rules.secrets:
        headers[SIGNATURE] = sign(body, rules.secrets, int(now))
    return Delivery(headers, body)


def sign(body: bytes, secrets: tuple[str, ...], at: int) -> str:
    """Return the signature header, with one HMAC per secret."""
    signed = b"%d." % at + body
    signs = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    return ",".join([f"t={at}", *(f"v1={sign}" for sign in signs)])


def may_retry(rules: Rules, attempt: int, outcome: Outcome) -> bool:
    """Return whether there is another attempt after this failed one (1 is the first)."""
    return attempt < rules.attempts and outcome.status != GONE


def retry_delay(rules: Rules, tried: int) -> float:
    """Return the seconds between a failed attempt (1 is the first) and the next one; 0 before the first."""
    return min(rules.first_delay * FACTOR ** (tried - 1), LONGEST_DELAY) if tried else 0.0


def turn_delay(age: float) -> float:
    """Return the seconds until a message that its receiver had no slot for is looked at again.

    It waits as long as it has waited, so that thousands of them cost little while their receiver does not answer.
    """
    return min(max(age, 1.0), LONGEST_TURN)
