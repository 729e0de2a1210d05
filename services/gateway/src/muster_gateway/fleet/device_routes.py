"""HTTP routes for devices: which there are, and who has taken control of a phone."""

from collections.abc import Sequence
from typing import Annotated, Any

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.params import PathParameter
from msgspec.structs import replace

from muster_bus import Rows
from muster_bus.lease_store import LeaseStore
from muster_gateway.context import Gateway
from muster_gateway.description import fleet_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.description.request_bodies import JSON, media_of, object_of, taking
from muster_gateway.fleet.views import DeviceList
from muster_gateway.problem_details import Refusal, decode_body
from muster_gateway.security.access_roles import RUNNER, VIEWER
from muster_gateway.security.gate import Caller
from muster_protocol.device_control import LONGEST_MINUTES, LeaseWish, PhoneLease
from muster_protocol.logs import WorkerRow
from muster_protocol.requests import Assignment, Exploration, RunRequest, TestCase
from muster_views.device_inventory import DeviceView, view_devices

AnyRequest = Request[Any, Caller, Any]
PhoneName = Annotated[str, PathParameter(max_length=100, description="Name of a phone, as GET /devices lists it")]


_MINUTES = Schema(type=OpenAPIType.INTEGER, minimum=1, maximum=LONGEST_MINUTES, default=30)
_LEASE = media_of(object_of({"minutes": _MINUTES}), {"minutes": 60}, "hour", "An hour")


@get(
    "/devices",
    opt=VIEWER,
    operation_id="listDevices",
    summary="List devices",
    description="The phones, browsers and simulated devices of the session hosts, and which session or lease has a "
    "phone.",
    responses=success(DeviceList, 200, "The devices", documented.DEVICES) | failures(503),
)
async def devices(gateway: NamedDependency[Gateway]) -> DeviceList:
    """Return the devices of session hosts."""
    return DeviceList(devices=await _devices(gateway))


@post(
    "/devices/{phone:str}/lease",
    opt=RUNNER,
    status_code=200,
    operation_class=taking({JSON: _LEASE}, required=False),
    operation_id="takeControl",
    summary="Keep a phone for yourself",
    description="Until it ends, only your own runs get the phone: those of a conversation if its agent asks, else "
    "those that are submitted with your key. Asking again prolongs it.",
    responses=success(PhoneLease, 200, "The lease", documented.LEASE) | failures(400, 404, 409, 503),
)
async def take_control(request: AnyRequest, gateway: NamedDependency[Gateway], phone: PhoneName) -> PhoneLease:
    """Lease a phone."""
    minutes = decode_body(await request.body() or b"{}", LeaseWish).minutes
    here = next((one for one in await _devices(gateway) if one.name == phone), None)
    if here is None or here.state == "away":
        raise Refusal(404, f"no session host has a phone {phone!r} now; GET /devices lists them")
    if here.session:
        raise Refusal(409, f"phone {phone!r} is in use by {here.session}")
    holder = _holder_of(request.auth)
    wanted = PhoneLease(phone=phone, holder=holder, until=gateway.bus.clock.now() + 60.0 * minutes)
    lease = await LeaseStore(gateway.bus).take(wanted)
    if lease.holder != holder:
        raise Refusal(409, f"{lease.holder} has control of phone {phone!r}")
    return lease


@post(
    "/devices/{phone:str}/release",
    opt=RUNNER,
    status_code=204,
    operation_id="giveControlBack",
    summary="Give a phone back",
    description="Ends your own lease; runs of others that wait for the phone get it.",
    responses=failures(400, 404, 503),
)
async def give_control_back(request: AnyRequest, gateway: NamedDependency[Gateway], phone: PhoneName) -> None:
    """End a lease."""
    gateway.require_bus()
    if not await LeaseStore(gateway.bus).give_back(phone, _holder_of(request.auth)):
        raise Refusal(404, f"you have no control of a phone {phone!r}")


def _holder_of(caller: Caller) -> str:
    """Return who holds what a caller leases: a conversation, or a key. Pure."""
    return caller.conversation or f"key {caller.name}"


def with_lease(requests: Sequence[RunRequest], caller: Caller) -> tuple[RunRequest, ...]:
    """Return requests that may use the phones which their sender has leased, whatever they say themselves. Pure."""
    holder = _holder_of(caller)
    return tuple(_with_holder(request, holder) for request in requests)


def _with_holder(request: RunRequest, holder: str) -> RunRequest:
    job = request.job
    if not isinstance(job, TestCase | Assignment | Exploration) or job.device is None or job.device.kind != "appium":
        return request
    return replace(request, job=replace(job, device=replace(job.device, lease=holder)))


async def _devices(gateway: Gateway) -> tuple[DeviceView, ...]:
    gateway.require_bus()
    rows = await Rows(gateway.bus, "WORKERS", WorkerRow).all()
    leases = await LeaseStore(gateway.bus).in_force()
    return view_devices(rows, leases, gateway.bus.clock.now())


HANDLERS = (devices, take_control, give_control_back)
