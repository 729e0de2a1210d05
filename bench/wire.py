"""What the bench and its floors say to each other over NATS."""

from msgspec import Struct

GO = "bench.go"
"""Subject on which a floor's driver is told to begin; the reply is `Timing`."""


class Sizes(Struct, frozen=True):
    """Bytes of each thing the product stores, as read back from a run of the product."""

    request: int = 0
    entry: int = 0
    task: int = 0
    taken: int = 0
    finished: int = 0
    line: int = 0
    snapshot: int = 0
    row: int = 0


class Go(Struct, frozen=True):
    """Drive `runs` chains of `chain` sub-tasks each, all at once."""

    runs: int
    chain: int
    sizes: Sizes
    cache_seconds: float
    """Between two writes of a run's snapshot and row, as in the product."""


class Timing(Struct, frozen=True):
    """How long it took in all (seconds), and from each dispatch to the next in the same chain (milliseconds)."""

    seconds: float
    gaps: list[float]
