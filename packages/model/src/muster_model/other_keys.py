"""Keys used in place of an endpoint's own for some sub-tasks, such as a team's keys."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import NamedTuple

from muster_model.settings import Endpoint


class OtherKey(NamedTuple):
    """A key that is used in place of an endpoint's own."""

    value: str
    remedy: str
    """What is to be set if it is wrong, as in "set OPENAI_API_KEY"."""


async def none(_: Endpoint) -> OtherKey | None:
    """Return None: endpoints are asked with their own keys."""
    return None


FIND_KEY: ContextVar[Callable[[Endpoint], Awaitable[OtherKey | None]]] = ContextVar("FIND_KEY", default=none)
"""How the sub-task that asks finds another key for an endpoint; raises ModelUnusable where it cannot be had."""
