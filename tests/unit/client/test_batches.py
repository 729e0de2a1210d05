"""Runs that are submitted together are a batch with an id."""

from muster_client.batches import BATCH_LABEL, batch_of, with_batch
from muster_protocol.requests import Drill, RunRequest

DRILL = RunRequest(job=Drill(count=1))


def test_requests_that_are_submitted_together_share_an_id_that_the_same_key_names_again():
    first, second = with_batch((DRILL, DRILL)), with_batch((DRILL, DRILL))

    assert batch_of(first).startswith("batch-")
    assert batch_of(first) != batch_of(second)
    assert batch_of(with_batch((DRILL, DRILL), "k")) == batch_of(with_batch((DRILL, DRILL), "k")) != ""


def test_a_single_request_is_no_batch_and_a_label_of_ones_own_stays():
    own = RunRequest(job=Drill(count=1), labels={BATCH_LABEL: "42"})

    assert with_batch((DRILL,)) == (DRILL,)
    assert batch_of(with_batch((DRILL,))) == ""
    assert [it.labels[BATCH_LABEL] for it in with_batch((own, own))] == ["42", "42"]
    assert batch_of(with_batch((own, DRILL))) == ""
