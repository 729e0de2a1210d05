"""Agents that are pushed to a running fleet: the next run works with them, a run that is open does not notice."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from threading import Event
from typing import NamedTuple

import pytest
from assigned import Team, done, spawns, team
from model_server import Answer, Asked

from muster_bus.run_store import read_entries
from muster_protocol.events import RunOpened, SubTaskDispatched

MINE = "kind: assign\ninstructions: Mine, version {number}.\ntools: [values, agents]\nspawns: [researcher]\nskills: [sums]\n"
SKILL = "---\nname: sums\ndescription: Sums, version {number}.\n---\nAdd.\n"


def write(folder: Path, number: int) -> Path:
    (folder / "skills" / "sums").mkdir(parents=True, exist_ok=True)
    (folder / "mine.yaml").write_text(MINE.format(number=number))
    (folder / "skills" / "sums" / "SKILL.md").write_text(SKILL.format(number=number))
    return folder


def system_text(asked: Asked) -> str:
    return str(asked.messages[0]["content"])


class Ended(NamedTuple):
    """What a command has come to."""

    code: int
    out: str
    err: str


async def muster(crew: Team, *arguments: object) -> Ended:
    """Run `muster agents …` as a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_cli", "agents", *map(str, arguments)),
        env={**os.environ, "NATS_URL": crew.fleet.bus.settings.nats_url},
        stdout=PIPE,
        stderr=PIPE,
    )
    out, err = await process.communicate()
    return Ended(process.returncode or 0, out.decode(), err.decode())


@pytest.mark.slow
async def test_a_push_reaches_the_next_run_and_changes_nothing_for_one_that_is_open(tmp_path: Path):
    folder = write(tmp_path / "mine", 1)
    async with team(tmp_path, "orchestrator", "subagent") as crew:
        assert (await muster(crew, "push", folder, "--note", "first")).code == 0
        looks, pushed = Event(), Event()

        def child(_: Asked) -> Answer:
            looks.set()
            pushed.wait(60)
            return done("looked")

        crew.parts["Look first"] = child
        crew.parts["Go on"] = lambda asked: spawns("researcher", "Look first") if asked.turn == 0 else done("went on")
        crew.parts["Begin"] = lambda _: done("began")
        open_run = await crew.submits("Go on", "mine")
        assert await asyncio.to_thread(looks.wait, 30)
        ended = await muster(crew, "push", write(folder, 2))
        assert ended.err.startswith("release 2 (")
        assert ended.err.endswith("): mine.yaml, skills/sums/SKILL.md\n")
        pushed.set()
        before = await crew.fleet.verdict(open_run)
        after = await crew.fleet.verdict(await crew.submits("Begin", "mine"))

        assert (before.summary, after.summary) == ("went on", "began")
        assert ["Mine, version 1." in system_text(it) for it in crew.asked_about("Go on")] == [True, True]
        assert "- sums: Sums, version 1." in system_text(crew.asked_about("Go on")[1])
        assert "Mine, version 2." in system_text(crew.asked_about("Begin")[0])
        events = [event for entry in await read_entries(crew.fleet.bus, open_run) for event in entry.events]
        pins = {event.definitions for event in events if isinstance(event, RunOpened)}
        assert len(pins) == 1
        assert {event.sub_task.definitions for event in events if isinstance(event, SubTaskDispatched)} == pins

        listed = await muster(crew, "history")
        assert [line.split()[0] for line in listed.out.splitlines() if line.strip()[:1].isdigit()] == ["2", "1"]
        removed = await muster(crew, "push", "--remove", "mine.yaml")
        assert removed.code == 0
        gone = await crew.fleet.verdict(await crew.submits("Begin", "mine"))
        assert "the workers have no agent 'mine'" in gone.summary


@pytest.mark.slow
async def test_nothing_is_pushed_if_anything_is_wrong(tmp_path: Path):
    folder = write(tmp_path / "mine", 1)
    (folder / "bad.yaml").write_text("kind: asign\ninstructions: x\n")
    (folder / "evaluator.yaml").write_text("kind: evaluate\ninstructions: x\nenabled: false\n")
    async with team(tmp_path) as crew:
        ended = await muster(crew, "push", folder)
        assert ended.code == 2
        assert "bad.yaml:1: unknown kind 'asign'; did you mean 'assign'?" in ended.err
        assert "evaluator.yaml: 'evaluator' cannot be switched off" in ended.err
        assert "there is no pushed file 'x.yaml'" in (await muster(crew, "push", "--remove", "x.yaml")).err
        assert "nothing to push" in (await muster(crew, "push")).err
        listed = await muster(crew, "list", "--fleet", "--json")
        assert '"mine"' not in listed.out
