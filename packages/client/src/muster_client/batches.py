"""Batches: runs that are submitted together share a label, whose value is the batch's id. Pure."""

import hashlib
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from muster_protocol.ids import new_id
from muster_protocol.requests import RunRequest

BATCH_LABEL = "batch"
"""Label of runs that were submitted together: the id of all of them."""


def with_batch(requests: Sequence[RunRequest], key: str = "") -> tuple[RunRequest, ...]:
    """Return requests that are submitted together with the label of their batch; one that a request has stays.

    `key` is the sender's idempotency key: the same key names the same batch. A single request is no batch.
    """
    if len(requests) < 2:
        return tuple(requests)
    id = f"batch-{hashlib.sha256(key.encode()).hexdigest()[:16]}" if key else new_id("batch")
    return tuple(replace(request, labels={BATCH_LABEL: id, **request.labels}) for request in requests)


def with_labels(requests: Sequence[RunRequest], labels: Mapping[str, str]) -> tuple[RunRequest, ...]:
    """Return requests with more labels."""
    return tuple(replace(request, labels={**request.labels, **labels}) for request in requests)


def batch_of(requests: Sequence[RunRequest]) -> str:
    """Return the id of the batch that requests are; empty: they are none."""
    ids = {request.labels.get(BATCH_LABEL, "") for request in requests}
    return ids.pop() if len(requests) > 1 and len(ids) == 1 else ""
