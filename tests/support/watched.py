"""A service as its operator sees it: health port, memory, whether it still runs."""

import re
from pathlib import Path

import httpx
from fork_server import Process
from free_ports import free_port
from waiting import eventually


class Watched:
    """The health port that a service is to be given as METRICS_PORT."""

    def __init__(self) -> None:
        self.port = free_port()

    async def get(self, path: str) -> httpx.Response:
        """Return the answer to a request."""
        async with httpx.AsyncClient() as http:
            return await http.get(f"http://127.0.0.1:{self.port}{path}", timeout=5.0)

    async def says(self, status: int, text: str = "", seconds: float = 10.0) -> None:
        """Wait until /readyz answers with a status and a text."""

        async def look() -> bool:
            try:
                answer = await self.get("/readyz")
            except httpx.TransportError:  # nobody listens yet
                return False
            return answer.status_code == status and text in answer.text

        await eventually(look, f"/readyz says {status} {text}", seconds)


def problem_metric(text: str, what: str) -> float | None:
    """Return the value of one problem in the text of /metrics."""
    found = re.search(rf'^muster_bus_problem{{what="{what}"}} (\S+)$', text, re.MULTILINE)
    return float(found[1]) if found else None


def memory(process: Process) -> float:
    """Return how much memory a process holds, in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024
