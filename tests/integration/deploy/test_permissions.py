"""What each user of deploy/nats.conf may do, by trying; that the services can work under it is in test_fleet.py."""

import asyncio
from typing import NamedTuple

import pytest
from deployed import Deployed
from fleet import Fleet
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from prometheus_client import REGISTRY

from muster_bus.nats_client import Denied
from muster_bus.store_answers import PubAck
from muster_protocol import codec
from muster_protocol.fleet_calls import FleetCall, FleetReply

RUN_LOG = "muster.runs.run-1.events"
JOURNAL = "muster.journal.run-1.step-1.1"

MAY_PUBLISH = {
    "orchestrator": (
        *(RUN_LOG, "muster.tasks.act.normal", "muster.requests.run-1", "muster.logs.run-1.orchestrator"),
        *(JOURNAL, "muster.dead.REQUESTS", "muster.webhooks.run-1"),
        *("$JS.API.CONSUMER.MSG.NEXT.EVENTS.events", "$JS.ACK.EVENTS.events.1", "muster.dead.EVENTS"),
        *("$JS.API.STREAM.MSG.GET.DEAD", "$JS.API.STREAM.MSG.DELETE.DEAD"),
        *("$JS.API.STREAM.INFO.LOGS", "$JS.API.CONSUMER.INFO.TASKS.act-normal"),
    ),
    "subagent": (
        JOURNAL,
        "muster.logs.run-1.worker-1",
        "muster.sessions.host.host-1",
        "muster.dead.TASKS",
        "muster.fleet-calls",
    ),
    "sessions": (
        *("muster.sessions.events.run-1.main", "_R_.x", "$KV.SESSIONS.run-1.main"),
        "muster.logs.run-1.host-1",
    ),
    "gateway": (
        *("muster.webhooks.run-1.target", "muster.logs.run-1.gateway-1", "muster.dead.WEBHOOKS"),
        *("$JS.API.CONSUMER.MSG.NEXT.WEBHOOKS.webhooks", "$JS.ACK.WEBHOOKS.webhooks.1"),
        *(
            "muster.events.deployment.done",
            "muster.submit",
            "muster.control.run-1",
            "muster.dead-letters",
            "$JS.API.STREAM.MSG.GET.DEAD",
        ),
        *("$JS.API.STREAM.INFO.TASKS", "$JS.API.CONSUMER.INFO.TASKS.act-normal", "$JS.API.STREAM.MSG.GET.TASKS"),
        *("$JS.API.DIRECT.GET.KV_SESSIONS", "$JS.API.DIRECT.GET.KV_RUN_LIST"),
        *("$JS.API.STREAM.MSG.GET.RUNS", "$JS.API.STREAM.MSG.GET.CONTROL", "$JS.API.STREAM.MSG.GET.REQUESTS"),
    ),
    "provisioner": ("$JS.API.STREAM.CREATE.RUNS", "$JS.API.CONSUMER.CREATE.TASKS.act-normal.muster.tasks.act.normal"),
    "publisher": ("muster.submit", "muster.requests.run-1", "muster.events.deployment.done"),
}
EVERYBODYS_LIMIT = (
    *("$JS.API.STREAM.DELETE.RUNS", "$JS.API.STREAM.PURGE.RUNS", "$JS.API.STREAM.UPDATE.RUNS"),
    *("$JS.API.CONSUMER.CREATE.RUNS", "$JS.API.CONSUMER.DELETE.REQUESTS.runs", "muster.live.runs.run-1.events"),
    "$JS.API.CONSUMER.CREATE.OBJ_ARTIFACTS",
    *("muster.live.journal.run-1.step-1.1", "muster.live.control.run-1", "$SYS.REQ.SERVER.PING", "anything.else"),
)
"""What no service and no outsider may publish."""
MAY_NOT_PUBLISH = {
    "orchestrator": (
        *("muster.dead.TASKS", "muster.logs.run-1.worker-1", "$O.ARTIFACTS.C.x"),
        *("$JS.API.STREAM.MSG.GET.LOGS", "_INBOX_gateway.x", "_INBOX_subagent.x"),
    ),
    "subagent": (
        *(RUN_LOG, "muster.live.verdicts.run-1", "muster.requests.run-1", "muster.tasks.act.normal"),
        *("muster.logs.run-1.orchestrator", "muster.control.run-1", "muster.submit", "muster.sessions.open"),
        *("$KV.RUN_LIST.run-1", "$KV.SESSIONS.run-1.main", "$JS.API.STREAM.MSG.GET.RUNS", "_INBOX_subagent.x"),
        "muster.dead.REQUESTS",
    ),
    "sessions": (
        *(RUN_LOG, JOURNAL, "muster.logs.run-1.orchestrator", "$JS.API.STREAM.MSG.GET.JOURNAL", "muster.submit"),
        *("_INBOX_orchestrator.x", "_INBOX_subagent.x"),
    ),
    "gateway": (
        *(RUN_LOG, JOURNAL, "muster.requests.run-1", "muster.live.verdicts.run-1", "$KV.RUN_LIST.run-1"),
        *("muster.webhooks.run-1", "muster.logs.run-1.orchestrator", "muster.tasks.act.normal", "muster.dead.TASKS"),
        *("muster.events.muster.run.ended", "$KV.SECRETS.public"),
        *("$JS.API.STREAM.MSG.DELETE.DEAD", "$JS.API.STREAM.PURGE.DEAD", "$KV.SESSIONS.run-1.main"),
    ),
    "provisioner": (RUN_LOG, JOURNAL, "muster.submit", "$JS.API.STREAM.MSG.GET.RUNS"),
    "publisher": (
        *(RUN_LOG, JOURNAL, "muster.control.run-1", "muster.tasks.act.normal", "muster.live.verdicts.run-1"),
        *(
            "muster.events.muster.run.ended",
            "muster.fleet-calls",
            "muster.replies.publisher.x",
            "$JS.API.STREAM.MSG.GET.RUNS",
            "$JS.API.STREAM.INFO.RUNS",
            "$JS.API.INFO",
        ),
    ),
}
MAY_HEAR = {
    "orchestrator": ("muster.submit", "muster.dead-letters", "muster.live.journal.run-1.*.*", "_INBOX_orchestrator.>"),
    "subagent": ("muster.live.control.*", "muster.sessions.events.run-1.main", "_INBOX_subagent.>"),
    "sessions": ("muster.sessions.open", "muster.sessions.host.host-1"),
    "gateway": ("muster.live.logs.run-1.*", "muster.live.verdicts.*", "muster.fleet-calls"),
    "provisioner": ("_INBOX_provisioner.>",),
    "publisher": ("_INBOX_publisher.>", "muster.replies.publisher.*"),
}
MAY_NOT_HEAR = {
    "orchestrator": ("muster.requests.*", "muster.live.logs.>", "_INBOX_subagent.>", ">"),
    "subagent": (
        "muster.live.runs.>",
        "muster.tasks.>",
        "muster.sessions.host.*",
        "muster.fleet-calls",
        "_INBOX_sessions.>",
        "_INBOX.>",
    ),
    "sessions": ("muster.live.>", "muster.sessions.events.>", "_INBOX_subagent.>", "_INBOX.>", ">"),
    "gateway": ("muster.submit", "muster.dead-letters", "muster.runs.>", "muster.sessions.>", "_INBOX_subagent.>", ">"),
    "provisioner": ("muster.live.>", "_INBOX.>"),
    "publisher": (
        *("muster.live.verdicts.*", "muster.live.>", "muster.runs.>", "muster.submit", "muster.replies.>", ">"),
        *("_INBOX.>", "_R_.>", "_INBOX_other.>", "muster.replies.other.>", "muster.requests.*"),
    ),
}


