"""The second run of a case asks no model: steps are replayed from recordings, and their evidence is made anew."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from model_server import Answer, Asked, does, passes
from remembering import OPEN, Rerunner, rerunner
from thinking import SIGN_UP

FILL = "Fill in the form as Ann and send it"
WELCOME = 'The text "Welcome" is visible'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def fleet_that_remembers(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rerunner]:
    async with rerunner(tmp_path_factory.mktemp("fleet")) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def again(fleet_that_remembers: Rerunner) -> Rerunner:
    await fleet_that_remembers.forget()
    return fleet_that_remembers


pytestmark = pytest.mark.asyncio(loop_scope="module")


def fills_in(name: str = "Ann"):
    def script(_: Asked) -> Answer:
        return does(("type", {"element": "Name", "text": name}), ("click", {"element": "Send"}), passes())

    return script


async def test_the_second_run_asks_no_model_and_proves_its_expectation_anew(again: Rerunner):
    steps = [OPEN, (FILL, WELCOME)]
    cold = await again.run(SIGN_UP, steps, fills_in(), kept=2)
    warm = await again.run(SIGN_UP, steps, None)

    assert (cold.verdict.status, cold.asked, cold.sources) == ("pass", 2, ["phrase", "model"])
    assert (warm.verdict.status, warm.asked, warm.sources) == ("pass", 0, ["phrase", "recording"])
    assert (warm.verdict.usage.model_calls, warm.verdict.usage.input_tokens) == (0, 0)
    assert [(it.check, it.passed) for it in warm.last.step.evidence] == [("check_text", True)]
    assert [act.tool for act in warm.last.step.acts] == ["type", "click"]
    assert any("replays its recording" in line for line in await again.lines(warm.run))
