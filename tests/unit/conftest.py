"""Unit tests are pure: one that starts a process or opens a connection fails, whatever it asserts."""

import sys
from collections.abc import Generator

import pytest

IMPURE = frozenset({"subprocess.Popen", "os.fork", "os.posix_spawn", "socket.bind", "socket.connect"})
"""Audit events (https://docs.python.org/3/library/audit_events.html) of which a pure test causes none."""
_caused: list[str] = []


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event in IMPURE:
        _caused.append(f"{event} {arguments!r:.200}")


sys.addaudithook(_hear)


@pytest.fixture(autouse=True)
def pure() -> Generator[None]:
    """Fail a test that belongs to tests/integration."""
    _caused.clear()
    yield
    assert not _caused, f"a unit test starts no process and opens no connection: {_caused}"
