"""Drafts of cases on a fleet of real processes: looked up in a browser, checked, sent back once, and never run."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from assigned import Team, done, team
from model_server import Answer, Asked, does
from pages import Page, site

from muster_authoring.case_check import check_paths
from muster_bus.run_store import read_entries
from muster_protocol.events import SubTaskDispatched

pytestmark = pytest.mark.asyncio(loop_scope="module")
TERSE = """\
kind: assign
tools: [check_text]
effects: [read, check]
instructions: You draft, and look at nothing.
"""


class Said(NamedTuple):
    code: int
    out: str
    err: str


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crew(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Team]:
    folder = tmp_path_factory.mktemp("fleet")
    async with team(folder, "orchestrator", "subagent", "sessions") as made:
        yield made


async def muster(crew: Team, *arguments: object) -> Said:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_cli", *map(str, arguments), "--nats", crew.fleet.server.url),
        stdout=PIPE,
        stderr=PIPE,
    )
    async with asyncio.timeout(90):
        out, err = await process.communicate()
    return Said(process.returncode or 0, out.decode(), err.decode())


def case_of(*steps: tuple[str, str], **more: Any) -> dict[str, Any]:
    written = [{"action": action, "expected": expected} for action, expected in steps]
    return {"name": "A tester logs in", "steps": written, **more}


@pytest.mark.slow
async def test_a_draft_is_made_from_a_page_that_is_looked_at_and_lies_in_a_file_that_the_check_accepts(
    crew: Team, tmp_path: Path
):
    posted: list[str] = []

    def login(visit: Any) -> str:
        posted.append(visit.method)
        return "<title>Door</title><form method=post><label>Word <input name=w></label><button>Go in</button></form>"

    with site() as shop:
        pages: dict[str, Page] = {"/login": login}
        shop.pages.update(pages)
        address = f"{shop.url}/login"
        seen: list[Asked] = []

        def drafts(asked: Asked) -> Answer:
            seen.append(asked)
            if asked.turn == 0:
                return does(("click", {"element": "Go in"}))
            steps = ((f'Open "{address}"', 'The page title is "Door"'), ('Click the "Go in" button', ""))
            return done("One case.", output=case_of(*steps, questions=["Which word opens it?"]))

        crew.parts["Go in"] = drafts
        out = tmp_path / "draft.yaml"
        said = await muster(crew, "draft", "Go in", "--url", address, "--out", out)

    assert said.code == 0, said.err
    assert "open question: Which word opens it?" in said.err
    assert check_paths([out]) == (1, ())
    assert "# Open question: Which word opens it?" in out.read_text()
    assert posted == ["GET"]  # a click was asked for, and not made
    assert 'button "Go in"' in seen[0].question
    assert 'Click the "Log in" button' in seen[0].question  # the known sentences
    assert "'click' is not for this agent" in seen[1].last


@pytest.mark.slow
async def test_a_draft_that_the_check_refuses_is_sent_back_once(crew: Team, tmp_path: Path):
    bad = case_of(('Open "${base}"', "The dashboard dances"))
    good = case_of(('Open "http://127.0.0.1/"', "The dashboard dances"))
    told: list[str] = []

    def mends(asked: Asked) -> Answer:
        told.append(asked.last)
        return done("drafted", output=good if asked.turn else bad)

    crew.parts["Mended"], crew.parts["Never"] = mends, lambda _: done("drafted", output=bad)
    mended = await muster(crew, "draft", "Mended", "--json")
    never = await muster(crew, "draft", "Never", "--out", tmp_path / "never.yaml")

    assert "nothing is known by the name ${base}" in told[1]
    assert "no phrase fits «The dashboard dances»" in told[1]
    found = json.loads(mended.out)
    assert (mended.code, found["status"], found["faults"]) == (0, "done", [])
    assert "  # for a model: no phrase fits «The dashboard dances»" in found["case"]
    assert never.code == 3
    assert "nothing is known by the name ${base}" in never.err
    assert not (tmp_path / "never.yaml").exists()
    assert len(crew.asked_about("Never")) == 2


@pytest.mark.slow
async def test_a_file_is_never_replaced_and_nothing_is_asked_for_it(crew: Team, tmp_path: Path):
    (tmp_path / "mine.yaml").write_text("mine")
    said = await muster(crew, "draft", "Anything", "--out", tmp_path / "mine.yaml")
    assert (said.code, (tmp_path / "mine.yaml").read_text()) == (2, "mine")
    assert crew.asked_about("Anything") == []


@pytest.mark.slow
async def test_the_drafter_is_its_file_and_stands_in_the_log(tmp_path: Path):
    with site() as shop:
        visits: list[str] = []
        shop.pages["/"] = lambda visit: visits.append(visit.method) or "<h1>Seen</h1>"
        folder = tmp_path / "own"
        folder.mkdir()
        (folder / "drafter.yaml").write_text(TERSE)
        async with team(tmp_path, "orchestrator", "sessions") as crew:
            await crew.fleet.start("subagent", AGENTS_DIR=str(folder))
            crew.parts["Look"] = lambda _: done("d", output=case_of((f'Open "{shop.url}/"', 'The text "A" is visible')))
            said = await muster(crew, "draft", "Look", "--url", f"{shop.url}/", "--json")

            events = [
                it for entry in await read_entries(crew.fleet.bus, json.loads(said.out)["run"]) for it in entry.events
            ]
            [asked] = crew.asked
    assert said.code == 0, said.err
    assert [it.sub_task.agent for it in events if isinstance(it, SubTaskDispatched)] == ["drafter"]
    assert str(asked.messages[0]["content"]).startswith("You draft, and look at nothing.")
    assert visits == ["GET"]  # a person's address is opened for it, though it may not open any itself
