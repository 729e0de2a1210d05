"""Which fault hits whom, when, and for how long: a function of the seed. Pure."""

import random
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

FaultKind = Literal[
    "kill",
    "stop",
    "freeze",
    "cut",
    "stall",
    "half-open",
    "deaf",
    "mute",
    "requests-lost",
    "answers-lost",
    "clock-ahead",
    "clock-behind",
    "twin",
    "one-room",
    "nats-kill",
    "nats-stop",
    "nats-freeze",
    "runs-full",
    "tasks-full",
    "journal-full",
]
OF_PROCESSES: dict[FaultKind, int] = {
    **{"kill": 4, "stop": 3, "freeze": 3},
    **{"cut": 2, "stall": 1, "half-open": 1, "deaf": 1, "mute": 1, "requests-lost": 2, "answers-lost": 2},
    **{"clock-ahead": 2, "clock-behind": 2},
    **{"twin": 2, "one-room": 2},
}
OF_NATS: dict[FaultKind, int] = {
    **{"nats-kill": 2, "nats-stop": 2, "nats-freeze": 1},
    **{"runs-full": 1, "tasks-full": 1, "journal-full": 1},
}
"""How often each kind comes, relative to the others."""
SERVICES: dict[FaultKind, tuple[str, ...]] = {
    "twin": ("subagent", "sessions"),
    "one-room": ("sessions",),
}
"""Services that a kind is for; others are for all."""
CLOCKS: tuple[FaultKind, ...] = ("clock-ahead", "clock-behind")
NATS = "nats"
NATS_SHARE = 0.1
"""Part of all faults that hit nats-server; each of them hits everybody."""


class Slot(NamedTuple):
    """A place in the fleet that a process fills; the next one fills it when that has died."""

    name: str
    service: str


class Fault(NamedTuple):
    """One fault to come."""

    at: float
    """Seconds after the start."""
    kind: FaultKind
    slot: str
    seconds: float
    """How long it lasts: the process is down, frozen or cut off."""


def fleet_slots(orchestrators: int = 2, workers: int = 3, hosts: int = 2, gateways: int = 1) -> tuple[Slot, ...]:
    """Return the places of a fleet."""
    counts = {"orchestrator": orchestrators, "subagent": workers, "sessions": hosts, "gateway": gateways}
    return tuple(Slot(f"{service}-{n}", service) for service, count in counts.items() for n in range(1, count + 1))


def schedule(
    seed: int, slots: Sequence[Slot], *, gap: float, ack_wait: float, without: Collection[FaultKind] = ()
) -> Iterator[Fault]:
    """Yield faults for ever, `gap` seconds apart in the mean; none hits a place while the last one there lasts.

    `without` names the kinds that this machine cannot do.
    """
    chance = random.Random(f"faults {seed}")
    at, busy_until = 0.0, dict.fromkeys((*(slot.name for slot in slots), NATS), 0.0)
    while True:
        at += min(chance.expovariate(1 / gap), 4 * gap)
        kinds = OF_NATS if chance.random() < NATS_SHARE else OF_PROCESSES
        kind = chance.choices(list(kinds), list(kinds.values()))[0]
        seconds = _length(chance, kind, ack_wait)
        free = [name for name in _targets(kind, slots) if busy_until[name] <= at]
        if not free or kind in without:
            continue
        name = chance.choice(free)
        busy_until[name] = at + seconds + 2.0  # room to start again
        yield Fault(at, kind, name, seconds)


def _targets(kind: FaultKind, slots: Sequence[Slot]) -> list[str]:
    if kind in OF_NATS:
        return [NATS]
    return [slot.name for slot in slots if kind not in SERVICES or slot.service in SERVICES[kind]]


def _length(chance: random.Random, kind: FaultKind, ack_wait: float) -> float:
    match kind:
        case "kill" | "stop":
            return chance.uniform(0.1, 2.0)
        case "cut":
            return chance.uniform(0.2, 2.5) * ack_wait
        case "one-room" | "twin":  # long enough for others to want something of it
            return chance.uniform(2.0, 5.0) * ack_wait
        case _ if kind in OF_NATS:
            return chance.uniform(0.2, 5.0)
        case _:  # longer than a claim lasts, so that others take over meanwhile
            return chance.uniform(1.1, 2.5) * ack_wait
