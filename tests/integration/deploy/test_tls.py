"""TLS as docs/operations.md explains it: the `tls` line of deploy/nats.conf in force, and services that check the server."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import trustme
from deployed import ROOT, Deployed, identity, password_of
from fleet import Fleet
from msgspec.structs import replace

from muster_protocol.bus import connect, provision
from muster_protocol.errors import BusError
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.runs import submit
from muster_protocol.settings import BusSettings

COMMENTED = "# tls { cert_file: /etc/nats/certs/server.crt, key_file: /etc/nats/certs/server.key }"


class Secured(Deployed):
    """The deployed server with its `tls` line taken out of the comment."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.authority = folder / "ca.crt"
        authority = trustme.CA()
        authority.cert_pem.write_to_path(str(self.authority))
        certificate = authority.issue_cert("127.0.0.1", "nats")
        certificate.cert_chain_pems[0].write_to_path(str(folder / "server.crt"))
        certificate.private_key_pem.write_to_path(str(folder / "server.key"))
        text = (ROOT / "deploy/nats.conf").read_text()
        assert COMMENTED in text
        self.config = folder / "secured.conf"
        self.config.write_text(
            text.replace(COMMENTED, COMMENTED.removeprefix("# ")).replace("/etc/nats/certs", str(folder))
        )

    @property
    def url(self) -> str:
        return f"tls://127.0.0.1:{self.port}"

    def settings(self, user: str, authority: str) -> BusSettings:
        """Return what a service of a user reads."""
        who = {"nats_user": user, "nats_password": password_of(user)}
        return replace(BusSettings(), nats_url=self.url, nats_tls_ca=authority, **who)


@pytest.fixture
async def secured(tmp_path: Path) -> AsyncGenerator[Secured]:
    server = Secured(tmp_path)
    await server.start()
    yield server
    await server.stop()


@pytest.mark.slow
async def test_services_that_know_the_authority_work_over_tls(secured: Secured, tmp_path: Path) -> None:
    authority = str(secured.authority)
    variables = {"NATS_URL": secured.url, "NATS_TLS_CA": authority, "LOG_FORMAT": "json", "SHUTDOWN_SECONDS": "3"}
    provisioner = await connect(secured.settings("provisioner", authority), name="test", patience=10)
    await provision(provisioner)
    await provisioner.close()
    admin = await connect(secured.settings("admin", authority), name="test", patience=10)
    fleet = Fleet(secured, admin, tmp_path, {**os.environ, **variables})
    try:
        for service in ("orchestrator", "subagent"):
            await fleet.start(service, **identity(service))
        accepted = await submit(admin, RunRequest(job=Drill(count=3)))
        assert (await fleet.verdict(accepted.run)).status == "pass"
    finally:
        await fleet.stop()
        await admin.close()


async def test_a_server_whose_authority_is_unknown_is_not_trusted_and_the_reason_is_told(secured: Secured) -> None:
    with pytest.raises(BusError, match="CERTIFICATE_VERIFY_FAILED"):
        await connect(secured.settings("admin", authority=""), name="test", patience=3)


async def test_nobody_talks_to_the_server_without_tls(secured: Secured) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", secured.port)
    told = json.loads((await asyncio.wait_for(reader.readline(), 10)).removeprefix(b"INFO "))
    writer.write(b'CONNECT {"user": "admin", "pass": "secret-of-admin"}\r\nPING\r\n')
    answer = await asyncio.wait_for(reader.read(), 30)
    writer.close()

    assert told["tls_required"] is True
    assert b"PONG" not in answer


@pytest.mark.slow
async def test_the_certificate_must_be_for_the_name_that_is_asked_for(secured: Secured) -> None:
    other = replace(secured.settings("admin", str(secured.authority)), nats_url=f"tls://localhost:{secured.port}")

    with pytest.raises(BusError, match=r"(?i)hostname mismatch|not valid for"):
        await connect(other, name="test", patience=3)
