"""Two gateways beside each other that read the same keys file, for tests of access."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from waiting import eventually

from muster_bus import Bus
from muster_bus.testing import NatsServer, connected, provisioned_server
from muster_gateway.security.api_keys import HEADER, Role, build_stored_key, format_line, make_key

from .conftest import Web, serving

SECONDS = 20.0


class Place(NamedTuple):
    """Two gateways beside each other that read the same keys file."""

    server: NatsServer
    bus: Bus
    web: Web
    other: Web
    file: Path
    keys: dict[str, str]
    audit: Path

    def bearer(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keys[name]}"}

    def add(self, name: str, role: Role, life: int = 0) -> str:
        """Put a key into the file."""
        key, now = make_key(), int(time.time())
        line = format_line(build_stored_key(name, role, key, now, now + life if life else 0))
        self.keys[name] = key
        self.put(f"{self.file.read_text()}{line}\n")
        return key

    def drop(self, name: str) -> None:
        """Take a key out of the file."""
        self.put("".join(line for line in self.file.read_text().splitlines(True) if line.split()[0] != name))

    def put(self, text: str) -> None:
        """Replace the file."""
        new = self.file.with_suffix(".new")
        new.write_text(text)
        new.chmod(0o600)
        new.replace(self.file)

    async def known(self, key: str, web: Web | None = None) -> bool:
        answer = await (web or self.web).http.get("/whoami", headers={"Authorization": f"Bearer {key}"})
        return answer.status_code == 200

    def deeds(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.audit.read_text().splitlines()]


@asynccontextmanager
async def place(folder: Path) -> AsyncGenerator[Place]:
    file, audit = folder / "keys", folder / "audit.jsonl"
    file.write_text(f"{HEADER}\n")
    file.chmod(0o600)
    settings = {"api_keys_file": str(file), "audit_file": str(audit), "login_failures": "0"}
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(provisioned_server())
        bus = await stack.enter_async_context(connected(server))
        made: list[Web] = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            made.append(await stack.enter_async_context(serving(server, folder / name, **settings)))
        there = Place(server, bus, made[0], made[1], file, {}, audit)
        for role in ("viewer", "runner", "admin"):
            there.add(role, role)
        for web in made:
            await eventually(lambda web=web: there.known(there.keys["admin"], web))
        yield there


async def log_in(web: Web, key: str) -> httpx.Response:
    return await web.http.post("/login", json={"key": key})


def cookie_from(answer: httpx.Response) -> dict[str, str]:
    """Return a header with the cookie that an answer sets; the client's own jar stays empty."""
    name, _, value = answer.headers["set-cookie"].split(";")[0].partition("=")
    return {"Cookie": f"{name}={value}"}
