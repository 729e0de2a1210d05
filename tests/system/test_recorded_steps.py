"""Pictures before and after each act, on a fleet of real processes with a real browser."""

import hashlib
from collections.abc import AsyncGenerator
from io import BytesIO
from pathlib import Path

import pytest
import pytest_asyncio
from model_server import Answer, Asked, refuses
from PIL import Image
from thinking import SIGN_UP, Play, Stage, stage
from waiting import eventually

from muster_bus import replay
from muster_bus.artifact_store import get_artifact, list_artifacts
from muster_protocol.codec import decode
from muster_protocol.journal import CallFinished
from muster_protocol.logs import LogRecord
from muster_protocol.tool_calls import ArtifactRef, Shown

pytestmark = pytest.mark.asyncio(loop_scope="module")
STEPS = (
    ('Open "@/"', 'The text "Sign up" is visible'),
    ('Type "Ada" into the "Name" field', ""),
    ('Click the "Send" button', 'The text "Welcome" is visible'),
)
FAILING = (STEPS[0], ('Click the "Send" button', 'The text "Goodbye" is visible'))


def no_model(_: Asked) -> Answer:
    return refuses(400, "nobody asks")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def recorded(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    async with stage(tmp_path_factory.mktemp("on"), RECORD_STEPS="on", RECORD_PICTURE="on") as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def of_fails(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    async with stage(tmp_path_factory.mktemp("fails"), RECORD_STEPS="on-failure") as made:
        yield made


async def stored(made: Stage, run: str, *wanted: str) -> set[str]:
    """Return the names of a run's files, once those that are wanted are there."""

    async def there() -> set[str] | None:
        names = {name.partition("/")[2] for name in await list_artifacts(made.fleet.bus, run)}
        return names if names >= set(wanted) else None

    await made.fleet.closed(run)
    return await eventually(there, f"files of {run}")


async def picture(made: Stage, name: str) -> Image.Image:
    data = await get_artifact(made.fleet.bus, name)
    assert data is not None
    return Image.open(BytesIO(data))


async def shown_in(made: Stage, run: str, node: str) -> Shown:
    entries = await made.journal(f"{run}.{node}.1")
    return next(it.outcome.shown for it in entries if isinstance(it, CallFinished) and it.outcome.shown)


@pytest.mark.slow
async def test_who_follows_a_run_is_told_of_each_picture_once_it_can_be_fetched(recorded: Stage):
    _, run = await recorded.run(Play(SIGN_UP, STEPS, no_model))
    await stored(recorded, run, "step-3/act-1-0-after.png")
    bus, told = recorded.fleet.bus, dict[str, ArtifactRef]()

    async def of_all() -> bool:
        async for message in replay(bus, "LOGS", bus.names.log(run, "*")):
            record = decode(message.data, LogRecord)
            if record.kind == "picture" and record.picture is not None:
                told[record.picture.name] = record.picture
        return f"{run}/step-3/act-1-0-after.png" in told and any(name.endswith("last.jpg") for name in told)

    await eventually(of_all, "lines of the pictures")
    picture = told[f"{run}/step-3/act-1-0-after.png"]
    data = await get_artifact(bus, picture.name)
    assert data is not None
    assert (picture.sha256, picture.size) == (hashlib.sha256(data).hexdigest(), len(data))


@pytest.mark.slow
async def test_each_act_has_the_screen_before_and_after_it_and_what_changed(recorded: Stage):
    verdict, run = await recorded.run(Play(SIGN_UP, STEPS, no_model))
    assert verdict.status == "pass"
    wanted = ("step-3/act-1-0-before.png", "step-3/act-1-0-after.png", "step-1/act-1-0-after.png")
    names = await stored(recorded, run, *wanted)
    assert "step-1/act-1-0-before.png" not in names  # nothing was open yet

    shown = await shown_in(recorded, run, "step-3")
    assert any("Welcome" in line for line in shown.new)
    assert any("Send" in line for line in shown.gone)
    assert shown.parts
    box = shown.target
    assert box is not None
    framed = await picture(recorded, shown.pictures[0])
    assert framed.getpixel((round(box.x) - 1, round(box.y + box.height / 2))) == (0xD0, 0x02, 0x1B)
    before, after = [await picture(recorded, name) for name in shown.pictures]
    assert before.size == after.size
    assert before.tobytes() != after.tobytes()


@pytest.mark.slow
async def test_a_secret_is_in_no_picture_and_no_line(tmp_path: Path):
    async with stage(tmp_path, RECORD_STEPS="on", SECRET_WORD="swordfish-4711") as made:
        steps = (STEPS[0], ('Type "${secret:WORD}" into the "Name" field', ""), ('Click into the "Mail" field', ""))
        checked = (*steps, ('Click the "Send" button', 'The text "Welcome" is visible'))
        verdict, run = await made.run(Play(SIGN_UP, checked, no_model, more={"secrets": ("WORD",)}))
        assert verdict.status == "pass"
        shown = [await shown_in(made, run, node) for node in ("step-2", "step-3", "step-4")]
        assert "swordfish" not in repr(shown)
        await stored(made, run, *(shown[at].pictures[-1].partition("/")[2] for at in (0, 1)))
        for at in (0, 1):
            image = await picture(made, shown[at].pictures[-1])
            assert image.convert("L").histogram()[0] > 1_000  # the field is painted over


@pytest.mark.slow
async def test_of_steps_that_passed_only_what_changed_is_kept_with_on_failure(of_fails: Stage):
    verdict, run = await of_fails.run(Play(SIGN_UP, FAILING, no_model))
    assert (verdict.status, verdict.cause) == ("fail", "product")
    kept = {"step-2/act-1-0-before.png", "step-2/act-1-0-after.png"}
    assert {name for name in await stored(of_fails, run, *kept) if "/act-" in name} == kept
    assert any("Sign up" in line for line in (await shown_in(of_fails, run, "step-1")).new)
    [result] = [it for it in verdict.results if it.status == "fail"]
    assert {ref.name.rpartition("/")[2] for ref in result.artifacts} >= {"act-1-0-before.png", "act-1-0-after.png"}
