"""Errors of the bus are told with what an operator does about them."""

import pytest
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeout
from nats.js.errors import NotFoundError, ServerError, ServiceUnavailableError

from muster_bus.nats_client import Denied
from muster_bus.store_answers import describe_bucket_problem, describe_error, explain
from muster_protocol.errors import BusError


@pytest.mark.parametrize(
    ("error", "told", "remedy"),
    [
        (ServiceUnavailableError(), "no JetStream", "turn JetStream on"),
        (ServiceUnavailableError(code=503, err_code=10039, description="jetstream not enabled"), "no JetStream", "-js"),
        (NotFoundError(code=404, err_code=10059, description="stream not found"), "missing", "`muster provision`"),
        (
            NotFoundError(code=404, err_code=10014, description="consumer not found"),
            "consumer is",
            "`muster provision`",
        ),
        (NoRespondersError(), "does not answer", "`muster provision`"),
        (ServerError(code=500, err_code=10047, description="insufficient storage"), "10047", "`max_file_store`"),
        (ServerError(code=500, err_code=10049, description="error creating store"), "10049", "make room on its disk"),
        (NatsTimeout(), "does not answer in time", "make room and restart NATS"),
        (TimeoutError(), "does not answer in time", "make room and restart NATS"),
        (Denied("muster.x", "publisher"), "'publisher' has no permission to publish on 'muster.x'", "`admin`"),
        (BusError("it is away", remedy="start it"), "it is away", "start it"),
        (NatsError("nats: odd"), "nats: odd", ""),
    ],
)
def test_an_error_says_what_to_do(error: Exception, told: str, remedy: str):
    found = explain(error)
    assert told in found.words
    assert remedy in found.remedy
    assert bool(found.remedy) == bool(remedy)
    assert describe_error(error).startswith(found.words)
    assert "None" not in describe_error(error)


def test_a_bucket_that_does_not_answer_in_time_is_a_problem():
    assert "no space left on device" in describe_bucket_problem(NatsTimeout())
    assert describe_bucket_problem(NatsError("odd")) == ""
