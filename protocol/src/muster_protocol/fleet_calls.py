"""Calls of the HTTP API by the agent of a conversation, which any gateway answers with the rights of its opener."""

from typing import Literal

from msgspec import Struct


class FleetCall(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request to the API; `run` is the conversation, whose log says whose rights hold."""

    run: str
    method: Literal["GET", "POST"]
    path: str
    """With the query."""
    body: bytes = b""
    content_type: str = ""
    key: str = ""
    """The `Idempotency-Key`, so that a call that is made again is made once."""


class FleetReply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer of the API."""

    status: int
    body: bytes = b""
