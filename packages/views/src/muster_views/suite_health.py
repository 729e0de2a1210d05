"""Which tests of a suite can be trusted: their health over many runs, and fails that belong together. Pure.

The newest runs of a test are explained by the model that makes them most probable:

- healthy: it hardly ever fails;
- flaky: it fails now and then, without order;
- broken: it was healthy, and fails since a certain run;
- mended: it was broken for some runs in a row, and is healthy since.

Each model has a prior of its fail rate (a beta distribution), so a short history decides nothing it cannot know. Runs
that did not judge the product (cause `environment`, `agent`, `budget`) are counted apart; cancelled ones are left out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from math import exp, lgamma, log
from statistics import median
from typing import Literal, NamedTuple

from msgspec import Struct

from muster_protocol.logs import FailureSite, RunRow
from muster_views.failure_signatures import failure_signature

WINDOW = 60
"""Newest judged runs of a test that count."""
FEWEST_RUNS = 5
"""Judged runs below which a test's health is unknown, unless it has never passed."""
SURE = 0.7
"""Least probability of the chosen explanation; below it, the health is unknown."""
DRIFT, DRIFT_RUNS = 1.5, 5
"""A test has become slower if its newest passes, at least so many, take so many times as long as earlier ones."""

Health = Literal["healthy", "flaky", "broken", "unknown"]

_HEALTHY, _FLAKY, _BROKEN = (0.3, 100.0), (1.4, 3.0), (30.0, 0.6)
"""Priors of the fail rate: alpha and beta of a beta distribution."""
_LOG_PRIOR = {"healthy": log(0.80), "flaky": log(0.08), "broken": log(0.06), "mended": log(0.06)}


