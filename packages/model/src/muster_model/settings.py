"""Settings of models and their endpoints, and the tiers that follow from them."""

import re
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, get_args
from urllib.parse import urlsplit

from msgspec import Meta

from muster_protocol.assignments import TierName
from muster_service.settings import BusSettings, SettingsError

TIERS: tuple[TierName, ...] = get_args(TierName)


class ModelSettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """The models of a worker; without any, it uses only phrases."""

    openai_base_url: str = ""
    """Address of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1; empty: OpenAI."""
    openai_api_key: str = ""
    """API key of the endpoint; local servers accept any."""
    orchestrator_base_url: str = ""
    """Endpoint of ORCHESTRATOR_MODEL; empty: OPENAI_BASE_URL."""
    orchestrator_api_key: str = ""
    """API key of ORCHESTRATOR_BASE_URL; empty: OPENAI_API_KEY."""
    orchestrator_model: str = ""
    """Model that plans cases and evaluates failures; empty: SUB_AGENT_MODEL."""
    orchestrator_max_tokens: Annotated[int, Meta(ge=1)] = 4096
    """Longest answer of ORCHESTRATOR_MODEL, in tokens."""
    orchestrator_temperature: Annotated[float, Meta(ge=0, le=2)] = 0.1
    """Temperature of ORCHESTRATOR_MODEL."""
    orchestrator_context_tokens: Annotated[int, Meta(ge=1024)] = 32768
    """Context of ORCHESTRATOR_MODEL: largest request and its answer together, in tokens."""
    sub_agent_base_url: str = ""
    """Endpoint of SUB_AGENT_MODEL; empty: OPENAI_BASE_URL."""
    sub_agent_api_key: str = ""
    """API key of SUB_AGENT_BASE_URL; empty: OPENAI_API_KEY."""
    sub_agent_model: str = ""
    """Model that carries out steps without a known phrase; empty: ORCHESTRATOR_MODEL."""
    sub_agent_max_tokens: Annotated[int, Meta(ge=1)] = 2048
    """Longest answer of SUB_AGENT_MODEL, in tokens."""
    sub_agent_temperature: Annotated[float, Meta(ge=0, le=2)] = 0.1
    """Temperature of SUB_AGENT_MODEL."""
    sub_agent_context_tokens: Annotated[int, Meta(ge=1024)] = 8192
    """Context of SUB_AGENT_MODEL: largest request and its answer together, in tokens."""
    vision_base_url: str = ""
    """Endpoint of VISION_MODEL; empty: OPENAI_BASE_URL."""
    vision_api_key: str = ""
    """API key of VISION_BASE_URL; empty: OPENAI_API_KEY."""
    vision_model: str = ""
    """Model that answers questions about pictures; empty: pages are judged only by their text."""
    model_timeout_seconds: Annotated[float, Meta(gt=0)] = 45.0
    """Longest time of one request to a model, in seconds."""
    model_retries: Annotated[int, Meta(ge=0)] = 2
    """Retries of a request after a timeout or a status 429 or 5xx; Retry-After is honoured."""
    model_requests_per_minute: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """Maximum number of requests per minute to each endpoint, over all workers; set the same value on all workers. 0:
    no limit."""
    model_tokens_per_minute: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """Maximum number of tokens per minute to and from each endpoint, over all workers. 0: no limit."""
    model_trace_content: bool = False
    """Put questions and answers of models into traces; they contain secrets only by name, but texts of pages
    unchanged."""
    model_prices: str = ""
    """Prices of a million input and output tokens by model, in US dollars: `gpt-x=0.15/0.60,local=0/0`; others are
    counted as free. A third price is that of input tokens that the server had cached: `gpt-x=0.15/0.60/0.075`."""


