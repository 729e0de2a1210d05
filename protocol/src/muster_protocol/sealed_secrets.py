"""Secrets that a fleet keeps, sealed so that its workers alone can open them.

The bucket `SECRETS` holds the public half of the workers' key, and each secret under `value.<name>`.
"""

from msgspec import Struct

PUBLIC = "public"
"""Key of the public half."""
VALUES = "value."
"""How the keys of secrets begin."""


class PublicHalf(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What secrets are sealed to; it opens none."""

    public: bytes
    """X25519, 32 bytes."""
    at: float = 0.0
    """Unix seconds."""
    by: str = ""


class SealedSecret(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A secret that nobody can read without the workers' private key."""

    name: str
    sealed: bytes
    """A sealed box (libsodium) with name and value, filled up so that its length tells little."""
    key: str
    """Fingerprint of the public half that it was sealed to."""
    at: float = 0.0
    """Unix seconds."""
    by: str = ""
