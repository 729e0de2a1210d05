"""The list of runs: kept up to date by reading what was written, and followed as it changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from muster_bus import Rows
from muster_bus.run_store import store_request
from muster_gateway.lists.bucket_mirror import Mirror
from muster_gateway.lists.run_list import Listing
from muster_protocol import codec
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest, Step, TestCase

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Web

MANY = 5_000


def row(run: str, **more: object) -> RunRow:
    made = RunRow(run=run, name=run, status="running", requested_at=1.0)
    return codec.decode(codec.encode({**codec.decode(codec.encode(made), dict[str, object]), **more}), RunRow)


class Told(NamedTuple):
    """One server-sent event."""

    event: str
    id: str
    data: dict[str, object]


class Followed:
    """The events of a stream, one at a time, each within a bounded time."""

    def __init__(self, lines: AsyncGenerator[str]) -> None:
        self._lines = lines

    async def next(self) -> Told:
        fields: dict[str, str] = {}
        async with asyncio.timeout(10):
            async for line in self._lines:
                if not line and "data" in fields:
                    return Told(fields["event"], fields.get("id", ""), codec.decode(fields["data"], dict[str, object]))
                name, _, value = line.partition(": ")
                fields |= {name: value} if name else {}
        raise AssertionError("the stream ended")

    async def until(self, run: str, status: str) -> Told:
        while (told := await self.next()).data.get("run") != run or told.data.get("status") != status:
            continue
        return told


@asynccontextmanager
async def changes(web: Web, **headers: str) -> AsyncGenerator[tuple[Followed, Told]]:
    """Follow the list; the second is what it began with."""
    async with web.http.stream("GET", "/runs/changes", headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        followed = Followed(answer.aiter_lines())  # pyright: ignore[reportArgumentType]
        live = await followed.next()
        assert live.event == "live"
        yield followed, live


async def test_a_mirror_holds_what_the_bucket_holds_whatever_happens_to_it(bus: Bus):
    rows, mirror = Rows(bus, "RUN_LIST", RunRow), Mirror(bus, "RUN_LIST", RunRow)

    async def held() -> dict[str, str]:
        return {key: found.row.status for key, found in (await mirror.read()).items() if found.row is not None}

    assert await held() == {}
    await rows.put("a", row("a"))
    await rows.put("b", row("b"))
    assert await held() == {"a": "running", "b": "running"}
    await rows.put("a", row("a", status="pass"))
    await rows.delete("b")
    assert await held() == {"a": "pass"}
    await rows.put("c", row("c"))
    assert await held() == {"a": "pass", "c": "running"}
    await bus.js.purge_stream("KV_RUN_LIST", subject="$KV.RUN_LIST.a")  # as when a row has lived its time
    kept = (await mirror.read())["c"].row
    mirror._force_check()  # pyright: ignore[reportPrivateUsage] - what time and reconnections bring about
    assert await held() == {"c": "running"}
    assert (await mirror.read())["c"].row is kept  # so nobody is told of it again
    config = (await bus.js.stream_info("KV_RUN_LIST")).config
    await bus.js.delete_stream("KV_RUN_LIST")
    await bus.js.add_stream(config)
    await rows.put("c", row("c"))
    mirror._force_check()  # pyright: ignore[reportPrivateUsage]
    assert await held() == {"c": "running"}


async def test_filters_take_several_states_and_causes_and_look_through_texts_and_times(web: Web, bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    await rows.put("a", row("a", name="Buy a Backpack", status="pass", requested_at=10.0))
    await rows.put("b", row("b", name="Buy", status="fail", cause="product", summary="no BACKPACK", requested_at=20.0))
    await rows.put("c", row("c", name="Sell", status="fail", cause="agent", requested_at=30.0))

    async def found(query: str) -> str:
        answer = await web.http.get(f"/runs?{query}")
        assert answer.status_code == 200, answer.text
        return "".join(one["run"] for one in answer.json()["runs"])

    assert await found("status=pass&status=fail") == "cba"
    assert await found("status=fail&cause=agent&cause=environment") == "c"
    assert await found("text=backpack") == "ba"
    assert await found("name=Buy") == "b"
    assert await found("since=20&until=20.5") == "b"
    refused = await web.http.get("/runs?status=lost")
    assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json")


async def test_rows_and_queued_runs_are_told_as_they_change_and_what_was_missed_is_told_on_return(web: Web, bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    await rows.put("old", row("old"))
    async with changes(web) as (followed, _):
        case = TestCase(name="Buy", steps=(Step(action="a", expected="b"),))
        await store_request(bus, RunRequest(id="queued", job=case))
        assert (await followed.until("queued", "queued")).data["name"] == "Buy"
        for done in range(5):
            await rows.put("r1", row("r1", done=done))
        await rows.put("r1", row("r1", status="pass", tokens=7))
        last = await followed.until("r1", "pass")
        assert last.data["tokens"] == 7
    await rows.put("r2", row("r2", status="fail"))
    await rows.put("old", row("old", status="pass"))
    await store_request(bus, RunRequest(id="later", job=case))
    async with changes(web, **{"Last-Event-ID": last.id}) as (followed, _):
        missed = [await followed.next() for _ in range(4)]
        queued = {"queued": "queued", "later": "queued"}
        assert {told.data["run"]: told.data["status"] for told in missed} == {"r2": "fail", "old": "pass"} | queued
        await rows.put("r3", row("r3"))
        assert (await followed.next()).data["run"] == "r3"


async def test_a_position_that_the_list_has_not_reached_hides_no_row(web: Web, bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    await rows.put("r1", row("r1"))  # of a list that was made again, say, after a client had got its hundredth change
    async with changes(web, **{"Last-Event-ID": "100"}) as (followed, _):
        assert (await followed.next()).data["run"] == "r1"


async def test_five_thousand_runs_are_read_once_and_then_listed_from_memory(bus: Bus):
    rows, listing = Rows(bus, "RUN_LIST", RunRow), Listing(bus)
    for start in range(0, MANY, 200):
        await asyncio.gather(*(rows.put(f"r{n}", row(f"r{n}")) for n in range(start, start + 200)))
    first = await listing.all()
    assert len(first) == MANY
    sent = bus.nc.stats["in_msgs"]
    await rows.put("r7", row("r7", status="pass"))
    again = await listing.all()
    assert bus.nc.stats["in_msgs"] - sent < 10
    assert sum(one is not other for one, other in zip(first, again, strict=True)) == 1
