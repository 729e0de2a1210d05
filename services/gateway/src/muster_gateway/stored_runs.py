"""Submissions that name a stored case or suite instead of holding a case."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from muster_bus import Bus
from muster_bus.case_store import CaseStore
from muster_cases.case_library import SUITE, choose, read_wanted
from muster_gateway.problem_details import Refusal
from muster_gateway.submission import with_keys
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Priority, RunRequest, TestCase

MOST_RUNS = 1_000
"""Runs of one submission."""


class StoredRun(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be run: a stored case, or all stored cases of a suite."""

    case: str = ""
    suite: str = ""
    version: Annotated[int, Meta(ge=0)] = 0
    """Number of the case's version; 0: the newest."""
    tags: tuple[str, ...] = ()
    """Only cases with one of these tags."""
    variables: dict[str, str] = {}
    labels: dict[str, str] = {}
    priority: Priority | None = None


def read_stored_run(body: bytes) -> StoredRun | None:
    """Return what a JSON body names; None if it is no such body. Pure.

    Raises:
        InvalidRequest: it is one, and cannot be used.
    """
    try:
        value = codec.decode_untrusted(body, object)
    except msgspec.DecodeError:
        return None
    if not isinstance(value, dict) or "job" in value or not ("case" in value or "suite" in value):
        return None
    try:
        wanted = codec.decode_asked(body, StoredRun)
    except msgspec.DecodeError as error:
        raise InvalidRequest([str(error)]) from error
    if bool(wanted.case) == bool(wanted.suite):
        raise InvalidRequest(["name either `case`, the id of a stored case, or `suite`"])
    return wanted


async def load_requests(bus: Bus, wanted: StoredRun, key: str) -> tuple[RunRequest, ...]:
    """Return the requests that a submission stands for, at least one; with a key, the n-th has the key `k/n`.

    Raises:
        InvalidRequest: there is no such case, suite or version; says which is closest.
        Refusal: 413, there are too many.
    """
    name = wanted.case or f"{SUITE}{wanted.suite}"
    store = CaseStore(bus)
    chosen = choose(await store.all(), name, wanted.version)
    found = [case.request for one in chosen for case in read_wanted(one, await store.file(one.version.digest))]
    requests = [_change(request, wanted) for request in found if _is_wanted(request, wanted)]
    if not requests:
        raise InvalidRequest([f"{name}: no case of it has the tag {' or '.join(wanted.tags) or '-'}"])
    if len(requests) > MOST_RUNS:
        raise Refusal(413, f"{name} has {len(requests):,} cases, the limit is {MOST_RUNS:,}; choose some by `tags`")
    return with_keys(requests, key)


def _is_wanted(request: RunRequest, wanted: StoredRun) -> bool:
    of_suite = not wanted.suite or request.suite == wanted.suite
    return of_suite and (not wanted.tags or bool(set(request.tags) & set(wanted.tags)))


def _change(request: RunRequest, wanted: StoredRun) -> RunRequest:
    job = request.job
    if isinstance(job, TestCase):
        job = replace(job, variables={**job.variables, **wanted.variables})
    labels = {**wanted.labels, **request.labels}
    return replace(request, job=job, labels=labels, priority=wanted.priority or request.priority)
