"""Temporary files hold a place each, and none keeps it for ever."""

import asyncio
import errno
import tempfile

import pytest
from litestar import Litestar, get
from litestar.testing import TestClient

from muster_gateway.http import spools
from muster_gateway.problem_details import HANDLERS, Refusal  # pyright: ignore[reportUnknownVariableType]


async def test_a_file_that_finds_no_place_is_refused_for_a_moment_until_another_is_closed() -> None:
    places = asyncio.Semaphore(1)
    first = await spools.open_spool(places)
    with pytest.raises(Refusal) as refused:
        await spools.open_spool(places, patience=0.01)
    assert (refused.value.status, refused.value.retry > 0) == (503, True)
    first.close()
    first.close()
    second = await spools.open_spool(places)
    assert first.file.closed
    assert places.locked()  # closed twice, its place is given back once
    second.close()


async def test_a_file_whose_answer_never_began_gives_its_place_back() -> None:
    places = asyncio.Semaphore(1)
    spool = await spools.open_spool(places)
    del spool
    (await spools.open_spool(places)).close()


async def test_on_a_full_disk_the_end_of_a_file_is_missed_before_it_is_sent_and_its_place_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: open("/dev/full", "w+b"))  # noqa: SIM115
    places = asyncio.Semaphore(1)
    spool = await spools.open_spool(places)
    spool.file.write(b"short enough to stay in memory")
    with pytest.raises(OSError, match="No space left"):
        await spool.finish()
    spool.close()
    (await spools.open_spool(places, patience=1.0)).close()


@pytest.mark.parametrize(("number", "status"), [(errno.ENOSPC, 503), (errno.EMFILE, 503), (errno.EPERM, 500)])
def test_a_machine_without_room_is_no_fault_of_the_gateway(number: int, status: int) -> None:
    @get("/")
    async def fail() -> None:
        raise OSError(number, "No space left on device")

    with TestClient(Litestar([fail], exception_handlers=HANDLERS)) as client:
        answer = client.get("/")
    assert answer.status_code == status
    assert ("no space left on device; make room in its folder" in answer.text) == (status == 503)
