"""What the verdicts of the mutation bench amount to: right or wrong, the table, the goals. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from muster_protocol.causes import Cause
from muster_protocol.verdicts import Verdict

MOST_FALSE_FAILS = 0.02
LEAST_CAUSES_RIGHT = 0.95


class Trial(NamedTuple):
    """One case on one shop; `cause` is None where the case has to pass: the shop is healthy, or its fault harmless."""

    case: str
    bug: str = ""
    cause: Cause | None = None

    @property
    def name(self) -> str:
        """What the table calls it."""
        return self.bug if self.cause else f"{self.bug or 'healthy'}: {self.case}"


class Result(NamedTuple):
    """How a trial ended; `verdict` is None if none came in time."""

    trial: Trial
    verdict: Verdict | None
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether the verdict is a pass."""
        return self.verdict is not None and self.verdict.status == "pass"

    @property
    def cause(self) -> Cause | None:
        """The cause that the verdict names, None without one."""
        return self.verdict.cause if self.verdict else None

    @property
    def words(self) -> str:
        """What is wrong with the verdict, or "" if nothing is."""
        if self.passed:
            return "FALSE PASS" if self.trial.cause else ""
        if not self.trial.cause:
            return "FALSE FAIL"
        return "" if self.cause == self.trial.cause else f"cause is not {self.trial.cause}"


class Score(NamedTuple):
    """Counts of all results, and the goals they are measured by."""

    mutants: int
    false_passes: int
    causes_right: int
    """Of the mutants that were found."""
    healthy: int
    false_fails: int

    @property
    def missed(self) -> tuple[str, ...]:
        """The goals that are missed, in words; a goal of which nothing was tried is not."""
        found = self.mutants - self.false_passes
        goals = (
            ("no false pass", self.false_passes == 0),
            (f"at most {MOST_FALSE_FAILS:.0%} false fails", self.false_fails <= MOST_FALSE_FAILS * self.healthy),
            (f"at least {LEAST_CAUSES_RIGHT:.0%} causes right", self.causes_right >= LEAST_CAUSES_RIGHT * found),
        )
        return tuple(words for words, met in goals if not met)


def score(results: Sequence[Result]) -> Score:
    """Return the counts of all results."""
    mutants = [result for result in results if result.trial.cause]
    healthy = [result for result in results if not result.trial.cause]
    return Score(
        mutants=len(mutants),
        false_passes=sum(result.passed for result in mutants),
        causes_right=sum(not result.passed and result.cause == result.trial.cause for result in mutants),
        healthy=len(healthy),
        false_fails=sum(not result.passed for result in healthy),
    )


def row(result: Result) -> str:
    """Return a result as one line of the table."""
    said = "none" if result.verdict is None else result.verdict.status
    why = result.verdict.summary.partition("\n")[0][:150] if result.verdict else "no verdict in time"
    ended = f"{result.trial.name:<46} {said:<5} {result.cause or '':<12}{result.seconds:5.1f} s"
    return f"{ended}  {result.words or 'right':<26}{why}"


def reasons(result: Result) -> str:
    """Return what a false pass rests on: each clause with what was seen for it."""
    results = result.verdict.results if result.verdict else ()
    evidence = [it for one in results for it in one.step.evidence]
    lines = [f"{result.trial.bug} survives {result.trial.case!r}:"]
    lines += [f"    {item.clause}: seen {item.seen or 'nothing'} at {item.where or '-'}" for item in evidence]
    return "\n".join(lines)


def summary(total: Score) -> str:
    """Return the counts beside the goals, as a few lines."""
    found = total.mutants - total.false_passes
    lines = [
        f"false passes  {total.false_passes} of {total.mutants} mutants (goal: 0)",
        f"causes right  {total.causes_right} of {found} found (goal: at least {LEAST_CAUSES_RIGHT:.0%})",
        f"false fails   {total.false_fails} of {total.healthy} healthy runs (goal: at most {MOST_FALSE_FAILS:.0%})",
    ]
    lines.append(f"missed: {'; '.join(total.missed)}" if total.missed else "all goals are met")
    return "\n".join(lines)
