"""`muster up`: starts a fleet that runs until Ctrl-C."""

import asyncio
import fcntl
import os
import socket
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from muster_bus.connection import without_password
from muster_cli.app import perform, tell
from muster_cli.child_process import show_logs
from muster_cli.embedded import LOOPBACK, Fleet, FleetFailed, Plan, embedded
from muster_cli.local_login import offer
from muster_cli.options import WORKERS, example
from muster_protocol.errors import InvalidRequest
from muster_service.exhaustion import EXHAUSTED
from muster_service.settings import BusSettings


@click.command(
    short_help="Start a fleet; Ctrl-C stops it.",
    epilog=example(
        "muster up",
        "muster up --workers 4 --data ~/.local/share/muster",
        "muster up --nats nats://nats.example:4222 --port 9000",
    ),
)
@click.option("--nats", metavar="URL", help="Use this NATS server instead of a private one.")
@WORKERS
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port of the gateway; 0: a free one."
)
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Keep runs in this folder."
)
@click.option("--env-file", type=click.Path(path_type=Path, exists=True), help="Secrets for the workers, NAME=VALUE.")
@click.option("--verbose", is_flag=True, help="Show the logs of the services.")
def up(*, nats: str | None, workers: int, port: int, data: Path | None, env_file: Path | None, verbose: bool) -> None:
    """Start NATS and all services; Ctrl-C stops them.

    Without --data, all runs are deleted at the end.
    """
    secrets = {"SECRETS_FILE": str(env_file.resolve())} if env_file else {}
    plan = Plan(workers=workers, nats_url=nats or "", data=data, port=port, worker_env=secrets)

    async def work() -> int:
        _require_free(port)
        tell("Starting …")
        with lock_folder(data):
            async with embedded(plan, os.environ, tell) as fleet, show_logs(fleet.children if verbose else (), tell):
                with _offer_login(fleet, private=not plan.nats_url):
                    click.echo(welcome(fleet.bus.settings, fleet.gateway_link, str(fleet.children[0].log.parent)))
                    for warning in await fleet.warnings():
                        tell(f"Warning  {warning}")
                    return await _wait(fleet)

    perform(work, interrupted=0)  # that is how it is meant to end


def welcome(settings: BusSettings, link: str, logs: str) -> str:
    """Return the message shown when a fleet has started; its link contains the key to log in with. Pure."""
    nats_url = without_password(settings.nats_url)
    login = [f"Login    {settings.nats_credentials}"] if settings.nats_credentials else []
    return "\n".join(
        (
            f"Console  {link}",
            f"NATS     {nats_url}",
            *login,
            f"Logs     {logs}",
            "",
            "In another terminal:",
            f"  export NATS_URL={nats_url}",
            "  muster submit cases/ --wait",
            "  muster list",
            "",
            "Ctrl-C stops everything.",
        )
    )


@contextmanager
def _offer_login(fleet: Fleet, *, private: bool) -> Generator[None]:
    """Let other commands find the login of a private server; if that fails, print the variable to export."""
    settings = fleet.bus.settings
    with ExitStack() as stack:
        try:
            if private:
                stack.enter_context(offer(settings.nats_url, Path(settings.nats_credentials), os.environ))
        except OSError as error:
            tell(f"muster: {error}; other commands need `export NATS_CREDENTIALS={settings.nats_credentials}`")
        yield


async def _wait(fleet: Fleet) -> int:
    await fleet.while_whole(asyncio.Event().wait())
    raise FleetFailed(fleet.failure)


def _require_free(port: int) -> None:
    """Find out before anything starts whether the gateway can listen; a port taken meanwhile still ends the start.

    Raises:
        InvalidRequest: it cannot.
    """
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((LOOPBACK, port))
        except OSError as error:
            remedy = "name another port, or 0 for a free one"
            raise InvalidRequest(
                [f"--port {port}: {(error.strerror or 'it cannot be used').lower()}; {remedy}"]
            ) from error


@contextmanager
def lock_folder(folder: Path | None) -> Generator[None]:
    """Hold the folder's lock: two servers over the same data would destroy it.

    Raises:
        InvalidRequest: another one has it.
        OSError: the folder cannot be used, or there is no room for what is written to it meanwhile.
    """
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidRequest([f"--data {folder}: another `muster up` uses this folder"]) from None
        try:
            yield
        except OSError as error:
            if error.filename or error.errno not in EXHAUSTED:
                raise
            raise OSError(error.errno, error.strerror, str(folder)) from error  # a failed write does not name its file
