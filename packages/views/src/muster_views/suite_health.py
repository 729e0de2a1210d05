"""Which tests of a suite can be trusted: their health over many runs, and fails that belong together. Pure.

Runs that did not judge the product (cause `environment`, `agent`, `budget`) are counted apart; cancelled ones are left
out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from msgspec import Struct

from muster_protocol.logs import FailureSite, RunRow
from muster_views.day_sums import DaySum, counts, is_judged, sum_days
from muster_views.failure_signatures import failure_signature
from muster_views.health_statistics import Health, explain

WINDOW = 60
"""Newest judged runs of a test that count."""
DRIFT, DRIFT_RUNS = 1.5, 5
"""A test has become slower if its newest passes, at least so many, take so many times as long as earlier ones."""

_ORDER: tuple[Health, ...] = ("broken", "flaky", "unknown", "healthy")


class CaseHealth(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The health of one test."""

    name: str
    suite: str = ""
    health: Health
    sure: float = 0.0
    """How probable this health is, given these runs, 0.99 at most; 0: it is unknown, or each run has failed."""
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
    """The health of tests, worst first, the clusters of their fails, largest first, and what each day came to."""

    cases: tuple[CaseHealth, ...]
    clusters: tuple[FailureCluster, ...]
    days: tuple[DaySum, ...] = ()
    """The newest days with ended runs, oldest first."""


class _Known(NamedTuple):
    """The health of a test, and the runs that it was computed from."""

    rows: list[RunRow]
    health: CaseHealth


class SuiteAnalyst:
    """Computes the health of tests; analyses a test again only if one of its runs is new or has changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], _Known] = {}
        self._ended: list[RunRow] = []
        self._told = SuiteHealth(cases=(), clusters=())

    def analyse(self, rows: Iterable[RunRow]) -> SuiteHealth:
        """Return the health of all tests that have ended runs among the rows; others are forgotten."""
        ended = [row for row in rows if counts(row)]
        if ended != self._ended:
            self._ended, self._told = ended, self._analyse(ended)
        return self._told

    def _analyse(self, ended: list[RunRow]) -> SuiteHealth:
        by_case: dict[tuple[str, str], list[RunRow]] = {}
        for row in ended:
            by_case.setdefault((row.suite, row.name), []).append(row)
        self._known = {case: self._look(case, history) for case, history in by_case.items()}
        fails = sorted((row for row in ended if row.status == "fail"), key=_moment)
        cases = sorted((known.health for known in self._known.values()), key=_worst_first)
        return SuiteHealth(cases=tuple(cases), clusters=cluster_failures(fails), days=sum_days(ended))

    def _look(self, case: tuple[str, str], history: list[RunRow]) -> _Known:
        history.sort(key=_moment)
        known = self._known.get(case)
        return known if known and known.rows == history else _Known(history, analyse_case(history))


def analyse(rows: Iterable[RunRow]) -> SuiteHealth:
    """Return the health of all tests that have ended runs among the rows."""
    return SuiteAnalyst().analyse(rows)


def _moment(row: RunRow) -> tuple[float, str]:
    return (row.ended_at, row.run)


def _worst_first(case: CaseHealth) -> tuple[int, int, str, str]:
    return (_ORDER.index(case.health), -case.failed, case.suite, case.name)


def analyse_case(history: Sequence[RunRow]) -> CaseHealth:
    """Return the health of a test from its ended runs, oldest first; at least one."""
    judged = [row for row in history if is_judged(row)][-WINDOW:]
    since = judged[0].ended_at if judged else 0.0
    fails = [row.status == "fail" for row in judged]
    health, sure, broken = explain(tuple(fails))
    reruns = {row.rerun_of for row in judged if row.status == "pass" and row.rerun_of}
    seconds, slower = _durations([row for row in judged if row.status == "pass"])
    first = judged[broken] if broken is not None else None
    return CaseHealth(
        name=history[-1].name,
        suite=history[-1].suite,
        health=health,
        sure=min(0.99, round(sure, 2)),
        runs=len(judged),
        failed=sum(fails),
        unjudged=sum(counts(row) and not is_judged(row) and row.ended_at >= since for row in history),
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
