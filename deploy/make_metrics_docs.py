"""Write docs/metrics.md from the metrics that the code defines.

`--check` writes nothing and fails if the page is out of date. A metric without words for one of its labels is an error:
every label takes values from a small set that is known, never an id.
"""

import importlib
import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from prometheus_client import Counter, Gauge, Histogram

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/metrics.md"

LABELS = {
    "agent": "id of an agent: a built-in one, or one of your own files",
    "cause": "cause of a fail: `product`, `environment`, `agent`, `budget`, `cancelled`; empty for a pass",
    "error_type": "`ModelError`, `ModelUnusable`, `ContextFull`, `_OTHER`; empty if the model answered",
    "gen_ai_operation_name": "`chat`",
    "gen_ai_provider_name": "`openai`: the name of the API, not of the provider",
    "gen_ai_request_model": "a model named in the worker's settings",
    "gen_ai_token_type": "`input`, `output`",
    "how": "`fresh`, `checkpoint`",
    "kind": "of sub-tasks `plan`, `critique`, `step`, `evaluate`, `validate`, `locate`, `summarise`, `assign`,"
    " `converse`, `analyse`, `explore`, `noop`;"
    " of NATS errors `permission`, or the class of the client's error",
    "limit": "limit per minute that a request to a model waited for: `requests`, `tokens`, `none`",
    "method": "method of HTTP, `WEBSOCKET`, or `other`",
    "outcome": "of webhooks `taken`, `failed` (it is retried), `given up`; of triggers `fired`, `skipped`, `missed`,"
    " `refused`; of recordings `hit` (replayed as a whole), `absent`, or why a call was not replayed: `none` (no target"
    " on the screen), `ambiguous`, `changed`, `not_eligible`; of skills `loaded`, `refused`",
    "pool": "pool of workers: `think`, `act`",
    "priority": "`critical`, `high`, `normal`; empty for queues without priorities",
    "queue": "stream and consumer: `REQUESTS/runs`, `CONTROL/controls`, `TASKS/act`, `TASKS/think` and so on",
    "reason": "of sessions that ended `closed`, `idle`, `host_stopping`, `taken_over`, `device_ended`;"
    " of sessions that were not opened `busy` (NATS does not answer), `fault`, `invalid`; of refused tool calls"
    " `channel` (the step does not open the tool), `host`, `secret`, `tool`, `effect`, `device`, `path`, `domain`,"
    " `skill`, `approval`",
    "result": "of requests to run something `accepted`, `rejected`; of events `taken`, `delayed`, `refused`; of appends"
    " `ok`, `fenced` (another process has written), `unknown` (no answer), `refused`, `error`; of requests to models"
    " `ok`, `error`",
    "route": "template of an address, as in `/runs/{run}`; `none` if there is no such address",
    "service": "`orchestrator`, `subagent`, `sessions`, `gateway`",
    "source": "what carried out the sub-task: `phrase`, `script`, `recording`, `model`",
    "status": "of runs `pass`, `fail`, or `done`, `failed` if they test nothing; of sub-tasks `pass`, `fail`, `error`,"
    " `cancelled`; of tool calls `ok`, `failed`, `error`; of the gateway's requests the status code",
    "stream": "stream, without `MUSTER_PREFIX`: `RUNS`, `JOURNAL`, `TASKS` and so on",
    "skill": "id of a skill; `unknown` for a name that a model made up",
    "tool": "name of a tool; `unknown` for a name that a model made up",
    "transport": "`websocket`, `sse`",
    "version": "version of the program",
    "what": "of missing services `pool act`, `pool think`, `session host` and, with the device, `session host for web`;"
    " of problems `login`, `ack_wait`, `server`, `session host`, or a name such as `stream RUNS`, `bucket SESSIONS`,"
    " `consumer TASKS/act-normal`; of recordings `kept`, `proposed`, `forgotten`",
    "where": "a queue, as in `queue`; `requests` (answers over NATS); or recurring work: `sweep`, `triggers`,"
    " `artifact cleanup`, `presence`, `queue levels`, `definitions`, `run list`, `sessions`, `OPENINGS`",
}
"""Values of each label."""

