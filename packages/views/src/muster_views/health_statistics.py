"""Judges a test by its sequence of passes and fails: healthy, flaky, broken since a run, or unknown. Pure.

The row is explained by the model that makes it most probable:

- healthy: it hardly ever fails;
- flaky: it fails now and then, without order;
- broken: it was healthy, and fails since a certain run;
- mended: it was broken for some runs in a row, and is healthy since.

Each model has a prior of its fail rate (a beta distribution), so a short history decides nothing it cannot know, and a
label is given only where its probability is high. A test that was surely broken stays so until it is surely mended.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import exp, lgamma, log, pi
from typing import Literal, NamedTuple

FEWEST_RUNS = 5
"""Judged runs below which a test's health is unknown, unless it has never passed."""
FEWEST_FAILS = 2
"""Fails below which no test is called flaky: a single one may as well be a bug that was mended at once."""
FEWEST_PASSES = 2
"""Passes in a row before which no broken test counts as mended."""
SURE = 0.7
"""Lowest probability at which an explanation is accepted. Below it the health is unknown, or stays broken."""

Health = Literal["healthy", "flaky", "broken", "unknown"]

_HEALTHY, _FLAKY, _BROKEN = (1.0, 500.0), (1.0, 4.0), (30.0, 0.6)
"""Priors of the fail rate: alpha and beta of a beta distribution.

Healthy claims a rate well below 1 in 100 (mean 1 in 500). Flaky rates are mostly low: 1 in 5 on average, and 1 in 20 is
more usual than 1 in 2.
"""
_SQUARES = pi**2 / 6
"""Sum of 1 / n² over all n: so probable is it that a bug stays for n runs, as most are mended soon."""
_LOG_PRIOR = {"healthy": log(0.80), "flaky": log(0.08), "broken": log(0.06), "mended": log(0.06)}


class _Explanation(NamedTuple):
    """A model, how probable it makes a history (logarithm), and where its break begins."""

    model: Literal["healthy", "flaky", "broken", "mended"]
    likelihood: float
    since: int = 0


class Told(NamedTuple):
    """What a history shows: the health, how probable it is, and the index of the fail that broke the test."""

    health: Health
    sure: float = 0.0
    broken: int | None = None


@lru_cache(20_000)
def explain(fails: tuple[bool, ...]) -> Told:
    """Return the health that a history shows."""
    if fails and all(fails):
        return Told("broken", 0.0, 0) if len(fails) > 1 else Told("unknown")
    if len(fails) < FEWEST_RUNS:
        return Told("unknown")
    found = _explanations(fails)
    best = max(found, key=lambda one: one.likelihood)
    probability = _probabilities(found)
    too_soon = best.model == "mended" and any(fails[-FEWEST_PASSES:])
    if probability[_health(best)] < SURE or too_soon:
        return _still_broken(fails, probability)
    if best.model == "flaky" and sum(fails) < FEWEST_FAILS:
        return Told("unknown")
    return Told(_health(best), probability[_health(best)], best.since if best.model == "broken" else None)


def _still_broken(fails: tuple[bool, ...], probability: Mapping[Health, float]) -> Told:
    """Return that a test is broken still if it was before its newest passes, and these may be luck or a mended bug.

    A test that was broken for twenty runs and passes once is no riddle to who reads the list: until it has surely been
    mended it counts as broken.
    """
    if fails[-1] or not any(fails) or probability.get("flaky", 0.0) > 1 - SURE:
        return Told("unknown")
    before = len(fails) - fails[::-1].index(True)
    earlier = explain(fails[:before])
    broken = earlier.health == "broken" and "broken" in probability
    return Told("broken", probability["broken"], earlier.broken) if broken else Told("unknown")


def _explanations(fails: tuple[bool, ...]) -> list[_Explanation]:
    """Return each explanation of a history: one of each constant model, and one for each place of a break."""
    count = len(fails)
    sums = [0]
    for failed in fails:
        sums.append(sums[-1] + failed)

    def of(prior: tuple[float, float], start: int, end: int) -> float:
        return _evidence(prior, sums[end] - sums[start], end - start)

    starts = [at for at in range(1, count) if fails[at] and not fails[at - 1]]
    ends = [at for at in range(2, count) if not fails[at] and fails[at - 1]]
    found = [
        _Explanation("healthy", _LOG_PRIOR["healthy"] + of(_HEALTHY, 0, count)),
        _Explanation("flaky", _LOG_PRIOR["flaky"] + of(_FLAKY, 0, count)),
    ]
    for start in starts:
        prior = -log(count)
        broken = of(_HEALTHY, 0, start) + of(_BROKEN, start, count)
        found.append(_Explanation("broken", _LOG_PRIOR["broken"] + prior + broken, start))
    for start in (0, *starts):
        for end in ends:
            if end - start >= 2:
                around = of(_HEALTHY, 0, start) + of(_BROKEN, start, end) + of(_HEALTHY, end, count)
                prior = -log(count) - log(_SQUARES * (end - start) ** 2)
                found.append(_Explanation("mended", _LOG_PRIOR["mended"] + prior + around))
    return found


def _health(explanation: _Explanation) -> Health:
    return "healthy" if explanation.model == "mended" else explanation.model


def _probabilities(found: Sequence[_Explanation]) -> dict[Health, float]:
    """Return how probable each health is, by its best explanation."""
    best: dict[Health, float] = {}
    for one in found:
        best[_health(one)] = max(one.likelihood, best.get(_health(one), one.likelihood))
    most = max(best.values())
    total = sum(exp(likelihood - most) for likelihood in best.values())
    return {health: exp(likelihood - most) / total for health, likelihood in best.items()}


@cache
def _evidence(prior: tuple[float, float], failed: int, runs: int) -> float:
    """Return the logarithm of the probability of a certain history with so many fails, over all fail rates."""
    alpha, beta = prior
    return _log_beta(alpha + failed, beta + runs - failed) - _log_beta(alpha, beta)


def _log_beta(alpha: float, beta: float) -> float:
    return lgamma(alpha) + lgamma(beta) - lgamma(alpha + beta)
