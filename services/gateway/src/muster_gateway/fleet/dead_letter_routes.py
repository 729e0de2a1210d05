"""HTTP routes for dead letters: list, show, replay, drop."""

import asyncio
from typing import Annotated

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter
from msgspec.structs import asdict

from muster_bus.dead_letter_store import DeadLetter, newest_dead, read_dead
from muster_client.dead_letters import ask_to_settle
from muster_gateway.context import Gateway
from muster_gateway.description import fleet_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.fleet.views import DeadDetail, DeadList, DeadView, Replayed
from muster_gateway.problem_details import Refusal, orchestrator_unavailable
from muster_gateway.security.access_roles import ADMIN, VIEWER
from muster_gateway.webhooks.webhook_rules import hide_addresses
from muster_protocol.dead_letter_requests import SettleDead
from muster_protocol.errors import InvalidRequest, Refused

MAX_SHOWN_CHARACTERS = 256 * 1024
"""Longer messages are cut."""
MAX_NUMBER = 2**53
"""JavaScript's largest exact integer; no stream gets that far."""

Number = Annotated[int, PathParameter(ge=1, le=MAX_NUMBER, description="Its number")]


@get(
    "/dead",
    opt=VIEWER,
    operation_id="listDead",
    summary="List dead letters",
    description="Messages that no service could process, newest first.",
    responses=success(DeadList, 200, "A page of dead letters", documented.DEAD) | failures(400, 503),
)
async def list_dead(
    gateway: NamedDependency[Gateway],
    limit: Annotated[int, QueryParameter(ge=1, le=200, description="Letters on a page")] = 50,
    cursor: Annotated[str, QueryParameter(description="The `cursor` of the previous page")] = "",
) -> DeadList:
    """Return a page of dead letters."""
    if cursor and not is_cursor(cursor):
        raise Refusal(400, "cursor: invalid; use the `cursor` of a page of GET /dead")
    gateway.require_bus()
    found: list[DeadLetter] = []
    async for letter in newest_dead(gateway.bus, int(cursor or 0)):
        found.append(letter)
        if len(found) > limit:
            break
    more = str(found[limit - 1].sequence) if len(found) > limit else ""
    views = await asyncio.gather(*(_view_letter(gateway, letter) for letter in found[:limit]))
    return DeadList(letters=tuple(views), cursor=more)


@get(
    "/dead/{number:int}",
    opt=VIEWER,
    operation_id="showDead",
    summary="Show a dead letter",
    responses=success(DeadDetail, 200, "The dead letter", documented.DEAD_DETAIL) | failures(400, 404, 503),
)
async def show_dead(gateway: NamedDependency[Gateway], number: Number) -> DeadDetail:
    """Return a dead letter with its message."""
    letter = await _read_letter(gateway, number)
    data = letter.data[:MAX_SHOWN_CHARACTERS].decode(errors="backslashreplace")
    shown = hide_addresses(data) if letter.stream == "REQUESTS" else data
    return DeadDetail(**asdict(await _view_letter(gateway, letter)), data=shown)


@post(
    "/dead/{number:int}/replay",
    opt=ADMIN,
    status_code=200,
    operation_id="replayDead",
    summary="Replay a dead letter into its queue",
    description="For example after an upgrade. A request is validated like a new submission. Messages of a run that is "
    "over cannot be replayed: rerun the run instead.",
    responses=success(Replayed, 200, "The message is back in its queue", documented.REPLAYED)
    | failures(400, 404, 409, 503),
)
async def replay(gateway: NamedDependency[Gateway], number: Number) -> Replayed:
    """Replay a dead letter."""
    await _read_letter(gateway, number)
    return Replayed(id=number, subject=await _settle(gateway, SettleDead(sequence=number, action="replay")))


@delete(
    "/dead/{number:int}",
    opt=ADMIN,
    status_code=204,
    operation_id="dropDead",
    summary="Delete a dead letter",
    responses=failures(400, 404, 409, 503),
)
async def drop(gateway: NamedDependency[Gateway], number: Number) -> None:
    """Delete a dead letter."""
    await _read_letter(gateway, number)
    await _settle(gateway, SettleDead(sequence=number, action="drop"))


def is_cursor(text: str) -> bool:
    """Return whether a text is a valid cursor: a sequence in a stream. Pure."""
    return text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_NUMBER)) and 0 < int(text) <= MAX_NUMBER


async def _settle(gateway: Gateway, ask: SettleDead) -> str:
    """Ask an orchestrator to do it, since a gateway may neither write to queues nor delete from streams."""
    try:
        return await ask_to_settle(gateway.bus, ask)
    except InvalidRequest as error:
        raise Refusal(409, *error.reasons) from error
    except Refused as error:
        raise orchestrator_unavailable(error) from error


async def _read_letter(gateway: Gateway, number: int) -> DeadLetter:
    gateway.require_bus()
    try:
        return await read_dead(gateway.bus, number)
    except InvalidRequest:
        raise Refusal(404, f"there is no dead letter {number}; GET /dead lists all dead letters") from None


async def _view_letter(gateway: Gateway, letter: DeadLetter) -> DeadView:
    return DeadView(
        id=letter.sequence,
        stream=letter.stream,
        subject=letter.subject,
        reason=letter.reason,
        history=letter.history,
        run=letter.run,
        has_run=bool(letter.run) and await gateway.exists(letter.run),
        task=letter.task,
        delivery=letter.delivery,
        at=letter.at,
        size=letter.size,
        cut=letter.cut,
        can_replay=not letter.cut and letter.stream in ("REQUESTS", "TASKS", "WEBHOOKS"),
    )


HANDLERS = (list_dead, show_dead, replay, drop)
