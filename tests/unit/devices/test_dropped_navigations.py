"""Which failed navigations leave the document that they began on."""

from typing import Any, NamedTuple, cast

import pytest
from playwright.async_api import BrowserContext

from muster_devices.web.page_script import prepare


class Frame:
    """A frame that keeps what its document is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def evaluate(self, _: str, address: str) -> None:
        self.told.append(address)


class Failed(NamedTuple):
    """A request for a document that has failed."""

    frame: Frame
    failure: str | None
    url: str = "http://127.0.0.1/next"
    redirected_from: None = None

    def is_navigation_request(self) -> bool:
        return True


class Context:
    """A browser context that keeps who listens to it."""

    def __init__(self) -> None:
        self.listener: Any = None

    def on(self, _: str, listener: object) -> None:
        self.listener = listener

    async def add_init_script(self, _: str) -> None:
        pass


@pytest.mark.parametrize(
    ("failure", "is_told"),
    [
        ("net::ERR_ABORTED", True),
        ("net::ERR_ABORTED; maybe frame was detached?", True),
        ("net::ERR_TOO_MANY_REDIRECTS", False),
        ("net::ERR_CONNECTION_REFUSED", False),
        (None, False),
    ],
)
async def test_only_what_the_browser_gives_up_leaves_the_document(failure: str | None, *, is_told: bool) -> None:
    frame, context = Frame(), Context()
    await prepare(cast("BrowserContext", context))
    await context.listener(Failed(frame, failure))
    assert frame.told == (["http://127.0.0.1/next"] if is_told else [])
