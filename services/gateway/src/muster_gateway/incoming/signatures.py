"""Whether a posted event comes from the sender it names. Pure.

Accepted: GitHub's signature, GitLab's token, Standard Webhooks (https://www.standardwebhooks.com), and the signature of
Muster's own webhooks.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping

from muster_service.settings import SettingsError

REPLAY_SECONDS = 300.0
"""A signature with a time is accepted so long before and after it."""
SHORTEST_SECRET = 16
WAYS = (
    "send a key of role runner (`Authorization: Bearer <key>`), or sign the request with the sender's secret in "
    "EVENT_SECRETS: X-Hub-Signature-256 (GitHub), X-Gitlab-Token, webhook-signature (Standard Webhooks) or "
    "Muster-Signature"
)


def read_senders(setting: str) -> dict[str, str]:
    """Return the secret of each sender in the setting EVENT_SECRETS, `name=secret` separated by commas.

    Raises:
        SettingsError: an entry is invalid; secrets are not shown.
    """
    senders: dict[str, str] = {}
    for number, entry in enumerate((part.strip() for part in setting.split(",") if part.strip()), 1):
        name, _, secret = entry.partition("=")
        if not name.replace("-", "").replace("_", "").isalnum() or len(secret) < SHORTEST_SECRET or name in senders:
            raise SettingsError(
                f"environment variable `EVENT_SECRETS`: entry {number} is not name=secret with a name of its own and a "
                f"secret of at least {SHORTEST_SECRET} characters"
            )
        senders[name] = secret
    return senders


def find_signature_problem(secret: str | None, headers: Mapping[str, str], body: bytes, now: float) -> str:
    """Return why a request is not known to be the sender's, or ""; `headers` in lower case, `now` in Unix seconds.

    All that is sent must be right: one valid signature beside a wrong one is refused.
    """
    ways = (_check_github, _check_gitlab, _check_standard, _check_own)
    found = [result for check in ways if (result := check(secret or "", headers, body, now)) is not None]
    if not found:
        return WAYS
    if secret is None or not all(found):
        return "the signature is not valid for this sender, or it is too old; EVENT_SECRETS has the senders' secrets"
    return ""


def _check_github(secret: str, headers: Mapping[str, str], body: bytes, _: float) -> bool | None:
    sent = headers.get("x-hub-signature-256")
    return None if sent is None else _same(sent, f"sha256={_hex(secret, body)}")


def _check_gitlab(secret: str, headers: Mapping[str, str], _body: bytes, _: float) -> bool | None:
    sent = headers.get("x-gitlab-token")
    return None if sent is None else _same(sent, secret)


def _check_standard(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bool | None:
    sent = headers.get("webhook-signature")
    if sent is None:
        return None
    id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    key = _standard_key(secret)
    made = base64.b64encode(hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()).decode()
    return bool(id) and _is_fresh(at, now) and any(_same(one, f"v1,{made}") for one in sent.split(" "))


def _standard_key(secret: str) -> bytes:
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        return secret.encode()


def _check_own(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bool | None:
    sent = headers.get("muster-signature")
    if sent is None:
        return None
    parts = [(name, value) for name, _, value in (part.partition("=") for part in sent.split(","))]
    at = next((value for name, value in parts if name == "t"), "")
    made = _hex(secret, at.encode() + b"." + body)
    return _is_fresh(at, now) and any(name == "v1" and _same(value, made) for name, value in parts)


def _is_fresh(at: str, now: float) -> bool:
    return at.isascii() and at.isdecimal() and len(at) <= 12 and abs(now - int(at)) <= REPLAY_SECONDS


def _hex(secret: str, signed: bytes) -> str:
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def _same(sent: str, right: str) -> bool:
    return hmac.compare_digest(sent.encode("utf-8", "surrogateescape"), right.encode())
