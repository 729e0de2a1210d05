"""Seals secrets to the workers' public key, and opens them with the private one. Pure, but for the random numbers."""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox

from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.sealed_secrets import SealedSecret

PREFIX = "muster-secrets-key-1:"
"""How a line with a private key begins, so that a wrong file is told."""
FILL = 256
"""A sealed text is filled up to a multiple of so many bytes."""
OVERHEAD = 48
"""Bytes of a seal beside its text: a public key and a code."""
MOST_BYTES = 64 * 1024
"""Of a value."""


class Unopened(Exception):
    """A sealed secret cannot be opened; the message says why and what to do, without the value."""


class _Plain(Struct, frozen=True, forbid_unknown_fields=True):
    """What is inside a seal: the name is in it, so that a value cannot be passed off under another name."""

    name: str
    value: str


def make_private_key() -> PrivateKey:
    """Return a new private key."""
    return PrivateKey.generate()


def write_key_line(key: PrivateKey) -> str:
    """Return a private key as a line of a key file."""
    return f"{PREFIX}{base64.b64encode(bytes(key)).decode()}\n"


def read_key_file(path: str) -> tuple[PrivateKey, ...]:
    """Return the private keys in a file, one a line; none if the path is empty.

    Raises:
        InvalidRequest: the file cannot be read, or holds no key; never tells what is in it.
    """
    if not path:
        return ()
    lines: list[str] = []
    try:
        lines = [line.strip() for line in Path(path).read_text("utf-8").splitlines() if line.strip()]
        keys = tuple(PrivateKey(base64.b64decode(line.removeprefix(PREFIX), validate=True)) for line in lines)
    except OSError as error:
        raise InvalidRequest([f"the workers' key {path} cannot be read: {error.strerror}"]) from None
    except (UnicodeDecodeError, ValueError, TypeError, CryptoError):
        keys = ()
    if not keys or not all(line.startswith(PREFIX) for line in lines):
        raise InvalidRequest([f"{path} is not a workers' key file; `muster secrets init --key-file FILE` creates one"])
    return keys


def fingerprint(public: bytes) -> str:
    """Return the name of a public key that people compare."""
    return hashlib.sha256(public).hexdigest()[:12]


def seal(name: str, value: str, public: bytes) -> bytes:
    """Return a value that only the private half of a key can open.

    Raises:
        InvalidRequest: it is too long.
    """
    if len(value.encode()) > MOST_BYTES:
        raise InvalidRequest([f"the value of {name} has more than {MOST_BYTES:,} bytes"])
    plain = msgspec.json.encode(_Plain(name, value))
    return SealedBox(PublicKey(public)).encrypt(plain.ljust(-(-len(plain) // FILL) * FILL))


def looks_sealed(sealed: bytes) -> bool:
    """Return whether bytes have the length of a seal; nobody without the private key can tell more."""
    inside = len(sealed) - OVERHEAD
    return inside > 0 and inside % FILL == 0 and inside <= 2 * MOST_BYTES


def open_sealed(secret: SealedSecret, keys: Sequence[PrivateKey]) -> str:
    """Return the value in a seal.

    Raises:
        Unopened: there is no key, none fits, or the seal is not of this secret.
    """
    if not keys:
        raise Unopened(
            f"secret {secret.name} is in the secrets store, and this worker has no key to open it: give it the file of "
            "`muster secrets init` as SECRETS_KEY_FILE"
        )
    for key in keys:
        if fingerprint(bytes(key.public_key)) == secret.key:
            return _open(secret, key)
    have = ", ".join(fingerprint(bytes(key.public_key)) for key in keys)
    raise Unopened(
        f"secret {secret.name} is sealed to the key {secret.key}, and this worker has {have}: "
        f"`muster secrets set {secret.name}` seals it anew"
    )


def _open(secret: SealedSecret, key: PrivateKey) -> str:
    try:
        plain = codec.decode_untrusted(SealedBox(key).decrypt(secret.sealed), _Plain)
    except (CryptoError, ValueError, TypeError, msgspec.DecodeError):
        plain = None
    if plain is None or plain.name != secret.name:
        raise Unopened(f"the seal of secret {secret.name} is broken: `muster secrets set {secret.name}` makes it anew")
    return plain.value
