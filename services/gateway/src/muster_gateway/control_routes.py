"""HTTP routes that control runs: cancel, pause, resume, answer, rerun."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter, QueryParameter

from muster_bus.run_store import find_request
from muster_client.batches import with_labels
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
from muster_gateway.chat.chat_reader import require_writer
from muster_gateway.context import Gateway
from muster_gateway.description import operation_docs
from muster_gateway.description.operation_docs import ACCEPTED, failures, success
from muster_gateway.description.request_bodies import JSON, media_of, object_of, taking
from muster_gateway.fleet.device_routes import with_lease
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access_roles import RUNNER
from muster_gateway.submission import submit_all
from muster_gateway.views import AnswerBody, CancelAsked, CancelBody, RerunList, RerunView, Steered, Submitted
from muster_protocol.codec import decode_asked
from muster_protocol.control import Cancel, Control
from muster_protocol.ids import is_token
from muster_protocol.requests import OVER, Conversation, RunRequest
from muster_views.history import fold_events

Key = Annotated[
    str,
    HeaderParameter(name="Idempotency-Key", max_length=200, description="The same key always names the same new run"),
]
BY = "gateway"
MAX_ANSWER_CHARACTERS = 100_000
"""An answer is stored in the run's log and sent to a sub-agent."""
_REASON = object_of({"reason": "The reason; shown with the run"})
_ANSWER = object_of({"text": "The answer", "question": "Id of the question, if the run asks several"}, ["text"])


@post(
    "/runs/{run:str}/cancel",
    opt=RUNNER,
    status_code=202,
    operation_class=taking({JSON: media_of(_REASON, {"reason": "wrong build"})}, required=False),
    operation_id="cancelRun",
    summary="Cancel a run",
    description="Queued and live runs end with cause `cancelled`. Repeating the request has no effect.",
    responses=success(CancelAsked, 202, "The cancellation was requested", {"run": operation_docs.RUN})
    | failures(400, 404, 409, 413, 503),
)
async def cancel(request: AnyRequest, gateway: NamedDependency[Gateway], run: FromPath[str]) -> CancelAsked:
    """Cancel a run."""
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
    description="Sub-tasks in progress finish, no new ones start, and the run's clock stops. A queued run "
    "pauses when its turn comes. Repeating the request has no effect.",
    responses=success(Steered, 202, "The run pauses", operation_docs.STEERED) | failures(400, 404, 409, 503),
)
async def pause(gateway: NamedDependency[Gateway], run: FromPath[str]) -> Steered:
    """Pause a run."""
    return await _steer(gateway, run, build_pause)


@post(
    "/runs/{run:str}/resume",
    opt=RUNNER,
    status_code=202,
    operation_id="resumeRun",
    summary="Resume a run",
    description="Continues a paused run. No effect on a run that is not paused.",
    responses=success(Steered, 202, "The run continues", operation_docs.STEERED) | failures(400, 404, 409, 503),
)
async def resume(gateway: NamedDependency[Gateway], run: FromPath[str]) -> Steered:
    """Resume a paused run."""
    return await _steer(gateway, run, build_resume)


@post(
    "/runs/{run:str}/answer",
    opt=RUNNER,
    status_code=202,
    operation_class=taking({JSON: media_of(_ANSWER, {"text": "the code is 4711"})}),
    operation_id="answerRun",
    summary="Answer a run's question",
    description="Omit `question` if the run asks only one; `GET /runs/{run}` lists them. An answer "
    "is final: the same one again has no effect, a different one is refused. It is stored with the run.",
    responses=success(Steered, 202, "The run has its answer", operation_docs.STEERED)
    | failures(400, 404, 409, 413, 503),
)
async def answer(request: AnyRequest, gateway: NamedDependency[Gateway], run: FromPath[str]) -> Steered:
    """Answer a question of a run; of a conversation only as who opened it, since its agent then acts."""
    given = read_answer(await request.body())
    asking = await find_request(gateway.bus, run) if is_token(run) else None
    if asking is not None and isinstance(asking.job, Conversation):
        require_writer(request.auth, run, asking.job.by)
    return await _steer(gateway, run, partial(build_answer, question=given.question, text=given.text.strip()))


@post(
    "/runs/{run:str}/rerun",
    opt=RUNNER,
    status_code=202,
    operation_id="rerunRun",
    summary="Rerun a run",
    description="Submits the same request as a new run, whatever the result of the first. `Location` is "
    "the address of the new run.",
    responses=ACCEPTED | failures(400, 404, 409, 503),
)
async def rerun(
    request: AnyRequest, gateway: NamedDependency[Gateway], run: FromPath[str], idempotency_key: Key = ""
) -> Response[Submitted]:
    """Submit the request of a run again."""
    await gateway.require_run(run)
    first = await find_request(gateway.bus, run)
    if first is None:
        raise Refusal(409, f"cannot rerun {run!r}: its log no longer exists; submit the case again")
    if isinstance(first.job, Conversation):
        raise Refusal(409, f"{run!r} is a conversation; POST /conversations opens another one")
    again = with_lease(
        with_labels((build_rerun(first, run, gateway.bus.clock.now(), idempotency_key),), request.auth.labels),
        request.auth,
    )
    runs = await submit_all(gateway.bus, again)
    submitted = Submitted(run=runs[0].run, duplicate=runs[0].duplicate, runs=runs)
    return Response(submitted, status_code=202, headers={"Location": f"/runs/{submitted.run}"})


