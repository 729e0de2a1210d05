"""HTTP routes for conversations: open, list, read, write, stop, delete."""

from typing import Annotated, TypeVar

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Meta, Struct

from muster_client.conversations import build_conversation, build_message, build_stop
from muster_client.runs import send_control
from muster_gateway.chat.chat_reader import find_conversation, read_chat, require_listening, require_writer
from muster_gateway.context import Gateway
from muster_gateway.description import chat_examples as documented
from muster_gateway.description.operation_docs import STEERED, failures, success
from muster_gateway.lists.run_list import sort_key
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access_roles import VIEWER
from muster_gateway.security.gate import Caller
from muster_gateway.submission import IdempotencyKey, submit_all
from muster_gateway.views import Steered
from muster_protocol.codec import decode_asked
from muster_protocol.control import LONGEST_MESSAGE, Cancel
from muster_protocol.logs import CONVERSATION, RunRow
from muster_protocol.requests import Role
from muster_views.chat_view import ChatView

T = TypeVar("T", bound=Struct)
LONGEST_LIST = 200


class OpenBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a conversation is opened with."""

    name: Annotated[str, Meta(max_length=300)] = ""
    agent: Annotated[str, Meta(max_length=63)] = ""
    """Empty: `assistant`."""


class SayBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_MESSAGE)]
    page: Annotated[str, Meta(max_length=500)] = ""
    """Path of the console's page that its writer looks at."""
    allow_auto_navigation: bool = False
    """Whether the agent may lead its writer to the page of a run."""


class Opened(Struct, frozen=True, kw_only=True):
    """A conversation that was opened."""

    conversation: str
    """Its id, which is that of its run."""


class ConversationList(Struct, frozen=True, kw_only=True):
    """The conversations, newest first, without those that were deleted."""

    conversations: tuple[RunRow, ...]


@post(
    "/conversations",
    opt=VIEWER,
    status_code=201,
    operation_class=documented.TAKES_CONVERSATION,
    operation_id="openConversation",
    summary="Open a conversation",
    description="With an agent, by default `assistant`. The agent has the rights of your key at most, and only you may "
    "write. Nothing runs before the first message.",
    responses=success(Opened, 201, "It is there", documented.OPENED) | failures(400, 409, 503),
)
async def open_conversation(
    request: AnyRequest, gateway: NamedDependency[Gateway], idempotency_key: IdempotencyKey = ""
) -> Response[Opened]:
    """Open a conversation."""
    body, caller = read_body(await request.body() or b"{}", OpenBody), _caller_of(request)
    gateway.require_bus()
    wanted = build_conversation(
        body.name, body.agent, by=caller.name, role=msgspec.convert(caller.role, Role), key=idempotency_key
    )
    [made] = await submit_all(gateway.bus, (wanted,))
    return Response(Opened(conversation=made.run), headers={"Location": f"/conversations/{made.run}"})


@get(
    "/conversations",
    opt=VIEWER,
    operation_id="listConversations",
    summary="List conversations",
    description="The newest 200, without deleted ones. One that waits for a message is `parked`.",
    responses=success(ConversationList, 200, "The conversations", documented.LIST) | failures(503),
)
async def list_conversations(gateway: NamedDependency[Gateway]) -> ConversationList:
    """Return the conversations."""
    gateway.require_bus()
    rows = [row for row in await gateway.listing.all() if row.job == CONVERSATION and row.cause != "cancelled"]
    return ConversationList(conversations=tuple(sorted(rows, key=sort_key, reverse=True)[:LONGEST_LIST]))


@get(
    "/conversations/{conversation:str}",
    opt=VIEWER,
    operation_id="showConversation",
    summary="Show a conversation",
    description="What was said, what it asks, and whether it is answering. The events of its answers come over the "
    "WebSocket at `/conversations/{conversation}/live`.",
    responses=success(ChatView, 200, "The conversation", documented.CHAT) | failures(404, 503),
)
async def show_conversation(gateway: NamedDependency[Gateway], conversation: FromPath[str]) -> ChatView:
    """Return a conversation."""
    return (await read_chat(gateway, conversation)).view


@post(
    "/conversations/{conversation:str}/messages",
    opt=VIEWER,
    status_code=202,
    operation_class=documented.TAKES_MESSAGE,
    operation_id="sayInConversation",
    summary="Write a message",
    description="Messages are answered one after another. The same `Idempotency-Key` says it once.",
    responses=success(Steered, 202, "The message is stored", STEERED) | failures(400, 404, 409, 413, 503),
)
async def say(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    conversation: FromPath[str],
    idempotency_key: IdempotencyKey = "",
) -> Steered:
    """Add a message."""
    body = read_body(await request.body(), SayBody)
    return await say_in(gateway, _caller_of(request), conversation, body, idempotency_key)


@post(
    "/conversations/{conversation:str}/stop",
    opt=VIEWER,
    status_code=202,
    operation_id="stopAnswer",
    summary="Stop an answer",
    description="Breaks off the answer in progress; runs that it has started go on. No effect without one.",
    responses=success(Steered, 202, "The answer ends", STEERED) | failures(404, 503),
)
async def stop(request: AnyRequest, gateway: NamedDependency[Gateway], conversation: FromPath[str]) -> Steered:
    """Break off the answer."""
    return await stop_in(gateway, _caller_of(request), conversation)


@delete(
    "/conversations/{conversation:str}",
    opt=VIEWER,
    status_code=204,
    operation_id="deleteConversation",
    summary="Delete a conversation",
    description="It ends and leaves the list; its log is kept as long as that of any run.",
    responses=failures(404, 503),
)
async def delete_conversation(
    request: AnyRequest, gateway: NamedDependency[Gateway], conversation: FromPath[str]
) -> None:
    """End a conversation."""
    job, caller = await find_conversation(gateway, conversation), _caller_of(request)
    if caller.role != "admin":
        require_writer(caller, conversation, job.by)
    await send_control(gateway.bus, conversation, Cancel(id="cancel", reason="deleted", by=caller.name))


async def say_in(gateway: Gateway, caller: Caller, conversation: str, body: SayBody, key: str) -> Steered:
    """Store a message; raise a Refusal if the conversation does not take it."""
    chat = await read_chat(gateway, conversation)
    require_writer(caller, conversation, chat.view.by)
    require_listening(chat)
    message = build_message(body.text, by=caller.name, page=body.page, leads=body.allow_auto_navigation, key=key)
    await send_control(gateway.bus, conversation, message)
    return Steered(run=conversation, changed=True)


async def stop_in(gateway: Gateway, caller: Caller, conversation: str) -> Steered:
    """Break off the answer in progress, if there is one."""
    chat = (await read_chat(gateway, conversation)).view
    require_writer(caller, conversation, chat.by)
    if chat.answering:
        await send_control(gateway.bus, conversation, build_stop(chat.answering, caller.name))
    return Steered(run=conversation, changed=bool(chat.answering))


def _caller_of(request: AnyRequest) -> Caller:
    """Return who sent a request."""
    return request.auth


def read_body(body: bytes, shape: type[T]) -> T:
    """Return a body; raise a Refusal if it is invalid. Pure."""
    try:
        return decode_asked(body, shape)
    except msgspec.DecodeError as error:
        raise Refusal(400, f"invalid body: {error}") from error


HANDLERS = (
    open_conversation,
    list_conversations,
    show_conversation,
    say,
    stop,
    delete_conversation,
)
