"""What is asked of runs over HTTP: cancel, pause, resume, answer, run again."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter, QueryParameter

from muster_bus.run_store import find_request
from muster_client.runs import send_control
from muster_client.steering import (
    Standing,
    build_answer,
    build_pause,
    build_rerun,
    build_resume,
    failed_runs,
    fold_standing,
    read_controls,
    reruns_with_key,
)
from muster_gateway import entries
from muster_gateway.context import OVER, Gateway
from muster_gateway.description import operation_docs
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access_roles import RUNNER
from muster_gateway.submission import submit_all
from muster_gateway.views import AnswerBody, CancelAsked, CancelBody, RerunList, RerunView, Steered, Submitted
from muster_protocol.codec import decode_untrusted
from muster_protocol.control import Cancel, Control
from muster_protocol.requests import RunRequest
from muster_views.history import fold_events

Key = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key", max_length=200, description="With the same key a run is run again only once"
    ),
]
BY = "gateway"
MAX_ANSWER_CHARACTERS = 100_000
"""Characters of an answer; it goes into the run's log and to a sub-agent."""


@post(
    "/runs/{run:str}/cancel",
    opt=RUNNER,
    status_code=202,
    operation_class=operation_docs.CancelOperation,
    operation_id="cancelRun",
    summary="Cancel a run",
    description="Queued and live runs end with cause `cancelled`. Asking again changes nothing.",
    responses=success(CancelAsked, 202, "The run was asked to end", {"run": operation_docs.RUN})
    | failures(400, 404, 409, 413, 503),
)
async def cancel(request: AnyRequest, gateway: NamedDependency[Gateway], run: FromPath[str]) -> CancelAsked:
    """Ask a run to end."""
    reason = read_reason(await request.body())
    found, cause = await _read_standing(gateway, run)
    if found.over and cause != "cancelled":
        raise Refusal(409, f"run {run!r} is over ({found.over}); there is nothing to cancel")
    if not found.over:
        await send_control(gateway.bus, run, Cancel(id="cancel", reason=reason, by=BY))
    return CancelAsked(run=run)


@post(
    "/runs/{run:str}/pause",
    opt=RUNNER,
    status_code=202,
    operation_id="pauseRun",
    summary="Pause a run",
    description="What is being done is finished, nothing new is begun, and the run's time stands still. A queued run "
    "pauses when its turn comes. Asking again changes nothing.",
    responses=success(Steered, 202, "The run pauses", operation_docs.STEERED) | failures(400, 404, 409, 503),
)
async def pause(gateway: NamedDependency[Gateway], run: FromPath[str]) -> Steered:
    """Ask a run to pause."""
    return await _steer(gateway, run, build_pause)


@post(
    "/runs/{run:str}/resume",
    opt=RUNNER,
    status_code=202,
    operation_id="resumeRun",
    summary="Resume a run",
    description="A paused run goes on. Of one that is not paused it changes nothing.",
    responses=success(Steered, 202, "The run goes on", operation_docs.STEERED) | failures(400, 404, 409, 503),
)
async def resume(gateway: NamedDependency[Gateway], run: FromPath[str]) -> Steered:
    """Ask a paused run to go on."""
    return await _steer(gateway, run, build_resume)


@post(
    "/runs/{run:str}/answer",
    opt=RUNNER,
    status_code=202,
    operation_class=operation_docs.AnswerOperation,
    operation_id="answerRun",
    summary="Answer what a run asks",
    description="`question` may be left out while the run asks a single one; `GET /runs/{run}` lists them. An answer "
    "stands: the same one again changes nothing, another one is refused. It is stored with the run.",
    responses=success(Steered, 202, "The run has its answer", operation_docs.STEERED)
    | failures(400, 404, 409, 413, 503),
)
async def answer(request: AnyRequest, gateway: NamedDependency[Gateway], run: FromPath[str]) -> Steered:
    """Answer a question of a run."""
    given = read_answer(await request.body())
    return await _steer(gateway, run, partial(build_answer, question=given.question, text=given.text.strip()))


@post(
    "/runs/{run:str}/rerun",
    opt=RUNNER,
    status_code=202,
    operation_id="rerunRun",
    summary="Run a run again",
    description="The same request once more, as a run of its own, whatever became of the first one. `Location` is "
    "the address of the new run.",
    responses=success(Submitted, 202, "Accepted; it will end in exactly one verdict", operation_docs.SUBMITTED)
    | failures(400, 404, 409, 503),
)
async def rerun(
    gateway: NamedDependency[Gateway], run: FromPath[str], idempotency_key: Key = ""
) -> Response[Submitted]:
    """Hand the request of a run to the fleet once more."""
    await gateway.require_run(run)
    request = await find_request(gateway.bus, run)
    if request is None:
        raise Refusal(409, f"run {run!r} cannot be run again: its log is gone; submit its case")
    runs = await submit_all(gateway.bus, (build_rerun(request, run, idempotency_key),))
    submitted = Submitted(run=runs[0].run, duplicate=runs[0].duplicate, runs=runs)
    return Response(submitted, status_code=202, headers={"Location": f"/runs/{submitted.run}"})


