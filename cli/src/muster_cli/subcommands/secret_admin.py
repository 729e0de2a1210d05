"""`muster secrets`: secrets that a fleet keeps, sealed so that its workers alone can open them."""

import os
from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from muster_bus.sealing import fingerprint, make_private_key, write_key_line
from muster_bus.secret_store import SecretStore
from muster_cli.app import client, perform, print_json, print_table
from muster_cli.options import JSON, NATS, OrderedGroup, example, row_limit
from muster_cli.standard_input import is_typed, read_input
from muster_cli.subcommands.control_command import user_name
from muster_cli.table import new_table
from muster_protocol.errors import InvalidRequest
from muster_protocol.sealed_secrets import SealedSecret
from muster_text.text_match import nearest
from muster_views.outcome import PASSED
from muster_views.texts import format_time

NAME = click.argument("name")


@click.group(
    cls=OrderedGroup,
    short_help="Give secrets to the workers of a running fleet.",
    epilog=example(
        "muster secrets init --key-file workers.key      once; give the file to the workers as SECRETS_KEY_FILE",
        "muster secrets set SHOP_PASSWORD                asks for the value",
        "pass shop | muster secrets set SHOP_PASSWORD",
        "muster secrets list",
        "muster secrets delete SHOP_PASSWORD",
    ),
)
def secrets() -> None:
    """Give secrets to the workers of a running fleet, sealed to their public key.

    This command seals the value. NATS, gateway, orchestrators and backups hold only the sealed value; workers open it
    with their private key when a case lists the secret.
    """


@secrets.command(epilog=example("muster secrets init --key-file /etc/muster/workers.key"))
@click.option(
    "--key-file",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="New file for the private key; its mode is 0600.",
)
@click.option("--replace", is_flag=True, help="Replace the fleet's key; you must then set every secret again.")
@NATS
def init(*, key_file: Path, replace: bool, nats: str | None) -> None:
    """Create the workers' key. The private half goes into a new file, the public half to the fleet."""

    async def work() -> int:
        key = make_private_key()
        public = bytes(key.public_key)
        async with client(nats) as bus:
            store = SecretStore(bus)
            await store.refuse_second_key(replace=replace)
            _write_key_file(key_file, write_key_line(key))
            await store.publish(public, by=user_name(), replace=replace)
        click.echo(f"key {fingerprint(public)} in {key_file}; give this file to the workers as SECRETS_KEY_FILE")
        return PASSED

    perform(work)


@secrets.command("set", epilog=example("muster secrets set PASSWORD", "pass shop | muster secrets set PASSWORD"))
@NAME
@NATS
def set_(name: str, nats: str | None) -> None:
    """Seal a value and store it. It comes from a prompt or from stdin; the next sub-task gets it."""

    async def work() -> int:
        value = read_value(name)
        async with client(nats) as bus:
            made = await SecretStore(bus).set(name, value, by=user_name())
        click.echo(f"{name}: sealed to the key {made.key}")
        return PASSED

    perform(work)


@secrets.command("list", epilog=example("muster secrets list", "muster secrets list --json"))
@row_limit()
@NATS
@JSON
def list_(*, limit: int, nats: str | None, as_json: bool) -> None:
    """List the names of secrets, and which key each is sealed to. Values cannot be shown."""

    async def work() -> int:
        async with client(nats) as bus:
            store = SecretStore(bus)
            found, public = await store.all(), await store.public()
        now = fingerprint(public) if public else ""
        if as_json:
            rows = [
                {"name": it.name, "key": it.key, "at": it.at, "by": it.by, "current": it.key == now} for it in found
            ]
            print_json(rows)
        elif found:
            print_table(found, limit, lambda some: _secret_table(some, now))
        else:
            click.echo("no secrets; `muster secrets set NAME` stores one")
        return PASSED

    perform(work)


@secrets.command(epilog=example("muster secrets delete SHOP_PASSWORD"))
@NAME
@NATS
def delete(name: str, nats: str | None) -> None:
    """Remove a secret from the fleet."""

    async def work() -> int:
        async with client(nats) as bus:
            store = SecretStore(bus)
            names = [it.name for it in await store.all()]
            if name not in names:
                close = nearest(name, names, 1)
                hint = f"did you mean {close[0]!r}?" if close else "`muster secrets list` shows all"
                raise InvalidRequest([f"there is no secret {name!r}; {hint}"])
            await store.delete(name)
        click.echo(f"{name}: removed")
        return PASSED

    perform(work)


def _secret_table(found: Sequence[SealedSecret], now: str) -> Table:
    """Return secrets as people read them; `now` is the fingerprint of the fleet's key. Pure."""
    table = new_table("secret", "set", "by", "key")
    for it in found:
        key = it.key if it.key == now else f"{it.key}, which the fleet no longer uses"
        table.add_row(*map(Text, (it.name, format_time(it.at), it.by, key)))
    return table


def read_value(name: str) -> str:
    """Return the value for a secret: typed twice without echo at a terminal, else the text on stdin.

    Raises:
        InvalidRequest: it is empty, or not UTF-8 text.
    """
    if is_typed():
        return str(click.prompt(f"Value of {name}", hide_input=True, confirmation_prompt=True, err=True))
    value = read_input().removesuffix("\n").removesuffix("\r")
    if not value:
        raise InvalidRequest([f"no value for {name}: type it at the prompt, or pipe it in"])
    return value


def _write_key_file(path: Path, line: str) -> None:
    """Write a new file that its owner alone can read.

    Raises:
        InvalidRequest: there is one, or it cannot be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise InvalidRequest([f"--key-file {path}: {error.strerror}"]) from error
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(line)