OWNERS = {
    RUN_LOG: {"orchestrator"},
    JOURNAL: {"orchestrator", "subagent"},
    "muster.live.verdicts.run-1": {"orchestrator"},
    "muster.replies.publisher.x": {"orchestrator"},
    "muster.tasks.act.normal": {"orchestrator"},
    "muster.requests.run-1": {"orchestrator", "publisher"},
    "muster.submit": {"gateway", "publisher"},
    "muster.control.run-1": {"gateway", "orchestrator"},  # a trigger may cancel the runs of the time before
    "muster.logs.run-1.orchestrator": {"orchestrator"},
    "muster.dead.REQUESTS": {"orchestrator"},
    "muster.dead.TASKS": {"subagent"},
    "muster.sessions.open": {"orchestrator"},
    "muster.openings.web.normal.run-1.main": {"orchestrator"},
    "$JS.API.STREAM.PURGE.OPENINGS": {"orchestrator"},
    "muster.sessions.ready": {"sessions"},
    "$JS.API.CONSUMER.MSG.NEXT.OPENINGS.web-normal": {"sessions"},
    "$KV.RUN_LIST.run-1": {"orchestrator"},
    "$KV.SESSIONS.run-1.main": {"sessions"},
    "$O.ARTIFACTS.C.x": {"subagent", "sessions"},
    "$JS.API.STREAM.MSG.GET.RUNS": {"orchestrator", "gateway"},
    "$JS.API.STREAM.MSG.GET.JOURNAL": {"orchestrator", "subagent", "gateway"},
    "$KV.NOTES.run-1.run-2": {"orchestrator"},
    "$JS.API.DIRECT.GET.KV_NOTES": {"gateway"},
    "$KV.GRAPHS.run-1": {"orchestrator", "gateway"},
    "$JS.API.DIRECT.GET.KV_GRAPHS.$KV.GRAPHS.run-1": {"gateway"},
    "$JS.API.DIRECT.GET.KV_GRAPHS": {"gateway"},
    "$KV.LEASES.x": {"gateway"},
    "$JS.API.DIRECT.GET.KV_LEASES": {"gateway", "sessions"},
    "$KV.PACE.x": {"subagent"},
    "$JS.API.DIRECT.GET.KV_PACE.$KV.PACE.x": {"subagent"},
    "muster.events.muster.run.ended": {"orchestrator"},
    "muster.events.alert.anr": {"gateway", "publisher", "sessions"},
    "$KV.CASES.case.x": {"gateway"},
    "$KV.TRIGGERS.x": {"gateway", "orchestrator"},
    "$KV.SECRETS.public": set[str](),  # people alone give the workers a key
    "$KV.SECRETS.value.x": {"gateway"},
    "$JS.API.DIRECT.GET.KV_SECRETS.$KV.SECRETS.value.x": {"gateway", "subagent"},
    "$KV.DEFINITIONS.newest": set[str](),  # people alone push agents
    "$JS.API.DIRECT.GET.KV_DEFINITIONS.$KV.DEFINITIONS.newest": {"orchestrator", "subagent"},
    "$JS.API.STREAM.CREATE.RUNS": {"provisioner"},
    "$JS.API.STREAM.DELETE.RUNS": set[str](),
    "$JS.API.STREAM.PURGE.RUNS": set[str](),
}
"""What runs stand on, and every user that may write it, ask for it or read it; nobody else may."""


