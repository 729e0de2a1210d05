"""What `relay.py` measures, the goals, and the table. Pure."""

import msgspec

SHARE_GOAL, LINES_GOAL, LATENCY_GOAL = 0.7, 30_000, 50.0
"""Of what the floors allow; lines a second to 100 clients together; milliseconds that the relay adds to both floors."""


class Level(msgspec.Struct, frozen=True):
    """So many clients; lines a second that each of them got, and processor microseconds of one line to all of them."""

    clients: int
    heard: float
    written: float
    relayed: float
    heard_cpu: float
    written_cpu: float
    relayed_cpu: float
    frame_lines: float
    """In one of the relay's frames; in one at half the rate `half_lines`."""
    missed: int
    half_lines: float
    p99: float
    """Milliseconds at half the rate; those of the floors at the same rate `heard_p99`, `written_p99`."""
    heard_p99: float
    written_p99: float

    @property
    def share(self) -> float:
        """Of what the floors in series allow, by the clock."""
        return self.relayed * (1 / self.heard + 1 / self.written)

    @property
    def share_cpu(self) -> float:
        """The same by processor time."""
        return (self.heard_cpu + self.written_cpu) / self.relayed_cpu

    @property
    def added(self) -> float:
        """Milliseconds that the relay adds to both floors, at p99 of each."""
        return self.p99 - (self.heard_p99 + self.written_p99)


class Stall(msgspec.Struct, frozen=True):
    """The gateway's memory (MiB) with clients that read nothing: before, and after half and all of the lines."""

    lines: int
    before: float
    half: float
    after: float


class Pen(msgspec.Struct, frozen=True):
    """What a WebSocket implementation costs with no NATS before it: processor microseconds of a frame to a client."""

    server: str
    short: float
    """Of one line."""
    long: float
    """Of 50 lines."""


class Report(msgspec.Struct, frozen=True):
    """Everything measured."""

    pens: list[Pen]
    levels: list[Level]
    stall: Stall | None
    busy: float
    """Processes that were ready to run before it began: how busy the machine was without it."""


def misses(report: Report) -> list[str]:
    """Return the goals that were missed. Pure."""
    found: list[str] = []
    for one in report.levels:
        if one.share_cpu < SHARE_GOAL:
            found.append(f"{one.clients} clients: {one.share_cpu:.2f} of what the floors allow")
        if one.added > LATENCY_GOAL:
            found.append(f"{one.clients} clients: {one.added:.0f} ms added at p99")
        if one.clients == 100 and one.relayed * 100 < LINES_GOAL:
            found.append(f"{one.relayed * 100:.0f} lines a second to 100 clients")
    if report.stall and report.stall.after > report.stall.half * 1.05 + 1:
        found.append(f"memory grew from {report.stall.half:.0f} to {report.stall.after:.0f} MiB beside stalled clients")
    return found


def table(report: Report) -> str:
    """Return the figures for people. Pure."""
    head = "clients   heard/s  written/s  relayed/s   in all/s   us heard  us written  us relayed   by cpu  by clock"
    rows = [f"load before: {report.busy:.1f}", f"{head}   lines/frame  missed"]
    rows += [
        f"{one.clients:7} {one.heard:9.0f} {one.written:10.0f} {one.relayed:10.0f} {one.relayed * one.clients:10.0f} "
        f"{one.heard_cpu:10.1f} {one.written_cpu:11.1f} {one.relayed_cpu:11.1f} {one.share_cpu:8.2f} {one.share:9.2f} "
        f"{one.frame_lines:13.1f} {one.missed:7}"
        for one in report.levels
    ]
    rows += ["at half the rate, ms at p99:", "clients   lines/frame   relayed     heard   written     added"]
    rows += [
        f"{one.clients:7} {one.half_lines:13.1f} {one.p99:9.1f} {one.heard_p99:9.1f} {one.written_p99:9.1f}"
        f" {one.added:9.1f}"
        for one in report.levels
    ]
    rows += [f"{one.server}: {one.short:.1f} us a frame of one line, {one.long:.1f} of 50" for one in report.pens]
    if report.stall:
        one = report.stall
        sizes = f"{one.before:.0f}, {one.half:.0f}, {one.after:.0f} MiB"
        rows.append(f"memory beside 5 stalled clients, before, half-way and after {one.lines} lines: {sizes}")
    return "\n".join(rows + [f"missed: {goal}" for goal in misses(report)])
