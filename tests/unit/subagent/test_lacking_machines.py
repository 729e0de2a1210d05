"""A command that failed on a machine that had run out of something says nothing about the product."""

from typing import Any, cast

import msgspec
import pytest

from muster_protocol.causes import Failure
from muster_protocol.session_responses import ExecDone
from muster_subagent.secrets import Secrets
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.shell_tools import check_exit_code, check_output

FULL = "the disk of /sessions is full (0.0 MB free): make room, or set SESSIONS_DIR to another"


class Remembering:
    """A session whose last command is known."""

    def __init__(self, done: ExecDone) -> None:
        self._done = done

    async def recall(self, key: str) -> str:
        return msgspec.json.encode(self._done).decode()


def context(done: ExecDone) -> ToolContext:
    none: Any = None
    return ToolContext(session=cast(Any, Remembering(done)), secrets=Secrets({}), http=none, call="", store=none)


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize("negate", [False, True])
async def test_no_check_of_it_is_decided_whatever_it_expects(code: int, negate: bool):
    ctx = context(ExecDone(exit_code=1, stderr="head: error writing: No space left on device", lacking=FULL))
    for outcome in (
        await check_exit_code.function(ctx, code, negate=negate),
        await check_output.function(ctx, "saved", negate=negate),
        await check_output.function(ctx, "No space left", negate=negate),
    ):
        assert (outcome.status, outcome.failure) == ("error", Failure.INFRASTRUCTURE)
        assert FULL in outcome.text


async def test_a_command_that_failed_on_a_machine_with_room_is_judged_as_ever():
    ctx = context(ExecDone(exit_code=1, stderr="no such order"))
    assert (await check_exit_code.function(ctx, 1)).status == "ok"
    assert (await check_exit_code.function(ctx, 0)).failure == Failure.EXPECTATION_FALSE
