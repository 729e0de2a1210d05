"""Which fault hits whom, when, and for how long: a function of the seed. Pure."""

import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

FaultKind = Literal[
    "kill", "stop", "freeze", "cut", "stall", "half-open", "deaf", "mute", "nats-kill", "nats-stop", "nats-freeze"
]
OF_PROCESSES: dict[FaultKind, int] = {
    **{"kill": 4, "stop": 3, "freeze": 3},
    **{"cut": 2, "stall": 1, "half-open": 1, "deaf": 1, "mute": 1},
}
OF_NATS: dict[FaultKind, int] = {"nats-kill": 2, "nats-stop": 2, "nats-freeze": 1}
"""How often each kind comes, relative to the others."""
NATS = "nats"
NATS_SHARE = 0.08
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


def schedule(seed: int, slots: Sequence[Slot], *, gap: float, ack_wait: float) -> Iterator[Fault]:
    """Yield faults for ever, `gap` seconds apart in the mean; none hits a place while the last one there lasts."""
    chance = random.Random(f"faults {seed}")
    at, busy_until = 0.0, dict.fromkeys((*(slot.name for slot in slots), NATS), 0.0)
    while True:
        at += min(chance.expovariate(1 / gap), 4 * gap)
        kinds = OF_NATS if chance.random() < NATS_SHARE else OF_PROCESSES
        kind = chance.choices(list(kinds), list(kinds.values()))[0]
        seconds = _length(chance, kind, ack_wait)
        free = [name for name in _targets(kinds is OF_NATS, slots) if busy_until[name] <= at]
        if not free:
            continue
        name = chance.choice(free)
        busy_until[name] = at + seconds + 2.0  # room to start again
        yield Fault(at, kind, name, seconds)


def _targets(nats: bool, slots: Sequence[Slot]) -> list[str]:
    return [NATS] if nats else [slot.name for slot in slots]


def _length(chance: random.Random, kind: FaultKind, ack_wait: float) -> float:
    match kind:
        case "kill" | "stop":
            return chance.uniform(0.1, 2.0)
        case "nats-kill" | "nats-stop" | "nats-freeze":
            return chance.uniform(0.2, 5.0)
        case (
            "freeze" | "stall" | "half-open" | "deaf" | "mute"
        ):  # longer than a claim lasts, so that others take over meanwhile
            return chance.uniform(1.1, 2.5) * ack_wait
        case "cut":
            return chance.uniform(0.2, 2.5) * ack_wait
