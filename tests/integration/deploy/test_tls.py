"""TLS as docs/operations.md explains it: a `tls` line of deploy/nats.conf in force, services that check the server, and a
server that checks the services."""

import asyncio
import json
import os
import re
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trustme
from deployed import ROOT, Deployed, identity, password_of
from fleet import Fleet
from msgspec.structs import asdict, replace
from proxy import proxied
from waiting import eventually

from muster_bus import connect, provision
from muster_bus.nats_client import Denied
from muster_client.runs import submit
from muster_protocol.errors import BusError
from muster_protocol.requests import Drill, RunRequest
from muster_service.settings import BusSettings

COMMENTED = "# tls { cert_file: /etc/nats/certs/server.crt, key_file: /etc/nats/certs/server.key }"
VERIFIED = "# tls { cert_file: /etc/nats/certs/server.crt, key_file: /etc/nats/certs/server.key, ca_file: /etc/nats/certs/clients.crt, verify: true }"


class Secured(Deployed):
    """The deployed server with one of its `tls` lines taken out of the comment."""

    def __init__(self, folder: Path, line: str, **dates: Any) -> None:
        """`not_before` and `not_after` say when the server's certificate is in force."""
        super().__init__(folder)
        self._authority, self.clients = trustme.CA(), trustme.CA()
        self.authority = folder / "ca.crt"
        self._authority.cert_pem.write_to_path(str(self.authority))
        self.clients.cert_pem.write_to_path(str(folder / "clients.crt"))
        certificate = self._authority.issue_cert("127.0.0.1", "nats", **dates)
        certificate.cert_chain_pems[0].write_to_path(str(folder / "server.crt"))
        certificate.private_key_pem.write_to_path(str(folder / "server.key"))
        text = (ROOT / "deploy/nats.conf").read_text()
        assert line in text
        self.config = folder / "secured.conf"
        self.config.write_text(text.replace(line, line.removeprefix("# ")).replace("/etc/nats/certs", str(folder)))

    @property
    def url(self) -> str:
        return f"tls://127.0.0.1:{self.port}"

    def settings(self, user: str, authority: str) -> BusSettings:
        """Return what a service of a user reads."""
        who = {"nats_user": user, "nats_password": password_of(user)}
        return replace(BusSettings(), nats_url=self.url, nats_tls_ca=authority, **who)

    def certified(self, user: str) -> BusSettings:
        """Return what a service of a user reads that has a certificate in the user's name."""
        return replace(self.settings(user, str(self.authority)), **issued(self.clients, self.folder, user))


def issued(authority: trustme.CA, folder: Path, name: str) -> dict[str, str]:
    """Write a certificate and its key, and return the settings that name them."""
    made, files = authority.issue_cert(name), (str(folder / f"{name}.crt"), str(folder / f"{name}.key"))
    made.cert_chain_pems[0].write_to_path(files[0])
    made.private_key_pem.write_to_path(files[1])
    return {"nats_tls_cert": files[0], "nats_tls_key": files[1]}


@asynccontextmanager
async def running(server: Secured) -> AsyncGenerator[Secured]:
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@pytest.fixture
async def secured(tmp_path: Path) -> AsyncGenerator[Secured]:
    async with running(Secured(tmp_path, COMMENTED)) as server:
        yield server


@pytest.fixture
async def verifying(tmp_path: Path) -> AsyncGenerator[Secured]:
    """A server that takes only clients with a certificate."""
    async with running(Secured(tmp_path, VERIFIED)) as server:
        yield server


async def pass_a_drill(server: Secured, folder: Path, **files: str) -> None:
    """Expect a fleet to do its work on a server that all its services show the same files."""
    common = {"nats_url": server.url, "nats_tls_ca": str(server.authority), **files}
    variables = {name.upper(): value for name, value in common.items()} | {
        "SHUTDOWN_SECONDS": "3",
        "SESSION_DRAIN_SECONDS": "0",
    }
    provisioner = await connect(replace(server.settings("provisioner", ""), **common), name="test", patience=10)
    await provision(provisioner)
    await provisioner.close()
    admin = await connect(replace(server.settings("admin", ""), **common), name="test", patience=10)
    fleet = Fleet(server, admin, folder, {**os.environ, **variables, "LOG_FORMAT": "json"})
    try:
        for service in ("orchestrator", "subagent", "sessions", "gateway"):
            await fleet.start(service, **identity(service), HTTP_PORT="0")
        accepted = await submit(admin, RunRequest(job=Drill(count=3)))
        assert (await fleet.verdict(accepted.run)).status == "pass"
    finally:
        await fleet.stop()
        await admin.close()


