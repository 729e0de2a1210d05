"""Temporary files hold a place each, and none keeps it for ever."""

import asyncio

import pytest

from muster_gateway.http import spools
from muster_gateway.problem_details import Refusal


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
