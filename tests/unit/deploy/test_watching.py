"""Metrics, alerts, runbooks and dashboards say the same: by their files alone. What they give is in test_prometheus.py."""

import json
import re
import runpy
from typing import Any

import pytest
import yaml
from needed import VARIABLE, absent
from prometheus_client import REGISTRY
from prometheus_client.samples import Sample
from scraping import DASHBOARDS, ROOT, RULES, alerts, selectors

from muster_gateway import metrics as gateway
from muster_orchestrator import metrics as orchestrator
from muster_sessionhost import metrics as sessionhost
from muster_subagent import metrics as subagent
from muster_subagent.kind_work import RUNNERS

METRICS = runpy.run_path(str(ROOT / "deploy/make_metrics_docs.py"))
RUNBOOKS = (ROOT / "docs/runbooks.md").read_text()
PROGRAMS = {"docker-compose", "ls", "muster", "nats"}
OF_NATS = {"JetStream cluster no metadata leader", "insufficient storage"}
"""What the NATS server writes into its own log."""
IDS = {
    "run",
    "task",
    "node",
    "attempt",
    "session",
    "id",
    "owner",
    "host",
    "worker",
    "instance",
    "suite",
    "case",
    "name",
}


def known() -> set[str]:
    """Return the names of all series our metrics make."""
    shown = [metric for _, metrics, _ in METRICS["sections"]() for metric in metrics]
    ends = {"histogram": ("_bucket", "_sum", "_count")}
    return {f"{metric.name}{end}" for metric in shown for end in ends.get(metric.kind, ("",))}


def test_counters_of_a_sub_tasks_kind_begin_at_0_for_every_kind_there_is() -> None:
    orchestrator.begin()
    subagent.begin(RUNNERS)
    dispatched = {series.labels["kind"] for series in samples("muster_subtasks_dispatched_total")}
    finished = {tuple(series.labels.values()) for series in samples("muster_subtasks_total")}

    assert dispatched == set(RUNNERS)
    assert len(finished) == len(RUNNERS) * 4 * 4
    assert ("summarise", "error", "model") in finished
    assert all(f"`{kind}`" in METRICS["LABELS"]["kind"] for kind in RUNNERS)


def test_each_label_value_that_a_service_begins_with_is_described() -> None:
    orchestrator.begin()
    subagent.begin(RUNNERS)
    sessionhost.begin(1)
    gateway.begin()
    fixed = ("cause", "how", "limit", "outcome", "reason", "result", "source", "transport")
    met = {
        (label, value)
        for metric in REGISTRY.collect()
        for series in metric.samples
        for label, value in series.labels.items()
        if label in fixed and value
    }

    assert {label for label, _ in met} == set(fixed)
    assert [(label, value) for label, value in sorted(met) if f"`{value}`" not in METRICS["LABELS"][label]] == []


def samples(name: str) -> list[Sample]:
    """Return the series of a counter in this process."""
    return [series for metric in REGISTRY.collect() for series in metric.samples if series.name == name]


def test_no_metric_has_a_label_that_holds_an_id() -> None:
    labels = {label for _, metrics, _ in METRICS["sections"]() for metric in metrics for label in metric.labels}

    assert not labels & IDS
    assert labels == set(METRICS["LABELS"])


def test_names_say_what_they_are_of_and_histograms_their_unit() -> None:
    shown = [metric for _, metrics, _ in METRICS["sections"]() for metric in metrics]
    histograms = {metric.name for metric in shown if metric.kind == "histogram"}

    assert [metric.name for metric in shown if not metric.name.startswith(("muster_", "gen_ai_client_"))] == []
    assert {name for name in histograms if not name.endswith("_seconds")} == {"gen_ai_client_token_usage"}


def test_alerts_and_dashboards_read_only_metrics_there_are() -> None:
    boards = [json.loads(path.read_text()) for path in sorted(DASHBOARDS.glob("*.json"))]
    shown = [target["expr"] for board in boards for panel in board["panels"] for target in panel["targets"]]
    read = {
        it.partition("{")[0]
        for expr in [*shown, *(rule["expr"] for rule in alerts().values())]
        for it in selectors(expr)
    }

    assert len(boards) == 4
    assert {name for name in read if not name.startswith(("process_", "up"))} <= known()


def test_each_alert_has_its_section_in_the_runbooks_and_each_section_its_alert() -> None:
    sections = re.findall(r"^## (Muster\w+)$", RUNBOOKS, re.MULTILINE)

    assert sorted(sections) == sorted(alerts())
    for name, rule in alerts().items():
        assert rule["annotations"]["runbook_url"] == f"docs/runbooks.md#{name.lower()}"
        assert rule["labels"]["severity"] in ("page", "warning")


def test_texts_that_the_runbooks_quote_from_logs_are_texts_of_the_code() -> None:
    sources = (path for folder in ("packages", "services") for path in (ROOT / folder).glob("*/src/**/*.py"))
    code = "\n".join(path.read_text() for path in (*sources, ROOT / "deploy/nats.conf"))
    prose = re.sub(r"```.*?```", "", RUNBOOKS, flags=re.DOTALL)
    quoted = [text for text in re.findall(r"`([^`\n]+)`", prose) if " " in text and text.split()[0] not in PROGRAMS]

    assert len(quoted) > 5
    assert {text for text in quoted if text not in code} == OF_NATS


def test_each_alert_is_shown_to_fire_in_the_tests_of_promtool() -> None:
    tests: list[dict[str, Any]] = yaml.safe_load((RULES.parent / "alerts_test.yml").read_text())["tests"]
    asked = [one for test in tests for one in test["alert_rule_test"]]

    assert {one["alertname"] for one in asked if one["exp_alerts"]} == set(alerts())


def test_a_test_without_its_program_is_skipped_and_under_make_check_all_fails() -> None:
    makefile = (ROOT / "Makefile").read_text()
    folder = {"PATH": str(ROOT / "docs")}

    assert "promtool (deploy/install_programs.py" in absent(("promtool",), folder)
    assert absent(("promtool",), folder | {VARIABLE: "1"}) == "", "it runs, and fails for want of it"
    assert absent(("sh",), {"PATH": "/bin:/usr/bin"}) == ""
    assert f"{VARIABLE}=1 $(BIN)/python -m pytest" in makefile.partition("check-all:")[2]


def test_each_program_that_a_test_needs_is_one_that_make_check_all_installs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "deploy"))
    offered = runpy.run_path(str(ROOT / "deploy/install_programs.py"))["PROGRAMS"]
    installed = {program for programs in offered for program in programs}
    needed = {
        program
        for file in (ROOT / "tests").rglob("*.py")
        for call in re.findall(r"\bneeds\(([^)]*)\)", file.read_text())
        for program in re.findall(r'"([^"]+)"', call)
    }

    assert needed
    assert needed - installed == set()


def test_selectors_are_found_in_an_expression_and_groupings_are_not_taken_for_them() -> None:
    expr = (
        'sum by (gen_ai_request_model, le) (rate(muster_x_total{a="b"}[5m])) / on (muster_y) up{job=~"a|b"} > process_z'
    )

    assert selectors(expr) == ['muster_x_total{a="b"}', 'up{job=~"a|b"}', "process_z"]
