"""Pictures that the browser does not give at once."""

import pytest
from playwright.async_api import Error

from muster_devices.web import page_picture
from muster_devices.web.page_picture import CAPTURES, NO_FRAME, captured


class Camera:
    """A browser that refuses some pictures before it gives one."""

    def __init__(self, refusals: int, text: str = f"Protocol error (Page.captureScreenshot): {NO_FRAME}") -> None:
        self.refusals = refusals
        self.text = text
        self.asked = 0

    async def take(self) -> bytes:
        self.asked += 1
        if self.asked <= self.refusals:
            raise Error(self.text)
        return b"picture"


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_picture, "CAPTURE_WAIT_SECONDS", 0)


@pytest.mark.parametrize("refusals", [0, 1, CAPTURES - 1])
async def test_a_browser_without_a_frame_is_asked_again(refusals: int):
    camera = Camera(refusals)
    assert await captured(camera.take) == b"picture"
    assert camera.asked == refusals + 1


async def test_a_browser_that_never_has_a_frame_is_asked_a_few_times():
    camera = Camera(refusals=1000)
    with pytest.raises(Error, match=NO_FRAME):
        await captured(camera.take)
    assert camera.asked == CAPTURES


async def test_another_error_is_not_asked_again():
    camera = Camera(refusals=1, text="Target page, context or browser has been closed")
    with pytest.raises(Error, match="closed"):
        await captured(camera.take)
    assert camera.asked == 1
