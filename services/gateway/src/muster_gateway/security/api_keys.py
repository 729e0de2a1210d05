"""API keys: how they are made, kept and recognised, and the cookie that stands for one. Pure, but for the making.

A key has 256 random bits, so a plain fast hash keeps it: nobody can try that many. SHA-256 of the key is its *proof*;
SHA-256 of the proof is the *digest*, which is all that is stored. A cookie holds the proof and an expiry, sealed with a
secret of the key's own. So who reads the keys file has neither key nor cookie, who has a cookie has not the key and
cannot make the cookie last longer, and any gateway that reads the same file takes it.
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
"""Each may do what those before it may."""

PREFIX = "muster_"
MIN_KEY_CHARACTERS = 22
"""Characters of a key that somebody else has made: 128 bits in base64."""
MAX_KEY_CHARACTERS = 200
ENVIRONMENT = "API_KEY"
"""Name of the key that comes from the setting."""
HEADER = "# Keys of the gateway's API, made by `muster keys`: name, role, SHA-256, seal, made at, expires at"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SEAL = re.compile(r"[0-9a-f]{32,64}", re.ASCII)
_TIME = "%Y-%m-%dT%H:%M:%SZ"


class BadKeys(MusterError):
    """A keys file cannot be used; the message names the line."""


class StoredKey(NamedTuple):
    """A key as it is kept; times are unix seconds."""

    name: str
    role: Role
    digest: str
    """SHA-256 of the proof, in hex."""
    seal: str
    """Secret that seals the expiry of this key's cookies, in hex."""
    made_at: int
    expires_at: int = 0
    """0: never."""

    def expired(self, now: float) -> bool:
        """Return whether the key's time is over."""
        return bool(self.expires_at) and now >= self.expires_at


def make_key() -> str:
    """Return a new key."""
    return PREFIX + secrets.token_urlsafe(32)


def derive_proof(key: str) -> bytes:
    """Return what shows that somebody had the key, without being the key."""
    return hashlib.sha256(b"muster key\0" + key.encode("utf-8", "surrogateescape")).digest()


def build_stored_key(name: str, role: Role, key: str, made_at: int, expires_at: int = 0) -> StoredKey:
    """Return a key as it is kept, with a seal of its own."""
    return StoredKey(name, role, _digest(derive_proof(key)), secrets.token_hex(16), made_at, expires_at)


def from_environment(key: str) -> StoredKey:
    """Return the key of the setting API_KEY; the same in every gateway that is given it.

    Raises:
        BadKeys: it is too short to be random enough.
    """
    if not MIN_KEY_CHARACTERS <= len(key) <= MAX_KEY_CHARACTERS:
        bounds = f"{MIN_KEY_CHARACTERS} to {MAX_KEY_CHARACTERS} characters"
        raise BadKeys(f"API_KEY has to have {bounds}, random ones: `openssl rand -hex 32`")
    seal = hashlib.sha256(b"muster seal\0" + key.encode()).hexdigest()
    return StoredKey(ENVIRONMENT, "admin", _digest(derive_proof(key)), seal, 0)


def check_name(name: str) -> str:
    """Return the name if a key can be called so.

    Raises:
        BadKeys: it cannot.
    """
    if not _NAME.fullmatch(name) or name == ENVIRONMENT:
        raise BadKeys(
            f"a key cannot be called {name!r}: 1 to 64 letters, digits, `.`, `_`, `@` or `-`; not {ENVIRONMENT}"
        )
    return name


def format_line(key: StoredKey) -> str:
    """Return the line of a keys file that keeps a key."""
    return " ".join((key.name, key.role, key.digest, key.seal, _format_time(key.made_at), _format_time(key.expires_at)))


def parse_keys(text: str) -> tuple[StoredKey, ...]:
    """Return the keys of a keys file; empty lines and those that begin with `#` are passed over.

    Raises:
        BadKeys: a line is none, or a name is there twice.
    """
    found: dict[str, StoredKey] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key = _parse_line(line, number)
        if key.name in found:
            raise BadKeys(f"line {number}: there is a key {key.name!r} already")
        found[key.name] = key
    return tuple(found.values())


def find_key(keys: Iterable[StoredKey], proof: bytes) -> StoredKey | None:
    """Return the key that a proof is of, expired or not; takes the same time whichever it is."""
    digest, found = _digest(proof), None
    for key in keys:
        if hmac.compare_digest(key.digest, digest):
            found = key
    return found


def make_cookie(key: StoredKey, proof: bytes, expires_at: int) -> str:
    """Return the value of a cookie that stands for a key until then."""
    body = f"{expires_at}.{_encode(proof)}"
    return f"{body}.{_encode(_seal(key, body))}"


class Login(NamedTuple):
    """What a cookie stands for: a key, and until when (unix seconds)."""

    key: StoredKey
    until: int


def read_cookie(keys: Sequence[StoredKey], value: str, now: float) -> Login | None:
    """Return what a cookie stands for; None if it is no cookie of ours, was changed, or its time is over."""
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
    if len(fields) != 6:
        raise BadKeys(f"line {number}: a key has six fields (name, role, SHA-256, seal, made at, expires at)")
    name, role, digest, seal, made, expires = fields
    if not _NAME.fullmatch(name) or name == ENVIRONMENT:
        raise BadKeys(f"line {number}: this is no name of a key")
    if role not in get_args(Role):
        raise BadKeys(f"line {number}: the role has to be one of {', '.join(get_args(Role))}")
    if not _DIGEST.fullmatch(digest) or not _SEAL.fullmatch(seal):
        raise BadKeys(f"line {number}: SHA-256 and seal have to be lower-case hex digits")
    return StoredKey(name, cast("Role", role), digest, seal, _parse_time(made, number), _parse_time(expires, number))


def _format_time(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime(_TIME) if at else "-"


def _parse_time(text: str, number: int) -> int:
    if text == "-":
        return 0
    try:
        return int(datetime.strptime(text, _TIME).replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise BadKeys(f"line {number}: a time is written as 2026-11-22T09:00:00Z, or `-`") from None


def _digest(proof: bytes) -> str:
    return hashlib.sha256(proof).hexdigest()


def _seal(key: StoredKey, body: str) -> bytes:
    return hmac.digest(bytes.fromhex(key.seal), f"muster cookie\0{body}".encode(), "sha256")


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """Return what was written so; a ValueError if it was not, or not in the one way it can be."""
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _encode(data) != text:
        raise ValueError(text)
    return data
