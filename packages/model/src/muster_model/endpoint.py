"""Calls models: omits parameters that a server rejects, and counts usage and cost. Thin."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from math import isfinite
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import structlog
from opentelemetry.trace import Span

from muster_model import metrics
from muster_model.chat_messages import AskedCall, Function, Message, Reply, count_tokens, to_json
from muster_model.minute_budgets import OUTGOING, Outgoing, Pace
from muster_model.model_errors import ContextFull, ModelError, RequestRefused
from muster_model.other_keys import FIND_KEY
from muster_model.reply_parser import describe_tools
from muster_model.settings import TIERS, Endpoint, ModelSettings, Tier, tier_of
from muster_model.traced_content import answer_attributes, finish, question_attributes
from muster_protocol.assignments import TierName
from muster_protocol.codec import with_whole_characters
from muster_protocol.tool_calls import Usage
from muster_service import tracing
from muster_text.hidden_text import drop_hidden

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

    from muster_model.openai_client import ChatClient

log = structlog.get_logger("muster.subagent")


def _tell_nobody(_: float) -> None:
    pass


class Models:
    """The models of one worker, with their endpoints."""

    def __init__(self, clients: "Mapping[Endpoint, ChatClient]", settings: ModelSettings, pace: Pace | None) -> None:
        self._clients, self._settings, self._pace = clients, settings, pace
        self._without: dict[tuple[str, str], set[str]] = {}
        """Parameters that a model's server has refused, by address and model."""

    def tier(self, name: TierName) -> Tier | None:
        """Return the model of a tier, or None if none is configured."""
        return tier_of(self._settings, name)

    async def ask(
        self,
        tier: Tier,
        messages: tuple[Message, ...],
        *,
        tools: Sequence[dict[str, Any]] = (),
        response_format: dict[str, Any] | None = None,
        max_tokens: int = 0,
        told: Callable[[float], None] = _tell_nobody,
    ) -> Reply:
        """Ask a model and return its reply; network errors and busy servers are retried.

        `told` gets the seconds that the question has to wait for the fleet's budget, before it does.

        Raises:
            ModelUnusable: the key, model or address is wrong.
            ContextFull: the request is too long for the model.
            ModelError: the model gave no usable answer.
        """
        wanted = _request(tier, messages, tools, response_format, max_tokens)
        reckoned = count_tokens(messages, json.dumps(wanted.get("tools", "")))
        OUTGOING.set(Outgoing(reckoned, told))
        started = perf_counter()
        with _trace(tier, wanted) as span:
            if self._settings.model_trace_content:
                span.set_attributes(question_attributes(messages, tools))
            try:
                answer = await self._ask_adapting(tier, wanted)
            except Exception as error:
                metrics.count_model_fault(tier.model, perf_counter() - started, error)
                raise
            reply = _read_reply(answer, tier)
            metrics.count_model_call(tier.model, perf_counter() - started, reply.usage)
            if self._pace:
                self._pace.settle(tier.endpoint, reply.usage.tokens - reckoned)
            _tell_answer(span, answer, reply, tier)
            if self._settings.model_trace_content:
                span.set_attributes(answer_attributes(reply))
        return reply

    async def _ask_adapting(self, tier: Tier, wanted: dict[str, Any]) -> "ChatCompletion":
        """Send a request; send it again without parameters that the server rejects."""
        refused = self._without.setdefault((tier.endpoint.url, tier.model), set())
        key = await FIND_KEY.get()(tier.endpoint)
        for _ in range(4):
            try:
                return await self._clients[tier.endpoint].complete(_without(wanted, refused), key)
            except RequestRefused as refusal:
                culprit = _find_refused_parameter(refusal, wanted, refused)
                if not culprit:
                    raise refusal.error from refusal
                refused.add(culprit)
                log.info("model server rejects a parameter; omitting it", model=tier.model, parameter=culprit)
        raise ModelError(f"model {tier.model!r}: its server rejects the request even without optional parameters")


@asynccontextmanager
async def connected_models(settings: ModelSettings, pace: Pace | None = None) -> AsyncGenerator[Models | None]:
    """Yield the configured models, or None if there are none; `pace` is the budget that they share with others."""
    tiers = [tier for name in TIERS if (tier := tier_of(settings, name))]
    if not tiers:
        yield None
        return
    # The client's library takes a second to load; a worker without a model does not need it.
    from muster_model.openai_client import ChatClient  # noqa: PLC0415

    async with AsyncExitStack() as stack:
        clients: dict[Endpoint, ChatClient] = {}
        for tier in tiers:
            metrics.begin_model(tier.model)
            if tier.endpoint not in clients:
                clients[tier.endpoint] = await stack.enter_async_context(ChatClient(tier.endpoint, settings, pace))
        yield Models(clients, settings, pace)


_OPTIONAL = ("response_format", "temperature", "max_tokens", "tools")
_UNKNOWN = ("unsupported", "not support", "unknown", "unrecognized", "not permitted", "invalid", "extra", "not allowed")
_MARKS = "`'\""
"""What surrounds the name of a parameter in an error message, however the rest is worded."""


