"""HTTP routes for triggers: listed, paused, resumed and fired by hand."""

from collections.abc import Awaitable, Callable

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from muster_bus import Bus
from muster_client import trigger_store
from muster_gateway.context import Gateway
from muster_gateway.description import case_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.problem_details import Refusal
from muster_gateway.security.access_roles import RUNNER, VIEWER
from muster_protocol.errors import InvalidRequest
from muster_views.trigger_view import TriggerView, view_trigger


class TriggerList(Struct, frozen=True, kw_only=True):
    """The triggers, by id."""

    triggers: tuple[TriggerView, ...]


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
    gateway.require_bus()
    try:
        row = await trigger_store.get_trigger(gateway.bus, trigger)
    except InvalidRequest as error:
        raise Refusal(404, *error.reasons) from error
    return view_trigger(row, gateway.bus.clock.now())


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


async def _change(gateway: Gateway, trigger: str, change: Callable[[Bus, str], Awaitable[None]]) -> TriggerView:
    gateway.require_bus()
    try:
        await change(gateway.bus, trigger)
        row = await trigger_store.get_trigger(gateway.bus, trigger)
    except InvalidRequest as error:
        raise Refusal(404, *error.reasons) from error
    return view_trigger(row, gateway.bus.clock.now())


HANDLERS = (list_triggers, show_trigger, pause_trigger, resume_trigger, fire_trigger)
