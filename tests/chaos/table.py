"""The table at the end of a campaign, as Markdown. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from chaos.check_logs import outcome, verdicts_of
from chaos.figures import false_takeovers, recoveries, takeovers
from chaos.history import History, Violation
from chaos.schedule import NATS


def table(history: History, found: Sequence[Violation], *, title: str, ack_wait: float) -> str:
    """Return faults, runs, verdicts, recovery times, takeovers and violations of a campaign."""
    parts = (
        f"### {title}",
        _rows(("fault", "processes", "nats-server"), _faults(history)),
        _rows(("run", "asked for", "acknowledged", "verdicts"), _runs(history)),
        _rows(("hit", "fault", "cases", "median s", "max s"), _recovery(history)),
        "\n".join(f"- {line}" for line in _sums(history, found, ack_wait)),
    )
    return "\n\n".join(parts)


def _rows(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _faults(history: History) -> list[tuple[object, ...]]:
    counts = Counter((strike.kind, strike.slot == NATS) for strike in history.strikes)
    kinds = sorted({kind for kind, _ in counts})
    total = len(history.strikes)
    rows: list[tuple[object, ...]] = [(kind, counts[kind, False], counts[kind, True]) for kind in kinds]
    return [*rows, (f"**all {total}**", total - (nats := sum(strike.slot == NATS for strike in history.strikes)), nats)]


def _runs(history: History) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    everything = Counter[str]()
    for kind in sorted({wish.kind for wish in history.wishes}):
        wishes = [wish for wish in history.wishes if wish.kind == kind]
        ends = Counter(outcome(it) for wish in wishes for it in verdicts_of(history.logs.get(wish.run, ())))
        everything += ends
        rows.append((kind, len(wishes), sum(wish.accepted > 0 for wish in wishes), _counts(ends)))
    accepted = sum(wish.accepted > 0 for wish in history.wishes)
    return [*rows, ("**all**", len(history.wishes), accepted, _counts(everything))]


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common())


def _recovery(history: History) -> list[tuple[object, ...]]:
    seconds = defaultdict[tuple[str, str], list[float]](list)
    for recovery in recoveries(history):
        seconds[recovery.service, recovery.kind].append(recovery.seconds)
    return [
        (service, kind, len(found), f"{median(found):.1f}", f"{max(found):.1f}")
        for (service, kind), found in sorted(seconds.items())
    ]


def _sums(history: History, found: Sequence[Violation], ack_wait: float) -> list[str]:
    unfounded = false_takeovers(history, ack_wait)
    told = Counter(it.how for it in history.told)
    return [
        f"sub-tasks: {len(history.journals)}; entries in run logs: {sum(map(len, history.logs.values()))}",
        f"takeovers: {len(list(takeovers(history)))}, of these from a holder that no fault had touched: {len(unfounded)}"
        + "".join(f"\n  - {it.what} from {it.former} at {it.at:.1f}" for it in unfounded),
        f"verdicts published when they were reached: {told['published']}; read later: {told['asked']}",
        f"orders in the shop: {len(history.orders)}",
        f"**violations: {len(found)}**",
    ]
