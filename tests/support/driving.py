"""A user of the tools, who makes calls as the runner does."""

import asyncio
import hashlib
import itertools

import httpx
from local_session import LocalSession

from muster_protocol.tool_calls import ArgumentValue, ArtifactRef, ToolCall, ToolOutcome
from muster_subagent import tools
from muster_subagent.secrets import Secrets
from muster_subagent.step_permissions import Permission
from muster_subagent.tool_context import ToolContext

PASSWORD = "s3cret-pass-phrase"
NUMBERS = itertools.count(1)


class User:
    """Makes tool calls as the runner does."""

    def __init__(self, ctx: ToolContext, session: LocalSession, stored: dict[str, bytes]) -> None:
        self.ctx, self.session, self.stored = ctx, session, stored
        self.values: dict[str, str] = {}

    async def __call__(self, tool: str, **arguments: ArgumentValue) -> ToolOutcome:
        """Make a call and return its outcome, whatever it is."""
        self.ctx.call = f"task:{next(NUMBERS)}"
        call = ToolCall(tool=tool, arguments=arguments)
        outcome = await asyncio.wait_for(tools.call(self.ctx, call, self.values), 60)
        self.values |= outcome.captured
        return outcome

    async def ok(self, tool: str, **arguments: ArgumentValue) -> ToolOutcome:
        """Make a call that must come out well."""
        outcome = await self(tool, **arguments)
        assert outcome.status == "ok", f"{outcome.failure}: {outcome.text}"
        return outcome

    async def bad(self, tool: str, **arguments: ArgumentValue) -> ToolOutcome:
        """Make a call that must not come out well; it does not wait long, so the page must be complete.

        A busy machine can be too slow even so: what "could not be used in time" is tried again, with more of it.
        """
        looks = tool.startswith("check_") or tool == "remember"
        patience, self.ctx.action_timeout = self.ctx.action_timeout, 0.15 if looks else 0.5
        outcome = await self(tool, **arguments)
        self.ctx.action_timeout = patience * 3
        if "in time" in outcome.text:
            outcome = await self(tool, **arguments)
        self.ctx.action_timeout = patience
        assert outcome.status != "ok", outcome.text
        return outcome

    async def open(self, url: str) -> ToolOutcome:
        """Open a page."""
        return await self.ok("browser_navigate", url=url)

    async def script(self, text: str) -> object:
        """Run a script in the page, to prepare it or to see what tools must not be asked for."""
        return await (await self.session.page()).evaluate(text)


def user_of(session: LocalSession, http: httpx.AsyncClient) -> User:
    """Return a user of a session who knows one secret, and whose artifacts stay in memory."""
    stored: dict[str, bytes] = {}

    def store(name: str, content: bytes, kind: str) -> ArtifactRef:
        stored[name] = content
        digest = hashlib.sha256(content).hexdigest()
        return ArtifactRef(name=name, sha256=digest, size=len(content), content_type=kind)

    secrets = Secrets({"PASSWORD": PASSWORD})
    ctx = ToolContext(
        session=session,
        secrets=secrets,
        http=http,
        call="task:0",
        store=store,
        action_timeout=2.0,
        author="case",
        permission=Permission(secrets=frozenset({"PASSWORD", "NOBODY"}), hosts=("127.0.0.1", "localhost")),
    )
    return User(ctx, session, stored)
