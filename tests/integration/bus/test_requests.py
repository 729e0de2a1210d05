"""Storing a request over a bad connection: what is answered is what is stored, whichever message was lost."""

import pytest
from proxy import proxied

from muster_bus import Bus
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import find_request, read_entries, store_request
from muster_protocol.errors import Busy, Conflict
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.submit_replies import Accepted

REQUEST = RunRequest(job=Drill(count=1), id="run-1", requested_at=1.0)


@pytest.mark.slow
async def test_a_request_whose_acknowledgement_was_lost_is_read_back_and_accepted(server: NatsServer, bus: Bus):
    async with proxied(server) as (shaky, proxy):
        proxy.to_client.lose(b'"stream":"REQUESTS"')
        assert await store_request(shaky, REQUEST) == Accepted(run="run-1")
        assert proxy.to_client.lost == 1

    assert await find_request(bus, "run-1") == REQUEST


@pytest.mark.slow
async def test_a_request_that_was_lost_is_not_accepted_and_may_be_stored_again(server: NatsServer, bus: Bus):
    async with proxied(server) as (shaky, proxy):
        proxy.to_server.lose(b'"requested_at"')
        with pytest.raises(Busy, match="run 'run-1' may or may not be queued; submitting again is safe"):
            await store_request(shaky, REQUEST)
        assert await find_request(bus, "run-1") is None
        assert await store_request(shaky, REQUEST) == Accepted(run="run-1")


async def test_the_same_again_is_a_duplicate_and_another_job_a_conflict(bus: Bus):
    await store_request(bus, REQUEST)
    assert await store_request(bus, REQUEST) == Accepted(run="run-1", duplicate=True)
    with pytest.raises(Conflict, match="run 'run-1' exists with another job"):
        await store_request(bus, RunRequest(job=Drill(count=2), id="run-1"))


async def test_readers_leave_out_what_they_cannot_read(bus: Bus):
    subject = bus.names.events("run-1")
    await bus.store(subject, b'{"epoch":1,"at":1.0,"events":[]}')
    await bus.store(subject, b"nonsense")
    await bus.store(subject, b'{"epoch":1,"at":2.0,"events":[{"type":"danced"}]}', {"v": "2"})
    await bus.store(subject, b'{"epoch":1,"at":3.0,"events":[]}')

    assert [entry.at for entry in await read_entries(bus, "run-1")] == [1.0, 3.0]
    assert await find_request(bus, "run-1") is None