async def test_what_runs_stand_on_is_written_and_read_by_those_it_belongs_to_alone(server: Deployed) -> None:
    may: dict[str, set[str]] = {subject: set() for subject in OWNERS}
    for user in MAY_PUBLISH:
        async with server.trial(user) as client:
            for subject in [subject for subject in OWNERS if await client.publish(subject)]:
                may[subject].add(user)

    assert may == OWNERS


@pytest.mark.parametrize("user", MAY_PUBLISH)
async def test_a_user_may_publish_what_its_work_needs_and_nothing_else(server: Deployed, user: str) -> None:
    async with server.trial(user) as client:
        refused = [subject for subject in MAY_PUBLISH[user] if not await client.publish(subject)]
        allowed = [subject for subject in EVERYBODYS_LIMIT + MAY_NOT_PUBLISH[user] if await client.publish(subject)]

    assert (refused, allowed) == ([], [])


@pytest.mark.parametrize("user", MAY_HEAR)
async def test_a_user_may_hear_what_its_work_needs_and_nothing_else(server: Deployed, user: str) -> None:
    async with server.trial(user) as client:
        refused = [subject for subject in MAY_HEAR[user] if not await client.subscribe(subject)]
        allowed = [subject for subject in MAY_NOT_HEAR[user] if await client.subscribe(subject)]

    assert (refused, allowed) == ([], [])


async def test_nobody_gets_in_without_a_password(server: Deployed) -> None:
    for user, password in ((None, None), ("admin", "admin"), ("orchestrator", "")):
        client = Client()
        with pytest.raises(NatsError, match=r"(?i)authorization"):
            await client.connect(server.url, allow_reconnect=False, error_cb=_ignored, user=user, password=password)
        await client.close()


async def _ignored(_: Exception) -> None:
    pass


