"""Who is told of a verdict over HTTP, what is sent, and when it is sent again."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from muster_gateway.entries import RawEntry, hide_webhook
from muster_gateway.problem_details import Refusal
from muster_gateway.settings import GatewaySettings
from muster_gateway.webhooks import fair_slots
from muster_gateway.webhooks.fair_slots import FairSlots
from muster_gateway.webhooks.webhook_rules import (
    LONGEST_DELAY,
    Outcome,
    Rules,
    build_delivery,
    build_receiver,
    find_host_refusal,
    hide_address,
    hide_addresses,
    is_host_allowed,
    list_receivers,
    may_retry,
    read_rules,
    require_hosts_allowed,
    retry_delay,
    turn_delay,
)
from muster_protocol.causes import Cause
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.subjects import Names
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict
from muster_protocol.webhook_messages import WebhookTask, parse_webhook_subject
from muster_service.settings import SettingsError, load
from muster_text.request_rules import find_problems

HOSTS = frozenset({"hooks.example", "ci.example:8443"})


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("https://hooks.example/a?b=c", True),
        ("http://HOOKS.example:80/", True),
        ("https://hooks.example:443/", True),
        ("https://ci.example:8443/x", True),
        ("https://hooks.example:8443/", False),
        ("https://ci.example/x", False),
        ("https://hooks.example.evil.example/", False),
        ("https://hooks.example@evil.example/", False),
        ("https://evil.example/#hooks.example", False),
        ("https://evil.example\\@hooks.example/", False),
        ("file://hooks.example/etc/passwd", False),
        ("https://[::1]/", False),
        ("//hooks.example/", False),
        ("https://hooks.example:99999/", False),
        ("https://hooks.example/\r\nX: y", False),
    ],
)
def test_a_request_may_name_an_address_only_on_a_listed_host_and_port(address: str, may: bool):
    assert is_host_allowed(HOSTS, address) is may


def test_a_verdict_goes_to_every_configured_address_and_the_one_asked_for_each_once():
    told = Rules(urls=("https://a.example/1", "https://a.example/2"), hosts=HOSTS)
    asked = "https://hooks.example/x"
    assert {one.url for one in list_receivers(told, asked).values()} == {*told.urls, asked}
    assert {one.url for one in list_receivers(told, "https://a.example/1").values()} == set(told.urls)
    assert {one.url for one in list_receivers(told, "https://evil.example/").values()} == set(told.urls)
    assert [find_host_refusal(told, one) for one in ("", asked, "https://a.example/1")] == ["", "", ""]
    assert "evil.example:443 is not an allowed host" in find_host_refusal(told, "https://evil.example/token")
    assert "token" not in find_host_refusal(told, "https://evil.example/token")


def test_a_submission_with_an_address_that_would_not_be_told_is_refused():
    request = RunRequest(job=Drill(), webhook="https://evil.example/")
    with pytest.raises(Refusal) as refused:
        require_hosts_allowed(Rules(hosts=HOSTS), (request, request))
    assert refused.value.status == 400
    assert len(refused.value.reasons) == 1
    require_hosts_allowed(
        Rules(hosts=HOSTS), (RunRequest(job=Drill(), webhook="https://hooks.example/"), RunRequest(job=Drill()))
    )


@pytest.mark.parametrize("address", ["hooks", "ftp://x/", "https://", "https://u:p@x/", "https://x/" + "a" * 2000])
def test_a_request_whose_webhook_is_no_web_address_cannot_be_run(address: str):
    (reason,) = find_problems(RunRequest(job=Drill(), webhook=address))
    assert reason.startswith("webhook must be")


def test_what_is_sent_is_signed_over_time_and_body_with_every_secret_and_carries_the_same_id_each_time():
    verdict = Verdict(
        run="run-1",
        name="Buy",
        status="fail",
        cause=Cause.PRODUCT,
        summary="no",
        tags=("smoke",),
        usage=Usage(input_tokens=5, output_tokens=2, cost=0.5),
        ended_at=12.0,
    )
    to = build_receiver("https://hooks.example/x")
    first, second = (
        build_delivery(verdict, to, Rules(secrets=("one", "two")), attempt, 1000.7 + attempt) for attempt in (1, 2)
    )
    told: dict[str, Any] = json.loads(first.body)
    assert (told["event"], told["run"], told["status"], told["cause"]) == ("verdict", "run-1", "fail", "product")
    assert (told["tokens"], told["cost"], told["tags"], told["id"]) == (
        7,
        0.5,
        ["smoke"],
        first.headers["Muster-Delivery"],
    )
    assert first.body == second.body
    assert first.headers["Muster-Delivery"] == second.headers["Muster-Delivery"]
    assert [one.headers["Muster-Attempt"] for one in (first, second)] == ["1", "2"]
    at, *signs = first.headers["Muster-Signature"].split(",")
    assert at == "t=1001"
    signed = b"1001." + first.body
    assert signs == [f"v1={hmac.new(key, signed, hashlib.sha256).hexdigest()}" for key in (b"one", b"two")]
    assert "Muster-Signature" not in build_delivery(verdict, to, Rules(), 1, 1.0).headers


def test_an_address_is_never_shown_beyond_its_host():
    assert build_receiver("https://hooks.example/T000/secret?token=x").shown == "https://hooks.example"
    assert build_receiver("http://hooks.example:8080/secret").shown == "http://hooks.example:8080"
    assert "hooks" not in build_receiver("https://hooks.example/").key


def test_attempts_are_farther_and_farther_apart_for_about_an_hour():
    told = Rules()
    assert [retry_delay(told, tried) for tried in range(told.attempts)] == [0, 5, 15, 45, 135, 405, 1215, 1800]
    assert [may_retry(told, attempt, Outcome(500)) for attempt in (1, 7, 8)] == [True, True, False]
    assert not may_retry(told, 1, Outcome(410))
    assert [turn_delay(age) for age in (-1, 0.2, 40, 9000)] == [1, 1, 40, 300]


async def test_a_receiver_that_does_not_answer_leaves_slots_to_the_others_and_its_next_one_gets_the_first_it_frees():
    slots = FairSlots(8)

    async def use(stack: AsyncExitStack, host: str, patience: float = 0.001) -> bool:
        return await stack.enter_async_context(slots.use(host, patience))

    async with AsyncExitStack() as others:
        async with AsyncExitStack() as dead:
            assert [await use(dead, "dead") for _ in range(6)] == [True] * 4 + [False] * 2
            assert [await use(others, f"late-{number}") for number in range(5)] == [True] * 4 + [False]
            waiting = asyncio.create_task(use(others, "dead", 60.0))
            await asyncio.sleep(0)
        assert await waiting


async def test_many_hosts_that_do_not_answer_leave_as_many_slots_as_one(monkeypatch: pytest.MonkeyPatch):
    slots, dead = FairSlots(8), [f"dead-{number}" for number in range(8)]

    async def use(stack: AsyncExitStack, hosts: list[str]) -> list[bool]:
        return [await stack.enter_async_context(slots.use(host, 0.001)) for host in hosts]

    monkeypatch.setattr(fair_slots, "SLOW_SECONDS", -1.0)
    async with AsyncExitStack() as stack:
        assert all(await use(stack, dead)), "nothing is known of them yet"
    monkeypatch.undo()
    async with AsyncExitStack() as stack:
        assert await use(stack, dead) == [True] * 4 + [False] * 4
        assert await use(stack, ["alive", "alive", "new", "new"]) == [True, True, True, False]
    async with AsyncExitStack() as stack:
        assert await use(stack, dead) == [True] * 6 + [False] * 2, "those that were quick share no more with the others"


@given(st.integers(1, 50), st.floats(0.01, 1e4), st.integers(1, 60))
def test_no_wait_is_longer_than_half_an_hour_and_the_last_attempt_is_the_last(
    attempts: int, first: float, attempt: int
):
    rules, outcome = Rules(attempts=attempts, first_delay=first), Outcome(0, "no connection")
    assert may_retry(rules, attempt, outcome) is (attempt < attempts)
    assert 0 < retry_delay(rules, attempt) <= LONGEST_DELAY


@pytest.mark.parametrize(
    ("outcome", "taken", "told"),
    [
        (Outcome(204), True, "answered 204"),
        (Outcome(302), False, "answered 302 (redirects are not followed)"),
        (Outcome(500), False, "answered 500"),
        (Outcome(0, "no connection"), False, "no connection"),
    ],
)
def test_only_an_answer_of_the_200s_means_that_a_receiver_has_it(outcome: Outcome, taken: bool, told: str):
    assert (outcome.taken, outcome.description) == (taken, told)


def test_settings_that_name_no_address_are_refused_without_showing_it():
    read = read_rules(
        load(GatewaySettings, {"WEBHOOK_URLS": "https://a/, https://b/,https://a/", "WEBHOOK_SECRET": "x, y"})
    )
    assert (read.urls, read.secrets) == (("https://a/", "https://b/"), ("x", "y"))
    with pytest.raises(SettingsError, match=r"WEBHOOK_URLS.*entry 2") as error:
        read_rules(load(GatewaySettings, {"WEBHOOK_URLS": "https://a/,token-of-b"}))
    assert "token" not in str(error.value)


def test_webhooks_that_nobody_could_check_are_known_as_such():
    def unsigned(**settings: str) -> bool:
        return read_rules(load(GatewaySettings, settings)).unsigned

    assert unsigned(WEBHOOK_URLS="https://a.example")
    assert unsigned(WEBHOOK_HOSTS="a.example")
    assert not unsigned(WEBHOOK_URLS="https://a.example", WEBHOOK_SECRET="x")
    assert not unsigned()


def test_a_queued_message_stands_for_a_run_or_for_one_receiver_of_it():
    names = Names()
    assert parse_webhook_subject(names.webhook("run-1"), names) == WebhookTask(run="run-1")
    assert parse_webhook_subject(names.webhook("run-1", "abc"), names) == WebhookTask(run="run-1", target="abc")
    for strange in ("muster.webhooks.a.b.c", "muster.webhooks.", "muster.other.run-1", "muster.webhooks.a b"):
        assert parse_webhook_subject(strange, names) is None


def test_viewers_are_shown_no_more_of_an_address_in_a_runs_log_than_its_host_and_all_else_as_it_was_stored():
    opened = b'{"type":"run_opened","new":1,"request":{"id":"r1","new":[2],"webhook":"https://hooks.example/T/secret"}}'
    other = b'{"type":"noted", "text":"\\"webhook\\""}'
    entry = hide_webhook(RawEntry(sequence=1, events=(Raw(opened), Raw(other))))
    told = opened.replace(b"/T/secret", b"")
    assert [bytes(event) for event in entry.events] == [told, other]
    assert hide_address("hooks.example/secret") == hide_address("") == ""


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        ('{"webhook" : "https://h.example:81/secret", "id": 1}', '{"webhook" : "https://h.example:81", "id": 1}'),
        ('{"webhook":"https://h.example/a\\"secret","x":"y"}', '{"webhook":"https://h.example","x":"y"}'),
        ('{"webhook":"https://h.example/secret', '{"webhook":"https://h.example'),
        ('{"text":"\\"webhook\\":\\"https://h/x\\""', '{"text":"\\"webhook\\":\\"https://h/x\\""'),
    ],
)
def test_a_request_that_could_not_be_read_is_shown_without_the_address_too(request_: str, shown: str):
    assert hide_addresses(request_) == shown


def test_a_chat_is_told_in_a_text_that_mentions_nobody_and_links_nowhere():
    verdict = Verdict(
        run="run-1", name="<!channel> Buy", status="fail", cause=Cause.PRODUCT, summary="*see* <http://evil|here> & `x`"
    )
    rules = Rules(chat_hosts=frozenset({"chat.example"}), secrets=("s",))
    sent = build_delivery(verdict, build_receiver("https://chat.example/hooks/1"), rules, 1, 1.0)
    text = json.loads(sent.body)["text"]

    assert text.splitlines()[0] == "*FAIL (cause product)* &lt;!channel&gt; Buy (run-1)"
    assert not {"<", ">", "`"} & set(text)
    assert "Muster-Signature" in sent.headers
