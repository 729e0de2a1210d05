"""HTTP routes for triggers: listed, paused, resumed, fired by hand, and made up for."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct, field

from muster_bus import Bus
from muster_client import trigger_store
from muster_gateway.context import Gateway
from muster_gateway.description import case_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.description.request_bodies import JSON, media_of, object_of, taking
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access_roles import RUNNER, VIEWER
from muster_protocol.codec import decode_asked
from muster_protocol.errors import InvalidRequest
from muster_views.trigger_view import TriggerView, view_trigger


class Backfill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The span of a trigger's schedule to make up for; a time without an offset is in UTC."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")


class TriggerList(Struct, frozen=True, kw_only=True):
    """The triggers, by id."""

    triggers: tuple[TriggerView, ...]


_SPAN = object_of(
    {"from": "First moment, in UTC unless it has an offset", "to": "Last moment, which is over"}, ["from", "to"]
)


@get(
    "/triggers",
    opt=VIEWER,
    operation_id="listTriggers",
    summary="List triggers",
    description="What starts their runs, their next ten times, and what became of the newest twenty.",
    responses=success(TriggerList, 200, "The triggers", documented.TRIGGERS) | failures(503),
)
async def list_triggers(gateway: NamedDependency[Gateway]) -> TriggerList:
    """Return all triggers."""
    gateway.require_bus()
    now = gateway.bus.clock.now()
    rows = await trigger_store.list_triggers(gateway.bus)
    return TriggerList(triggers=tuple(view_trigger(row, now) for row in rows))


@get(
    "/triggers/{trigger:str}",
    opt=VIEWER,
    operation_id="showTrigger",
    summary="Show a trigger",
    responses=success(TriggerView, 200, "The trigger", documented.TRIGGER) | failures(400, 404, 503),
)
async def show_trigger(gateway: NamedDependency[Gateway], trigger: FromPath[str]) -> TriggerView:
    """Return a trigger."""
    return await _shown(gateway, trigger)


@post(
    "/triggers/{trigger:str}/pause",
    opt=RUNNER,
    status_code=200,
    operation_id="pauseTrigger",
    summary="Pause a trigger",
    description="Its times pass meanwhile and are not made up for.",
    responses=success(TriggerView, 200, "The trigger", documented.TRIGGER) | failures(400, 404, 503),
)
async def pause_trigger(gateway: NamedDependency[Gateway], trigger: FromPath[str]) -> TriggerView:
    """Let a trigger rest."""
    return await _change(gateway, trigger, trigger_store.pause_trigger)


@post(
    "/triggers/{trigger:str}/resume",
    opt=RUNNER,
    status_code=200,
    operation_id="resumeTrigger",
    summary="Resume a trigger",
    responses=success(TriggerView, 200, "The trigger", documented.TRIGGER) | failures(400, 404, 503),
)
async def resume_trigger(gateway: NamedDependency[Gateway], trigger: FromPath[str]) -> TriggerView:
    """Let a trigger go on with its next time."""
    return await _change(gateway, trigger, trigger_store.resume_trigger)


@post(
    "/triggers/{trigger:str}/fire",
    opt=RUNNER,
    status_code=202,
    operation_id="fireTrigger",
    summary="Fire a trigger now",
    description="An orchestrator starts its runs, whatever its schedule says; asking again before that has no effect.",
    responses=success(TriggerView, 202, "The trigger", documented.TRIGGER) | failures(400, 404, 503),
)
async def fire_trigger(gateway: NamedDependency[Gateway], trigger: FromPath[str]) -> TriggerView:
    """Ask for a trigger's runs now."""
    return await _change(gateway, trigger, trigger_store.fire_trigger)


@post(
    "/triggers/{trigger:str}/backfill",
    opt=RUNNER,
    status_code=202,
    operation_id="backfillTrigger",
    summary="Make up for times that have passed",
    description="An orchestrator starts the runs of each time of the schedule between two moments, at most 100, one "
    "after the other; each waits until the runs of the one before are over, unless `overlap` is `allow`. A time whose "
    "runs were started before starts none.",
    operation_class=taking({JSON: media_of(_SPAN, documented.BACKFILL, "days", "Days")}),
    responses=success(TriggerView, 202, "The trigger", documented.TRIGGER) | failures(400, 404, 413, 503),
)
async def backfill_trigger(
    request: AnyRequest, gateway: NamedDependency[Gateway], trigger: FromPath[str]
) -> TriggerView:
    """Ask for the runs of times that have passed; an unknown trigger is 404, a span without any of its times 400."""
    span = _read_backfill(await request.body())
    await _shown(gateway, trigger)
    await trigger_store.backfill_trigger(gateway.bus, trigger, _seconds(span.since), _seconds(span.until))
    return await _shown(gateway, trigger)


def _read_backfill(body: bytes) -> Backfill:
    """Return the span that a body names.

    Raises:
        InvalidRequest: it cannot be read.
    """
    try:
        return decode_asked(body, Backfill)
    except msgspec.DecodeError as error:
        wanted = '{"from": "2026-11-20T00:00:00", "to": "2026-11-24T12:00:00"}'
        raise InvalidRequest([f"invalid body: {error}; send {wanted}"]) from error


def _seconds(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


async def _change(gateway: Gateway, trigger: str, change: Callable[[Bus, str], Awaitable[None]]) -> TriggerView:
    gateway.require_bus()
    try:
        await change(gateway.bus, trigger)
    except InvalidRequest as error:
        raise Refusal(404, *error.reasons) from error
    return await _shown(gateway, trigger)


async def _shown(gateway: Gateway, trigger: str) -> TriggerView:
    gateway.require_bus()
    try:
        row = await trigger_store.get_trigger(gateway.bus, trigger)
    except InvalidRequest as error:
        raise Refusal(404, *error.reasons) from error
    return view_trigger(row, gateway.bus.clock.now())


HANDLERS = (list_triggers, show_trigger, pause_trigger, resume_trigger, fire_trigger, backfill_trigger)