@pytest.mark.slow
async def test_services_that_know_the_authority_work_over_tls(secured: Secured, tmp_path: Path) -> None:
    await pass_a_drill(secured, tmp_path)


@pytest.mark.slow
async def test_services_with_a_certificate_work_on_a_server_that_verifies_its_clients(
    verifying: Secured, tmp_path: Path
) -> None:
    await pass_a_drill(verifying, tmp_path, **issued(verifying.clients, tmp_path, "fleet"))


async def test_a_certificate_lets_in_only_with_the_right_password_too(verifying: Secured) -> None:
    settings = verifying.certified("orchestrator")
    bus = await connect(settings, name="test", patience=10)
    await bus.close()

    with pytest.raises(BusError, match="refuses the credentials"):
        await connect(replace(settings, nats_password="wrong"), name="test")


async def test_without_a_certificate_it_is_told_at_once_what_the_server_asks_for(verifying: Secured) -> None:
    with pytest.raises(BusError, match="asks for a client certificate: set NATS_TLS_CERT and NATS_TLS_KEY"):
        async with asyncio.timeout(30):  # it would wait for ever
            await connect(verifying.settings("admin", str(verifying.authority)), name="test")


async def test_a_certificate_of_another_authority_is_refused_by_name(verifying: Secured, tmp_path: Path) -> None:
    files = issued(trustme.CA(), tmp_path, "stranger")

    with pytest.raises(BusError, match=r"refuses the certificate '.*stranger\.crt' of NATS_TLS_CERT \(unknown ca\)"):
        async with asyncio.timeout(30):
            await connect(replace(verifying.settings("admin", str(verifying.authority)), **files), name="test")


@pytest.mark.slow
async def test_a_service_without_a_certificate_or_with_the_key_of_another_ends_and_says_why(verifying: Secured) -> None:
    settings = verifying.certified("orchestrator")
    other = issued(verifying.clients, verifying.folder, "other")["nats_tls_key"]

    lacking, mismatched = await asyncio.gather(
        ending(replace(settings, nats_tls_cert="", nats_tls_key="")), ending(replace(settings, nats_tls_key=other))
    )

    assert lacking == (2, f"NATS at {verifying.url} asks for a client certificate: set NATS_TLS_CERT and NATS_TLS_KEY")
    text = (
        f"environment variable `NATS_TLS_KEY`: {other!r} is not the key of the certificate {settings.nats_tls_cert!r}"
    )
    assert mismatched == (2, text)


async def ending(settings: BusSettings) -> tuple[int | None, str]:
    """Return the exit code of an orchestrator with these settings, and the last it says."""
    given = {name.upper(): value for name, value in asdict(settings).items() if name.startswith("nats_")}
    command = (sys.executable, "-m", "muster_orchestrator")
    process = await asyncio.create_subprocess_exec(*command, env={**os.environ, **given}, stderr=PIPE, stdout=PIPE)
    try:
        _, told = await asyncio.wait_for(process.communicate(), 60)
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode, told.decode().splitlines()[-1].removeprefix("muster orchestrator: ")


async def test_a_renewed_certificate_is_shown_at_the_next_connection(verifying: Secured, tmp_path: Path) -> None:
    files = issued(verifying.clients, tmp_path, "service")
    who = asdict(verifying.settings("orchestrator", str(verifying.authority)))
    async with proxied(verifying, **{name: who[name] for name in who if who[name]} | files) as (bus, proxy):
        issued(trustme.CA(), tmp_path, "service")
        proxy.cut()
        await eventually(lambda: "refuses the certificate" in bus.trouble, "it says why it waits")

        issued(verifying.clients, tmp_path, "service")
        await eventually(lambda: bus.nc.is_connected and bus.trouble == "", "it is back")


