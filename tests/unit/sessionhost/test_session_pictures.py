"""When the last picture of a session counts as one of the page as it is."""

import asyncio

from muster_protocol.tool_calls import ArtifactRef, Box
from muster_sessionhost.screenshots import LastPicture, PictureStore


class Camera:
    """Takes pictures of what it shows, when it is let."""

    def __init__(self) -> None:
        self.shows, self.stored = b"", list[bytes]()
        self.open = asyncio.Event()
        self.open.set()
        self.begun = asyncio.Event()
        self.picture = LastPicture(PictureStore("last.jpg", self._store, self._remove, self._tell, 1000), "on")

    async def shoot(self) -> bytes:
        seen = self.shows
        self.begun.set()
        await self.open.wait()
        return seen

    async def take(self, *, last: bool = False) -> None:
        self.picture._next_at = 0.0  # pyright: ignore[reportPrivateUsage]
        await self.picture.take(self.shoot, 5.0, last=last)

    async def finish(self) -> bytes:
        """End the session, as its host does, and return the picture that it leaves."""
        await self.take(last=True)
        await self.picture.finish(passed=False)
        return self.stored[-1]

    async def _store(self, name: str, data: bytes, content_type: str, element: Box | None = None, /) -> ArtifactRef:
        self.stored.append(data)
        return ArtifactRef(name=name, content_type=content_type, size=len(data), sha256="")

    async def _remove(self, _name: str) -> int:
        return 0

    async def _tell(self, *_said: object) -> None:
        pass


async def test_a_picture_taken_while_somebody_may_act_does_not_count_as_the_last() -> None:
    camera = Camera()
    camera.picture.mark_outdated()
    camera.shows = b"before the last act"
    await camera.take()
    camera.shows = b"after it"
    camera.picture.mark_settled()
    assert camera.picture.is_due(1e9)
    assert await camera.finish() == b"after it"


async def test_a_picture_that_was_begun_before_somebody_came_does_not_count_as_the_last() -> None:
    camera = Camera()
    camera.picture.mark_outdated()
    camera.picture.mark_settled()
    camera.shows = b"before the last act"
    camera.open.clear()
    taking = asyncio.create_task(camera.take())
    await camera.begun.wait()
    camera.picture.mark_outdated()
    camera.shows = b"after it"
    camera.picture.mark_settled()
    camera.open.set()
    await taking
    assert await camera.finish() == b"after it"


async def test_of_a_page_that_nobody_touched_since_no_second_picture_is_taken() -> None:
    camera = Camera()
    camera.picture.mark_outdated()
    camera.shows = b"as it is"
    camera.picture.mark_settled()
    await camera.take()
    assert not camera.picture.is_due(1e9, last=True)
    assert await camera.finish() == b"as it is"
    assert len(camera.stored) == 1
