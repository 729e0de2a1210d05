"""Values that are made up: the same in each attempt, another in each run and for each call."""

from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest

from muster_protocol.tool_calls import ArgumentValue
from muster_subagent.tools import TOOLS
from muster_subagent.tools.tool import ToolError


async def made(call: str, **given: ArgumentValue) -> str:
    ctx = SimpleNamespace(call=call)
    outcome = await TOOLS["make_value"].run(ctx, {"name": "it", **given})  # pyright: ignore[reportArgumentType]
    return outcome.captured["it"]


@pytest.mark.parametrize("kind", ["text", "name", "email", "number", "phone", "password"])
async def test_a_value_is_the_same_in_each_attempt_and_another_elsewhere(kind: str):
    first = await made("run-1.step-2.1:0", kind=kind)
    assert await made("run-1.step-2.2:0", kind=kind) == first
    others = [await made(call, kind=kind) for call in ("run-2.step-2.1:0", "run-1.step-3.1:0", "run-1.step-2.1:4")]
    assert len({first, *others}) == 4


async def test_a_date_is_counted_from_today_and_written_as_asked():
    day = datetime.now().astimezone().date() + timedelta(days=3)
    assert await made("r.s.1:0", kind="date", day="in 3 days") == day.isoformat()
    assert await made("r.s.1:0", kind="date", day="today + 3 days", form="dd.mm.yyyy") == day.strftime("%d.%m.%Y")
    with pytest.raises(ToolError):
        await made("r.s.1:0", kind="date", day="soon")
