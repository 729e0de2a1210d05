"""Credentials files: an operator's accounts and users in place of those of nats.conf, with the same rights."""

import base64
import json
import os
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, NamedTuple

import nkeys
import pytest
from deployed import Deployed
from msgspec.structs import replace

from muster_bus import NotStored, connect
from muster_bus.nats_client import Denied
from muster_protocol.errors import BusError
from muster_service.settings import BusSettings

ANY = {"subs": -1, "data": -1, "payload": -1}
ACCOUNT = {**ANY, "conn": -1, "leaf": -1, "imports": -1, "exports": -1, "wildcards": True}


class Key(NamedTuple):
    """A key pair of an operator, an account or a user."""

    seed: bytes
    pair: Any

    @property
    def public(self) -> str:
        return self.pair.public_key.decode()


def key(kind: int) -> Key:
    """Return a new key pair of a kind."""
    seed = nkeys.encode_seed(os.urandom(32), kind)
    return Key(bytes(seed), nkeys.from_seed(bytearray(seed)))


def token(issuer: Key, subject: str, name: str, claims: dict[str, Any]) -> str:
    """Return a JWT as `nsc` makes them."""
    head = {"typ": "JWT", "alg": "ed25519-nkey"}
    body = {"jti": name, "iat": int(time.time()), "iss": issuer.public, "name": name, "sub": subject, "nats": claims}
    signed = b".".join(_base64(json.dumps(part).encode()) for part in (head, body))
    return (signed + b"." + _base64(issuer.pair.sign(signed))).decode()


def _base64(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def credentials(file: Path, jwt: str, seed: bytes) -> str:
    """Write a credentials file and return its path."""
    lines = ("-----BEGIN NATS USER JWT-----", jwt, "------END NATS USER JWT------", "")
    keys = ("-----BEGIN USER NKEY SEED-----", seed.decode(), "------END USER NKEY SEED------", "")
    file.write_text("\n".join((*lines, *keys)))
    return str(file)


class Operated(Deployed):
    """A server that knows an operator and an account of it, and no user by name."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        operator, self._account = key(nkeys.PREFIX_BYTE_OPERATOR), key(nkeys.PREFIX_BYTE_ACCOUNT)
        (folder / "operator.jwt").write_text(token(operator, operator.public, "op", {"type": "operator", "version": 2}))
        account = token(operator, self._account.public, "muster", {"limits": ACCOUNT, "type": "account", "version": 2})
        self.config = folder / "operated.conf"
        self.config.write_text(
            f'operator: "{folder / "operator.jwt"}"\nresolver: MEMORY\n'
            f"resolver_preload: {{ {self._account.public}: {account} }}\nhttp: 127.0.0.1:-1\n"
        )

    def settings(self, user: str, publish: list[str]) -> BusSettings:
        """Return what a service reads that is a user with a credentials file and the rights named."""
        mine = key(nkeys.PREFIX_BYTE_USER)
        rights = {"pub": {"allow": publish}, "sub": {"allow": [f"_INBOX_{user}.>"]}}
        jwt = token(self._account, mine.public, user, {**ANY, **rights, "type": "user", "version": 2})
        file = credentials(self.folder / f"{user}.creds", jwt, mine.seed)
        return replace(BusSettings(), nats_url=self.url, nats_user=user, nats_credentials=file)


@pytest.fixture
async def operated(tmp_path: Path) -> AsyncGenerator[Operated]:
    server = Operated(tmp_path)
    await server.start()
    yield server
    await server.stop()


async def test_a_service_logs_in_with_a_credentials_file_and_has_the_rights_it_gives(operated: Operated) -> None:
    bus = await connect(operated.settings("orchestrator", ["muster.runs.*.events"]), name="test", patience=10)
    try:
        with pytest.raises(NotStored):  # it may, but this server keeps nothing
            await bus.store("muster.runs.run-1.events", b"{}")
        with pytest.raises(Denied, match=r"muster\.control\.run-1"):
            await bus.store("muster.control.run-1", b"{}")
    finally:
        await bus.close()


async def test_nobody_gets_in_with_the_credentials_of_another_operator(operated: Operated, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    stranger = Operated(tmp_path / "other").settings

    with pytest.raises(BusError, match="refuses the credentials"):
        given = replace(stranger("orchestrator", [">"]), nats_url=operated.url)
        await connect(given, name="test", patience=10)
