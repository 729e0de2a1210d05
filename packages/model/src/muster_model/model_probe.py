"""Tests whether the configured models answer, call tools, follow a schema and recognise pictures."""

from time import perf_counter
from typing import NamedTuple

from msgspec import Struct

from muster_model.chat_messages import Image, ImageUrl, Message, Reply, System, Text, User
from muster_model.endpoint import Models, connected_models
from muster_model.model_errors import ModelError
from muster_model.settings import TIERS, ModelSettings, Tier
from muster_model.structured_answers import Unparsable, ask_structured
from muster_protocol.kinds import TierName

RED_SQUARE = (
    "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKElEQVR4nO3NsQ0AAAzCMP5/un0CNkuZ41wybXsHAAAAAAAAAAAA"
    "xR4yw/wuPL6QkAAAAABJRU5ErkJggg=="
)
"""A PNG of 32 by 32 red pixels, in base64."""


class ProbeResult(NamedTuple):
    """The result of testing one model."""

    variable: str
    model: str
    ok: bool
    detail: str


class Sum(Struct, frozen=True, forbid_unknown_fields=True):
    """The schema of the answer in the test."""

    sum: int


async def try_models(settings: ModelSettings) -> list[ProbeResult]:
    """Test each configured model; empty if none is configured."""
    async with connected_models(settings) as models:
        if models is None:
            return []
        return [await _probe(models, name, tier) for name in TIERS if (tier := models.tier(name))]


async def _probe(models: Models, name: TierName, tier: Tier) -> ProbeResult:
    variable = f"{name.upper()}_MODEL"
    started = perf_counter()
    try:
        problem = await {"orchestrator": _check_shape, "sub_agent": _check_calls, "vision": _check_vision}[name](
            models, tier
        )
    except (ModelError, Unparsable) as error:
        return ProbeResult(variable, tier.model, ok=False, detail=str(error))
    seconds = perf_counter() - started
    return ProbeResult(
        variable, tier.model, ok=not problem, detail=problem or f"{tier.endpoint.address} answers in {seconds:.1f} s"
    )


async def _check_shape(models: Models, tier: Tier) -> str:
    async def ask(messages: tuple[Message, ...], response_format: dict[str, object]) -> Reply:
        return await models.ask(tier, messages, response_format=response_format, max_tokens=200)

    found = await ask_structured(ask, (System("You add numbers."), User("What is 2 and 3?")), Sum)
    return "" if found.sum == 5 else f"follows the schema, but answers that 2 and 3 is {found.sum}"


async def _check_calls(models: Models, tier: Tier) -> str:
    parameters = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    tool = {"type": "function", "function": {"name": "say", "description": "Say a word.", "parameters": parameters}}
    reply = await models.ask(tier, (User('Call the tool say with the word "muster".'),), tools=[tool], max_tokens=200)
    if any("muster" in call.function.arguments for call in reply.calls):
        return ""
    written = "muster" in reply.text and "say" in reply.text
    return "" if written else f"calls no tool: {(reply.text or 'an empty answer')[:100]!r}"


async def _check_vision(models: Models, tier: Tier) -> str:
    picture = Image(ImageUrl(f"data:image/png;base64,{RED_SQUARE}"))
    question = Text("Which colour is this picture? Answer with one word.")
    reply = await models.ask(tier, (User((question, picture)),), max_tokens=50)
    return "" if "red" in reply.text.casefold() else f"was shown a red square and answers {reply.text[:60]!r}"
