"""Releases of agent files: each stays as it was, and two who push at once lose nothing."""

import asyncio

import pytest

from muster_bus import Bus, Rows
from muster_bus.definition_store import DefinitionStore
from muster_protocol.definitions import NEWEST, NewestRelease
from muster_protocol.errors import BusError


async def test_each_release_stays_as_it_was(bus: Bus):
    store = DefinitionStore(bus)
    assert await store.newest() == ""
    first = await store.push({"lead.yaml": "one", "skills/a.yaml": "a"}, by="ann", note="begin")
    same = await store.push({"lead.yaml": "one"})
    second = await store.push({"lead.yaml": "two"}, removed=["skills/a.yaml"])

    assert (first.fresh, same.fresh, same.digest, second.fresh) == (True, False, first.digest, True)
    assert await store.newest() == second.digest
    assert await store.files(first.digest) == {"lead.yaml": "one", "skills/a.yaml": "a"}
    assert await store.files(second.digest) == {"lead.yaml": "two"}
    history = [(digest, it.number, it.changed, it.by, it.note) async for digest, it in store.history()]
    assert history == [
        (second.digest, 2, ("lead.yaml", "skills/a.yaml"), "", ""),
        (first.digest, 1, ("lead.yaml", "skills/a.yaml"), "ann", "begin"),
    ]


async def test_who_pushes_at_the_same_time_loses_nothing(bus: Bus):
    pushes = [DefinitionStore(bus).push({f"agent-{n}.yaml": str(n)}) for n in range(5)]
    await asyncio.gather(*pushes)

    store = DefinitionStore(bus)
    assert await store.files(await store.newest()) == {f"agent-{n}.yaml": str(n) for n in range(5)}
    assert [it.number async for _, it in store.history()] == [5, 4, 3, 2, 1]


async def test_a_release_that_is_not_there_is_told(bus: Bus):
    await Rows(bus, "DEFINITIONS", NewestRelease).put(NEWEST, NewestRelease(digest="f" * 64))
    store = DefinitionStore(bus)

    with pytest.raises(BusError, match="the release ffffffffffff of agents is not in the bucket"):
        await store.files(await store.newest())
