"""What metrics have counted: those of the test's own process, and those of processes by their port."""

import json
from collections.abc import Iterable
from pathlib import Path

import httpx
from prometheus_client import REGISTRY, Metric
from prometheus_client.parser import text_string_to_metric_families

COUNTS = {"METRICS_PORT": "0", "LOG_FORMAT": "json"}
"""Settings of a process whose metrics are to be read."""


def counted(name: str, **labels: str) -> float:
    """Return the sum of this process's series of a name with these labels; 0 without any."""
    return _sum(REGISTRY.collect(), name, labels)


async def counted_by(log: Path, name: str, **labels: str) -> float:
    """Return the same of the process that writes a log, by asking its port for metrics."""
    async with httpx.AsyncClient(timeout=20.0) as http:
        text = (await http.get(f"http://127.0.0.1:{port_of(log, 'health port open')}/metrics")).text
    return _sum(text_string_to_metric_families(text), name, labels)


def port_of(log: Path, event: str) -> int:
    """Return the port that a service has told of in its log."""
    events = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    return next(int(it["port"]) for it in events if it["event"] == event)


def _sum(families: Iterable[Metric], name: str, labels: dict[str, str]) -> float:
    samples = (sample for family in families for sample in family.samples if sample.name == name)
    return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())