async def test_a_certificate_can_say_who_a_service_is_in_place_of_a_password(tmp_path: Path) -> None:
    server = Secured(tmp_path, VERIFIED)
    text = server.config.read_text().replace("verify: true", "verify_and_map: true")
    server.config.write_text(re.sub(r"password: \$\w+, ", "", text))
    async with running(server):
        provisioner = await connect(replace(server.certified("provisioner"), nats_password=""), name="test")
        await provision(provisioner)
        await provisioner.close()
        bus = await connect(replace(server.certified("orchestrator"), nats_password=""), name="test")
        try:
            await bus.store("muster.runs.run-1.events", b"{}")
            with pytest.raises(Denied, match=r"muster\.submit"):
                await bus.store("muster.submit", b"{}")
        finally:
            await bus.close()
        with pytest.raises(BusError, match="refuses the credentials"):
            await connect(replace(server.certified("nobody"), nats_password=""), name="test")


async def test_a_server_whose_authority_is_unknown_is_not_trusted_and_the_reason_is_told(secured: Secured) -> None:
    with pytest.raises(BusError, match=r"shows a certificate that is not trusted .*NATS_TLS_CA"):
        await connect(secured.settings("admin", authority=""), name="test", patience=3)


@pytest.mark.parametrize("days", [-3, 3])
async def test_a_certificate_that_is_not_in_force_is_to_be_renewed_and_no_file_here_is_blamed(
    tmp_path: Path, days: int
) -> None:
    begins = datetime.now(UTC) + timedelta(days=days)
    dates = {"not_before": begins, "not_after": begins + timedelta(days=1)}
    async with running(Secured(tmp_path, COMMENTED, **dates)) as server:
        with pytest.raises(
            BusError, match=r"has expired or is not valid yet \(.*\): renew it on the server; .* clock"
        ) as raised:
            await connect(server.settings("admin", str(server.authority)), name="test", patience=3)
    assert "NATS_TLS_CA" not in str(raised.value)
    assert "NATS_PASSWORD" not in raised.value.remedy


async def test_what_mends_a_wrong_password_and_a_wrong_certificate_are_told_apart(secured: Secured) -> None:
    known = secured.settings("admin", str(secured.authority))
    for settings, mend, other in (
        (replace(known, nats_password="wrong"), "NATS_PASSWORD", "NATS_TLS"),
        (replace(known, nats_tls_ca=""), "NATS_TLS_CA", "NATS_PASSWORD"),
    ):
        with pytest.raises(BusError) as raised:
            await connect(settings, name="test", patience=3)
        assert mend in raised.value.remedy
        assert other not in raised.value.remedy


async def test_nobody_talks_to_the_server_without_tls(secured: Secured) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", secured.port)
    told = json.loads((await asyncio.wait_for(reader.readline(), 10)).removeprefix(b"INFO "))
    writer.write(b'CONNECT {"user": "admin", "pass": "secret-of-admin"}\r\nPING\r\n')
    answer = await asyncio.wait_for(reader.read(), 30)
    writer.close()

    assert told["tls_required"] is True
    assert b"PONG" not in answer


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["tls", "nats"])
async def test_where_tls_was_asked_for_nobody_shows_a_password_to_a_server_without_it(
    secured: Secured, scheme: str
) -> None:
    heard = bytearray()

    async def pose(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_id": "x", "version": "2.12.0", "max_payload": 1048576, "headers": true}\r\n')
        heard.extend(await reader.read(4096))
        writer.close()

    async with await asyncio.start_server(pose, "127.0.0.1", 0) as posing:
        port = posing.sockets[0].getsockname()[1]
        settings = replace(secured.certified("sessions"), nats_url=f"{scheme}://127.0.0.1:{port}")
        with pytest.raises(BusError, match="offers no TLS"):
            await connect(settings, name="test", patience=20)
    assert b"CONNECT" not in heard


async def test_a_connection_that_ends_is_nothing_to_warn_of(secured: Secured, caplog: pytest.LogCaptureFixture) -> None:
    bus = await connect(secured.settings("admin", str(secured.authority)), name="test", patience=10)
    await secured.stop()
    await eventually(lambda: not bus.nc.is_connected, "the connection is lost")
    await bus.close()
    assert "eof_received" not in caplog.text


async def test_the_certificate_must_be_for_the_name_that_is_asked_for(secured: Secured) -> None:
    other = replace(secured.settings("admin", str(secured.authority)), nats_url=f"tls://localhost:{secured.port}")

    with pytest.raises(BusError, match=r"(?i)hostname mismatch|not valid for"):
        await connect(other, name="test", patience=3)