SECTIONS = (
    ("Orchestrator", ("muster_orchestrator",), "Port 9101 in containers."),
    ("Sub-agent worker", ("muster_subagent", "muster_model"), "Port 9102 in containers."),
    ("Session host", ("muster_sessionhost",), "Port 9103 in containers."),
    ("Gateway", ("muster_gateway",), "Port 9104 in containers, and `/metrics` of the HTTP API."),
)
"""Title, packages and a note of each section; metrics in other packages belong to every service."""


ABSENT = """\
Metrics that other systems have, why Muster has none, and what to use instead:

- **Slow consumers, publish errors, empty fetches.** `muster_nats_errors_total` counts the client's errors by `kind`,
  such as `SlowConsumerError`. `muster_log_appends_total` counts appends by result, and `muster_bus_problem` names a
  stream that is full or missing. Compare `muster_queue_waiting_pulls` with `muster_queue_pending`: pending messages
  without pull requests mean that no process asks for work. The NATS server's own exporter has metrics of each client.
- **The disk of NATS.** Muster cannot see it. It exports the bytes of each stream (`muster_stream_bytes`) and alerts
  when a write fails (`MusterBusProblem`, `MusterAppendsUnanswered`). NATS must be restarted after a full disk, so alert
  earlier: `node_filesystem_avail_bytes` of the volume below a fifth of its size, or on Kubernetes
  `kubelet_volume_stats_available_bytes{persistentvolumeclaim=~"data-nats-.*"}`.
- **Heartbeats.** A process proves that it is alive by renewing its claims: `muster_claim_renewal_seconds`,
  `muster_claim_renewals_failed_total`, `muster_claims_lost_total`. A session host renews the row of each session; if it
  cannot, its log has a warning.
- **Timeouts.** A sub-task or run that takes too long fails with a cause and counts as a fail (`muster_subtasks_total`,
  `muster_runs_total`); its log names the limit.
- **Entries per run, replay time, snapshots.** They matter only at a takeover: `muster_run_takeovers_total` counts
  takeovers, and `bench/recovery.py` measures what one costs. A snapshot only saves reading; an unusable one is a
  warning in the log.
- **The queue of each log client.** It would need the client's id as a label. `muster_gateway_relay_lines_waiting` is
  the sum over all clients, `muster_gateway_relay_lag_seconds` shows whether lines are late for all of them, and
  `muster_gateway_relay_lines_missed_total` whether a client was too slow.
- **`gen_ai_execute_tool_duration_seconds`, `gen_ai_invoke_agent_duration_seconds`,
  `gen_ai_workflow_duration_seconds`.** Use `muster_tool_call_duration_seconds`, `muster_subtask_duration_seconds` and
  `muster_run_duration_seconds`: most runs, sub-tasks and calls need no model.
- **Exemplars.** Only the OpenMetrics format has them, and the ports serve Prometheus' text format. Spans and log
  lines name the run and its trace ([traces](tracing.md)).
"""
"""Common metrics that are not exported, and why."""


class Shown(NamedTuple):
    """A metric on the page."""

    name: str
    kind: str
    labels: tuple[str, ...]
    meaning: str


def sections() -> list[tuple[str, list[Shown], str]]:
    """Return the sections of the page: title, metrics and a note."""
    own = {package for _, packages, _ in SECTIONS for package in packages}
    shared = sorted({folder.name for folder in ROOT.glob("packages/*/src/*")} - own)
    wanted = (("Every service", shared, ""), *SECTIONS)
    return [(title, metrics_in(packages), note) for title, packages, note in wanted]


