"""What the loads of a round come to, and how it is shown. Pure."""

from statistics import median

from contenders import Load
from msgspec import Struct

LATENCY_GOAL, THROUGHPUT_GOAL = 1.5, 0.6
"""The product's median latency is at most so many times B's, its throughput at least such a share of B's."""
BY_THE_CLOCK = frozenset({"KV_SNAPSHOTS", "KV_RUN_LIST"})
"""Written at most so often a second, so whoever is faster writes fewer of them."""


class Figures(Struct, frozen=True):
    """One contender in one round; milliseconds, and per sub-task unless said."""

    p50: float
    """From dispatch to dispatch in a chain that runs alone."""
    p99: float
    rate: float
    """Sub-tasks a second, many chains at once."""
    server: float
    """Processor time of the nats-server, many chains at once."""
    driver: float
    """Of the orchestrator or the floor's driver."""
    worker: float
    others: float
    """Share of the machine that other processes used meanwhile; above a tenth or so, times say little."""
    stored: dict[str, int]
    """Messages stored by stream, by all chains at once together."""


class Round(Struct, frozen=True):
    """The contenders one after another, under the same loads."""

    a: Figures
    b: Figures
    product: Figures

    @property
    def latency(self) -> float:
        """The product's median latency as a multiple of B's."""
        return self.product.p50 / self.b.p50

    @property
    def throughput(self) -> float:
        """The product's throughput as a share of B's."""
        return self.product.rate / self.b.rate

    @property
    def processor(self) -> float:
        """The product's processor time as a multiple of B's, all three processes."""
        return _processor(self.product) / _processor(self.b)


class Report(Struct, frozen=True):
    """Every round, and the medians that count."""

    latency: float
    throughput: float
    processor: float
    rounds: list[Round]


def figures(alone: Load, together: Load, sub_tasks: int) -> Figures:
    """Return what the two loads of a contender come to."""
    gaps = sorted(alone.timing.gaps)
    server, driver, worker = (seconds / sub_tasks * 1e3 for seconds in together.processor)
    return Figures(
        p50=median(gaps),
        p99=gaps[int(len(gaps) * 0.99)],
        rate=sub_tasks / together.timing.seconds,
        server=server,
        driver=driver,
        worker=worker,
        others=together.others,
        stored=together.stored,
    )


def strays(done: Round) -> list[str]:
    """Return in which streams B stored another number of messages than the product."""
    wanted, found = done.product.stored, done.b.stored
    return [
        f"{name}: product {wanted[name]}, B {found[name]}"
        for name in wanted
        if name not in BY_THE_CLOCK and wanted[name] != found[name]
    ]


def report(rounds: list[Round]) -> Report:
    """Return the rounds with the medians of their ratios."""
    return Report(
        latency=median(each.latency for each in rounds),
        throughput=median(each.throughput for each in rounds),
        processor=median(each.processor for each in rounds),
        rounds=rounds,
    )


def table(rounds: list[Round]) -> str:
    """Return the medians of each contender, the ratio to B of each round, and how the goals stand."""
    columns = "{:<9}{:>8}{:>8}{:>10}{:>9}{:>9}{:>9}{:>8}{:>9}"
    lines = [
        f"medians of {len(rounds)} rounds; processor time in ms a sub-task",
        columns.format("", "p50 ms", "p99 ms", "per s", "server", "driver", "worker", "others", "stored"),
        *(_row(columns, name, [getattr(each, name) for each in rounds]) for name in Round.__struct_fields__),
        "",
        "product / B   " + "".join(f"{f'round {number}':>10}" for number in range(1, len(rounds) + 1)) + "    median",
        _ratios("latency", [each.latency for each in rounds]) + f"   goal: at most {LATENCY_GOAL}",
        _ratios("throughput", [each.throughput for each in rounds]) + f"   goal: at least {THROUGHPUT_GOAL}",
        _ratios("processor", [each.processor for each in rounds]),
    ]
    return "\n".join(lines)


def _row(columns: str, name: str, found: list[Figures]) -> str:
    def middle(field: str, digits: int = 2) -> str:
        return f"{median(getattr(each, field) for each in found):.{digits}f}"

    stored = median(sum(each.stored.values()) for each in found)
    times = (middle("p50"), middle("p99"), middle("rate", 0), middle("server"), middle("driver"), middle("worker"))
    others = f"{median(each.others for each in found):.0%}"
    return columns.format(name, *times, others, f"{stored:.0f}")


def _ratios(name: str, ratios: list[float]) -> str:
    return f"  {name:<12}" + "".join(f"{ratio:>10.2f}" for ratio in (*ratios, median(ratios)))


def _processor(one: Figures) -> float:
    return one.server + one.driver + one.worker
