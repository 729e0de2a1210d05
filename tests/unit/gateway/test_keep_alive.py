"""How long the gateway keeps connections that nobody uses."""

import inspect

import httpx

from muster_gateway.http.server import KEEP_ALIVE_SECONDS


def test_an_idle_connection_outlasts_that_of_a_usual_client() -> None:
    expiry = inspect.signature(httpx.Limits).parameters["keepalive_expiry"].default
    assert 2 * expiry < KEEP_ALIVE_SECONDS
