"""Calls models over HTTP, with retries, timeouts, unsupported parameters, usage and cost."""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from time import perf_counter
from typing import Any, cast

import httpx
import openai
import structlog
from openai.types.chat import ChatCompletion
from opentelemetry.trace import Span

from muster_model import metrics
from muster_model.chat_messages import AskedCall, Function, Message, Reply, to_json
from muster_model.settings import TIERS, Endpoint, ModelSettings, Tier, tier_of
from muster_model.textual_calls import describe_tools
from muster_protocol.kinds import TierName
from muster_protocol.tool_calls import Usage
from muster_service import tracing

log = structlog.get_logger("muster.subagent")


class ModelError(Exception):
    """The endpoint gave no usable answer; says what to do."""


class ModelUnusable(ModelError):
    """The key, the model's name or the address is wrong; retrying is useless."""


class ContextFull(ModelError):
    """The question is too long for the model."""


class Models:
    """The models of one worker, with their endpoints."""

    def __init__(self, clients: Mapping[Endpoint, openai.AsyncOpenAI], settings: ModelSettings) -> None:
        self._clients, self._settings = clients, settings
        self._without: dict[tuple[str, str], set[str]] = {}
        """Parameters that a model's server has refused, by address and model."""

    def tier(self, name: TierName) -> Tier | None:
        """Return the model of a tier, or None if none is set."""
        return tier_of(self._settings, name)

    async def ask(
        self,
        tier: Tier,
        messages: tuple[Message, ...],
        *,
        tools: Sequence[dict[str, Any]] = (),
        response_format: dict[str, Any] | None = None,
        max_tokens: int = 0,
    ) -> Reply:
        """Ask a model and return its reply; network errors and busy servers are retried.

        Raises:
            ModelUnusable: key, model or address is wrong.
            ContextFull: the question is too long for the model.
            ModelError: no usable answer.
        """
        wanted: dict[str, Any] = {
            "model": tier.model,
            "messages": to_json(messages),
            "max_tokens": max_tokens or tier.max_tokens,
            "temperature": tier.temperature,
        }
        if tools:
            wanted["tools"] = list(tools)
        if response_format:
            wanted["response_format"] = response_format
        started = perf_counter()
        with _trace(tier) as span:
            try:
                answer = await self._ask_adapting(tier, wanted)
            except Exception as error:
                metrics.count_model_fault(tier.model, perf_counter() - started, error)
                raise
            reply = _reply(answer, tier)
            metrics.count_model_call(tier.model, perf_counter() - started, reply.usage)
            span.set_attribute("gen_ai.usage.input_tokens", reply.usage.input_tokens)
            span.set_attribute("gen_ai.usage.output_tokens", reply.usage.output_tokens)
        return reply

    async def _ask_adapting(self, tier: Tier, wanted: dict[str, Any]) -> ChatCompletion:
        """Send a request; send it again without parameters that the server rejects."""
        refused = self._without.setdefault((tier.endpoint.url, tier.model), set())
        for _ in range(4):
            try:
                return await self._send(tier, _without(wanted, refused))
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                culprit = _refused_parameter(error.message, wanted, refused)
                if not culprit:
                    raise self._explain(error, tier) from error
                refused.add(culprit)
                log.info("model server rejects a parameter; leaving it out", model=tier.model, parameter=culprit)
        raise ModelError(f"model {tier.model!r}: its server refuses every form of the request")

    async def _send(self, tier: Tier, wanted: dict[str, Any]) -> ChatCompletion:
        client, endpoint = self._clients[tier.endpoint], tier.endpoint
        try:
            answer = cast("object", await client.chat.completions.create(**wanted))
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            raise
        except (openai.OpenAIError, httpx.HTTPError, ValueError) as error:
            raise self._explain(error, tier) from error
        if not isinstance(answer, ChatCompletion):
            raise ModelUnusable(f"{endpoint.address} is no chat-completions API: set {endpoint.url_setting}")
        return answer

    def _explain(self, error: Exception, tier: Tier) -> ModelError:
        """Return the error to raise for an error of the client; says what to do."""
        where, model = tier.endpoint, tier.model
        match error:
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return ModelUnusable(f"{where.address} refuses the key: set {where.key_setting}")
            case openai.NotFoundError():
                return ModelUnusable(
                    f"{where.address} knows no model {model!r}, or is no such API: {_first_line(error)}"
                )
            case openai.APIStatusError() if _is_too_long(error):
                return ContextFull(f"model {model!r}: the question is longer than it takes: {_first_line(error)}")
            case openai.APIStatusError():
                return ModelError(f"{where.address} answers HTTP {error.status_code}: {_first_line(error)}")
            case openai.APITimeoutError():
                seconds = self._settings.model_timeout_seconds
                return ModelError(f"model {model!r} did not answer within {seconds:g} s (MODEL_TIMEOUT_SECONDS)")
            case openai.APIConnectionError():
                hint = f"is the server running, is {where.url_setting} right?"
                return ModelError(f"nobody answers at {where.address}: {hint}")
            case _:
                return ModelError(f"{where.address} gives an answer that cannot be read: {_first_line(error)}")


