"""What is read of a fleet at one moment: of each process from /proc, of NATS from the server itself."""

import time
from pathlib import Path

import httpx
from fleet import Fleet

from muster_cli import processes
from soak.growth import Reading

OF_A_RUN, CLOSING = 12, 1
"""Processes that one session may have: a browser with its helpers, and a command; and sessions just being closed."""


def memory(pid: int) -> int:
    """Return the bytes of memory that a process holds by itself: what it shares with others is left out."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return int(fields["RssAnon"].split()[0]) * 1024


def of_process(name: str, pid: int) -> dict[str, float]:
    """Return memory, open files, threads and children of a process."""
    below = len(processes.descendants([pid]))
    return {
        f"{name} {'index' if name == 'nats' else 'memory'}": memory(pid),
        f"{name} files": len(list(Path(f"/proc/{pid}/fd").iterdir())),
        f"{name} threads": len(list(Path(f"/proc/{pid}/task").iterdir())),
        **({f"{name} children": below} if name.startswith("sessions") else {}),
    }


async def of_server(http: httpx.AsyncClient) -> dict[str, float]:
    """Return what the server counts: connections, subscriptions, consumers, streams."""
    all_of_it, stored = (await http.get("/varz")).json(), (await http.get("/jsz")).json()
    return {
        "nats connections": all_of_it["connections"],
        "nats subscriptions": all_of_it["subscriptions"],
        "nats consumers": stored["consumers"],
        "nats streams": stored["streams"],
    }


async def reading(group: Fleet, http: httpx.AsyncClient, began: float) -> Reading:
    """Read everything there is to read now."""
    values: dict[str, float] = {}
    for service in ("orchestrator", "subagent", "sessions", "gateway"):
        for number, process in enumerate(group.of(service), 1):
            values |= of_process(f"{service}-{number}", process.pid)
    values |= of_process("nats", group.server.pid) | await of_server(http)
    roots = [group.server.pid, *(process.pid for process in group.running)]
    values["fleet processes"] = len(processes.descendants(roots)) + len(roots)
    waiting = values["fleet waiting"] = (await group.bus.js.stream_info("REQUESTS")).state.messages
    values["sessions-1 strays"] = max(0.0, values["sessions-1 children"] - OF_A_RUN * (waiting + CLOSING))
    return Reading(time.monotonic() - began, values)
