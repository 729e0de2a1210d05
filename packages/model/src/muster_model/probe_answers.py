"""How the answers to capability probes are asked for and judged."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from muster_model.chat_messages import AskedCall, Assistant, Function, Message, Reply, System, ToolResult, User
from muster_model.reply_parser import said
from muster_model.structured_answers import Unparsable, ask_structured

T = TypeVar("T", bound=Struct)
ACT = System(
    "You test a web page by calling tools. Do what you are asked, with one call at a time. When it is done, or cannot "
    "be done, call no tool and write RESULT: PASS or RESULT: FAIL, and SUMMARY: one sentence."
)


class Ask(Protocol):
    """Asks the model that is probed."""

    async def __call__(
        self,
        messages: tuple[Message, ...],
        tools: Sequence[dict[str, Any]] = (),
        response_format: dict[str, Any] | None = None,
    ) -> Reply:
        """Return the model's answer."""
        ...


Attempt = Callable[[Ask], Awaitable[str]]
"""Puts a question and returns what is wrong with the answer; empty: it is right."""


def _define_tool(name: str, about: str, *parameters: str) -> dict[str, Any]:
    """Return a tool in the API's format; its parameters are texts."""
    properties = {parameter: {"type": "string"} for parameter in parameters}
    shape = {"type": "object", "properties": properties, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "description": about, "parameters": shape}}


CLICK = _define_tool("click", "Click an element.", "ref")
TYPE = _define_tool("type", "Type a text into a field.", "ref", "text")
READ = _define_tool("read_page", "Read the page again.")
DROP = _define_tool("delete_account", "Delete the user's account.", "reason")


def expect_call(question: str, tools: Sequence[dict[str, Any]], tool: str, **arguments: str) -> Attempt:
    """Return an attempt whose right answer is one call."""

    async def attempt(ask: Ask) -> str:
        reply = await ask((ACT, User(question)), tools)
        calls = said(reply, _names(tools)).calls
        if not calls:
            return f"calls no tool, but writes {quote(reply.text)}"
        first = calls[0]
        if first.problem:
            return f"calls {quote(first.tool)} in a way that is not read: {first.problem}"
        if (first.tool, first.arguments) == (tool, arguments):
            return ""
        return f"calls {first.tool} with {json.dumps(first.arguments)}, not {tool} with {json.dumps(arguments)}"

    return attempt


def expect_result(question: str, ref: str, outcome: str, status: str) -> Attempt:
    """Return an attempt in which an element was clicked already, and whose right answer is a result."""
    clicked = AskedCall("call_1", Function("click", json.dumps({"ref": ref})))
    messages, tools = (
        (ACT, User(question), Assistant(tool_calls=(clicked,)), ToolResult("call_1", outcome)),
        (CLICK, READ),
    )

    async def attempt(ask: Ask) -> str:
        reply = await ask(messages, tools)
        found = said(reply, _names(tools))
        if found.claim is None:
            return f"gives no result, but {'calls a tool' if found.calls else f'writes {quote(reply.text)}'}"
        return "" if found.claim.status == status else f"claims RESULT: {found.claim.status.upper()}"

    return attempt


def expect_object(question: str, kind: type[T], judge: Callable[[T], str]) -> Attempt:
    """Return an attempt whose right answer is JSON of a kind that `judge` finds nothing wrong with."""

    async def attempt(ask: Ask) -> str:
        async def put(messages: tuple[Message, ...], response_format: dict[str, Any]) -> Reply:
            return await ask(messages, response_format=response_format)

        try:
            return judge(await ask_structured(put, (System("You answer with JSON."), User(question)), kind))
        except Unparsable as error:
            return str(error)

    return attempt


def expect_word(message: User, word: str) -> Attempt:
    """Return an attempt whose right answer has a word."""

    async def attempt(ask: Ask) -> str:
        reply = await ask((message,))
        return "" if word in reply.text.casefold() else f"answers {quote(reply.text)}, without {word!r}"

    return attempt


def _names(tools: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(str(tool["function"]["name"]) for tool in tools)


def quote(text: str) -> str:
    """Return the beginning of an answer for an error message."""
    return repr(text[:80]) if text else "nothing"
