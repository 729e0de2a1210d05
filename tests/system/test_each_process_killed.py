"""Each process is killed in turn while an answer is under way, a question waits and a trigger fires every two seconds:
nothing is lost, and nothing happens twice."""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncGenerator
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest
import pytest_asyncio
from chatting import Chat, ChatStage, chat_stage
from model_server import Answer, Asked, does, says
from waiting import eventually

from muster_bus import Rows
from muster_client.trigger_store import get_trigger, pause_trigger, put_trigger
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.triggers import Schedule, Trigger, TriggerRow

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]
CASE = 'name: {name}\nsteps:\n  - action: Run "echo hi"\n    expected: The output contains "hi"\n'
EVERY = 2.0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[ChatStage]:
    folder = tmp_path_factory.mktemp("fleet")
    async with chat_stage(folder, ("orchestrator", "orchestrator", "subagent"), THINK_SLOTS="4") as made:
        yield made


async def kill(stage: ChatStage, victim: str, folder: Path) -> None:
    """Kill all processes of a service, and start others in their place."""
    group = stage.fleet
    if victim == "nats":
        await group.server.stop(signal.SIGKILL)
        await asyncio.sleep(1.5)  # a time of the trigger passes meanwhile, or nearly
        await group.server.start()
        await eventually(lambda: group.bus.nc.is_connected, "the test is connected again")
        return
    for process in group.of(victim):
        if process.returncode is None:
            process.kill()
            await process.wait()
    if victim == "gateway":
        await stage.serves(folder)
        return
    for _ in range(2 if victim == "orchestrator" else 1):
        await group.start(victim)


async def fired(stage: ChatStage, id: str, times: int) -> TriggerRow:
    async def look() -> TriggerRow | None:
        row = await get_trigger(stage.fleet.bus, id)
        return row if row.fired >= times else None

    return await eventually(look, f"{id} has fired {times} times", 60)


async def at_rest(stage: ChatStage, id: str) -> TriggerRow:
    async def look() -> TriggerRow | None:
        row = await get_trigger(stage.fleet.bus, id)
        return row if row.pending is None else None

    return await eventually(look, f"nothing of {id} is pending", 30)


async def runs_of(stage: ChatStage, **wanted: str) -> list[RunRow]:
    rows = await Rows(stage.fleet.bus, "RUN_LIST", RunRow).all()
    return [row for row in rows if all(row.labels.get(k, getattr(row, k, "")) == v for k, v in wanted.items())]


def follow(stage: ChatStage, chat: Chat) -> Chat:
    """Return a conversation as it is seen through the gateway of now."""
    return Chat(chat.id, stage.api, stage.port)


@pytest.mark.parametrize("victim", ["orchestrator", "subagent", "gateway", "nats"])
async def test_chats_questions_and_triggers_outlive_it(stage: ChatStage, victim: str, tmp_path: Path):
    reached, go_on = Event(), Event()
    name = f"TC_{victim}"

    def slowly(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("show_runs", {}))
        first, _ = not reached.is_set(), reached.set()
        return says(f"answer of {victim}")._replace(wait=go_on if first else None)

    def starts(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("load_skill", {"name": "execution"}), ("start_case", {"text": CASE.format(name=name)}))
        return says("started")

    stage.replies |= {f"How is {victim}?": slowly, f"Start {name}": starts}
    answering, asking = await stage.opens(), await stage.opens()
    runs = (RunRequest(job=Drill(count=1)),)
    await put_trigger(
        stage.fleet.bus, Trigger(id=victim, schedule=Schedule(every_seconds=EVERY), runs=runs, overlap="allow")
    )
    await asking.says(f"Start {name}")
    await asking.reaches("asking", 2)
    await answering.says(f"How is {victim}?")
    await asyncio.to_thread(reached.wait, 30)
    await fired(stage, victim, 1)

    await kill(stage, victim, tmp_path)
    go_on.set()

    answering, asking = follow(stage, answering), follow(stage, asking)
    shown = await answering.reaches("idle", 2)
    assert [message["text"] for message in shown["messages"]] == [f"How is {victim}?", f"answer of {victim}"]
    question = (await asking.shown())["questions"][0]
    given = {"question": question["id"], "text": "yes"}
    for _ in range(2):  # a person who is not sure that it has arrived sends it again
        await stage.api.post(f"/runs/{asking.id}/answer", json=given)
    shown = await asking.reaches("idle", 4)
    assert shown["messages"][-1]["text"] == "started"
    assert len(await runs_of(stage, name=name)) == 1, "it was started more than once, or not at all"

    await fired(stage, victim, (await get_trigger(stage.fleet.bus, victim)).fired + 2)
    await pause_trigger(stage.fleet.bus, victim)
    row = await at_rest(stage, victim)
    assert (row.missed, row.skipped, row.refused) == (0, 0, 0)
    dues = [fire.due for fire in row.fires]
    assert {other - one for one, other in pairwise(dues)} == {EVERY}, "a time was lost or came twice"
    started = [run for fire in row.fires for run in fire.runs]
    assert Counter(started).most_common(1)[0][1] == 1
    for run in started:
        await stage.fleet.verdict(run)
    assert {it.run for it in await runs_of(stage, trigger=victim)} == set(started)