@post(
    "/suites/{suite:str}/rerun-failed",
    opt=RUNNER,
    status_code=202,
    operation_id="rerunFailed",
    summary="Run again what failed in a suite",
    description="Runs of the same name are of one test; each test whose newest run ended in a fail is run again. What "
    "is being run again already is left alone, so asking twice changes nothing. A suite with a slash in its name is "
    "asked for as `/suites/rerun-failed?suite=`.",
    responses=success(RerunList, 202, "The new runs; none if nothing failed", operation_docs.RERUNS)
    | failures(400, 404, 503),
)
async def rerun_failed(gateway: NamedDependency[Gateway], suite: FromPath[str], idempotency_key: Key = "") -> RerunList:
    """Hand to the fleet once more what failed in a suite."""
    return await _rerun_failed(gateway, suite, idempotency_key)


@post(
    "/suites/rerun-failed",
    opt=RUNNER,
    status_code=202,
    operation_id="rerunFailedOfAnyName",
    summary="Run again what failed in a suite whose name may hold a slash",
    description="The same as `/suites/{suite}/rerun-failed`.",
    responses=success(RerunList, 202, "The new runs; none if nothing failed", operation_docs.RERUNS)
    | failures(400, 404, 503),
)
async def rerun_failed_by_query(
    gateway: NamedDependency[Gateway],
    suite: Annotated[str, QueryParameter(description="The suite's name, whatever is in it")],
    idempotency_key: Key = "",
) -> RerunList:
    """Do the same for a suite of any name: a slash cannot stand in a part of a path."""
    return await _rerun_failed(gateway, suite, idempotency_key)


async def _rerun_failed(gateway: Gateway, suite: str, idempotency_key: str) -> RerunList:
    gateway.require_bus()
    rows = [row for row in await gateway.listing.all() if row.suite == suite]
    if not rows:
        raise Refusal(404, f"suite {suite!r} has no runs; GET /runs lists those there are")
    before = reruns_with_key(rows, idempotency_key) if idempotency_key else []
    done = {row.name for row in before}
    failed = [row.run for row in failed_runs(rows, suite) if row.name not in done]
    found = await asyncio.gather(*(find_request(gateway.bus, run) for run in failed))
    again = [build_rerun(request, run, idempotency_key) for run, request in zip(failed, found, strict=True) if request]
    return RerunList(
        runs=(
            *(RerunView(run=row.run, rerun_of=row.rerun_of, duplicate=True) for row in before),
            *await _submit_reruns(gateway, again),
        )
    )


async def _submit_reruns(gateway: Gateway, again: list[RunRequest]) -> list[RerunView]:
    if not again:
        return []
    runs = await submit_all(gateway.bus, tuple(again))
    return [
        RerunView(run=run.run, rerun_of=request.rerun_of, duplicate=run.duplicate)
        for run, request in zip(runs, again, strict=True)
    ]


async def _read_standing(gateway: Gateway, run: str) -> tuple[Standing, str]:
    """Return where a run stands, and the cause of its fail; one whose log is gone is over, by its row."""
    await gateway.require_run(run)
    happened = entries.known_events(await entries.read_raw_entries(gateway.bus, run))
    found = fold_standing(run, (known.event for known in happened), await read_controls(gateway.bus, run))
    verdict = fold_events(happened).verdict
    if verdict is not None:
        return found, str(verdict.cause or "")
    row = await gateway.listing.row(run) if not happened else None
    return (found._replace(over=row.status), row.cause) if row and row.status in OVER else (found, "")


async def _steer(gateway: Gateway, run: str, build: Callable[..., Control | None]) -> Steered:
    """Send the control that `build` makes of where the run stands, if it makes one."""
    standing, _ = await _read_standing(gateway, run)
    control = build(standing, by=BY)
    if control is not None:
        await send_control(gateway.bus, run, control)
    return Steered(run=run, changed=control is not None)


def read_reason(body: bytes) -> str:
    """Return why a run is to be cancelled, in at most 1,000 characters; a Refusal if the body cannot be read."""
    try:
        return decode_untrusted(body, CancelBody).reason[:1000] if body.strip() else ""
    except msgspec.DecodeError as error:
        raise Refusal(400, f'the body cannot be read: {error}; send nothing, or {{"reason": "…"}}') from error


def read_answer(body: bytes) -> AnswerBody:
    """Return an answer; a Refusal if the body cannot be read, or holds none."""
    try:
        given = decode_untrusted(body, AnswerBody)
    except msgspec.DecodeError as error:
        raise Refusal(400, f'the body cannot be read: {error}; send {{"text": "…"}}') from error
    if not given.text.strip():
        raise Refusal(400, 'the answer is empty; send {"text": "…"}')
    if len(given.text) > MAX_ANSWER_CHARACTERS:
        raise Refusal(413, f"an answer may have {MAX_ANSWER_CHARACTERS} characters")
    return given


HANDLERS = (cancel, pause, resume, answer, rerun, rerun_failed, rerun_failed_by_query)
