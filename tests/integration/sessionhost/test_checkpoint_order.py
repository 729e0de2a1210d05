"""When checkpoints are taken: after each holder, before the next one, and never of a session left in the middle."""

import pytest
from checkpoints import pages_of, stored
from session_stage import Stage
from waiting import eventually


async def test_a_session_left_in_the_middle_keeps_the_checkpoint_of_how_the_last_one_left_it(
    stage: Stage, site: str
) -> None:
    await stage.open()
    async with stage.attach() as session:
        await (await session.page()).goto(site)

    async def is_stored() -> bool:
        return await stored(stage) is not None

    await eventually(is_stored, "a checkpoint")
    before = await stored(stage)
    with pytest.raises(ValueError, match="broken off"):
        async with stage.attach(dispatch=2) as session:
            await (await session.page()).goto(f"{site}/second")
            raise ValueError("broken off")
    async with stage.attach(dispatch=3) as session:
        assert (await session.page()).url == f"{site}/second"
        assert await stored(stage) == before


async def test_the_next_holder_comes_in_only_when_the_checkpoint_of_the_last_one_is_taken(
    stage: Stage, site: str
) -> None:
    await stage.open()
    for dispatch in range(1, 6):
        async with stage.attach(dispatch=dispatch, worker="worker-a") as session:
            page = await session.page()
            await page.goto(f"{site}/{dispatch}")

    async def is_stored() -> bool:
        saved = await stored(stage)
        return saved is not None and (saved.after, pages_of(saved)[0].url) == (5, f"{site}/5")

    await eventually(is_stored, "the last checkpoint")