def metrics_in(packages: Iterable[str]) -> list[Shown]:
    """Return the metrics of packages in the order of modules and lines."""
    modules = (module for package in packages for module in defining(package))
    return list({shown.name: shown for module in modules for shown in _metrics(module)}.values())


def defining(package: str) -> Iterable[str]:
    """Yield the modules of a package that import prometheus_client."""
    spec = importlib.util.find_spec(package)
    assert spec is not None, package
    assert spec.submodule_search_locations, package
    folder = Path(spec.submodule_search_locations[0])
    for path in sorted(folder.rglob("*.py")):
        if "from prometheus_client import" in path.read_text(encoding="utf-8"):
            yield ".".join((package, *path.relative_to(folder).with_suffix("").parts))


def _metrics(module: str) -> Iterable[Shown]:
    for value in vars(importlib.import_module(module)).values():
        if isinstance(value, Counter | Gauge | Histogram):
            (metric,) = value.describe()
            labels = tuple(map(str, value._labelnames))  # pyright: ignore
            name = metric.name + ("_total" if isinstance(value, Counter) else "")
            yield Shown(name, metric.type, labels, metric.documentation)


def page() -> str:
    """Return docs/metrics.md.

    Raises:
        LookupError: a label has no words, or words are left of one that is no more.
    """
    found = sections()
    used = sorted({label for _, shown, _ in found for metric in shown for label in metric.labels})
    if differ := sorted(set(used) ^ set(LABELS)):
        raise LookupError(f"LABELS in deploy/make_metrics_docs.py and the labels in use differ: {', '.join(differ)}")
    parts = [
        "# Metrics",
        "```\nMETRICS_PORT=9101 muster orchestrator &\ncurl http://127.0.0.1:9101/metrics\n```",
        "Each process serves `/metrics` for Prometheus on `METRICS_HOST` and `METRICS_PORT`, with `/healthz`"
        " and `/readyz`. Names and labels follow the conventions of Prometheus, and those of OpenTelemetry for"
        " generative AI where models are concerned. `deploy/prometheus/` has the configuration and alerts"
        " ([runbooks](runbooks.md)), `deploy/grafana/` has dashboards. `deploy/make_metrics_docs.py` generates this"
        " page from the code.",
        "The ports below are those in containers. Under `muster up`, each process uses a free port on loopback:"
        " see the line `health port open` of its log, in the folder that `muster up` prints as `Logs`.",
        "No label contains the id of a run, sub-task, session or process: Prometheus adds `instance`,"
        " and logs have the rest. Counters with known label values start at 0, so that the"
        " first count shows as an increase.",
        "Each orchestrator with a metrics port reads `muster_queue_*` and `muster_stream_*` from NATS every five"
        " seconds. All report the same values: use `max by (queue, priority)`, never the"
        " sum. While NATS does not answer, these metrics are absent. Each process also has Prometheus' `process_*` and"
        " `python_*`.",
    ]
    for title, shown, note in found:
        lines = ["| metric | kind | labels | meaning |", "|---|---|---|---|", *map(_row, shown)]
        parts += [f"## {title}", *([note] if note else []), "\n".join(lines)]
    rows = [f"| `{label}` | {LABELS[label]} |" for label in used]
    parts += ["## Labels", "\n".join(["| label | values |", "|---|---|", *rows])]
    parts += ["## What is not exported", ABSENT.rstrip()]
    return "\n\n".join(parts) + "\n"


def _row(shown: Shown) -> str:
    labels = ", ".join(f"`{label}`" for label in shown.labels)
    return f"| `{shown.name}` | {shown.kind} | {labels} | {shown.meaning.replace('|', chr(92) + '|')} |"


def main(check: bool) -> int:
    """Write the page if it is out of date; with `check`, only report it. Return the exit code."""
    made = page()
    stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made
    if stale and check:
        print("docs/metrics.md is out of date: run deploy/make_metrics_docs.py", file=sys.stderr)
    elif stale:
        PAGE.write_text(made, encoding="utf-8")
    return int(check and stale)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