@post(
    "/suites/{suite:str}/rerun-failed",
    opt=RUNNER,
    status_code=202,
    operation_id="rerunFailed",
    summary="Rerun the failed tests of a suite",
    description="Runs with the same name belong to one test; each test whose newest run failed is rerun. A test that "
    "is already being rerun is skipped, so repeating the request has no effect. For a suite with a slash in its name, "
    "use `/suites/rerun-failed?suite=`.",
    responses=success(RerunList, 202, "The new runs; none if nothing failed", operation_docs.RERUNS)
    | failures(400, 404, 503),
)
async def rerun_failed(gateway: NamedDependency[Gateway], suite: FromPath[str], idempotency_key: Key = "") -> RerunList:
    """Rerun the failed tests of a suite."""
    return await _rerun_failed(gateway, suite, idempotency_key)


@post(
    "/suites/rerun-failed",
    opt=RUNNER,
    status_code=202,
    operation_id="rerunFailedOfAnyName",
    summary="Rerun the failed tests of a suite with any name",
    description="The same as `/suites/{suite}/rerun-failed`.",
    responses=success(RerunList, 202, "The new runs; none if nothing failed", operation_docs.RERUNS)
    | failures(400, 404, 503),
)
async def rerun_failed_by_query(
    gateway: NamedDependency[Gateway],
    suite: Annotated[str, QueryParameter(description="Name of the suite, may contain slashes")],
    idempotency_key: Key = "",
) -> RerunList:
    """Rerun the failed tests of a suite whose name may contain a slash, which a path segment cannot."""
    return await _rerun_failed(gateway, suite, idempotency_key)


async def _rerun_failed(gateway: Gateway, suite: str, idempotency_key: str) -> RerunList:
    gateway.require_bus()
    rows = [row for row in await gateway.listing.all() if row.suite == suite]
    if not rows:
        raise Refusal(404, f"suite {suite!r} has no runs; GET /suites lists all suites")
    before = reruns_with_key(rows, idempotency_key) if idempotency_key else []
    done = {row.name for row in before}
    failed = [row.run for row in failed_runs(rows, suite) if row.name not in done]
    found = await asyncio.gather(*(find_request(gateway.bus, run) for run in failed))
    again = [
        build_rerun(request, run, gateway.bus.clock.now(), idempotency_key)
        for run, request in zip(failed, found, strict=True)
        if request
    ]
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
    """Return the state of a run and the cause of its fail; for a run without a log, both from its row."""
    await gateway.require_run(run)
    happened = entries.known_events(await entries.read_raw_entries(gateway.bus, run))
    found = fold_standing(run, (known.event for known in happened), await read_controls(gateway.bus, run))
    verdict = fold_events(happened).verdict
    if verdict is not None:
        return found, str(verdict.cause or "")
    row = await gateway.listing.row(run) if not happened else None
    return (found._replace(over=row.status), row.cause) if row and row.status in OVER else (found, "")


async def _steer(gateway: Gateway, run: str, build: Callable[..., Control | None]) -> Steered:
    """Send the control that `build` returns for the run's state, if any."""
    standing, _ = await _read_standing(gateway, run)
    control = build(standing, by=BY)
    if control is not None:
        await send_control(gateway.bus, run, control)
    return Steered(run=run, changed=control is not None)


def read_reason(body: bytes) -> str:
    """Return the reason for a cancellation, at most 1,000 characters; raise a Refusal if the body is invalid."""
    try:
        return decode_asked(body, CancelBody).reason[:1000] if body.strip() else ""
    except msgspec.DecodeError as error:
        raise Refusal(400, f'invalid body: {error}; send no body, or {{"reason": "…"}}') from error


def read_answer(body: bytes) -> AnswerBody:
    """Return an answer; raise a Refusal if the body is invalid or the answer empty or too long."""
    try:
        given = decode_asked(body, AnswerBody)
    except msgspec.DecodeError as error:
        raise Refusal(400, f'invalid body: {error}; send {{"text": "…"}}') from error
    if not given.text.strip():
        raise Refusal(400, 'the answer is empty; send {"text": "…"}')
    if len(given.text) > MAX_ANSWER_CHARACTERS:
        raise Refusal(413, f"an answer can have at most {MAX_ANSWER_CHARACTERS} characters")
    return given


HANDLERS = (cancel, pause, resume, answer, rerun, rerun_failed, rerun_failed_by_query)