class CaseHealth(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The health of one test."""

    name: str
    suite: str = ""
    health: Health
    runs: int
    """Judged runs that were looked at."""
    failed: int = 0
    unjudged: int = 0
    """Runs in that time that ended without judging the product."""
    flips: int = 0
    """Changes between pass and fail from one run to the next."""
    passed_again: int = 0
    """Fails whose rerun passed."""
    broken_since: float = 0.0
    """Unix seconds of the first fail since it is broken."""
    broken_by: str = ""
    """The run of that fail."""
    seconds: float = 0.0
    """Median duration of its newest passes."""
    slower: float = 0.0
    """How many times as long as before its newest passes take; 0: not noticeably longer."""
    tokens: int = 0
    """Of all models, in the runs that were looked at."""
    cost: float = 0.0
    """Of these runs, in the currency of the price table."""
    newest: str
    """Its newest run."""


class FailureCluster(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Fails that look alike, over all tests."""

    signature: str
    """Cause, message, clause, page and request, without numbers, ids and hosts."""
    cause: str = ""
    site: FailureSite | None = None
    """Where the newest of them failed."""
    example: str
    """The newest run."""
    runs: int
    cases: tuple[str, ...]
    first_at: float
    """Unix seconds."""
    last_at: float


class SuiteHealth(Struct, frozen=True, kw_only=True):
    """The health of tests, worst first, and the clusters of their fails, largest first."""

    cases: tuple[CaseHealth, ...]
    clusters: tuple[FailureCluster, ...]


class _Explanation(NamedTuple):
    """A model, how probable it makes a history (logarithm), and where its break begins."""

    model: Literal["healthy", "flaky", "broken", "mended"]
    likelihood: float
    since: int = 0


def analyse(rows: Iterable[RunRow]) -> SuiteHealth:
    """Return the health of all tests that have ended runs among the rows."""
    ended = sorted((row for row in rows if counts(row)), key=lambda row: (row.ended_at, row.run))
    by_case: dict[tuple[str, str], list[RunRow]] = {}
    for row in ended:
        by_case.setdefault((row.suite, row.name), []).append(row)
    order: tuple[Health, ...] = ("broken", "flaky", "unknown", "healthy")
    cases = (analyse_case(history) for history in by_case.values())
    worst_first = sorted(cases, key=lambda case: (order.index(case.health), -case.failed, case.suite, case.name))
    return SuiteHealth(cases=tuple(worst_first), clusters=cluster_failures(ended))


def analyse_case(history: Sequence[RunRow]) -> CaseHealth:
    """Return the health of a test from its ended runs, oldest first; at least one."""
    judged = [row for row in history if _is_judged(row)][-WINDOW:]
    since = judged[0].ended_at if judged else 0.0
    fails = [row.status == "fail" for row in judged]
    health, broken = _explain(tuple(fails))
    reruns = {row.rerun_of for row in judged if row.status == "pass" and row.rerun_of}
    seconds, slower = _durations([row for row in judged if row.status == "pass"])
    first = judged[broken] if broken is not None else None
    return CaseHealth(
        name=history[-1].name,
        suite=history[-1].suite,
        health=health,
        runs=len(judged),
        failed=sum(fails),
        unjudged=sum(counts(row) and not _is_judged(row) and row.ended_at >= since for row in history),
        flips=sum(one != other for one, other in pairwise(fails)),
        passed_again=sum(row.status == "fail" and row.run in reruns for row in judged),
        broken_since=first.ended_at if first else 0.0,
        broken_by=first.run if first else "",
        seconds=seconds,
        slower=slower,
        tokens=sum(row.tokens for row in judged),
        cost=round(sum(row.cost for row in judged), 6),
        newest=history[-1].run,
    )


def cluster_failures(rows: Iterable[RunRow]) -> tuple[FailureCluster, ...]:
    """Return fails that share a signature, the most frequent first."""
    alike: dict[str, list[RunRow]] = {}
    for row in rows:
        if row.status == "fail":
            alike.setdefault(failure_signature(row), []).append(row)
    clusters = (
        FailureCluster(
            signature=signature,
            cause=fails[-1].cause,
            site=fails[-1].site,
            example=fails[-1].run,
            runs=len(fails),
            cases=tuple(Counter(row.name for row in fails)),
            first_at=min(row.ended_at for row in fails),
            last_at=max(row.ended_at for row in fails),
        )
        for signature, fails in alike.items()
    )
    return tuple(sorted(clusters, key=lambda cluster: (-cluster.runs, -cluster.last_at, cluster.signature)))


def counts(row: RunRow) -> bool:
    """Return whether a row is a run that ended and says something of its test."""
    return row.status in ("pass", "fail") and row.cause != "cancelled"


def _is_judged(row: RunRow) -> bool:
    return row.status == "pass" or row.cause == "product"


@cache
def _explain(fails: tuple[bool, ...]) -> tuple[Health, int | None]:
    """Return the health that a history shows, and the index of the fail that broke the test, if it is broken."""
    if fails and all(fails):
        return ("broken", 0) if len(fails) > 1 else ("unknown", None)
    if len(fails) < FEWEST_RUNS:
        return "unknown", None
    if not any(fails):
        return "healthy", None
    found = _explanations(fails)
    best = max(found, key=lambda one: one.likelihood)
    probability = 1 / sum(exp(one.likelihood - best.likelihood) for one in _best_of_each(found))
    if probability < SURE:
        return "unknown", None
    if best.model == "broken":
        return "broken", best.since
    return ("flaky", None) if best.model == "flaky" else ("healthy", None)


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
                found.append(_Explanation("mended", _LOG_PRIOR["mended"] - 2 * log(count) + around))
    return found


def _best_of_each(found: Iterable[_Explanation]) -> Iterable[_Explanation]:
    """Return the best explanation by each health; a healthy and a mended test are both healthy."""
    best: dict[str, _Explanation] = {}
    for one in found:
        health = "healthy" if one.model == "mended" else one.model
        if health not in best or one.likelihood > best[health].likelihood:
            best[health] = one
    return best.values()


@cache
def _evidence(prior: tuple[float, float], failed: int, runs: int) -> float:
    """Return the logarithm of the probability of a certain history with so many fails, over all fail rates."""
    alpha, beta = prior
    return _log_beta(alpha + failed, beta + runs - failed) - _log_beta(alpha, beta)


def _log_beta(alpha: float, beta: float) -> float:
    return lgamma(alpha) + lgamma(beta) - lgamma(alpha + beta)


def _durations(passes: Sequence[RunRow]) -> tuple[float, float]:
    """Return the median seconds of the newest passes, and how many times as long as before they take (0: no longer)."""
    took = [row.ended_at - row.started_at for row in passes if row.started_at]
    newest, before = took[-DRIFT_RUNS:], took[:-DRIFT_RUNS]
    if not newest:
        return 0.0, 0.0
    now = median(newest)
    if len(newest) < DRIFT_RUNS or len(before) < DRIFT_RUNS:
        return now, 0.0
    usual = median(before)
    spread = median(abs(value - usual) for value in before)
    slower = usual > 0 and now > DRIFT * usual and now - usual > 3 * spread
    return now, round(now / usual, 2) if slower else 0.0
