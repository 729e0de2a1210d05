"""The file with which a process proves to NATS who it is."""

import re
from contextlib import suppress
from pathlib import Path

import nkeys

from muster_service.settings import SettingsError

_SEED = re.compile(rb"\bSU[A-Z2-7]{56}\b")
"""An NKey seed of a user."""


def credentials_option(file: str) -> dict[str, str]:
    """Return the argument of nats-py's `connect` for a credentials file, or for a file with only an NKey seed.

    Raises:
        SettingsError: it holds no seed of a user; never tells what is in it.
    """
    if not file:
        return {}
    with suppress(OSError):  # `connect` reports an unreadable file
        content = Path(file).read_bytes()
        if not _holds_seed(content):
            raise SettingsError(
                f"environment variable `NATS_CREDENTIALS`: {file} holds neither an NKey seed nor the credentials of a "
                "user, as `muster up` and `nsc` write them"
            )
        if content.startswith(b"SU"):
            return {"nkeys_seed": file}
    return {"user_credentials": file}


def _holds_seed(content: bytes) -> bool:
    found = _SEED.search(content)
    if found is None:
        return False
    try:
        nkeys.from_seed(bytearray(found.group()))
    except nkeys.NkeysError:
        return False
    return True