def _request(
    tier: Tier,
    messages: tuple[Message, ...],
    tools: Sequence[dict[str, Any]],
    response_format: dict[str, Any] | None,
    max_tokens: int,
) -> dict[str, Any]:
    """Return a request of the API; `max_tokens` of 0 means the tier's."""
    wanted: dict[str, Any] = {
        "model": tier.model,
        "messages": to_json(messages),
        "max_tokens": max_tokens or tier.max_tokens,
        "temperature": tier.temperature,
    }
    if tools:
        wanted["tools"] = json.loads(drop_hidden(json.dumps(list(tools), ensure_ascii=False)))
    if response_format:
        wanted["response_format"] = response_format
    return wanted


def _tell_answer(span: Span, answer: "ChatCompletion", reply: Reply, tier: Tier) -> None:
    """Record an answer in its span, without its content."""
    span.set_attributes(
        {
            "gen_ai.usage.input_tokens": reply.usage.input_tokens,
            "gen_ai.usage.output_tokens": reply.usage.output_tokens,
            "gen_ai.usage.cache_read.input_tokens": reply.usage.cached_tokens,
            "gen_ai.response.finish_reasons": [finish(reply)],
            "gen_ai.response.model": answer.model or tier.model,
            "gen_ai.response.id": answer.id or "",
        }
    )


def _without(wanted: dict[str, Any], refused: set[str]) -> dict[str, Any]:
    """Return the request without refused parameters.

    If `tools` is refused, the prompt describes them; if `max_tokens` is, `max_completion_tokens` replaces it.
    """
    request = {name: value for name, value in wanted.items() if name not in refused}
    if "tools" in refused and "tools" in wanted:
        request["messages"] = describe_tools(wanted["messages"], wanted["tools"])
    if "max_tokens" in refused and "max_tokens" in wanted:
        request["max_completion_tokens"] = wanted["max_tokens"]
    return request


def _find_refused_parameter(refusal: RequestRefused, wanted: dict[str, Any], refused: set[str]) -> str:
    """Return the optional parameter that a server refuses, or ""."""
    if isinstance(refusal.error, ContextFull):
        return ""
    said = refusal.message.casefold()
    left = [name for name in _OPTIONAL if name in wanted and name not in refused]
    named = [it for it in left if it == refusal.parameter or any(f"{mark}{it}{mark}" in said for mark in _MARKS)]
    if named or not any(word in said for word in _UNKNOWN):
        return next(iter(named), "")
    return next((name for name in left if name in said or (name == "response_format" and "json_schema" in said)), "")


def _read_reply(answer: "ChatCompletion", tier: Tier) -> Reply:
    """Return an answer as a `Reply`; tolerates that servers omit fields of the API, or write other things there."""
    first = next(iter(_listed(answer.choices)), None)
    said = getattr(first, "message", None)
    asked = [it for it in _listed(getattr(said, "tool_calls", None)) if hasattr(getattr(it, "function", None), "name")]
    return Reply(
        text=_text_of(getattr(said, "content", None)) or _text_of(getattr(said, "refusal", None)),
        calls=tuple(_make_call(call, number) for number, call in enumerate(asked)),
        usage=_read_usage(answer.usage, tier),
        cut=getattr(first, "finish_reason", "") == "length",
        withheld=getattr(first, "finish_reason", "") == "content_filter",
    )


def _listed(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _text_of(content: object) -> str:
    """Return a content as text: a string, or the texts among parts."""
    if isinstance(content, str):
        return with_whole_characters(content)
    texts = [cast("dict[str, object]", part).get("text") for part in _listed(content) if isinstance(part, dict)]
    return with_whole_characters("".join(text for text in texts if isinstance(text, str)))


def _make_call(call: object, number: int) -> AskedCall:
    function = getattr(call, "function", None)
    name, arguments = getattr(function, "name", None), getattr(function, "arguments", None)
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return AskedCall(
        id=with_whole_characters(str(getattr(call, "id", None) or f"call_{number}")),
        function=Function(with_whole_characters(str(name or "")), with_whole_characters(text or "{}")),
    )


def _read_usage(usage: object, tier: Tier) -> Usage:
    into = _counted(usage, "prompt_tokens")
    out = _counted(usage, "completion_tokens")
    details = getattr(usage, "prompt_tokens_details", None)
    cached = min(into, _counted(details, "cached_tokens") or _counted(usage, "prompt_cache_hit_tokens"))  # DeepSeek's
    cost = tier.price.of(into, out, cached)
    return Usage(model_calls=1, input_tokens=into, output_tokens=out, cached_tokens=cached, cost=cost)


def _counted(where: object, name: str) -> int:
    """Return a count of tokens; 0 for anything that is not a positive number."""
    value = getattr(where, name, None)
    return int(value) if isinstance(value, int | float) and isfinite(value) and value > 0 else 0


def _trace(tier: Tier, wanted: dict[str, Any]) -> AbstractContextManager[Span]:
    """Record a request as a span, without its content."""
    attributes = {
        "server.address": urlsplit(tier.endpoint.url).hostname or "api.openai.com",
        "gen_ai.operation.name": metrics.OPERATION["gen_ai_operation_name"],
        "gen_ai.provider.name": metrics.OPERATION["gen_ai_provider_name"],
        "gen_ai.request.model": tier.model,
        "gen_ai.request.max_tokens": wanted["max_tokens"],
        "gen_ai.request.temperature": tier.temperature,
    }
    return tracing.span(f"chat {tier.model}", attributes, kind=tracing.CLIENT)
