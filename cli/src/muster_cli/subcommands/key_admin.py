"""`muster keys`: the API keys of the gateway and their roles."""

import fcntl
import os
import re
import stat
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast, get_args

import click
from rich.table import Table
from rich.text import Text

from muster_cli.app import console, perform, tell
from muster_cli.options import OrderedGroup, example
from muster_cli.table import new_table
from muster_gateway.security.api_keys import (
    HEADER,
    BadKeys,
    Role,
    StoredKey,
    build_stored_key,
    check_name,
    format_line,
    make_key,
    parse_keys,
)
from muster_protocol.errors import InvalidRequest
from muster_views.outcome import PASSED

UNITS = {"h": 3600, "d": 86400, "w": 7 * 86400}
MOST_DAYS = 3660

FILE = click.option(
    "--file",
    "file",
    required=True,
    envvar="API_KEYS_FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PATH",
    help="The keys file; default: API_KEYS_FILE.",
)


@click.group(
    cls=OrderedGroup,
    short_help="Manage the gateway's API keys.",
    epilog=example(
        "muster keys add ci --role runner --expires 90d --file /etc/muster/keys",
        "muster keys list --file /etc/muster/keys",
        "muster keys revoke ci --file /etc/muster/keys",
    ),
)
def keys() -> None:
    """Create, list and revoke API keys.

    The file holds no keys, only their SHA-256. Gateways whose setting API_KEYS_FILE names it read it again within two
    seconds of a change.
    """


@keys.command(
    short_help="Create a key and print it.",
    epilog=example("muster keys add ci --role runner --expires 90d", "muster keys add mia --role admin"),
)
@click.argument("name")
@click.option("--role", type=click.Choice(get_args(Role)), required=True, help="What the key permits.")
@click.option("--expires", metavar="TIME", default="", help="Lifetime, such as 12h, 90d or 8w; default: until revoked.")
@click.option("--team", default="", metavar="NAME", help="Label `team` of all runs that are submitted with the key.")
@FILE
def add(name: str, role: str, expires: str, team: str, file: Path) -> None:
    """Create a key, store its SHA-256 in the file, and print the key. It cannot be shown again.

    A viewer reads and follows; a runner also submits and steers runs; an admin also settles dead letters.
    """

    async def work() -> int:
        seconds = parse_life(expires) if expires else 0
        key = add_key(file, _check_name(name), cast("Role", role), seconds, _check_name(team) if team else "")
        click.echo(key)
        tell(f"This is the key {name!r}, of role {role}. It is not shown again.")
        return PASSED

    perform(work)


@keys.command("list", epilog=example("muster keys list"))
@FILE
def list_keys(file: Path) -> None:
    """List the keys: names, roles, times of creation and expiry."""

    async def work() -> int:
        found = _parse_keys(_read(file), file)
        if found:
            console().print(_key_table(found, time.time()))
        else:
            click.echo("no keys")
        return PASSED

    perform(work)


@keys.command(epilog=example("muster keys revoke ci"))
@click.argument("name")
@FILE
def revoke(name: str, file: Path) -> None:
    """Revoke a key. Connections and logins that use it end."""

    async def work() -> int:
        with _locked(file):
            text = _read(file)
            if not any(known.name == name for known in _parse_keys(text, file)):
                raise InvalidRequest([f"there is no key {name!r}; `muster keys list` shows all keys"])
            remaining = [line for line in text.splitlines() if line.split()[:1] != [name]]
            _write(file, "\n".join(remaining) + "\n")
        click.echo(f"{name}: revoked")
        return PASSED

    perform(work)


def add_key(file: Path, name: str, role: Role, seconds: int, team: str = "") -> str:
    """Create a key with a lifetime in seconds (0: until it is revoked), store its hash in the file, and return it.

    Raises:
        InvalidRequest: the name is taken, or the file is no keys file.
    """
    key, now = make_key(), int(time.time())
    with _locked(file):
        text = _read(file, f"{HEADER}\n")
        if any(known.name == name for known in _parse_keys(text, file)):
            raise InvalidRequest([f"key {name!r} exists; revoke it first, or choose another name"])
        new = build_stored_key(name, role, key, now, now + seconds if seconds else 0, team=team)
        _write(file, f"{text.rstrip(chr(10))}\n{format_line(new)}\n")
    return key


def parse_life(text: str) -> int:
    """Return a time such as `90d` in seconds.

    Raises:
        InvalidRequest: it is none, or is of more than ten years.
    """
    found = re.fullmatch(r"([0-9]{1,6})([hdw])", text, re.ASCII)
    seconds = int(found[1]) * UNITS[found[2]] if found else 0
    if not 0 < seconds <= MOST_DAYS * 86400:
        raise InvalidRequest([f"--expires {text}: write a number with h, d or w, such as 90d, up to {MOST_DAYS}d"])
    return seconds


def _key_table(found: Sequence[StoredKey], now: float) -> Table:
    """Return the keys as a table. Pure."""
    shown = new_table("name", "role", "team", "made (UTC)", "expires (UTC)")
    for key in found:
        ends = f"{_when(key.expires_at)}{' (expired)' if key.expired(now) else ''}" if key.expires_at else "never"
        shown.add_row(*(Text(cell) for cell in (key.name, key.role, key.team, _when(key.made_at), ends)))
    return shown


def _when(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at)) if at else ""


def _check_name(name: str) -> str:
    try:
        return check_name(name)
    except BadKeys as error:
        raise InvalidRequest([str(error)]) from None


def _parse_keys(text: str, file: Path) -> tuple[StoredKey, ...]:
    try:
        return parse_keys(text)
    except BadKeys as error:
        raise InvalidRequest([f"{file}: {error}"]) from None


def _read(file: Path, otherwise: str = "") -> str:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        if otherwise:
            return otherwise
        raise InvalidRequest([f"{file}: there is no such file; `muster keys add` creates it"]) from None
    except UnicodeDecodeError:
        raise InvalidRequest([f"{file}: this is not a keys file: it is not UTF-8 text"]) from None


@contextmanager
def _locked(file: Path) -> Generator[None]:
    """Lock the keys file; the lock is a file beside it, since the file itself is replaced."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.lock")
    with os.fdopen(os.open(beside, os.O_RDWR | os.O_CREAT, 0o600), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write(file: Path, text: str) -> None:
    """Replace the file at once; its owner, and whether its group may read it, stay, so that gateways can go on reading.

    Raises:
        InvalidRequest: it belongs to somebody else, and only they or root may replace it so.
    """
    target = file.resolve()
    descriptor, partial = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)  # its mode is 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as new:
            new.write(text)
            new.flush()
            if target.exists():
                _keep_readable(new.fileno(), target)
            os.fsync(new.fileno())
        Path(partial).replace(target)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def _keep_readable(descriptor: int, target: Path) -> None:
    """Give a new file the owner and group of the one it replaces, and its group the right to read if it had that."""
    found = target.stat()
    try:
        os.fchown(descriptor, found.st_uid, found.st_gid)
    except PermissionError:
        whose = f"it belongs to user {found.st_uid}, group {found.st_gid}"
        why = "replaced by you, gateways might not be able to read it and would keep the old keys"
        raise InvalidRequest(
            [f"{target}: {whose}; {why}. Nothing was changed: run this as that user or root"]
        ) from None
    os.fchmod(descriptor, 0o600 | (found.st_mode & stat.S_IRGRP))
