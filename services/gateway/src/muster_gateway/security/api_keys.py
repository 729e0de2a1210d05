"""API keys and login cookies: creating, storing and checking them. Pure, except for random numbers.

A key has 256 random bits, so a fast hash is enough to store it: nobody can guess it. SHA-256 of the key is its *proof*;
SHA-256 of the proof is the *digest*, which is all that is stored. A cookie has the proof and an expiry, sealed with a
secret of the key. So the keys file reveals neither keys nor cookies, a cookie does not reveal the key and cannot be
extended, and all gateways that read the same file accept it.
"""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal, NamedTuple, cast, get_args

from muster_protocol.errors import MusterError

Role = Literal["viewer", "runner", "admin"]
"""Each role includes the ones before it."""

PREFIX = "muster_"
MIN_KEY_CHARACTERS = 22
"""Minimum length of a key in API_KEY: 128 bits in base64."""
MAX_KEY_CHARACTERS = 200
ENVIRONMENT = "API_KEY"
"""Name of the key in the setting API_KEY."""
HEADER = "# API keys of the gateway, managed by `muster keys`: name, role, SHA-256, seal, created at, expires at, team"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SEAL = re.compile(r"[0-9a-f]{32,64}", re.ASCII)
_TIME = "%Y-%m-%dT%H:%M:%SZ"


class BadKeys(MusterError):
    """A keys file is invalid; the message names the line."""


class StoredKey(NamedTuple):
    """A stored key; times in unix seconds."""

    name: str
    role: Role
    digest: str
    """SHA-256 of the proof, in hex."""
    seal: str
    """Secret that seals the expiry of this key's cookies, in hex."""
    made_at: int
    expires_at: int = 0
    """0: never."""
    team: str = ""
    """Label of the runs that are submitted with it; empty: none."""

    def expired(self, now: float) -> bool:
        """Return whether the key has expired."""
        return bool(self.expires_at) and now >= self.expires_at


def make_key() -> str:
    """Return a new key."""
    return PREFIX + secrets.token_urlsafe(32)


def derive_proof(key: str) -> bytes:
    """Return the proof of a key, which does not reveal the key."""
    return hashlib.sha256(b"muster key\0" + key.encode("utf-8", "surrogateescape")).digest()


def build_stored_key(
    name: str, role: Role, key: str, made_at: int, expires_at: int = 0, *, team: str = ""
) -> StoredKey:
    """Return a key in stored form, with a new seal."""
    return StoredKey(name, role, _digest(derive_proof(key)), secrets.token_hex(16), made_at, expires_at, team)


def from_environment(key: str) -> StoredKey:
    """Return the key in the setting API_KEY; the same in all gateways with that setting.

    Raises:
        BadKeys: its length is wrong.
    """
    if not MIN_KEY_CHARACTERS <= len(key) <= MAX_KEY_CHARACTERS:
        bounds = f"{MIN_KEY_CHARACTERS} to {MAX_KEY_CHARACTERS} characters"
        raise BadKeys(f"API_KEY must have {bounds}; create one with `openssl rand -hex 32`")
    seal = hashlib.sha256(b"muster seal\0" + key.encode()).hexdigest()
    return StoredKey(ENVIRONMENT, "admin", _digest(derive_proof(key)), seal, 0)


def check_name(name: str) -> str:
    """Return the name if it is valid for a key.

    Raises:
        BadKeys: it is not.
    """
    if not _NAME.fullmatch(name) or name == ENVIRONMENT:
        raise BadKeys(
            f"invalid key name {name!r}: use 1 to 64 letters, digits, `.`, `_`, `@` or `-`, and not {ENVIRONMENT}"
        )
    return name


def format_line(key: StoredKey) -> str:
    """Return the line of a keys file for a key."""
    times = (_format_time(key.made_at), _format_time(key.expires_at))
    return " ".join((key.name, key.role, key.digest, key.seal, *times, *((key.team,) if key.team else ())))


def parse_keys(text: str) -> tuple[StoredKey, ...]:
    """Return the keys in a keys file; skips empty lines and lines that begin with `#`.

    Raises:
        BadKeys: a line is invalid, or a name is duplicate.
    """
    found: dict[str, StoredKey] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key = _parse_line(line, number)
        if key.name in found:
            raise BadKeys(f"line {number}: duplicate key {key.name!r}")
        found[key.name] = key
    return tuple(found.values())


def find_key(keys: Iterable[StoredKey], proof: bytes) -> StoredKey | None:
    """Return the key with a proof, expired or not; takes the same time for every key."""
    digest, found = _digest(proof), None
    for key in keys:
        if hmac.compare_digest(key.digest, digest):
            found = key
    return found


def make_cookie(key: StoredKey, proof: bytes, expires_at: int) -> str:
    """Return the value of a cookie for a key, valid until `expires_at`."""
    body = f"{expires_at}.{_encode(proof)}"
    return f"{body}.{_encode(_seal(key, body))}"


class Login(NamedTuple):
    """The content of a cookie: a key, and its expiry in unix seconds."""

    key: StoredKey
    until: int


def read_cookie(keys: Sequence[StoredKey], value: str, now: float) -> Login | None:
    """Return the content of a cookie; None if it is invalid, altered or expired."""
    body, _, seal = value.rpartition(".")
    expires, _, proof = body.partition(".")
    if len(value) > MAX_KEY_CHARACTERS or not (expires.isascii() and expires.isdigit()):
        return None
    try:
        key = find_key(keys, _decode(proof))
        if key is None or not hmac.compare_digest(_decode(seal), _seal(key, body)):
            return None
    except ValueError:
        return None
    return None if now >= int(expires) else Login(key, int(expires))


def _parse_line(line: str, number: int) -> StoredKey:
    fields = line.split()
    if len(fields) not in (6, 7):
        shape = "name, role, SHA-256, seal, created at, expires at, and a team if it has one"
        raise BadKeys(f"line {number}: a key has six or seven fields ({shape})")
    name, role, digest, seal, made, expires, team = (*fields, "")[:7]
    if team and not _NAME.fullmatch(team):
        raise BadKeys(f"line {number}: invalid name of a team")
    if not _NAME.fullmatch(name) or name == ENVIRONMENT:
        raise BadKeys(f"line {number}: invalid key name")
    if role not in get_args(Role):
        raise BadKeys(f"line {number}: the role must be one of {', '.join(get_args(Role))}")
    if not _DIGEST.fullmatch(digest) or not _SEAL.fullmatch(seal):
        raise BadKeys(f"line {number}: SHA-256 and seal must be lower-case hex digits")
    times = (_parse_time(made, number), _parse_time(expires, number))
    return StoredKey(name, cast("Role", role), digest, seal, *times, team)


def _format_time(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime(_TIME) if at else "-"


def _parse_time(text: str, number: int) -> int:
    if text == "-":
        return 0
    try:
        return int(datetime.strptime(text, _TIME).replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise BadKeys(f"line {number}: write a time as 2026-11-22T09:00:00Z, or `-`") from None


def _digest(proof: bytes) -> str:
    return hashlib.sha256(proof).hexdigest()


def _seal(key: StoredKey, body: str) -> bytes:
    return hmac.digest(bytes.fromhex(key.seal), f"muster cookie\0{body}".encode(), "sha256")


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """Decode base64url; raise a ValueError unless the text is the canonical encoding."""
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _encode(data) != text:
        raise ValueError(text)
    return data