@asynccontextmanager
async def connected_models(settings: ModelSettings) -> AsyncGenerator[Models | None]:
    """Yield the configured models, or None if there are none."""
    tiers = [tier for name in TIERS if (tier := tier_of(settings, name))]
    if not tiers:
        yield None
        return
    async with AsyncExitStack() as stack:
        clients: dict[Endpoint, openai.AsyncOpenAI] = {}
        for tier in tiers:
            metrics.begin_model(tier.model)
            if tier.endpoint not in clients:
                clients[tier.endpoint] = await stack.enter_async_context(_client(tier.endpoint, settings))
        yield Models(clients, settings)


def _client(endpoint: Endpoint, settings: ModelSettings) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        api_key=endpoint.key or "none",
        base_url=endpoint.url or "https://api.openai.com/v1",
        timeout=settings.model_timeout_seconds,
        max_retries=settings.model_retries,
    )


_OPTIONAL = ("response_format", "temperature", "max_tokens", "tools")
_UNKNOWN = ("unsupported", "not support", "unknown", "unrecognized", "not permitted", "invalid", "extra", "not allowed")


def _without(wanted: dict[str, Any], refused: set[str]) -> dict[str, Any]:
    """Return the request without refused parameters.

    Without `tools`, the prompt describes them; without `max_tokens`, newer servers take `max_completion_tokens`.
    """
    request = {name: value for name, value in wanted.items() if name not in refused}
    if "tools" in refused and "tools" in wanted:
        request["messages"] = describe_tools(wanted["messages"], wanted["tools"])
    if "max_tokens" in refused and "max_tokens" in wanted:
        request["max_completion_tokens"] = wanted["max_tokens"]
    return request


def _refused_parameter(message: str, wanted: dict[str, Any], refused: set[str]) -> str:
    """Return the parameter that a refusal names, if it can be left out, else ""."""
    said = message.casefold()
    if not any(word in said for word in _UNKNOWN):
        return ""
    left = [name for name in _OPTIONAL if name in wanted and name not in refused]
    return next((name for name in left if name in said or (name == "response_format" and "json_schema" in said)), "")


def _is_too_long(error: openai.APIStatusError) -> bool:
    said = str(error).casefold()
    return "context" in said and any(word in said for word in ("length", "exceed", "maximum", "too long", "size"))


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:300]


def _reply(answer: ChatCompletion, tier: Tier) -> Reply:
    """Return an answer as a `Reply`; servers leave out fields that the API promises."""
    choices = cast("list[Any]", answer.choices or [])
    usage = _usage(answer.usage, tier)
    if not choices or choices[0].message is None:
        return Reply(usage=usage)
    said = choices[0].message
    content = cast("object", said.content)
    text = content if isinstance(content, str) else ""
    refusal = getattr(said, "refusal", None)
    asked = [call for call in said.tool_calls or () if getattr(call, "function", None) is not None]
    return Reply(
        text=text or (refusal if isinstance(refusal, str) else ""),
        calls=tuple(_call(call.id, call.function.name, call.function.arguments, n) for n, call in enumerate(asked)),
        usage=usage,
        cut=choices[0].finish_reason == "length",
    )


def _call(id: str | None, name: str | None, arguments: object, number: int) -> AskedCall:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return AskedCall(id=id or f"call_{number}", function=Function(str(name or ""), text or "{}"))


def _usage(usage: object, tier: Tier) -> Usage:
    into = int(getattr(usage, "prompt_tokens", 0) or 0)
    out = int(getattr(usage, "completion_tokens", 0) or 0)
    return Usage(model_calls=1, input_tokens=into, output_tokens=out, cost=tier.price.of(into, out))


def _trace(tier: Tier) -> AbstractContextManager[Span]:
    """Record a request as a span, without its text."""
    attributes = {
        "gen_ai.operation.name": metrics.OPERATION["gen_ai_operation_name"],
        "gen_ai.provider.name": metrics.OPERATION["gen_ai_provider_name"],
        "gen_ai.request.model": tier.model,
        "gen_ai.request.max_tokens": tier.max_tokens,
        "gen_ai.request.temperature": tier.temperature,
    }
    return tracing.span(f"chat {tier.model}", attributes, kind=tracing.CLIENT)