class Price(NamedTuple):
    """Prices of a million tokens, in US dollars."""

    input: float
    output: float
    cached: float | None = None
    """Of input tokens that the server had cached; None: as others."""

    def of(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float:
        """Return the cost in US dollars; cached tokens are among the input tokens."""
        less = (self.input - self.cached) * cached_tokens if self.cached is not None else 0.0
        return (self.input * input_tokens + self.output * output_tokens - less) / 1e6


@dataclass(frozen=True)
class Endpoint:
    """The address and key of an endpoint, and the settings they come from."""

    url: str
    """Empty: the OpenAI API."""
    key: str = field(repr=False)
    url_setting: str = field(compare=False)
    key_setting: str = field(compare=False)

    @property
    def address(self) -> str:
        """The address as shown in messages, without a password in it."""
        return re.sub(r"//[^/@]*@", "//", self.url) or "the OpenAI API"


class Tier(NamedTuple):
    """A model with its endpoint, limits and price."""

    model: str
    endpoint: Endpoint
    max_tokens: int
    temperature: float
    context_tokens: int
    price: Price

    @property
    def room(self) -> int:
        """Largest request that leaves room for the answer, in tokens."""
        return self.context_tokens - min(self.max_tokens, self.context_tokens // 4)


def tier_of(settings: ModelSettings, name: TierName) -> Tier | None:
    """Return the tier's model, or None if none is configured.

    Raises:
        SettingsError: `MODEL_PRICES` or the address of the tier's endpoint is invalid.
    """
    s = settings
    prices = prices_of(s.model_prices)
    lender: TierName = name
    match name:
        case "orchestrator":
            lender = name if s.orchestrator_model else "sub_agent"
            bounds = (s.orchestrator_max_tokens, s.orchestrator_temperature, s.orchestrator_context_tokens)
        case "sub_agent":
            lender = name if s.sub_agent_model else "orchestrator"
            bounds = (s.sub_agent_max_tokens, s.sub_agent_temperature, s.sub_agent_context_tokens)
        case "vision":
            bounds = (s.sub_agent_max_tokens, s.sub_agent_temperature, s.sub_agent_context_tokens)
    model: str = getattr(s, f"{lender}_model")
    return Tier(model, _endpoint(s, name, lender), *bounds, prices.get(model, Price(0.0, 0.0))) if model else None


def _endpoint(settings: ModelSettings, name: TierName, lender: TierName) -> Endpoint:
    """Return the endpoint of a tier: its own, else that of the tier `lender` whose model it uses, else the common one.

    The lender's key is sent only to the lender's address.
    """
    own = (name,) if getattr(settings, f"{name}_base_url") else (name, lender)
    candidates = (*own, "openai")

    def first(what: str) -> tuple[str, str]:
        fields = [f"{prefix}_{what}" for prefix in candidates]
        field = next((it for it in fields if getattr(settings, it)), fields[-1])
        return getattr(settings, field), field.upper()

    (url, url_setting), (key, key_setting) = first("base_url"), first("api_key")
    _check_address(url, url_setting)
    return Endpoint(url, key, url_setting, key_setting)


def _check_address(url: str, setting: str) -> None:
    try:
        parts = urlsplit(url)
        right = not url or (parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0)
    except ValueError:  # a port or an IPv6 address that is none
        right = False
    if not right or url != url.strip():
        raise SettingsError(
            f"environment variable `{setting}`: not an address of an endpoint; write http://HOST:PORT/v1 or https://…/v1"
        )


def prices_of(table: str) -> dict[str, Price]:
    """Parse a table of prices by model.

    Raises:
        SettingsError: an entry is not `model=input/output`.
    """
    found: dict[str, Price] = {}
    for entry in (part.strip() for part in table.split(",")):
        name, _, both = entry.rpartition("=")
        if not entry:
            continue
        try:
            into, out, *cached = (float(number) for number in both.split("/"))
            found[name] = Price(into, out, *cached)
        except (ValueError, TypeError):
            remedy = (
                "write model=input/output or model=input/output/cached, the prices of a million tokens in US dollars"
            )
            raise SettingsError(f"environment variable `MODEL_PRICES`: {entry!r} is invalid; {remedy}") from None
    return found
