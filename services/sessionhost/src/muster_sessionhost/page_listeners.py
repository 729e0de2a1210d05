"""Listening to pages: what they say may be any text, and a listener must never raise."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import structlog

log = structlog.get_logger("muster.sessions")

S = TypeVar("S")
E = TypeVar("E")


def whole(text: str) -> str:
    """Return a text that can be encoded: pages may hold halves of characters, which become question marks; pure."""
    return text.encode(errors="replace").decode()


def quiet(listener: Callable[[S, E], None]) -> Callable[[S, E], None]:
    """Return a listener that logs what goes wrong in it.

    Playwright would not call the listeners after it, and would raise the error in whatever call comes next.
    """

    @wraps(listener)
    def listening(self: S, event: E) -> None:
        try:
            listener(self, event)
        except Exception as error:  # what pages say may be anything; the error may quote it
            log.warning("an event of a page was not noted", listener=listener.__name__, error=type(error).__name__)

    return listening
