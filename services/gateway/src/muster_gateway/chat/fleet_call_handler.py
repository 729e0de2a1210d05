"""Answers API calls of agents in conversations and triggers, with the rights of the person who opened them."""

import asyncio
import re
from typing import Any, cast

import httpx
import msgspec
import structlog
from litestar.types import ASGIApp, Receive, Scope, Send
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_bus import Rows
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_client.trigger_chains import TRIGGER_LABEL, chain_labels, vouches_for
from muster_gateway.chat.chat_reader import find_acting
from muster_gateway.context import Gateway
from muster_gateway.problem_details import Problem, Refusal
from muster_gateway.security.access_roles import Needed
from muster_gateway.security.audit import AuditEntry
from muster_gateway.security.gate import Caller
from muster_gateway.stored_runs import StoredRun, read_stored_run
from muster_gateway.submission import FORMS
from muster_protocol import codec
from muster_protocol.fleet_calls import FleetCall, FleetReply
from muster_protocol.ids import is_token
from muster_protocol.requests import Assignment, Conversation, Job, RunRequest
from muster_protocol.triggers import TriggerRow
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.gateway")

QUEUE_GROUP = "gateways"
AT_ONCE = 16
LARGEST_BODY = 700_000
"""Bytes of an answer, which has to fit into one message."""
OPEN_TO_AGENTS = re.compile(
    r"/(runs|suites|cases(?!/assist)|requirements|drafts|explorations|maps|workers|devices|sessions|queues)(/[\w.~-]+)*(\?.*)?",
    re.ASCII,
)
"""The addresses that an agent may call; what they change is for roles to say."""


class FleetCallHandler:
    """A member of the queue group that answers these calls; each goes through the application like any request."""

    def __init__(self, gateway: Gateway, app: ASGIApp) -> None:
        self._gateway, self._bus, self._app = gateway, gateway.bus, app
        self._room = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Subscribe."""
        subject = self._bus.names.fleet_calls
        self._subscription = await self._bus.nc.subscribe(subject, queue=QUEUE_GROUP, cb=self._on_call)
        await self._bus.flush_subscriptions()

    async def stop(self) -> None:
        """Take no more calls, and break off those in progress: an agent makes them again."""
        if self._subscription is not None and self._bus.nc.is_connected:
            await self._subscription.unsubscribe()
        await stop(self._tasks)

    async def _on_call(self, message: Msg) -> None:
        task = asyncio.create_task(self._respond(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _respond(self, message: Msg) -> None:
        async with self._room:
            try:
                reply = await self._answer(codec.decode(message.data, FleetCall))
            except msgspec.DecodeError as error:
                reply = _refused(Refusal(400, f"the call cannot be read: {error}"))
            except BUS_ERRORS as error:
                reply = _refused(Refusal(503, f"NATS cannot be used now, try again: {describe_error(error)}"))
            try:
                await self._bus.respond(message, reply)
            except NatsError as error:
                log.warning("an agent's call was not answered", error=describe_error(error))

    async def _answer(self, call: FleetCall) -> FleetReply:
        try:
            require_open(call.path)
            acting = await find_acting(self._gateway, call.run)
            require_prepared(acting.job, call)
            caller = await self._identify(acting, call.run)
        except Refusal as error:
            return _refused(error)
        reply = await _ask(_With(self._app, caller), call)
        if call.method != "GET" or reply.status == 403:
            self._record(call, caller, reply.status)
        if len(reply.body) > LARGEST_BODY:
            return _refused(Refusal(413, "the answer is too large: ask for less"))
        return reply

    async def _identify(self, acting: RunRequest, run: str) -> Caller:
        """Return the rights of whoever opened a conversation, as its key has them now, or those that a trigger gives.

        Raises:
            Refusal: 403, the key is no longer in force, or no trigger has the agent do this.
        """
        job = acting.job
        if not isinstance(job, Conversation):
            return await self._identify_trigger(acting)
        # A conversation without a key was opened over NATS, where only admins can write to it; no key may.
        key = self._gateway.gate.key_named(job.by) if job.by else None
        if job.by and key is None:
            raise Refusal(403, f"the key {job.by!r}, with which conversation {run!r} was opened, is not in force")
        role = lower_role(job.role, key.role) if key else job.role
        return Caller(job.by, role, "chat", key=key, conversation=run)

    async def _identify_trigger(self, acting: RunRequest) -> Caller:
        """Return the rights that a trigger gives, if there is one that has an agent do what this run says."""
        id, job = acting.labels.get(TRIGGER_LABEL, ""), acting.job
        row = await Rows(self._gateway.bus, "TRIGGERS", TriggerRow).get(id) if is_token(id) else None
        if row is None or not isinstance(job, Assignment) or not vouches_for(row.trigger, job):
            raise Refusal(403, f"no trigger {id!r} gives an agent this task (any more)")
        return Caller(f"trigger {id}", job.role, "chat", chain=chain_labels(acting.labels))

    def _record(self, call: FleetCall, caller: Caller, status: int) -> None:
        route = call.path.partition("?")[0]
        entry = AuditEntry(caller.name, caller.via, "", call.method, route, call.run, status)
        self._gateway.audit.record(entry)


def require_prepared(job: Job, call: FleetCall) -> None:
    """Raise a Refusal if the agent of a trigger starts a stored case that was not prepared for it. Pure."""
    route = call.path.partition("?")[0]
    if not isinstance(job, Assignment) or call.method != "POST" or route != "/runs":
        return
    if call.content_type in FORMS:
        return  # a case that a person has read, and allowed
    named = read_stored_run(call.body) or StoredRun()
    if StoredRun(case=named.case) != named or named.case not in job.may_start:
        wanted, prepared = named.case or named.suite or "this", ", ".join(job.may_start) or "none"
        raise Refusal(
            403,
            f"{wanted} is refused: this trigger may start these cases, without any changes: {prepared}",
        )


def require_open(path: str) -> None:
    """Raise a Refusal unless agents may call an address. Pure."""
    if not OPEN_TO_AGENTS.fullmatch(path) or ".." in path:
        raise Refusal(403, f"agents of conversations may not call {path.partition('?')[0]!r}")


def lower_role(one: str, other: str) -> str:
    """Return the role that may do less. Pure."""
    order: tuple[Needed, ...] = ("open", "viewer", "runner", "admin")
    return min(one, other, key=lambda role: order.index(cast("Needed", role)))


class _With:
    """The application, with the caller of all requests."""

    def __init__(self, app: ASGIApp, caller: Caller) -> None:
        self._app, self._caller = app, caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["auth"] = self._caller
        await self._app(scope, receive, send)


async def _ask(app: _With, call: FleetCall) -> FleetReply:
    headers = {"Content-Type": call.content_type, "Idempotency-Key": call.key}
    transport = httpx.ASGITransport(cast("Any", app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://fleet") as http:
        answer = await http.request(
            call.method,
            call.path,
            content=call.body or None,
            headers={name: value for name, value in headers.items() if value},
        )
    return FleetReply(status=answer.status_code, body=answer.content)


def _refused(why: Refusal) -> FleetReply:
    return FleetReply(
        status=why.status, body=codec.encode(Problem(status=why.status, title="refused", reasons=why.reasons))
    )
