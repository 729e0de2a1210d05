"""What it costs to have agents work at once: fan-outs of waiting children, beside plain asyncio on the same server.

A child is one question to a model that answers after `--wait` seconds, as a real one does, and one answer that hands
its result in. The floor asks as many questions with `asyncio.gather` and a semaphore, and keeps nothing.
Muster's time counts from the run's first event to its verdict, with both turns of the parent; at most 20 children of a
fan-out work at once, on both sides. Memory of a child: what the worker holds at most while 100 children wait, in five
fan-outs of 20, beyond what it held before them, through 100. Quote the differences and the ratio.
"""

import argparse
import asyncio
import json
import statistics
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, NamedTuple

import httpx
from fleets import Fleet, fleet, resident

from muster_bus.run_store import read_entries
from muster_client.runs import submit
from muster_protocol.assignments import MOST_AT_ONCE, Spending
from muster_protocol.requests import Assignment, RunRequest

COUNTS = (1, 3, 10, 100)
WORKER = "bench-worker"
KIB = 1024
SAMPLE_SECONDS = 0.02
TOGETHER = 5
"""Fan-outs of `MOST_AT_ONCE` children for the memory of one."""
LEAD = """\
kind: assign
instructions: You lead.
tools: [values, agents]
spawns: [researcher]
max_children: 20
"""


class Row(NamedTuple):
    """Medians of one number of children."""

    children: int
    floor: float
    """Seconds."""
    muster: float

    @property
    def overhead(self) -> float:
        """Milliseconds of a child beyond the floor."""
        return (self.muster - self.floor) / self.children * 1000


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to a question: a parent fans out as its goal says, a child is done."""
    messages = body["messages"]
    goal = str(messages[1]["content"]) if len(messages) > 1 else ""
    if "# Goal\nFan out " in goal and not any(it["role"] == "assistant" for it in messages):
        count, at_once = map(int, goal.split("Fan out ")[1].split("\n")[0].split(" by "))
        tasks = [{"agent": "researcher", "task": f"Look at {number}", "calls": 1} for number in range(count)]
        call = ("fan_out", {"tasks": json.dumps(tasks), "max_concurrent": at_once})
    else:
        call = ("finish", {"status": "done", "summary": "looked"})
    function = {"name": call[0], "arguments": json.dumps(call[1])}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "type": "function", "function": function}],
    }
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return {"id": "x", "object": "chat.completion", "model": "m", "usage": usage,
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}  # fmt: skip


def of_child(body: dict[str, Any]) -> bool:
    """Return whether a question is a child's, which has to wait for its answer."""
    return any("Look at " in str(it.get("content")) for it in body["messages"]) and "Fan out " not in json.dumps(body)


@asynccontextmanager
async def model(wait: float) -> AsyncGenerator[str]:
    """Serve the model until left; yields its address."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = int(head.split("content-length:")[1].split("\r\n")[0])
                body = json.loads(await reader.readexactly(length))
                await asyncio.sleep(wait if of_child(body) else 0)
                data = json.dumps(answer(body)).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
                writer.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, backlog=512) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def floor(url: str, count: int, at_once: int) -> float:
    """Ask for `count` children with plain asyncio and return the seconds."""
    free = asyncio.Semaphore(at_once)
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(timeout=60, limits=limits) as http:

        async def child(number: int) -> None:
            messages = [
                {"role": "system", "content": "You research."},
                {"role": "user", "content": f"Look at {number}"},
            ]
            async with free:
                reply = await http.post(f"{url}/chat/completions", json={"model": "m", "messages": messages})
            assert reply.json()["choices"][0]["message"]["tool_calls"], reply.text

        began = perf_counter()
        await asyncio.gather(*map(child, range(count)))
        return perf_counter() - began


async def muster(group: Fleet, count: int, at_once: int) -> float:
    """Have an agent fan out to `count` children and return the seconds from the run's first event to its verdict."""
    spend = Spending(calls=3 * count + 10)
    job = Assignment(goal=f"Fan out {count} by {at_once}", agent="lead", budget=spend)
    run = (await submit(group.bus, RunRequest(job=job))).run
    verdict = await group.verdict(run, 300.0)
    assert (verdict.status, len(verdict.results)) == ("done", count + 1), verdict.summary
    log = await read_entries(group.bus, run)
    return next(it.at for it in log if any(type(event).__name__ == "VerdictReached" for event in it.events)) - log[0].at


async def memory(group: Fleet, pid: int) -> float:
    """Return the KiB that the worker holds for each child that waits, beyond what it holds when idle."""
    before = most = resident(pid)
    runs = asyncio.gather(*(muster(group, MOST_AT_ONCE, MOST_AT_ONCE) for _ in range(TOGETHER)))
    while not runs.done():
        most = max(most, resident(pid))
        await asyncio.wait({runs}, timeout=SAMPLE_SECONDS)
    await runs
    return (most - before) / (TOGETHER * MOST_AT_ONCE) / KIB


async def measure(rounds: int, wait: float) -> tuple[list[Row], float, float]:
    """Return the medians by number of children, the speed-up at 3, and the KiB a child."""
    async with model(wait) as url, fleet(15.0) as group:
        agents = group.folder / "agents"
        agents.mkdir()
        (agents / "lead.yaml").write_text(LEAD)
        settings = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "k", "SUB_AGENT_MODEL": "m", "AGENTS_DIR": str(agents)}
        await group.start("orchestrator")
        worker = await group.start("subagent", **settings, THINK_SLOTS="128")
        await muster(group, 3, 3)  # to warm up
        held = await memory(group, worker.pid)
        rows: list[Row] = []
        for count in COUNTS:
            at_once = min(count, MOST_AT_ONCE)
            pairs = [(await floor(url, count, at_once), await muster(group, count, at_once)) for _ in range(rounds)]
            rows.append(Row(count, *(statistics.median(column) for column in zip(*pairs, strict=True))))
            print(rows[-1], file=sys.stderr)
        alone = statistics.median([await muster(group, 3, 1) for _ in range(rounds)])
    return rows, alone / rows[COUNTS.index(3)].muster, held


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="rounds that count (default 3)")
    parser.add_argument("--wait", type=float, default=2.0, help="seconds that the model takes for a child (default 2)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    rows, speed_up, held = asyncio.run(measure(options.rounds, options.wait))
    if options.json:
        shown = [{**row._asdict(), "overhead_ms": row.overhead} for row in rows]
        print(json.dumps({"rows": shown, "speed_up_at_3": speed_up, "kib_a_child": held}))
        return
    print("children  asyncio s  muster s  overhead ms a child")
    for row in rows:
        print(f"{row.children:8}  {row.floor:9.2f}  {row.muster:8.2f}  {row.overhead:19.1f}")
    print(f"speed-up of 3 at once over 3 in turn: {speed_up:.2f} (goal 2.8)")
    print(f"memory of the worker for a child that waits: {held:.0f} KiB (goal 1,024)")


if __name__ == "__main__":
    main()
