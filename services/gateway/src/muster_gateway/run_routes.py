"""HTTP routes for runs: submit, list, show, verdict, events."""

import asyncio
from typing import Annotated, Any, Literal, cast

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from msgspec.structs import replace

from muster_client.batches import batch_of, with_batch, with_labels
from muster_gateway import entries
from muster_gateway.context import MAX_CURSOR, Gateway, no_run
from muster_gateway.description import operation_docs
from muster_gateway.description.operation_docs import ACCEPTED, failures, success
from muster_gateway.description.request_bodies import TAKES_CASES_OR_REQUEST
from muster_gateway.fleet.device_routes import with_lease
from muster_gateway.lists.run_list import RunFilter, build_page, decode_cursor
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access import SPAN
from muster_gateway.security.access_roles import RUNNER, VIEWER
from muster_gateway.stored_runs import load_requests, read_stored_run
from muster_gateway.submission import (
    JSON,
    IdempotencyKey,
    answer_submitted,
    read_body,
    submit_all,
)
from muster_gateway.views import EventList, RunList, Submitted
from muster_gateway.webhooks.webhook_rules import hide_address, require_hosts_allowed
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.ids import is_token
from muster_protocol.logs import RunStatus
from muster_protocol.requests import OVER
from muster_protocol.verdicts import Verdict
from muster_service import tracing
from muster_views.moments import RunMoment, view_moment
from muster_views.run_view import view_run
from muster_views.views import RunView

CauseName = Literal["product", "environment", "agent", "budget", "cancelled"]


@post(
    "/runs",
    opt=RUNNER,
    status_code=202,
    operation_class=TAKES_CASES_OR_REQUEST,
    operation_id="submitRun",
    summary="Submit a run",
    description="JSON with a run request, test cases in YAML, Gherkin or Markdown, or JSON that names a stored `case` "
    "or `suite`, with `version`, `tags`, `variables`, `labels` and `priority` if wanted. The same `Idempotency-Key` or "
    "id always names the same run. `Location` is the address of the run.",
    responses=ACCEPTED | failures(400, 409, 413, 415, 503),
)
async def submit(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    idempotency_key: IdempotencyKey = "",
) -> Response[Submitted]:
    """Submit a request, or each case in a text."""
    content_type, body = request.headers.get("content-type", ""), await request.body()
    prefix = gateway.settings.muster_prefix
    if content_type.startswith(JSON) and (named := read_stored_run(body)):
        gateway.require_bus()
        requests = await load_requests(gateway.bus, named, idempotency_key)
    else:
        requests = await gateway.parse_in_thread(read_body, content_type, body, idempotency_key, prefix)
    require_hosts_allowed(gateway.webhooks, requests)
    gateway.require_bus()
    with tracing.span("POST /runs", {"http.request.method": "POST"}, kind=tracing.SERVER, headers=request.headers):
        cast("dict[str, Any]", request.scope)[SPAN] = tracing.current_headers().get(tracing.TRACEPARENT, "")
        together = with_batch(with_lease(with_labels(requests, request.auth.labels), request.auth), idempotency_key)
        runs = await submit_all(gateway.bus, together)
    return answer_submitted(runs, batch_of(together))


@get(
    "/runs",
    opt=VIEWER,
    operation_id="listRuns",
    summary="List runs",
    description="Newest first, queued ones included. All filters must match; `status` and `cause` can be "
    "repeated. `cursor` requests the next page.",
    responses=success(RunList, 200, "A page of runs", operation_docs.RUN_LIST) | failures(400, 503),
)
async def list_runs(
    *,
    gateway: NamedDependency[Gateway],
    status: Annotated[list[RunStatus] | None, QueryParameter(description="Only runs in one of these states")] = None,
    cause: Annotated[list[CauseName] | None, QueryParameter(description="Only fails of one of these causes")] = None,
    suite: Annotated[str, QueryParameter(description="Only runs of this suite")] = "",
    tag: Annotated[str, QueryParameter(description="Only runs whose case has this tag")] = "",
    name: Annotated[str, QueryParameter(description="Only runs with exactly this name: the history of a case")] = "",
    text: Annotated[str, QueryParameter(description="Only runs whose name, id or summary contains this text")] = "",
    since: Annotated[float | None, QueryParameter(description="Only runs requested at or after (unix seconds)")] = None,
    until: Annotated[float | None, QueryParameter(description="Only runs requested at or before")] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=500, description="Runs on a page")] = 50,
    cursor: Annotated[str, QueryParameter(description="The `cursor` of the previous page")] = "",
) -> RunList:
    """Return a page of runs."""
    after = decode_cursor(cursor) if cursor else None
    if cursor and after is None:
        raise Refusal(400, "cursor: invalid; use the `cursor` of a page of GET /runs")
    gateway.require_bus()
    wanted = RunFilter(
        status=status or (),
        suite=suite,
        tag=tag,
        cause=cause or (),
        name=name,
        text=text.casefold(),
        since=since,
        until=until,
    )
    return build_page(await gateway.listing.all(), wanted, limit, after)


