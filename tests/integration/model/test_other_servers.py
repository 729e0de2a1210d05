"""Endpoints that say they are compatible, and ignore or refuse what others take: as Anthropic's for OpenAI's clients.

It ignores `response_format`, `strict` and `seed`, hoists messages of the system, and refuses a temperature, an answer
that is begun for it, and text of white space alone (https://platform.claude.com/docs/en/api/openai-sdk).
"""

from typing import Any

import pytest
from model_server import Answer, Asked, model_server, refuses, says
from msgspec import Struct

from muster_model import ContextFull, Models, ModelSettings, Reply, System, User, ask_structured, connected_models
from muster_model.chat_messages import Assistant, Message

MESSAGES: tuple[Message, ...] = (System("You look at a page."), User("What do you see?"))


class Colour(Struct, frozen=True, forbid_unknown_fields=True):
    """A shape to be answered in."""

    name: str


def strict_server(asked: Asked) -> Answer:
    """Answer as such an endpoint does."""
    texts = [message.get("content") for message in asked.messages]
    if "temperature" in asked.body:
        return refuses(400, "`temperature` is deprecated for this model.")
    if any(isinstance(text, str) and not text.strip() for text in texts):
        return refuses(400, "messages: text content blocks must contain non-whitespace text")
    if asked.messages[-1]["role"] == "assistant":
        return refuses(400, "This model does not support assistant message prefill.")
    if sum(len(str(text)) for text in texts) > 5_000:
        return refuses(400, "prompt is too long: 210000 tokens > 200000 maximum")
    if asked.number == 1:
        return says("It is red, I think.")
    return says('Of course:\n{"name": "red"}')


async def ask(models: Models, messages: tuple[Message, ...], **more: Any) -> Reply:
    tier = models.tier("sub_agent")
    assert tier is not None
    return await models.ask(tier, messages, **more)


async def test_what_such_a_server_refuses_is_left_out_and_what_it_ignores_is_asked_for_in_words():
    with model_server(strict_server) as server:
        settings = ModelSettings(openai_base_url=server.url, sub_agent_model="small", model_retries=0)
        async with connected_models(settings) as models:
            assert models is not None

            async def shaped(messages: tuple[Message, ...], form: dict[str, Any]) -> Reply:
                return await ask(models, messages, response_format=form)

            assert await ask_structured(shaped, MESSAGES, Colour) == Colour("red")
            assert [("temperature" in it.body, "response_format" in it.body) for it in server.asked] == [
                (True, True),
                (False, True),
                (False, True),
            ]
            turns = (*MESSAGES, Assistant("It is red."), User("Sure?"))
            assert "red" in (await ask(models, turns)).text
            with pytest.raises(ContextFull):
                await ask(models, (System("You look."), User("x" * 9_000)))


@pytest.mark.parametrize(
    "said",
    [
        "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
        "Input is too long for requested model.",
        "This model's maximum context length is 4096 tokens",
        "The prompt is too long",
    ],
)
async def test_too_long_is_told_apart_in_whatever_words(said: str):
    def script(asked: Asked) -> Answer:
        return refuses(400, said)

    with model_server(script) as server:
        settings = ModelSettings(openai_base_url=server.url, sub_agent_model="small", model_retries=0)
        async with connected_models(settings) as models:
            assert models is not None
            with pytest.raises(ContextFull):
                await ask(models, MESSAGES)
    assert len(server.asked) == 1, "it was asked again without a parameter"