async def test_a_worker_that_writes_a_runs_log_is_refused_loudly_and_nothing_is_stored(
    fleet: Fleet, server: Deployed
) -> None:
    refused = {"kind": "permission"}
    before = REGISTRY.get_sample_value("muster_nats_errors_total", refused) or 0.0
    async with server.bus("subagent") as bus:
        with pytest.raises(Denied, match=r"no permission to publish on 'muster\.runs\.run-1\.events'"):
            await asyncio.wait_for(bus.store(RUN_LOG, b"{}", timeout=60), 10)  # told at once, not when the time is up
        assert REGISTRY.get_sample_value("muster_nats_errors_total", refused) == before + 1
        assert (await bus.store(JOURNAL, b"{}")).seq == 1

    assert (await fleet.bus.js.stream_info("RUNS")).state.messages == 0


async def test_not_even_a_reply_subject_lets_an_outsider_write_a_runs_log(fleet: Fleet, server: Deployed) -> None:
    async with server.trial("publisher") as outside:
        await outside.client.publish("muster.requests.run-1", b"{}", reply=RUN_LOG)
        answer = await outside.client.request("muster.requests.run-2", b"{}", timeout=5)

    assert codec.decode(answer.data, PubAck).error is None
    assert (await fleet.bus.js.stream_info("REQUESTS")).state.messages == 2
    assert (await fleet.bus.js.stream_info("RUNS")).state.messages == 0


class Ask(NamedTuple):
    """Where a user may write what it likes, and the request that has the server send just that to a reply subject."""

    written: str
    subject: str
    body: str


ASKS = {
    "sessions": Ask(
        "$KV.SESSIONS.run-1.main", "$JS.API.DIRECT.GET.KV_SESSIONS", '{"last_by_subj":"$KV.SESSIONS.run-1.main"}'
    ),
    "gateway": Ask(
        "muster.logs.run-1.gateway-1", "$JS.API.DIRECT.GET.LOGS", '{"last_by_subj":"muster.logs.run-1.gateway-1"}'
    ),
    "subagent": Ask(JOURNAL, "$JS.API.STREAM.MSG.GET.JOURNAL", '{"seq":1}'),
}
STOLEN = (
    *(RUN_LOG, "muster.tasks.act.normal", "muster.live.verdicts.run-1", "muster.requests.run-1"),
    *("$KV.RUN_LIST.run-1", "muster.logs.run-1.orchestrator", "_INBOX_orchestrator.x", "muster.sessions.host.host-1"),
)
"""Subjects that a user of `ASKS` may not write, or not so, or that another service reads."""


@pytest.mark.parametrize("user", ASKS)
async def test_what_a_service_asks_the_server_for_is_written_nowhere_but_to_itself(
    fleet: Fleet, server: Deployed, user: str
) -> None:
    ask, heard = ASKS[user], list[str]()

    async def hear(message: Msg) -> None:
        heard.append(message.subject)

    async with server.bus(user) as bus, server.trial("admin") as admin:
        for subject in STOLEN:
            await admin.client.subscribe(subject, cb=hear)
        await admin.client.flush()
        await bus.store(ask.written, b"forged")
        for subject in STOLEN:
            await bus.nc.publish(ask.subject, ask.body.encode(), reply=subject)
        answers = [await bus.nc.request(ask.subject, ask.body.encode(), timeout=5) for _ in range(5)]
        await admin.client.flush()

    assert all(b"forged" in answer.data or b"Zm9yZ2Vk" in answer.data for answer in answers)
    assert heard == []
    assert (await fleet.bus.js.stream_info("RUNS")).state.messages == 0


async def test_a_worker_calls_the_api_and_a_gateway_answers_it(fleet: Fleet, server: Deployed) -> None:
    async with server.bus("subagent") as worker, server.bus("gateway") as gateway:

        async def answer(message: Msg) -> None:
            call = codec.decode(message.data, FleetCall)
            await gateway.respond(message, FleetReply(status=200, body=call.path.encode()))

        await gateway.nc.subscribe(gateway.names.fleet_calls, queue="gateways", cb=answer)
        await gateway.flush_subscriptions()
        call = FleetCall(run="run-1", method="GET", path="/runs")
        reply = await worker.request(worker.names.fleet_calls, call, FleetReply, timeout=10)

    assert (reply.status, reply.body) == (200, b"/runs")