@get(
    "/runs/{run:str}",
    opt=VIEWER,
    operation_id="showRun",
    summary="Show a run",
    description="Its row, request, sub-tasks with their states, verdict, and what it waits for or asks.",
    responses=success(RunView, 200, "The run", operation_docs.RUN_VIEW) | failures(400, 404, 503),
)
async def show(gateway: NamedDependency[Gateway], run: FromPath[str]) -> RunView:
    """Return the view of a run."""
    return await read_view(gateway, run)


async def read_view(gateway: Gateway, run: str) -> RunView:
    """Return the view of a run; raise a Refusal if it does not exist."""
    gateway.require_bus()
    if not is_token(run):
        raise no_run(run)
    request, listed = await asyncio.gather(gateway.listing.queued(run), gateway.listing.row(run))
    history = await entries.read_history(gateway.bus, run)
    if request is None and listed is None and not history.started_at:
        raise no_run(run)
    if request := request or history.request:
        history.request = replace(request, webhook=hide_address(request.webhook))
    return view_run(history, listed, await gateway.takeovers.count(run))


@get(
    "/runs/{run:str}/verdict",
    opt=VIEWER,
    operation_id="readVerdict",
    summary="Read a verdict",
    responses=success(Verdict, 200, "How the run ended, and why", operation_docs.VERDICT) | failures(400, 404, 503),
)
async def verdict(gateway: NamedDependency[Gateway], run: FromPath[str]) -> Verdict:
    """Return the verdict of a run."""
    shown = await read_view(gateway, run)
    if shown.verdict is None:
        why = "its log no longer exists" if shown.run.status in OVER else "it has no verdict yet"
        raise Refusal(404, f"run {run!r} is {shown.run.status}: {why}")
    return shown.verdict


@get(
    "/runs/{run:str}/state",
    opt=VIEWER,
    operation_id="readState",
    summary="Show a run as it was after an event",
    description="The run after any event of its log, with the event in words and what the run waited for.",
    responses=success(RunMoment, 200, "The run at that moment", operation_docs.RUN_MOMENT) | failures(400, 404, 503),
)
async def state(
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    at: Annotated[int, QueryParameter(ge=0, description="Number of the event, from 1; 0: the newest")] = 0,
) -> RunMoment:
    """Return a run as it was after an event."""
    await gateway.require_run(run)
    found = [entries.hide_webhook(entry) for entry in await entries.read_raw_entries(gateway.bus, run)]
    try:
        return view_moment(entries.known_events(found), run, at)
    except InvalidRequest as error:
        raise Refusal(404, *error.reasons) from error


@get(
    "/runs/{run:str}/events",
    opt=VIEWER,
    operation_id="readEvents",
    summary="Read a run's log",
    description="The stored entries, oldest first: everything about the run except for the path of a "
    "webhook's address.",
    responses=success(EventList, 200, "The entries", operation_docs.EVENTS) | failures(400, 404, 503),
)
async def events(
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    after: Annotated[
        int, QueryParameter(ge=0, le=MAX_CURSOR, description="Only entries with a sequence above this")
    ] = 0,
) -> Response[EventList]:
    """Return the stored entries of a run."""
    await gateway.require_run(run)
    found = [entries.hide_webhook(entry) for entry in await entries.read_raw_entries(gateway.bus, run, after)]
    body = _RawEventList(entries=tuple(found), cursor=found[-1].sequence if found else after)
    return cast("Response[EventList]", Response(codec.encode(body), media_type="application/json"))


class _RawEventList(msgspec.Struct, frozen=True, kw_only=True):
    """An EventList with raw events."""

    entries: tuple[entries.RawEntry, ...]
    cursor: int


HANDLERS = (submit, list_runs, show, verdict, state, events)
