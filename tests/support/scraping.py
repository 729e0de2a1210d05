"""A real Prometheus that scrapes given addresses under the rules of deploy/, and what its queries give."""

import asyncio
import re
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import yaml
from free_ports import free_port
from needed import needs

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy/prometheus/alerts.yml"
CONFIG = ROOT / "deploy/prometheus/prometheus.yml"
DASHBOARDS = ROOT / "deploy/grafana/dashboards"

needs_prometheus = needs("prometheus", "promtool")
_GROUPING = re.compile(r"\b(?:by|on|without|ignoring)\s*\([^)]*\)")
_SELECTOR = re.compile(r"\b(?:muster_|gen_ai_|process_|up\b)[a-z_]*(?:\{[^}]*\})?")


class Sample(NamedTuple):
    """One series of an answer, at one moment."""

    labels: dict[str, str]
    value: float


def alerts() -> dict[str, dict[str, Any]]:
    """Return the alert rules of deploy/ by name."""
    groups: list[dict[str, Any]] = yaml.safe_load(RULES.read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def selectors(expr: str) -> list[str]:
    """Return the series that an expression reads, as selectors. Pure."""
    return list(dict.fromkeys(_SELECTOR.findall(_GROUPING.sub(" ", expr))))


class Prometheus:
    """A running server, asked over its API."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def query(self, expr: str) -> list[Sample]:
        """Return what an expression gives now.

        Raises:
            ValueError: it cannot be evaluated.
        """
        answer = (await self._http.get("/api/v1/query", params={"query": expr})).json()
        if answer["status"] != "success":
            raise ValueError(f"{expr}: {answer['error']}")
        return [Sample(it["metric"], float(it["value"][1])) for it in answer["data"]["result"]]

    async def rules(self) -> list[dict[str, Any]]:
        """Return the alert rules as the server sees them: name, health, lastError, state."""
        groups = (await self._http.get("/api/v1/rules")).json()["data"]["groups"]
        return [rule for group in groups for rule in group["rules"]]

    async def targets(self) -> dict[str, str]:
        """Return the health of what is scraped, by address."""
        active = (await self._http.get("/api/v1/targets")).json()["data"]["activeTargets"]
        return {it["labels"]["instance"]: it["health"] for it in active}


@asynccontextmanager
async def prometheus(folder: Path, targets: Mapping[str, Sequence[str]]) -> AsyncGenerator[Prometheus]:
    """Run a Prometheus with the configuration of deploy/, each job pointed at given addresses, scraping every second."""
    config = yaml.safe_load(CONFIG.read_text())
    config["global"] = {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"}
    config["rule_files"] = [str(RULES)]
    ours = [job for job in config["scrape_configs"] if "dns_sd_configs" in job]
    config["scrape_configs"] = [
        {"job_name": job["job_name"], "static_configs": [{"targets": list(targets[job["job_name"]])}]} for job in ours
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
    port = free_port()
    with (folder / "prometheus.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *("prometheus", f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}"),
            f"--web.listen-address=127.0.0.1:{port}",
            stdin=DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=10) as http:
            await _ready(http, process, folder)
            yield Prometheus(http)
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), 30)


async def _ready(http: httpx.AsyncClient, process: asyncio.subprocess.Process, folder: Path) -> None:
    async with asyncio.timeout(30):
        while True:
            if process.returncode is not None:
                raise AssertionError(f"prometheus ended:\n{(folder / 'prometheus.log').read_text()[-2000:]}")
            try:
                if (await http.get("/-/ready")).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)
