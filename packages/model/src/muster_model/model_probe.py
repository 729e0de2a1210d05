"""Tests what the configured models can do."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

from muster_model.capability_probes import PROBES, Probe, Work
from muster_model.chat_messages import Message, Reply
from muster_model.endpoint import Models, connected_models
from muster_model.model_errors import ContextFull, ModelError, ModelUnusable
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
    answered: bool = True
    """Else the endpoint gave no answer, which says nothing of what the model can do."""


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
    """Return the results of a tier's probes; none is asked after one that shows that the endpoint does not answer."""
    tier, found = models.tier(name), list[ProbeResult]()
    if tier is None:
        return found
    for probe in _probes(name, thoroughly=thoroughly):
        found.append(await _try(models, name, tier, probe, first=not found))
        if not found[-1].answered:
            break
    return found


def _probes(name: TierName, *, thoroughly: bool) -> list[Probe]:
    needed = [probe for probe in PROBES if set(probe.needed_for) & set(WORK[name])]
    return needed if thoroughly else needed[:1]


async def _try(models: Models, name: TierName, tier: Tier, probe: Probe, *, first: bool) -> ProbeResult:
    async def ask(
        messages: tuple[Message, ...],
        tools: Sequence[dict[str, Any]] = (),
        response_format: dict[str, Any] | None = None,
    ) -> Reply:
        return await models.ask(tier, messages, tools=tools, response_format=response_format, max_tokens=_MAX_TOKENS)

    started, answered = perf_counter(), True
    try:
        problem = await probe.attempt(ask)
    except ModelError as error:
        problem = str(error)
        answered = not isinstance(error, ModelUnusable) and (not first or isinstance(error, ContextFull))
    detail = problem or f"{tier.endpoint.address} answers in {perf_counter() - started:.1f} s"
    needed_for: tuple[Work, ...] = tuple(work for work in probe.needed_for if work in WORK[name])
    return ProbeResult(f"{name.upper()}_MODEL", tier.model, probe.name, needed_for, not problem, detail, answered)


def unable(results: Sequence[ProbeResult]) -> tuple[Work, ...]:
    """Return the kinds of work that the probed models cannot do, since a probe that it needs failed. Pure."""
    return tuple(dict.fromkeys(work for it in results if it.answered and not it.ok for work in it.needed_for))
