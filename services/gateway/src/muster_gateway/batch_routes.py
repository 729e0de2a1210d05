"""HTTP route for batches: runs that were submitted together."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from muster_client.batches import BATCH_LABEL
from muster_gateway.context import Gateway
from muster_gateway.description import operation_docs
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.lists.run_list import sort_key
from muster_gateway.problem_details import Refusal
from muster_gateway.security.access_roles import VIEWER
from muster_protocol.logs import RunRow
from muster_protocol.requests import ACHIEVED, OVER

BatchState = Literal["running", "passed", "failed"]
"""`running`: a run is not over; `failed`: one did not pass."""


class Batch(Struct, frozen=True, kw_only=True):
    """Runs that were submitted together."""

    batch: str
    state: BatchState
    counts: dict[str, int]
    """Runs by their status."""
    runs: tuple[RunRow, ...]
    """In the order in which they were submitted."""


BATCH = {"batch": "batch-3f9c27d1a0b4e865", "state": "passed", "counts": {"pass": 1}, "runs": [operation_docs.ROW]}


@get(
    "/batches/{batch:str}",
    opt=VIEWER,
    operation_id="showBatch",
    summary="Show a batch",
    description="Runs that were submitted together, as all cases of a text or a suite, and how they stand. `POST "
    "/runs` answers with the `batch`.",
    responses=success(Batch, 200, "The batch", BATCH) | failures(404, 503),
)
async def show_batch(gateway: NamedDependency[Gateway], batch: FromPath[str]) -> Batch:
    """Return a batch."""
    gateway.require_bus()
    found = view_batch(batch, await gateway.listing.all())
    if found is None:
        raise Refusal(404, f"there is no batch {batch!r}; POST /runs with several cases answers with one")
    return found


def view_batch(batch: str, rows: Iterable[RunRow]) -> Batch | None:
    """Return the batch that runs belong to by their labels; None if there is none. Pure."""
    mine = sorted((row for row in rows if row.labels.get(BATCH_LABEL) == batch), key=sort_key)
    counts = Counter(str(row.status) for row in mine)
    if not mine:
        return None
    over, achieved = all(row.status in OVER for row in mine), all(row.status in ACHIEVED for row in mine)
    state: BatchState = "passed" if achieved else "failed" if over else "running"
    return Batch(batch=batch, state=state, counts=dict(counts), runs=tuple(mine))


HANDLERS = (show_batch,)
