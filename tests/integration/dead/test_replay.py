"""Putting dead letters back: only what can still be worked on, and somebody waits for."""

from typing import Any

import pytest
from envelopes import a_task, result_of

from muster_bus import Bus, Log, newest
from muster_bus.dead_letter_store import DeadLetter, bury, newest_dead, read_dead, replay_dead
from muster_bus.run_store import find_request
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest, WrongState
from muster_protocol.events import Entry, Event, RunOpened, VerdictReached
from muster_protocol.journal import Finished, JournalBatch, JournalEntry, Revoked, Taken
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.tasks import SubTask
from muster_protocol.verdicts import Verdict

RUN, TASK = "run-1", "run-1.step-1.1"
REQUEST = RunRequest(job=Drill(count=3), id=RUN)
SUB_TASK = a_task(id=TASK, run=RUN, node="step-1", attempt=1, dispatch=1)
VERDICT = VerdictReached(verdict=Verdict(run=RUN, name="drill", status="fail"))
RESULT = result_of(task=TASK, node="step-1", attempt=1, status="fail", summary="given up")


async def buried(bus: Bus, data: bytes, stream: str = "REQUESTS", subject: str = "", id: str = "") -> DeadLetter:
    subject = subject or (f"muster.requests.{RUN}" if stream == "REQUESTS" else "muster.tasks.act.normal")
    await bury(bus, DeadLetter(stream=stream, subject=subject, reason="no", id=id, key="k", data=data))
    return await read_dead(bus, 1)


async def a_letter(bus: Bus, id: str = TASK) -> DeadLetter:
    return await buried(bus, codec.encode(SUB_TASK), "TASKS", id=id)


async def logged(bus: Bus, *events: Event) -> None:
    opened = RunOpened(request=REQUEST, owner="a", message=1, delivery=1)
    log = Log(bus, "RUNS", bus.names.events(RUN))
    await log.append(Entry(epoch=1, at=1.0, events=(opened, *events)))


async def journalled(bus: Bus, entry: JournalEntry) -> None:
    journal = Log(bus, "JOURNAL", bus.names.journal(TASK))
    await journal.append(JournalBatch(entries=(entry,)))


async def is_still_there(bus: Bus) -> bool:
    return [letter.sequence async for letter in newest_dead(bus)] == [1]


async def test_a_request_that_can_be_run_by_now_is_queued_under_the_name_it_had(bus: Bus):
    await replay_dead(bus, await buried(bus, b'{"job": {"type": "drill", "count": 3}, "id": "something-else"}'))

    queued = await find_request(bus, RUN)
    assert queued is not None
    assert (queued.id, queued.job) == (RUN, Drill(count=3))
    assert not await is_still_there(bus)


@pytest.mark.parametrize(
    ("data", "subject", "said"),
    [
        (b"\xff nonsense", "", "the request cannot be read"),
        (b'{"job": {"type": "dance"}}', "", "dance"),
        (codec.encode(REQUEST), "muster.requests.a:b", "id 'a:b' must be"),
    ],
)
async def test_a_request_that_still_cannot_be_run_stays_dead_and_says_why(
    bus: Bus, data: bytes, subject: str, said: str
):
    letter = await buried(bus, data, subject=subject)
    with pytest.raises(InvalidRequest, match=said):
        await replay_dead(bus, letter)

    assert await is_still_there(bus)


async def test_a_request_of_a_run_that_is_over_is_not_put_back(bus: Bus):
    await logged(bus, VERDICT)
    letter = await buried(bus, codec.encode(REQUEST))
    with pytest.raises(WrongState, match=r"run run-1 is over \(fail\); `muster rerun run-1`"):
        await replay_dead(bus, letter)

    assert await is_still_there(bus)


async def test_a_request_of_a_run_that_is_queued_again_is_not_put_back(bus: Bus):
    letter = await buried(bus, codec.encode(REQUEST))
    await bus.store(bus.names.request(RUN), codec.encode(REQUEST))
    with pytest.raises(WrongState, match="queued or in progress"):
        await replay_dead(bus, letter)


async def test_a_sub_task_that_its_run_waits_for_is_put_back_although_its_id_was_queued_before(bus: Bus):
    await logged(bus)
    await journalled(bus, Taken(worker="w", message=1, delivery=1))
    await bus.store("muster.tasks.act.normal", codec.encode(SUB_TASK), {"Nats-Msg-Id": TASK})
    await bus.js.purge_stream("TASKS")
    await replay_dead(bus, await a_letter(bus))

    queued = await newest(bus, "TASKS", "muster.tasks.act.normal")
    assert queued is not None
    assert codec.decode(queued.data, SubTask) == SUB_TASK
    assert not await is_still_there(bus)


@pytest.mark.parametrize(
    ("events", "entry", "said"),
    [
        ((VERDICT,), None, r"run run-1 is over \(fail\); `muster rerun run-1`"),
        ((), Finished(outcome=RESULT), "has ended"),
        ((), Revoked(reason="cancelled"), "has ended"),
    ],
)
async def test_a_sub_task_that_nobody_waits_for_is_not_put_back(bus: Bus, events: Any, entry: Any, said: str):
    await logged(bus, *events)
    if entry is not None:
        await journalled(bus, entry)
    letter = await a_letter(bus, f"{TASK}+1")
    with pytest.raises(WrongState, match=said):
        await replay_dead(bus, letter)

    assert await is_still_there(bus)
    assert await newest(bus, "TASKS", "muster.tasks.act.normal") is None


async def test_a_sub_task_of_no_run_is_not_put_back(bus: Bus):
    letter = await a_letter(bus)
    with pytest.raises(WrongState, match=f"there is no run {RUN} here"):
        await replay_dead(bus, letter)


@pytest.mark.parametrize(
    ("stream", "subject"),
    [("RUNS", "muster.runs.run-1.events"), ("TASKS", "muster.runs.run-1.events"), ("REQUESTS", "muster.submit")],
)
async def test_nothing_else_can_be_put_anywhere(bus: Bus, stream: str, subject: str):
    letter = await buried(bus, codec.encode(REQUEST), stream, subject)
    with pytest.raises(InvalidRequest, match="can only be read"):
        await replay_dead(bus, letter)


async def test_a_message_of_which_a_part_is_lost_cannot_be_put_back(bus: Bus):
    letter = await buried(bus, b"x" * bus.nc.max_payload)
    with pytest.raises(InvalidRequest, match="of its 1048576 bytes were kept"):
        await replay_dead(bus, letter)
