"""Runs jobs on a fleet, one after another: over NATS, through a gateway, or on a private fleet."""

import asyncio
import os
import threading
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from typing import Any, NamedTuple, Protocol, TypeVar

import httpx
import msgspec

from muster_bus import Bus
from muster_cli.app import client, end_when_denied, tell
from muster_cli.case_jobs import Job
from muster_cli.display import Silent
from muster_cli.embedded import Fleet, Plan, embedded
from muster_cli.runner import Options, run_jobs, run_on_fleet
from muster_protocol import codec
from muster_protocol.errors import BusError, InvalidRequest, MusterError, Refused
from muster_protocol.verdicts import Verdict
from muster_views.outcome import CaseOutcome, Report

STOP_SECONDS = 60.0
REQUEST_SECONDS = 30.0
POLL_SECONDS = 0.5
"""Interval of requests for a verdict."""
T = TypeVar("T")


class Place(NamedTuple):
    """Where cases run: the URL of a NATS server or of a gateway; without both, a private fleet."""

    nats: str = ""
    gateway: str = ""
    workers: int = 2
    timeout: float = 600.0


class Runner(Protocol):
    """Runs jobs."""

    def run(self, job: Job) -> CaseOutcome:
        """Run a job to its end and return the outcome.

        Raises:
            MusterError: the fleet refuses it or is unreachable.
        """
        ...

    def close(self) -> None:
        """Release the fleet."""
        ...


def runner(place: Place) -> Runner:
    """Return the runner for a place.

    Raises:
        MusterError: the fleet is unreachable.
    """
    return OverHttp(place, os.environ.get("MUSTER_KEY", "")) if place.gateway else OverNats(place)


class OverNats:
    """Runs jobs on a running or a private fleet, in a thread with an event loop."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="muster", daemon=True)
        self._thread.start()
        self._leave = asyncio.Event()
        self._ready: asyncio.Future[tuple[Bus, Fleet | None]] = self._loop.create_future()
        self._living = asyncio.run_coroutine_threadsafe(self._live(), self._loop)
        try:
            self._bus, self._fleet = self._await(_result(self._ready))
        except BaseException:
            self.close()
            raise

    def run(self, job: Job) -> CaseOutcome:
        """Run a job; an interruption cancels the run."""
        options = Options(timeout=self._place.timeout)
        fleet = self._fleet
        work = run_on_fleet(fleet, [job], Silent(), options) if fleet else self._run_there(job, options)
        return self._await(work).runs[0]

    async def _run_there(self, job: Job, options: Options) -> Report:
        async with end_when_denied(self._bus):
            return await run_jobs(self._bus, [job], Silent(), options)

    def close(self) -> None:
        """Stop a private fleet, and the thread."""
        self._loop.call_soon_threadsafe(self._leave.set)
        try:
            self._living.result(STOP_SECONDS)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(STOP_SECONDS)
            self._loop.close()

    async def _live(self) -> None:
        """Enter and leave the fleet in the same task, as its cancel scopes require."""
        async with AsyncExitStack() as stack:
            try:
                if self._place.nats:
                    found = await stack.enter_async_context(client(self._place.nats)), None
                else:
                    workers = self._place.workers
                    plan = Plan(workers=workers, max_runs=2 * workers)
                    fleet = await stack.enter_async_context(embedded(plan, os.environ, tell))
                    found = fleet.bus, fleet
            except Exception as error:  # raised by whoever awaits `_ready`
                if not self._ready.done():
                    self._ready.set_exception(error)
                return
            if not self._ready.done():
                self._ready.set_result(found)
            await self._leave.wait()

    def _await(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work on the loop and return its result; an interruption cancels it and waits for its end."""
        task = self._on_loop(_started(work))
        try:
            self._on_loop(asyncio.wait({task}))
        except KeyboardInterrupt:
            self._loop.call_soon_threadsafe(task.cancel)
            self._on_loop(asyncio.wait({task}, timeout=STOP_SECONDS))
            raise
        return task.result()

    def _on_loop(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


async def _started(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    return asyncio.create_task(work)


async def _result(future: asyncio.Future[T]) -> T:
    """Wait for a shared future; cancelling the wait does not cancel the future."""
    return await asyncio.shield(future)


class OverHttp:
    """Runs jobs through a gateway."""

    def __init__(self, place: Place, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(base_url=place.gateway, headers=headers, timeout=REQUEST_SECONDS)
        self._timeout = place.timeout
        self._answered = False
        """Whether the gateway has ever answered; if not, its address is probably wrong."""

    def run(self, job: Job) -> CaseOutcome:
        """Submit a job and poll for its verdict; cancel the run on interruption or time-out."""
        request = job.case.request
        body = codec.encode(request)
        self._request("POST", "/runs", content=body, headers={"Content-Type": "application/json"})
        try:
            verdict = self._verdict(request.id)
        except BaseException:
            with suppress(MusterError):  # keep the original error
                self._cancel(request.id)
            raise
        if verdict is None:
            with suppress(MusterError):
                self._cancel(request.id)
        return CaseOutcome(
            label=job.label,
            name=request.job.name,
            run=request.id,
            source=job.case.source,
            line=job.case.line,
            suite=request.suite,
            verdict=verdict,
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _verdict(self, run: str) -> Verdict | None:
        """Return the verdict of a run; None after the time limit."""
        deadline = time.monotonic() + self._timeout
        while time.monotonic() < deadline:
            answer = self._request("GET", f"/runs/{run}/verdict", fine=(404,))
            if answer.status_code != 404:
                return codec.decode(answer.content, Verdict)
            time.sleep(POLL_SECONDS)
        return None

    def _cancel(self, run: str) -> None:
        self._request("POST", f"/runs/{run}/cancel", fine=(404, 409), json={"reason": "pytest ended before the run"})

    def _request(self, method: str, path: str, fine: tuple[int, ...] = (), **rest: Any) -> httpx.Response:  # noqa: ANN401
        """Send a request; retry while the gateway is busy or restarting. `fine` are accepted error statuses.

        Raises:
            InvalidRequest: status 400; Refused: any other refusal; BusError: the gateway is unreachable.
        """
        deadline = time.monotonic() + REQUEST_SECONDS
        while True:
            try:
                answer = self._client.request(method, path, **rest)
            except httpx.HTTPError as error:
                lost = self._answered and isinstance(error, httpx.TransportError)
                if lost and time.monotonic() < deadline:  # the gateway may restart during a long run
                    time.sleep(POLL_SECONDS)
                    continue
                raise BusError(f"no gateway answers at {self._client.base_url}: {error!r}") from error
            self._answered = True
            busy = answer.status_code in (429, 503) and time.monotonic() < deadline
            if not busy:
                break
            time.sleep(min(5.0, float(answer.headers.get("Retry-After", 1))))
        if answer.is_success or answer.status_code in fine:
            return answer
        raise _refusal(answer)


class _Problem(msgspec.Struct):
    """A problem document of the gateway."""

    title: str = ""
    reasons: tuple[str, ...] = ()


def _refusal(answer: httpx.Response) -> InvalidRequest | Refused:
    try:
        problem = codec.decode(answer.content, _Problem)
    except msgspec.DecodeError:
        problem = _Problem(title=answer.reason_phrase)
    reasons = problem.reasons or (problem.title,)
    return (
        InvalidRequest(reasons)
        if answer.status_code == 400
        else Refused(f"the gateway answered {answer.status_code}: {'; '.join(reasons)}")
    )
