"""What hostile clients and pages send to a real gateway: paths, headers, bodies, slowness, other origins."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from .attacking import SECRET, Target, attacked, get, raw, statuses
from .conftest import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def target(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Target]:
    async with attacked(tmp_path_factory.mktemp("attacks")) as made:
        yield made


ESCAPES = ["..", "%2e%2e", "%2E.", "%252e%252e", "..%00", "..;", "%c0%ae%c0%ae", "%uff0e%uff0e"]
SLASHES = ["/", "%2f", "\\", "%5c", "//", "%252f", "/./"]


@pytest.mark.parametrize("dots", ESCAPES)
async def test_no_path_leads_from_one_run_to_the_files_of_another(target: Target, dots: str):
    for slash in SLASHES:
        for path in (
            f"/runs/r1/artifacts/{dots}{slash}r2{slash}secret.txt",
            f"/runs/r1/artifacts/n1.1{slash}{dots}{slash}{dots}{slash}r2{slash}secret.txt",
            f"/runs/{dots}{slash}r2/artifacts/secret.txt",
        ):
            reply = await raw(target.web.port, get(path, target.host))
            assert reply.status in (400, 404), path
            assert SECRET not in reply.body


@pytest.mark.parametrize("dots", ESCAPES)
async def test_no_path_leads_out_of_the_consoles_files(target: Target, dots: str):
    page = (await target.web.http.get("/console/")).content
    for slash in SLASHES:
        for wanted in ("keys.py", "settings.py", "etc/passwd"):
            path = f"/console/{f'{dots}{slash}' * (6 if 'etc' in wanted else 1)}{wanted}"
            reply = await raw(target.web.port, get(path, target.host))
            assert reply.status in (200, 400, 404), path
            assert reply.status != 200 or reply.body == page, path


async def test_what_a_page_names_a_file_writes_no_header_and_is_never_run(target: Target):
    odd = await raw(target.web.port, get("/runs/r1/artifacts/odd%0d%0aSet-Cookie:%20a=b%1b%5b31m.txt", target.host))
    assert odd.status == 200
    assert not odd.header("set-cookie") + odd.header("x-evil")
    assert odd.header("content-type") == ["application/octet-stream"]
    assert "\x1b" not in odd.head
    page = await target.web.http.get("/runs/r1/artifacts/n1.1/page.html")
    assert page.headers["content-disposition"].startswith("attachment;")
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "script-src" not in page.headers["content-security-policy"]
    assert page.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /runs HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /runs HTTP/1.1\r\n\r\n",
        b"GET /runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\x00b\r\n\r\n",
        b"GET /runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX : a\r\n\r\n",
        b"POST /runs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /runs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n",
        b"POST /runs HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 700_000 + b"\r\n\r\n",
    ],
)
async def test_what_is_no_request_gets_400_and_no_second_answer(target: Target, request_bytes: bytes):
    assert await statuses(target.web.port, request_bytes + get("/whoami", target.host)) == [400]


async def test_what_is_after_a_good_request_is_answered_on_the_same_connection(target: Target):
    good = f"GET /whoami HTTP/1.1\r\nHost: {target.host}\r\n\r\n".encode()
    assert await statuses(target.web.port, good + get("/whoami", target.host)) == [200, 200]


async def test_a_length_beside_chunks_smuggles_no_second_request(target: Target):
    two = (
        f"POST /runs/r1/pause HTTP/1.1\r\nHost: {target.host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n"
        f"\r\n0\r\n\r\nGET /runs/smuggled HTTP/1.1\r\nHost: {target.host}\r\nConnection: close\r\n\r\n".encode()
    )
    assert await statuses(target.web.port, two) == [400]
    assert (await raw(target.web.port, two)).header("connection") == ["close"]


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "127.0.0.1:80:80", "[::1", ""]
)
async def test_another_host_name_is_refused_before_anything_is_read(target: Target, host: str):
    reply = await raw(target.web.port, get("/runs", host))
    assert reply.status in (400, 421)
    foreign = await raw(target.web.port, get("/runs", target.host, "X-Forwarded-Host: evil.example"))
    assert (foreign.status, b"evil" in foreign.body) == (200, False)


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:1", "http://[", "//", "", "https://ci.example.evil.example"],
)
async def test_pages_of_other_origins_change_nothing_and_follow_nothing(target: Target, origin: str):
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "application/json"):
        headers = {"Origin": origin, "Content-Type": content_type}
        assert (await target.web.http.post("/runs/r1/cancel", headers=headers)).status_code == 403
    for path in ("/runs/r1/logs", "/logs"):
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"ws://{target.host}{path}", additional_headers={"Origin": origin}):
                pass
        assert refused.value.response.status_code == 403
        assert json.loads(refused.value.response.body)["reasons"][0].startswith("pages of other origins")
    read = await target.web.http.get("/runs", headers={"Origin": origin})
    assert "access-control-allow-origin" not in read.headers
    asked = await target.web.http.options("/runs", headers={"Origin": origin, "Access-Control-Request-Method": "POST"})
    assert not [name for name in asked.headers if name.startswith("access-control")]


async def test_a_post_that_hides_its_origin_is_known_by_its_site(target: Target):
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 202), ("none", 202)):
        answer = await target.web.http.post("/runs/r2/pause", headers={"Sec-Fetch-Site": site})
        assert answer.status_code == status, site


async def test_pages_of_a_named_origin_may_ask_with_a_key_but_not_with_cookies(target: Target):
    origin = {"Origin": "https://ci.example"}
    asked = await target.web.http.options(
        "/runs",
        headers=origin | {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"},
    )
    assert asked.status_code == 204
    assert asked.headers["access-control-allow-origin"] == "https://ci.example"
    assert "POST" in asked.headers["access-control-allow-methods"]
    assert "Authorization" in asked.headers["access-control-allow-headers"]
    read = await target.web.http.get("/runs", headers=origin)
    assert read.headers["access-control-allow-origin"] == "https://ci.example"
    assert read.headers["vary"] == "Origin"
    for answer in (asked, read):
        assert "access-control-allow-credentials" not in answer.headers
    assert (await target.web.http.post("/runs/r2/resume", headers=origin)).status_code == 202


async def test_bodies_that_are_too_large_are_refused_told_or_not(target: Target):
    large = b"x" * 20_001
    told = await target.web.http.post("/runs", content=large, headers={"Content-Type": "application/yaml"})
    assert (told.status_code, "the limit is 20000 bytes" in told.json()["reasons"][0]) == (413, True)

    async def chunks() -> AsyncGenerator[bytes]:
        for _ in range(30):
            yield b"x" * 1000

    untold = await target.web.http.post("/runs", content=chunks(), headers={"Content-Type": "application/yaml"})
    assert untold.status_code == 413
    for path in ("/login", "/runs/r1/cancel", "/runs/r1/answer", "/cases/validate"):
        assert (await target.web.http.post(path, content=large)).status_code in (413, 415), path


async def test_addresses_are_believed_only_from_proxies_that_are_named(target: Target, tmp_path: Path):
    forged = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
    for proxies, peer in (("", "127.0.0.1"), ("127.0.0.0/8", "192.0.2.7"), ("10.0.0.1", "127.0.0.1")):
        audit = tmp_path / f"audit-{peer}-{len(proxies)}"
        settings = {"trusted_proxies": proxies, "audit_file": str(audit)}
        async with serving(target.server, tmp_path, **settings) as web:
            assert (await web.http.post("/runs/nobody/pause", headers=forged)).status_code == 404
        assert json.loads(audit.read_text())["peer"] == peer


async def test_a_fault_in_an_address_shows_nothing_of_the_inside(target: Target):
    for path in (
        "/runs/%ff%fe",
        "/runs/%00",
        "/runs/r1/artifacts/%ff",
        "/runs/r1/logs?after=%ff",
        "/%0d%0aX:1",
        "/runs?limit=\u0661",
    ):
        reply = await raw(target.web.port, get(path.encode("utf-8").decode("latin-1"), target.host))
        assert reply.status in (0, 400, 404), path
        assert b"Traceback" not in reply.body
        assert not reply.header("x")
