"""Which model does what: settings of the endpoint, and the tiers made of them."""

from typing import Annotated, NamedTuple

from msgspec import Meta

from muster_protocol.kinds import TierName
from muster_service.settings import BusSettings, SettingsError


class ModelSettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """The models of a worker; without a model named, it works by phrases alone."""

    openai_base_url: str = ""
    """Address of any OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1; empty: that of OpenAI."""
    openai_api_key: str = ""
    """Key of the endpoint; local servers take any."""
    orchestrator_model: str = ""
    """Model that plans cases and evaluates failures; empty: SUB_AGENT_MODEL."""
    orchestrator_max_tokens: Annotated[int, Meta(ge=1)] = 4096
    """Longest answer of that model, in tokens."""
    orchestrator_temperature: Annotated[float, Meta(ge=0, le=2)] = 0.1
    """Its temperature."""
    orchestrator_context_tokens: Annotated[int, Meta(ge=1024)] = 32768
    """Largest question to it and its answer together, in tokens."""
    sub_agent_model: str = ""
    """Model that carries out steps that are no known phrase; empty: ORCHESTRATOR_MODEL."""
    sub_agent_max_tokens: Annotated[int, Meta(ge=1)] = 2048
    """Longest answer of that model, in tokens."""
    sub_agent_temperature: Annotated[float, Meta(ge=0, le=2)] = 0.1
    """Its temperature."""
    sub_agent_context_tokens: Annotated[int, Meta(ge=1024)] = 8192
    """Largest question to it and its answer together, in tokens."""
    vision_model: str = ""
    """Model that answers questions about pictures; empty: pages are judged by their text."""
    model_timeout_seconds: Annotated[float, Meta(gt=0)] = 45.0
    """How long one request to a model may take."""
    model_retries: Annotated[int, Meta(ge=0)] = 2
    """How often a request is repeated after a time-out, a 429 or a 5xx; Retry-After is honoured."""
    model_prices: str = ""
    """Price of a million tokens in and out by model, as in `gpt-x=0.15/0.60,local=0/0`; others count as free."""


class Price(NamedTuple):
    """Money for a million tokens."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Return what so many tokens cost."""
        return (self.input * input_tokens + self.output * output_tokens) / 1e6


class Tier(NamedTuple):
    """A model with its bounds."""

    model: str
    max_tokens: int
    temperature: float
    context_tokens: int
    price: Price


def tier_of(settings: ModelSettings, name: TierName) -> Tier | None:
    """Return the model that a tier stands for, or None if none is set.

    Raises:
        SettingsError: the price table cannot be read.
    """
    s = settings
    prices = prices_of(s.model_prices)
    match name:
        case "orchestrator":
            model = s.orchestrator_model or s.sub_agent_model
            bounds = (s.orchestrator_max_tokens, s.orchestrator_temperature, s.orchestrator_context_tokens)
        case "sub_agent":
            model = s.sub_agent_model or s.orchestrator_model
            bounds = (s.sub_agent_max_tokens, s.sub_agent_temperature, s.sub_agent_context_tokens)
        case "vision":
            model = s.vision_model
            bounds = (s.sub_agent_max_tokens, s.sub_agent_temperature, s.sub_agent_context_tokens)
    return Tier(model, *bounds, prices.get(model, Price(0.0, 0.0))) if model else None


def prices_of(table: str) -> dict[str, Price]:
    """Return the price table by model.

    Raises:
        SettingsError: an entry is not `model=input/output`.
    """
    found: dict[str, Price] = {}
    for entry in (part.strip() for part in table.split(",")):
        name, _, both = entry.rpartition("=")
        if not entry:
            continue
        try:
            into, out = (float(number) for number in both.split("/"))
        except ValueError:
            wanted = "wanted: model=input/output, money for a million tokens"
            raise SettingsError(f"environment variable `MODEL_PRICES`: {entry!r} cannot be read; {wanted}") from None
        found[name] = Price(into, out)
    return found
