"""Answers in a given schema: from the server's structured output if it supports that, else parsed from the text."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from muster_model.asked_calls import MOST_VAIN, TOO_MANY
from muster_model.chat_messages import Assistant, Message, Reply, User
from muster_model.spoken_text import spoken

T = TypeVar("T", bound=Struct)
UNREAD = 600
"""Characters of an invalid answer that the model sees when it is asked again."""
Ask = Callable[[tuple[Message, ...], dict[str, Any]], Awaitable[Reply]]
"""Asks a model with messages and a `response_format`."""


class Unparsable(Exception):
    """The model gave no answer in the schema, even after it had seen the error."""


async def ask_structured(ask: Ask, messages: tuple[Message, ...], kind: type[T]) -> T:
    """Ask a model and return its answer as `kind`; if the answer is invalid, ask once more.

    Raises:
        Unparsable: the second answer is invalid, too.
        Exception: whatever `ask` raises.
    """
    wanted = describe_shape(messages, kind)
    reply = await ask(wanted, response_format(kind))
    try:
        return read_object(reply.text, kind)
    except ValueError as error:
        again = f"That could not be read: {error}. Answer with the JSON object alone."
        unread = Assistant(reply.text[:UNREAD] or "(nothing)")
        reply = await ask((*wanted, unread, User(again)), response_format(kind))
    try:
        return read_object(reply.text, kind)
    except ValueError as error:
        raise Unparsable(f"the model gave no valid answer: {error}") from error


def describe_shape(messages: tuple[Message, ...], kind: type[Struct]) -> tuple[Message, ...]:
    """Return the messages, followed by the schema of the answer. Pure."""
    schema = json.dumps(_schema(kind), separators=(",", ":"))
    return (*messages, User(f"Answer with one JSON object of this schema and nothing else:\n{schema}"))


def read_object(text: str, kind: type[T]) -> T:
    """Return the JSON object in a text that is a valid `kind`, ignoring the text around it and what was only thought.

    Pure.

    Raises:
        ValueError: there is none, or there are two that differ; the message says what is wrong with the last object.
    """
    problem = "there is no JSON object in it"
    aloud, at, vain, found = spoken(text).text, 0, 0, list[T]()
    while (at := aloud.find("{", at)) >= 0:
        if vain > MOST_VAIN:
            raise ValueError(TOO_MANY)
        try:
            value, end = json.JSONDecoder().raw_decode(aloud, at)
            found.append(msgspec.convert(value, kind))
            at = end
        except msgspec.ValidationError as error:
            problem, at, vain = str(error), at + 1, vain + 1
        except (ValueError, RecursionError):
            at, vain = at + 1, vain + 1
    if any(one != found[0] for one in found):
        raise ValueError("it holds two answers that differ")
    if not found:
        raise ValueError(problem)
    return found[0]


def response_format(kind: type[Struct]) -> dict[str, Any]:
    """Return the `response_format` that asks a server for answers in the schema of `kind`."""
    return {"type": "json_schema", "json_schema": {"name": kind.__name__, "strict": True, "schema": _schema(kind)}}


def _schema(kind: type[Struct]) -> dict[str, Any]:
    """Return the schema in strict form: all properties required, no others allowed."""
    schema = msgspec.json.schema(kind)
    definitions = schema.get("$defs", {})
    for part in definitions.values():
        if "properties" in part:
            part["required"] = list(part["properties"])
            part["additionalProperties"] = False
    return {**definitions.pop(kind.__name__), **({"$defs": definitions} if definitions else {})}
