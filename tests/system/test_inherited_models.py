"""Which model sub-agents ask, how and where: seen by two real endpoints, whose models are scripts."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from assigned import Team, done, spawns, team
from model_server import Asked, does, model_server

pytestmark = pytest.mark.asyncio(loop_scope="module")

ASKS = "kind: assign\ninstructions: You ask others.\ntools: [values, agents]\nspawns: [plain, cold]\n"
FILES = {
    "warm.yaml": ASKS + "tier: orchestrator\ntemperature: 0.7\n",
    "plain.yaml": ASKS,
    "cold.yaml": ASKS + "tier: sub_agent\ntemperature: 0\n",
}
Sent = tuple[str, float, str]
"""Model, temperature and key of a request: each endpoint has a key of its own."""
LARGE, SMALL = ("large", "other-key"), ("small", "key")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crew(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Team]:
    folder = tmp_path_factory.mktemp("fleet")
    async with team(folder) as made:
        for name, text in FILES.items():
            (folder / "agents" / name).write_text(text)
        with model_server(made.answer) as other:
            large = {"ORCHESTRATOR_MODEL": "large", "ORCHESTRATOR_BASE_URL": other.url}
            await made.fleet.start("orchestrator")
            await made.fleet.start("subagent", **large, ORCHESTRATOR_API_KEY="other-key")
            yield made


def sent_for(crew: Team, goal: str) -> Sent:
    """Return what the first question about a goal was sent with."""
    first = crew.asked_about(goal)[0]
    return first.body["model"], first.body["temperature"], first.key


def expected(place: tuple[str, str], temperature: float) -> Sent:
    return place[0], temperature, place[1]


async def test_a_sub_agent_asks_the_model_of_its_parent_unless_its_file_or_its_order_says_otherwise(crew: Team):
    def lead(asked: Asked):
        tasks = [
            {"agent": "plain", "task": "Inherit"},
            {"agent": "cold", "task": "As my file says"},
            {"agent": "cold", "task": "As ordered", "tier": "orchestrator", "temperature": 1.5},
        ]
        return done("asked") if asked.turn else does(("fan_out", {"tasks": tasks}))

    crew.parts["Ask all"] = lead
    crew.parts["Inherit"] = lambda it: done("asked") if it.turn else spawns("plain", "Inherit again")
    for goal in ("Inherit again", "As my file says", "As ordered"):
        crew.parts[goal] = lambda _: done("looked")
    verdict = await crew.fleet.verdict(await crew.submits("Ask all", "warm"))

    assert verdict.status == "done", verdict.summary
    assert sent_for(crew, "Ask all") == expected(LARGE, 0.7)
    assert sent_for(crew, "Inherit") == expected(LARGE, 0.7)
    assert sent_for(crew, "Inherit again") == expected(LARGE, 0.7)
    assert sent_for(crew, "As my file says") == expected(SMALL, 0.0)
    assert sent_for(crew, "As ordered") == expected(LARGE, 1.5)


async def test_what_a_person_orders_holds_for_the_whole_tree(crew: Team):
    crew.parts["Ordered"] = lambda it: done("asked") if it.turn else spawns("plain", "Below", temperature=0.2)
    crew.parts["Below"] = lambda _: done("looked")
    crew.parts["Alone"] = lambda _: done("looked")
    ordered = await crew.submits("Ordered", "cold", tier="orchestrator", temperature=0.9)
    for run in (ordered, await crew.submits("Alone", "plain")):
        assert (await crew.fleet.verdict(run)).status == "done"

    assert sent_for(crew, "Ordered") == expected(LARGE, 0.9)
    assert sent_for(crew, "Below") == expected(LARGE, 0.2)
    assert sent_for(crew, "Alone") == expected(SMALL, 0.1)


async def test_a_model_that_no_worker_has_is_named_by_its_setting(crew: Team):
    verdict = await crew.fleet.verdict(await crew.submits("Look at a picture", "plain", tier="vision"))

    assert (verdict.status, verdict.cause) == ("failed", "environment")
    assert "no model is set at the workers (VISION_MODEL)" in verdict.summary
