"""Somebody who works in a workspace by its tools, in a session of a real host."""

import itertools
import os
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest
from session_stage import NO_DEVICE, Stage

from muster_agents import EVERYTHING, Permissions
from muster_protocol.tool_calls import ArgumentValue, ArtifactRef, ToolCall, ToolOutcome
from muster_subagent import tools
from muster_subagent.secrets import Secrets
from muster_subagent.tool_context import ToolContext

ROOT = Path(__file__).parents[2]
NUMBERS = itertools.count(1)


class Agent:
    """Somebody with the tools of a workspace, in a session of a real host."""

    def __init__(self, context: ToolContext) -> None:
        self.context = context
        self.stored: dict[str, bytes] = {}
        context.store = self._store

    def _store(self, name: str, data: bytes, kind: str) -> ArtifactRef:
        self.stored[name] = data
        return ArtifactRef(name=name, sha256="", size=len(data), content_type=kind)

    async def __call__(self, tool: str, **arguments: ArgumentValue) -> ToolOutcome:
        self.context.call = f"run.n.1:{next(NUMBERS)}"
        return await tools.call(self.context, ToolCall(tool=tool, arguments=arguments), {})

    async def ok(self, tool: str, **arguments: ArgumentValue) -> str:
        outcome = await self(tool, **arguments)
        assert outcome.status == "ok", outcome.text
        return outcome.text

    async def refused(self, tool: str, **arguments: ArgumentValue) -> str:
        outcome = await self(tool, **arguments)
        assert outcome.status == "error", outcome.text
        return outcome.text


def unused(_name: str, _data: bytes, _kind: str) -> ArtifactRef:
    raise AssertionError


@contextmanager
def visible_pythons() -> Generator[str]:
    """Let the Python that runs these tests run those of workspaces; yields what a sandbox has to show for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{sys.prefix}/bin:{os.environ['PATH']}")
        yield f"{ROOT}:{sys.prefix}:{sys.base_prefix}"


@asynccontextmanager
async def agent_of(stage: Stage, may: Permissions = EVERYTHING) -> AsyncGenerator[Agent]:
    """Yield an agent in a session that is open inside the block."""
    run = stage.run = f"run-{next(NUMBERS)}"
    await stage.open(device=NO_DEVICE, workspace="shop")
    async with httpx.AsyncClient() as http, stage.attach(permissions=may) as session:
        context = ToolContext(session=session, secrets=Secrets({}), http=http, call="", store=unused, author="case")
        context.permissions, context.by_model = may, may is not EVERYTHING
        yield Agent(context)
    stage.run = run
    await stage.close()
