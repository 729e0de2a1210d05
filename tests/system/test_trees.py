"""Trees of agents while processes are killed, and while people steer; real processes, the model is a script."""

import threading
from pathlib import Path

import pytest
from assigned import Team, done, fans_out, spawns, team
from fleet import Fleet, eventually
from model_server import Answer, Asked, does

from muster_bus import Rows
from muster_client.runs import send_control
from muster_protocol.control import Answer as Answered
from muster_protocol.control import Cancel, Pause, Resume
from muster_protocol.journal import CallStarted, Finished, Suspended
from muster_protocol.logs import RunRow


async def kill_all(group: Fleet) -> None:
    """Kill every process at once, as a power cut does."""
    for process in group.running:
        process.kill()
    for process in list(group.running):
        await process.wait()


async def until_asked(crew: Team, goal: str, times: int = 1) -> None:
    async def asked() -> bool:
        return len(crew.asked_about(goal)) >= times

    await eventually(asked, f"{goal!r} is asked about")


async def until_status(crew: Team, run: str, status: str) -> None:
    async def there() -> bool:
        row = await Rows(crew.fleet.bus, "RUN_LIST", RunRow).get(run)
        return row is not None and row.status == status

    await eventually(there, f"{run} is {status}")


@pytest.mark.slow
async def test_every_process_is_killed_while_a_parent_waits_and_nothing_is_lost_or_repeated(tmp_path: Path):
    held = threading.Event()
    told: list[str] = []

    def lead(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("make_value", {"kind": "name", "name": "x"}), ("spawn", {"agent": "lead", "task": "Middle"}))
        told.append(asked.last)
        return done("led")

    def middle(asked: Asked) -> Answer:
        if asked.turn == 0:
            return fans_out(("researcher", "Leaf one"), ("researcher", "Leaf two"))
        told.append(asked.last)
        return done("in the middle")

    async with team(tmp_path, "orchestrator", "subagent", THINK_SLOTS="1") as crew:  # so the first leaf has ended
        crew.parts |= {"Lead": lead, "Middle": middle}
        crew.parts["Leaf one"] = lambda _: done("one")
        crew.parts["Leaf two"] = lambda _: done("two")._replace(wait=held)
        run = await crew.submits("Lead")
        await until_asked(crew, "Leaf two")
        await kill_all(crew.fleet)
        held.set()
        await crew.fleet.start("orchestrator")
        await crew.fleet.start("subagent")
        verdict = await crew.fleet.verdict(run)
        journal = await crew.fleet.journal(f"{run}.assignment.1")

    assert (verdict.status, verdict.summary) == ("done", "led")
    assert told[0].index("done: one") < told[0].index("done: two")
    assert "done: in the middle" in told[1]
    assert {entry.index for entry in journal if isinstance(entry, CallStarted)} == {0, 1}  # joined, so announced twice
    assert len([entry for entry in journal if isinstance(entry, Suspended)]) == 1
    assert len([entry for entry in journal if isinstance(entry, Finished)]) == 1
    assert [len(crew.asked_about(goal)) for goal in ("Lead", "Middle", "Leaf one")] == [2, 2, 1]
    assert len({result.node for result in verdict.results}) == len(verdict.results) == 4


async def test_a_worker_is_killed_in_a_child_and_another_one_goes_on_with_it(tmp_path: Path):
    held = threading.Event()
    async with team(tmp_path, "orchestrator", "subagent") as crew:
        crew.parts["Lead"] = lambda asked: spawns("researcher", "Leaf") if asked.turn == 0 else done("led")
        crew.parts["Leaf"] = lambda _: done("found")._replace(wait=held)
        run = await crew.submits("Lead")
        await until_asked(crew, "Leaf")
        for process in crew.fleet.of("subagent"):
            process.kill()
        held.set()
        await crew.fleet.start("subagent")
        verdict = await crew.fleet.verdict(run)

    assert (verdict.status, [result.attempt for result in verdict.results]) == ("done", [1, 1])
    assert len(crew.asked_about("Lead")) == 2


@pytest.mark.slow
async def test_people_steer_a_whole_tree(tmp_path: Path):
    held = threading.Event()
    async with team(tmp_path, "orchestrator", "subagent", THINK_SLOTS="2") as crew:
        bus = crew.fleet.bus
        crew.parts["Cancelled"] = lambda asked: fans_out(("researcher", "Stuck"), ("researcher", "Stuck"))
        crew.parts["Stuck"] = lambda _: done()._replace(wait=held)
        run = await crew.submits("Cancelled")
        await until_asked(crew, "Stuck", 2)
        await send_control(bus, run, Cancel(id="c"))
        cancelled = await crew.fleet.verdict(run)
        held.set()

        crew.parts["Asking"] = lambda asked: spawns("researcher", "Ask somebody") if asked.turn == 0 else done("asked")
        crew.parts["Ask somebody"] = lambda asked: (
            does(("ask_person", {"question": "Which one?"})) if asked.turn == 0 else done(f"it is {asked.last}")
        )
        run = await crew.submits("Asking")
        await until_status(crew, run, "parked")
        await send_control(bus, run, Answered(id="a", question=f"{run}.assignment-1-0-1.1:0", text="the blue one"))
        answered = await crew.fleet.verdict(run)

        paused = threading.Event()
        crew.parts["Paused"] = lambda asked: spawns("researcher", "Slow") if asked.turn == 0 else done("went on")
        crew.parts["Slow"] = lambda _: done("slowly")._replace(wait=paused)
        run = await crew.submits("Paused")
        await until_asked(crew, "Slow")
        await send_control(bus, run, Pause(id="p"))
        await until_status(crew, run, "paused")
        paused.set()
        await send_control(bus, run, Resume(id="r"))
        resumed = await crew.fleet.verdict(run)

    assert (cancelled.status, cancelled.cause) == ("failed", "cancelled")
    assert answered.status == "done"
    assert "the blue one" in next(result.summary for result in answered.results if result.node != "assignment")
    assert (resumed.status, resumed.summary) == ("done", "went on")
