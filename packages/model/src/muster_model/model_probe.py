"""Tests what the configured models can do."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

from muster_model.capability_probes import PROBES, Probe, Work
from muster_model.chat_messages import Message, Reply
from muster_model.endpoint import Models, connected_models
from muster_model.model_errors import ModelError
from muster_model.settings import TIERS, ModelSettings, Tier
from muster_protocol.assignments import TierName

WORK: dict[TierName, tuple[Work, ...]] = {
    "orchestrator": ("plans",),
    "sub_agent": ("steps", "judging"),
    "vision": ("pictures",),
}
"""What the model of each tier is asked for."""
_MAX_TOKENS = 400


class ProbeResult(NamedTuple):
    """The result of one probe of one model."""

    variable: str
    """The setting that names the model."""
    model: str
    probe: str
    needed_for: tuple[Work, ...]
    ok: bool
    detail: str


async def try_models(settings: ModelSettings, *, thoroughly: bool = False) -> list[ProbeResult]:
    """Probe each configured model; empty if none is configured.

    Each gets the one probe that matters most to its tier; with `thoroughly` all that its work needs.
    """
    async with connected_models(settings) as models:
        if models is None:
            return []
        found: list[ProbeResult] = []
        for name in TIERS:
            found += await _try_tier(models, name, thoroughly=thoroughly)
        return found


async def _try_tier(models: Models, name: TierName, *, thoroughly: bool) -> list[ProbeResult]:
    tier = models.tier(name)
    return [await _try(models, name, tier, probe) for probe in _probes(name, thoroughly=thoroughly)] if tier else []


def _probes(name: TierName, *, thoroughly: bool) -> list[Probe]:
    needed = [probe for probe in PROBES if set(probe.needed_for) & set(WORK[name])]
    return needed if thoroughly else needed[:1]


async def _try(models: Models, name: TierName, tier: Tier, probe: Probe) -> ProbeResult:
    async def ask(
        messages: tuple[Message, ...],
        tools: Sequence[dict[str, Any]] = (),
        response_format: dict[str, Any] | None = None,
    ) -> Reply:
        return await models.ask(tier, messages, tools=tools, response_format=response_format, max_tokens=_MAX_TOKENS)

    started = perf_counter()
    try:
        problem = await probe.attempt(ask)
    except ModelError as error:
        problem = str(error)
    detail = problem or f"{tier.endpoint.address} answers in {perf_counter() - started:.1f} s"
    needed_for: tuple[Work, ...] = tuple(work for work in probe.needed_for if work in WORK[name])
    return ProbeResult(f"{name.upper()}_MODEL", tier.model, probe.name, needed_for, not problem, detail)


def unable(results: Sequence[ProbeResult]) -> tuple[Work, ...]:
    """Return the kinds of work that the probed models cannot do, since a probe that it needs failed. Pure."""
    return tuple(dict.fromkeys(work for it in results if not it.ok for work in it.needed_for))
