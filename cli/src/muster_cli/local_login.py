"""Logins of fleets that `muster up` runs on this machine, for other commands of the same user.

One link a server in `~/.local/state/muster`, named by its port: it leads to the seed in the fleet's own folder, and so
nowhere once the fleet is gone, however it ended.
"""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

LOGINS = ("NATS_USER", "NATS_PASSWORD", "NATS_CREDENTIALS")
LOOPBACK = ("127.0.0.1", "localhost")


@contextmanager
def offer(url: str, seed: Path, environ: Mapping[str, str]) -> Generator[None]:
    """Publish the login of a server on loopback to this user's commands inside the block.

    Raises:
        OSError: the folder of this user's state cannot be written.
    """
    link = _link(url, environ)
    link.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(seed.absolute())
    try:
        yield
    finally:
        link.unlink(missing_ok=True)


def with_login(environ: Mapping[str, str], url: str) -> dict[str, str]:
    """Return the environment with the server's address and, if it names no login and the server is a fleet's that
    `muster up` runs here, with that login."""
    env = {**environ, "NATS_URL": url} if url else dict(environ)
    address = urlsplit(env.get("NATS_URL", ""))
    if any(env.get(name) for name in LOGINS) or address.hostname not in LOOPBACK or address.username:
        return env
    link = _link(env["NATS_URL"], env)
    return {**env, "NATS_CREDENTIALS": str(link)} if os.access(link, os.R_OK) else env


def _link(url: str, environ: Mapping[str, str]) -> Path:
    state = environ.get("XDG_STATE_HOME") or Path(environ.get("HOME") or Path.home()) / ".local/state"
    return Path(state) / "muster" / f"nats-{urlsplit(url).port or 4222}.seed"
