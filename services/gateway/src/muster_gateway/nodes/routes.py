"""HTTP routes for sub-tasks: one with its attempts, and the stored journals."""

from typing import Annotated, cast

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from muster_gateway import entries
from muster_gateway.context import MAX_CURSOR, Gateway
from muster_gateway.description import node_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.nodes import journals
from muster_gateway.nodes.journals import RawBatch
from muster_gateway.problem_details import Refusal
from muster_gateway.security.access_roles import VIEWER
from muster_gateway.views import JournalPage, MessageList
from muster_protocol import codec
from muster_protocol.ids import is_token
from muster_views.attempt_views import NodeDetail
from muster_views.attempts import view_attempts
from muster_views.journal_moments import TimedEntry
from muster_views.messages import list_messages
from muster_views.run_view import view_nodes


@get(
    "/runs/{run:str}/nodes/{node:str}",
    opt=VIEWER,
    operation_id="showNode",
    summary="Show a sub-task",
    description="Its state, and each attempt with its workers, tool calls, model replies, clauses with their "
    "evidence, and result. A call without an outcome is `running`, or `unknown` if its worker was lost.",
    responses=success(NodeDetail, 200, "The sub-task", documented.NODE_DETAIL) | failures(400, 404, 503),
)
async def show_node(gateway: NamedDependency[Gateway], run: FromPath[str], node: FromPath[str]) -> NodeDetail:
    """Return a sub-task of a run with its attempts."""
    await gateway.require_run(run)
    history = await entries.read_history(gateway.bus, run)
    if (found := history.nodes.get(node)) is None or not is_token(node):
        raise Refusal(404, f"run {run!r} has no sub-task {node!r}; GET /runs/{run} lists its sub-tasks")
    by_task: dict[str, list[TimedEntry]] = {}
    async for batch in journals.read_batches(gateway.bus, run, node):
        by_task.setdefault(batch.task, []).extend(journals.known_entries([batch]))
    attempts = view_attempts(history, found, by_task)
    takeovers = {node: sum(one.takeovers for one in attempts)}
    return NodeDetail(node=next(one for one in view_nodes(history, takeovers) if one.id == node), attempts=attempts)


@get(
    "/runs/{run:str}/journal",
    opt=VIEWER,
    operation_id="readJournal",
    summary="Read the journals of a run's sub-tasks",
    description="The stored messages, oldest first: what workers recorded before and after each call.",
    responses=success(JournalPage, 200, "The messages", documented.JOURNAL) | failures(400, 404, 503),
)
async def journal(
    *,
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    node: Annotated[str, QueryParameter(description="Only this sub-task")] = "",
    attempt: Annotated[int, QueryParameter(ge=0, description="Only this attempt; 0: all")] = 0,
    after: Annotated[
        int, QueryParameter(ge=0, le=MAX_CURSOR, description="Only messages with a sequence above this")
    ] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=2000, description="Messages at most")] = 500,
) -> Response[JournalPage]:
    """Return the stored messages of a run's journals."""
    await gateway.require_run(run)
    if node and not is_token(node):
        raise Refusal(400, f"node: {node!r} is not a valid sub-task id; GET /runs/{run} lists the sub-tasks")
    found: list[RawBatch] = []
    async for batch in journals.read_batches(gateway.bus, run, node or "*", str(attempt or "*"), after):
        found.append(batch)
        if len(found) > limit:
            break
    shown = tuple(found[:limit])
    page = _RawPage(messages=shown, cursor=shown[-1].sequence if shown else after, more=len(found) > limit)
    return cast("Response[JournalPage]", Response(codec.encode(page), media_type="application/json"))


@get(
    "/runs/{run:str}/messages",
    opt=VIEWER,
    operation_id="listMessages",
    summary="List who asked whom for what",
    description="The messages between requester, orchestrator, agents and people, oldest first, as the run's log tells "
    "them: each sub-task with its result, each question with its answer, and the verdict.",
    responses=success(MessageList, 200, "The messages", documented.MESSAGES) | failures(400, 404, 503),
)
async def messages(gateway: NamedDependency[Gateway], run: FromPath[str]) -> MessageList:
    """Return the messages of a run."""
    await gateway.require_run(run)
    happened = entries.known_events(await entries.read_raw_entries(gateway.bus, run))
    return MessageList(messages=list_messages(happened))


class _RawPage(msgspec.Struct, frozen=True, kw_only=True):
    """A JournalPage with raw entries."""

    messages: tuple[RawBatch, ...]
    cursor: int
    more: bool


HANDLERS = (show_node, journal, messages)
