"""The gateway's keys: one from its environment, and those in a file that is reloaded when it changes."""

import stat
from pathlib import Path

import structlog

from muster_gateway import metrics
from muster_gateway.security.api_keys import (
    BadKeys,
    Login,
    StoredKey,
    derive_proof,
    find_key,
    from_environment,
    make_cookie,
    parse_keys,
    read_cookie,
)
from muster_protocol.errors import MusterError

log = structlog.get_logger("muster.gateway")

LARGEST = 1024 * 1024
"""Bytes of a keys file."""

_Stamp = tuple[int, int, int, int]
GONE: _Stamp = (0, 0, 0, 0)
"""Stamp of a deleted file."""
UNREAD: _Stamp = (-1, 0, 0, 0)
"""Stamp of an unreadable file: it is tried again, changed or not."""


class Keyring:
    """The valid keys. If the file is unreadable or invalid, the previous keys stay valid."""

    def __init__(self, api_key: str = "", file: str = "") -> None:
        """Read the keys.

        Raises:
            BadKeys: API_KEY is too short; or the file is unusable and there is no API_KEY.
        """
        self._fixed = (from_environment(api_key),) if api_key else ()
        self._file = Path(file) if file else None
        self._keys: tuple[StoredKey, ...] = self._fixed
        self._stamp: _Stamp | None = None
        self.problem = ""
        """Why the file cannot be used; empty if it can."""
        self.refresh()
        if self.problem and not api_key:
            raise BadKeys(f"API_KEYS_FILE: {self.problem}; `muster keys add NAME --file {file}` creates one")

    @property
    def open(self) -> bool:
        """Whether no keys are configured, so that nobody needs one; an empty file lets nobody in."""
        return not self._fixed and self._file is None

    def refresh(self) -> None:
        """Read the file again if it changed."""
        if self._file is None:
            return
        try:
            stamp = _read_stamp(self._file)
            if stamp == self._stamp:
                return
            self._stamp = stamp
            self._read_file(self._file)
        except FileNotFoundError as error:
            if self._stamp is not None or not self._fixed:  # otherwise it may still be created
                self._stamp = GONE
                self._report(_describe_error(error))
        except OSError as error:
            self._stamp = UNREAD
            self._report(_describe_error(error))
        except (UnicodeDecodeError, MusterError) as error:
            self._report(_describe_error(error))

    def key(self, given: str) -> StoredKey | None:
        """Return the stored key for a key, expired or not; None if unknown."""
        return find_key(self._keys, derive_proof(given))

    def named(self, name: str, now: float) -> StoredKey | None:
        """Return the key of a name; None if there is none, or it has expired."""
        return next((key for key in self._keys if key.name == name and not key.expired(now)), None)

    def login(self, cookie: str, now: float) -> Login | None:
        """Return the login in a cookie; None if it is invalid or expired."""
        return read_cookie(self._keys, cookie, now)

    def cookie(self, given: str, key: StoredKey, expires_at: int) -> str:
        """Return the value of a cookie for a key."""
        return make_cookie(key, derive_proof(given), expires_at)

    def holds(self, key: StoredKey, now: float) -> bool:
        """Return whether a key is still valid and unchanged: not revoked, not expired, same role."""
        return key in self._keys and not key.expired(now)

    def _read_file(self, file: Path) -> None:
        if file.stat().st_size > LARGEST:
            raise BadKeys(f"it has more than {LARGEST} bytes")
        self._keys = (*self._fixed, *parse_keys(file.read_text("utf-8")))
        self.problem = ""
        metrics.KEYS_PROBLEM.set(0)
        log.info("keys read", keys=len(self._keys) - len(self._fixed), file=str(file))
        if file.stat().st_mode & (stat.S_IWGRP | stat.S_IRWXO):
            log.warning("keys file is readable or writable by others: run chmod 600 on it", file=str(file))

    def _report(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            log.error("cannot use the keys file; the previous keys stay in force", problem=problem)
        metrics.KEYS_PROBLEM.set(1)


def _read_stamp(file: Path) -> _Stamp:
    found = file.stat()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _describe_error(error: Exception) -> str:
    """Describe an error without quoting the file."""
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}"
    return "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
