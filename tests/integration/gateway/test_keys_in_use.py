"""Keys, roles, logins, limits and the audit log at a real gateway, over real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from nats.aio.msg import Msg
from waiting import eventually
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from muster_gateway.service import service
from muster_gateway.settings import GatewaySettings
from muster_protocol.errors import MusterError
from muster_service.settings import load

from .conftest import Desk, Run, serving
from .keyed import SECONDS, Place, cookie_from, log_in, place

pytestmark = pytest.mark.asyncio(loop_scope="module")
CASE = {"type": "test_case", "name": "Buy", "steps": [{"action": "a", "expected": "b"}]}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def at(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Place]:
    async with place(tmp_path_factory.mktemp("access")) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def run(at: Place) -> Run:
    made = Run(at.bus, "r1")
    await made.open()
    await made.say("w", 2)
    desk = Desk(at.bus)

    async def answer(message: Msg) -> None:
        await desk.answer(message)

    await at.bus.nc.subscribe(at.bus.names.submit, cb=answer)
    await at.bus.nc.flush()
    return made


async def test_without_a_key_only_what_holds_nothing_of_a_run_is_answered(at: Place, run: Run):
    for path in ("/healthz", "/readyz", "/console/", "/"):
        assert (await at.web.http.get(path)).status_code == 200, path
    for path in (
        "/runs",
        "/runs/r1",
        "/runs/nobody",
        "/runs/r1/logs",
        "/metrics",
        "/schema/openapi.json",
        "/api",
        "/whoami",
    ):
        answer = await at.web.http.get(path)
        assert answer.status_code == 401, path
        assert answer.headers["www-authenticate"] == 'Bearer realm="muster"'
        assert answer.headers["content-type"] == "application/problem+json"
        assert "Authorization: Bearer" in answer.json()["reasons"][0]
    assert "r1" not in (await at.web.http.get("/")).text
    assert (await at.web.http.post("/runs", json={"job": CASE})).status_code == 401


async def test_each_role_may_do_what_it_is_for(at: Place, run: Run):
    async def status(name: str, method: str, path: str, **body: Any) -> int:
        return (await at.web.http.request(method, path, headers=at.bearer(name), **body)).status_code

    for name in ("viewer", "runner", "admin"):
        assert await status(name, "GET", "/runs/r1") == 200
        assert (await at.web.http.get("/whoami", headers=at.bearer(name))).json() == {
            "name": name,
            "role": name,
            "open": False,
        }
    assert await status("viewer", "POST", "/runs", json={"job": CASE}) == 403
    assert await status("runner", "POST", "/runs", json={"job": CASE}) == 202
    assert await status("admin", "POST", "/runs", json={"job": CASE}) == 202
    assert await status("runner", "DELETE", "/dead/1") == 403
    assert await status("runner", "POST", "/dead/1/replay") == 403
    assert await status("admin", "DELETE", "/dead/1") == 404


async def test_a_cookie_of_one_gateway_opens_the_other_and_shows_no_key(at: Place, run: Run):
    answer = await log_in(at.web, at.keys["runner"])
    assert answer.json() == {"name": "runner", "role": "runner", "open": False}
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= {part.strip() for part in cookie.split(";")}
    assert "Secure" not in cookie
    assert f"muster-{at.web.port}=" in cookie
    assert at.keys["runner"].removeprefix("muster_") not in cookie
    value = cookie_from(answer)["Cookie"].partition("=")[2]
    there = {"Cookie": f"theme=dark; muster-{at.other.port}=of-a-page; muster-{at.other.port}={value}"}
    assert (await at.other.http.get("/runs/r1", headers=there)).status_code == 200
    assert (await at.other.http.delete("/dead/1", headers=there)).status_code == 403


async def test_a_cookie_is_secure_behind_https(at: Place):
    headers = {"X-Forwarded-Proto": "https", "Host": "localhost"}
    answer = await at.web.http.post("/login", json={"key": at.keys["viewer"]}, headers=headers)
    assert "; secure" in answer.headers["set-cookie"].lower()
    assert answer.headers["set-cookie"].startswith("muster=")


async def test_no_link_logs_anybody_in(at: Place):
    key = at.keys["admin"]
    for path in ("/", "/console/", "/login", "/whoami"):
        for method in ("GET", "HEAD"):
            answer = await at.web.http.request(method, path, params={"key": key}, headers={"Accept": "text/html"})
            assert "set-cookie" not in answer.headers
            assert key not in answer.headers.get("location", "")
    for site in ("cross-site", "same-site"):
        foreign = await at.web.http.post("/login", data={"key": key}, headers={"Sec-Fetch-Site": site})
        assert (foreign.status_code, "set-cookie" in foreign.headers) == (403, False)


async def test_a_form_logs_in_and_logging_out_takes_the_cookie_back(at: Place):
    answer = await at.web.http.post("/login", data={"key": at.keys["viewer"]})
    assert answer.json()["role"] == "viewer"
    gone = await at.web.http.post("/logout", headers=cookie_from(answer))
    assert gone.status_code == 204
    assert "Max-Age=0" in gone.headers["set-cookie"]
    assert gone.headers["set-cookie"].startswith(f'muster-{at.web.port}="";')


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "application/json", 400),
        (b'{"key": 5}', "application/json", 400),
        (b'{"key": ""}', "application/json", 400),
        (b"[" * 5000, "application/json", 400),
        (b"key=" + b"x" * 300, "application/x-www-form-urlencoded", 400),
        (b"\xff\xfe", "application/x-www-form-urlencoded", 400),
        (b"<key/>", "text/xml", 415),
        (b'{"key": "muster_nobody"}', "application/json; charset=utf-8", 401),
        (b'{"key": "\\ud800\\u0000"}', "application/json", 400),
    ],
)
async def test_a_login_that_cannot_be_is_refused_without_a_word_of_what_was_sent(
    at: Place, body: bytes, kind: str, status: int
):
    answer = await at.web.http.post("/login", content=body, headers={"Content-Type": kind})
    assert answer.status_code == status
    assert "nobody" not in answer.text
    assert "xxx" not in answer.text
    assert "set-cookie" not in answer.headers


async def test_changed_foreign_and_ended_cookies_count_as_none(at: Place, run: Run):
    good = cookie_from(await log_in(at.web, at.keys["viewer"]))["Cookie"]
    name, _, value = good.partition("=")
    expires, proof, seal = value.split(".")
    for bad in (
        f"{int(expires) + 1}.{proof}.{seal}",
        f"{expires}.{proof}.{seal[:-2]}AA",
        value[:-1],
        "x",
        "",
        "a=b=c",
        "é",
    ):
        answer = await at.web.http.get("/runs/r1", headers=[(b"Cookie", f"{name}={bad}".encode())])
        assert answer.status_code == 401, bad
    assert (await at.web.http.get("/runs/r1", headers={"Cookie": good})).status_code == 200


@pytest.mark.parametrize("given", ["x", "muster_", "muster_" + "A" * 5000, "\xff\xfe", "a b", "Bearer"])
async def test_keys_that_are_none_are_refused(at: Place, run: Run, given: str):
    answer = await at.web.http.get("/runs/r1", headers=[(b"Authorization", f"Bearer {given}".encode("latin-1"))])
    assert answer.status_code == 401
    assert answer.json()["reasons"][0].startswith("unknown key")


async def test_a_revoked_key_its_cookies_and_its_streams_end_at_both_gateways(at: Place, run: Run):
    key = at.add("leaver", "viewer")
    for web in (at.web, at.other):
        await eventually(lambda web=web: at.known(key, web))
    bearer, cookie = at.bearer("leaver"), cookie_from(await log_in(at.web, key))
    url = f"ws://127.0.0.1:{at.web.port}/runs/r1/logs"
    async with (
        connect(url, additional_headers=bearer) as socket,
        connect(f"ws://127.0.0.1:{at.web.port}/logs", additional_headers=cookie) as with_cookie,
        connect(url, additional_headers=at.bearer("viewer")) as stays,
        at.other.http.stream("GET", "/runs/r1/logs", headers=bearer) as events,
    ):
        assert events.status_code == 200
        at.drop("leaver")
        async with asyncio.timeout(SECONDS):
            for ended in (socket, with_cookie):
                with pytest.raises(ConnectionClosed):
                    while await ended.recv():
                        continue
                assert ended.close_code == 4401
                assert "revoked" in (ended.close_reason or "")
            assert [line async for line in events.aiter_lines() if line.startswith("id:")]
            await run.say("w", 1, "after")
            while "after" not in str(await stays.recv()):
                continue
    for headers in (bearer, cookie):
        assert (await at.web.http.get("/runs/r1", headers=headers)).status_code == 401
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url, additional_headers=bearer):
            pass
    assert refused.value.response.status_code == 401
    assert b"unknown key" in refused.value.response.body


@pytest.mark.slow
async def test_an_expired_key_is_refused_with_its_time_and_its_stream_ends(at: Place, run: Run):
    key = at.add("short", "viewer", life=4)
    await eventually(lambda: at.known(key))
    cookie = cookie_from(await log_in(at.web, key))
    async with connect(f"ws://127.0.0.1:{at.web.port}/runs/r1/logs", additional_headers=at.bearer("short")) as socket:
        async with asyncio.timeout(SECONDS):
            await socket.wait_closed()
        assert socket.close_code == 4401
    answer = await at.web.http.get("/runs/r1", headers=at.bearer("short"))
    assert answer.status_code == 401
    assert answer.json()["reasons"][0].startswith("the key 'short' expired at 20")
    stale = await at.web.http.get("/runs/r1", headers=cookie)
    assert (stale.status_code, stale.json()["reasons"][0]) == (
        401,
        "your login has expired or its key was revoked: log in again",
    )
    assert (await log_in(at.web, key)).status_code == 401


async def test_a_broken_keys_file_leaves_the_keys_from_before_in_force_and_says_so(at: Place):
    before = at.file.read_text()
    at.put(before.replace("runner", "boss"))
    name = "muster_gateway_keys_problem"
    admin = at.bearer("admin")

    async def problem() -> bool:
        text = (await at.web.http.get("/metrics", headers=admin)).text
        return f"\n{name} 1.0" in text

    await eventually(problem)
    for key in ("viewer", "runner", "admin"):
        assert await at.known(at.keys[key])
    at.put(before)
    await eventually(lambda: _not(problem()))
    at.file.unlink()
    await eventually(problem)
    assert await at.known(at.keys["viewer"])
    at.put(before)
    await eventually(lambda: _not(problem()))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"HTTP_HOST": "0.0.0.0"}, "HTTP_HOST=0.0.0.0 opens the gateway to a network"),
        ({"API_KEYS_FILE": "/nowhere/keys"}, "API_KEYS_FILE: /nowhere/keys: No such file or directory"),
        ({"API_KEY": "short"}, "API_KEY must have 22 to 200 characters"),
        ({"AUDIT_FILE": "/nowhere/audit"}, "AUDIT_FILE: /nowhere/audit cannot be written"),
        ({"TRUSTED_PROXIES": "proxy"}, "environment variable `TRUSTED_PROXIES`"),
    ],
)
async def test_what_would_leave_the_door_open_keeps_the_gateway_from_starting(
    at: Place, settings: dict[str, str], told: str
):
    loaded = load(GatewaySettings, {"NATS_URL": at.server.url, "HTTP_PORT": "0", **settings})
    with pytest.raises(MusterError) as refused:
        async with service(at.bus, loaded):
            pass
    assert str(refused.value).startswith(told)
    assert len(str(refused.value).splitlines()) == 1
    assert "short" not in str(refused.value)


async def _not(answer: Awaitable[bool]) -> bool:
    return not await answer


async def test_who_did_what_is_written_down_without_keys_queries_or_bodies(at: Place, run: Run):
    start = len(at.deeds())
    trace = "0af7651916cd43dd8448eb211c80319c"
    caller = at.bearer("runner") | {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}
    await at.web.http.post("/runs/r1/cancel", json={"reason": "hush"}, headers=caller)
    await at.web.http.post("/runs/r1/cancel?token=hush", headers=at.bearer("runner"))
    await at.web.http.post("/runs", json={"id": "made-1", "job": CASE}, headers=at.bearer("runner"))
    await at.web.http.get("/runs", headers=at.bearer("viewer"))
    await at.web.http.post("/runs/r1/pause", headers=at.bearer("viewer"))
    await at.web.http.get("/runs/r1/%1B%5B31m%0Aforged", headers={"Authorization": "Bearer hush"})
    await log_in(at.web, at.keys["admin"])
    deeds = at.deeds()[start:]
    assert [(deed.get("who"), deed["method"], deed["route"], deed.get("run"), deed["status"]) for deed in deeds] == [
        ("runner", "POST", "/runs/{run}/cancel", "r1", 202),
        ("runner", "POST", "/runs/{run}/cancel", "r1", 400),
        ("runner", "POST", "/runs", "made-1", 202),
        ("viewer", "POST", "/runs/{run}/pause", "r1", 403),
        (None, "GET", "/runs/r1/\x1b[31m\nforged", None, 401),
        ("admin", "POST", "/login", None, 200),
    ]
    assert [deed["outcome"] for deed in deeds] == ["done", "refused", "done", "refused", "refused", "done"]
    assert [deed.get("trace_id") for deed in deeds[:2]] == [trace, None]
    assert {deed["event"] for deed in deeds} == {"audit"}
    assert {deed["peer"] for deed in deeds} == {"127.0.0.1"}
    text = at.audit.read_text()
    assert "\x1b" not in text
    assert len(text.splitlines()) == len(at.deeds())
    assert not [secret for secret in ("hush", *at.keys.values()) if secret in text]
    assert at.audit.stat().st_mode & 0o777 == 0o600


async def test_tries_with_keys_that_are_none_are_limited_and_good_keys_are_not(at: Place, tmp_path: Path):
    audit = tmp_path / "audit.jsonl"
    settings = {"api_keys_file": str(at.file), "login_failures": "3", "audit_file": str(audit)}
    async with serving(at.server, tmp_path, **settings) as web:
        statuses = [(await log_in(web, f"muster_{number}")).status_code for number in range(3)]
        statuses += [
            (await web.http.get("/runs", headers={"Authorization": "Bearer x"})).status_code for _ in range(12)
        ]
        assert statuses == [401] * 3 + [429] * 12
        slow = await log_in(web, "muster_x")
        assert slow.status_code == 429
        assert 0 < int(slow.headers["retry-after"]) <= 20
        assert (await log_in(web, at.keys["viewer"])).status_code == 200
        assert (await web.http.get("/runs", headers=at.bearer("viewer"))).status_code == 200
        told = [json.loads(line) for line in audit.read_text().splitlines()]
        assert [deed.get("refused") for deed in told if deed["status"] == 429] == [1, 10]


async def test_each_key_has_its_own_rate_and_health_is_answered_whatever_else(at: Place, tmp_path: Path):
    settings = {"api_keys_file": str(at.file), "rate_limit": "0.01", "rate_burst": "3"}
    async with serving(at.server, tmp_path, **settings) as web:
        statuses = [(await web.http.get("/runs", headers=at.bearer("viewer"))).status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        slow = await web.http.get("/runs", headers=at.bearer("viewer"))
        assert 0 < int(slow.headers["retry-after"]) <= 100
        assert slow.json()["reasons"] == ["too many requests: send fewer"]
        assert (await web.http.get("/runs", headers=at.bearer("admin"))).status_code == 200
        assert [(await web.http.get("/healthz")).status_code for _ in range(9)] == [200] * 9
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"ws://127.0.0.1:{web.port}/logs", additional_headers=at.bearer("viewer")):
                pass
        assert refused.value.response.status_code == 429
