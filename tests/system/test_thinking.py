"""Runs with a model: planned, carried out and judged by jobs that ask a scripted model over real HTTP."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from model_server import Answer, Asked, does, fails, gives, passes, says
from thinking import Play, Stage, stage

FORM = """<h1>Sign up</h1><form action="@/done"><label>Name <input name="name"></label>
<label>Mail <input name="mail"></label><button>Send</button></form>"""
DONE = """<h1>Welcome</h1><p>Thank you, we have written to you.</p><p>Order total: $59.98</p>"""
SHOP = {"": FORM, "done": DONE}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    async with stage(tmp_path_factory.mktemp("fleet")) as made:
        yield made


pytestmark = pytest.mark.asyncio(loop_scope="module")


def kept(asked: Asked, count: int) -> Answer:
    """Plan: every step as it is."""
    return gives({"sub_tasks": [{"covers": [n], "description": f"step {n}", "why": ""} for n in range(1, count + 1)]})


async def test_a_free_step_is_carried_out_by_the_model_and_its_expectation_is_checked_by_phrase(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return kept(asked, 2)
        fill = ("browser_type", {"element": "Name", "text": "Ann"})
        return does(fill, ("browser_click", {"element": "Send"}), passes())

    steps = [
        ('Open "@/"', 'The title is "Page"'),
        ("Fill in the form as Ann and send it", 'The text "Welcome" is visible'),
    ]
    verdict, run = await on_stage.run(Play(SHOP, steps, script))

    assert (verdict.status, verdict.summary) == ("pass", "2 of 2 sub-tasks passed")
    by_phrase, by_model = verdict.results
    assert (by_phrase.source, by_phrase.iterations) == ("phrase", 0)
    assert (by_model.source, by_model.iterations, by_model.usage.model_calls) == ("model", 1, 1)
    assert [act.tool for act in by_model.acts] == ["browser_type", "browser_click"]
    assert [(it.check, it.by, it.passed) for it in by_model.evidence] == [("check_text", "phrase", True)]
    assert verdict.usage.input_tokens > 500
