"""A nats-server under deploy/nats.conf, and clients of each of its users, for the tests of the deployment."""

import asyncio
import os
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec.structs import replace
from nats.aio.client import Client

from muster_bus import Bus, connect
from muster_bus.nats_server import NatsServer, executable
from muster_service.settings import BusSettings

ROOT = Path(__file__).resolve().parents[2]
USERS = ("orchestrator", "subagent", "sessions", "gateway", "provisioner", "admin", "publisher")


def password_of(user: str) -> str:
    """Return the password the tests give a user."""
    return f"secret-of-{user}"


def identity(user: str) -> dict[str, str]:
    """Return the variables that make a service a user of the server."""
    return {"NATS_USER": user, "NATS_PASSWORD": password_of(user)}


class Deployed(NatsServer):
    """A nats-server that runs deploy/nats.conf as it is; its command line only moves address, ports and folder."""

    config = ROOT / "deploy/nats.conf"

    async def start(self, timeout: float = 20.0) -> None:
        """Start the server and wait until it takes connections."""
        store, log = str(self.folder / "js"), str(self.folder / "nats.log")
        passwords = {f"NATS_{user.upper()}_PASSWORD": password_of(user) for user in USERS}
        self._process = await asyncio.create_subprocess_exec(
            *(executable(), "-c", str(self.config), "-a", "127.0.0.1", "-p", "-1", "-m", "-1"),
            *("-sd", store, "--ports_file_dir", str(self.folder), "-l", log),
            env={**os.environ, **passwords},
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
        )
        async with asyncio.timeout(timeout):
            await self._wait_for_ports()

    @asynccontextmanager
    async def bus(self, user: str) -> AsyncGenerator[Bus]:
        """Connect as a user in the way services do."""
        settings = replace(BusSettings(), nats_url=self.url, nats_user=user, nats_password=password_of(user))
        bus = await connect(settings, name="test", patience=10.0)
        try:
            yield bus
        finally:
            await bus.close()

    @asynccontextmanager
    async def trial(self, user: str) -> AsyncGenerator["Trial"]:
        """Connect as a user with the plain client and inboxes of its own, as an outside system does."""
        refused: list[str] = []

        async def failed(error: Exception) -> None:
            refused.append(str(error))

        client = Client()
        await client.connect(
            self.url,
            user=user,
            password=password_of(user),
            inbox_prefix=f"_INBOX_{user}",
            error_cb=failed,
            max_reconnect_attempts=0,
        )
        try:
            yield Trial(client, refused)
        finally:
            await client.close()


class Trial:
    """A client that tries things and is told at once what is refused."""

    def __init__(self, client: Client, refused: list[str]) -> None:
        self.client, self.refused = client, refused

    async def publish(self, subject: str) -> bool:
        """Publish nothing on a subject and return whether the server takes it."""
        before = len(self.refused)
        await self.client.publish(subject, b"")
        await self._settled()
        return len(self.refused) == before

    async def subscribe(self, subject: str) -> bool:
        """Subscribe and return whether the server lets this user."""
        before = len(self.refused)
        subscription = await self.client.subscribe(subject)
        await self._settled()
        allowed = len(self.refused) == before
        if allowed:
            await subscription.unsubscribe()
        return allowed

    async def _settled(self) -> None:
        """Return when the server has seen, and refused or not, all that was sent."""
        await self.client.flush()  # its ping can overtake what was buffered, the second one's cannot
        await self.client.flush()
