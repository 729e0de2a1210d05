"""The estimate that `muster run --estimate` prints, and the file in which the costs of past steps are kept."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.text import Text

from muster_bus import Bus, Rows
from muster_cli.app import client, console, print_json
from muster_cli.case_jobs import Job
from muster_cli.named_files import write_named
from muster_cli.table import new_table
from muster_protocol.errors import InvalidRequest
from muster_protocol.estimates import Estimate, PastCosts
from muster_text.cost_estimates import estimate_case, rest_key, step_keys
from muster_views.estimate_texts import describe_cost, describe_seconds, describe_tokens, describe_unknown

FILE = "costs.json"


class EstimatedCase(Struct, frozen=True, kw_only=True):
    """A case with what it will come to, as `--json` prints it."""

    name: str
    estimate: Estimate
    max_cost: float | None
    refused: bool
    """Whether it would not be run, because the estimate exceeds its limit."""


async def estimate_jobs(jobs: Sequence[Job], nats: str | None, folder: Path | None) -> list[EstimatedCase]:
    """Return what jobs will come to by what a running fleet remembers, or else by the file in a folder."""
    if nats:
        async with client(nats) as bus:
            rows = Rows(bus, "COSTS", PastCosts)
            wanted = {key for job in jobs for key in (*step_keys(job.case.test_case), rest_key(job.case.test_case))}
            found = [row for key in sorted(wanted) if (row := await rows.get(key))]
    else:
        found = _read_costs(folder) if folder else []
    past = {row.key: row for row in found}
    return [_estimate(job, estimate_case(job.case.test_case, past)) for job in jobs]


def print_estimates(cases: Sequence[EstimatedCase], *, as_json: bool) -> None:
    """Print what cases will come to, one a line, and what is not known."""
    if as_json:
        print_json(cases)
        return
    table = new_table("case", "time", "tokens", "cost", "known from", wrapped="known from", right=("time", "cost"))
    for it in cases:
        cells = (describe_seconds(it.estimate), describe_tokens(it.estimate), describe_cost(it.estimate))
        refused = f"; refused: it may cost {it.max_cost:g}" if it.refused else ""
        table.add_row(*map(Text, (it.name, *cells, describe_unknown(it.estimate) + refused)))
    console().print(table)


async def load_costs(bus: Bus, folder: Path) -> None:
    """Hand the fleet what the file in a folder remembers.

    Raises:
        InvalidRequest: the file cannot be used.
    """
    rows = Rows(bus, "COSTS", PastCosts)
    for row in _read_costs(folder):
        await rows.put(row.key, row)


async def save_costs(bus: Bus, folder: Path) -> None:
    """Write what the fleet remembers into the file in a folder."""
    found: Iterable[PastCosts] = sorted(await Rows(bus, "COSTS", PastCosts).all(), key=lambda row: row.key)
    await asyncio.to_thread(
        write_named, folder / FILE, msgspec.json.format(msgspec.json.encode(list(found)), indent=1) + b"\n"
    )


def _read_costs(folder: Path) -> list[PastCosts]:
    """Return what the file in a folder remembers; nothing if there is no such file.

    Raises:
        InvalidRequest: it cannot be used.
    """
    file = folder / FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[PastCosts]) if file.exists() else []
    except (OSError, msgspec.DecodeError) as error:
        raise InvalidRequest([f"{file}: what steps came to cannot be read: {error}; delete it to begin anew"]) from None


def _estimate(job: Job, estimate: Estimate) -> EstimatedCase:
    most = job.case.request.limits.max_cost
    refused = most is not None and estimate.usage.cost > most
    return EstimatedCase(name=job.label, estimate=estimate, max_cost=most, refused=refused)
