"""No model, page or command gets a pass that the product has not earned; and honest work on the same steps does.

Adversaries of one scene share their twin: it is the same run, so it is made once.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import NamedTuple

import pytest
import pytest_asyncio
from adversaries import Adversary, all_adversaries
from adversaries.secrets import SECRET
from thinking import Play, Stage, stage

from muster_protocol.codec import encode
from muster_protocol.verdicts import Verdict

AT_ONCE = 4
CASES = {case.name: case for case in all_adversaries()}
SETTINGS = {
    "ACT_SLOTS": str(AT_ONCE),
    "MAX_SESSIONS": str(2 * AT_ONCE),
    "ACTION_TIMEOUT_SECONDS": "3",  # room for a click of the honest twin on a busy machine
    "SECRET_SHOP_PIN": SECRET,
    "SECRET_OTHER_PIN": "0815-of-others",
}


class Runs(NamedTuple):
    """The runs of the chosen cases: begun up front, each twin before its first adversary, and awaited by the tests."""

    adversaries: Mapping[str, asyncio.Task[Verdict]]
    twins: Mapping[int, asyncio.Task[Verdict]]


def _begun(on: Stage, chosen: list[Adversary]) -> Runs:
    places = asyncio.Semaphore(AT_ONCE)
    cheats: dict[str, asyncio.Task[Verdict]] = {}
    twins: dict[int, asyncio.Task[Verdict]] = {}

    async def played(play: Play) -> Verdict:
        async with places:
            return (await on.run(play))[0]

    for case in chosen:
        if id(case.scene) not in twins:
            twins[id(case.scene)] = asyncio.ensure_future(played(case.scene.play))
        cheats[case.name] = asyncio.ensure_future(played(case.play))
    return Runs(cheats, twins)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runs(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> AsyncGenerator[Runs]:
    wanted = {item.name.partition("[")[2].removesuffix("]") for item in request.session.items}
    async with stage(tmp_path_factory.mktemp("fleet"), workers=1, **SETTINGS) as on:
        begun = _begun(on, [case for case in CASES.values() if case.name in wanted])
        yield begun
        left = [task for task in (*begun.adversaries.values(), *begun.twins.values()) if not task.done()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


pytestmark = pytest.mark.asyncio(loop_scope="module")


def _marks(case: Adversary) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow] if case.slow else []


@pytest.mark.parametrize("case", [pytest.param(case, id=name, marks=_marks(case)) for name, case in CASES.items()])
async def test_an_adversary_never_passes_and_its_honest_twin_does(runs: Runs, case: Adversary):
    verdict, twin = await runs.adversaries[case.name], await runs.twins[id(case.scene)]

    assert twin.status == "pass", f"the honest twin: {twin.summary}"
    assert verdict.status == "fail", (
        f"passed with {[(it.check, it.arguments, it.seen) for result in verdict.results for it in result.step.evidence]}"
    )
    assert case.cause in ("", verdict.cause), f"{verdict.cause}: {verdict.summary}"
    assert SECRET not in encode(verdict).decode() + encode(twin).decode()


async def test_there_are_enough_of_them_and_no_two_have_a_name_in_common():
    assert len(CASES) == len(list(all_adversaries()))
    assert sum(not case.slow for case in CASES.values()) >= 12
