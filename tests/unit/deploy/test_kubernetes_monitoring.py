"""Prometheus on Kubernetes: what the operator's manifests find has the names that alerts and dashboards go by."""

import re
import runpy
from typing import Any

import yaml
from deployed import ROOT
from manifests import objects

FOLDER = ROOT / "deploy/kubernetes/monitoring"
ALERTS = ROOT / "deploy/prometheus/alerts.yml"


def job_of(labels: dict[str, str]) -> str:
    """Return the label `job` that the relabelling of the PodMonitor gives a pod, as Prometheus does it."""
    monitor = yaml.safe_load((FOLDER / "podmonitor.yaml").read_text())
    (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
    job = "muster/muster"
    for rule in endpoint["relabelings"]:
        assert rule["sourceLabels"] == ["__meta_kubernetes_pod_label_app_kubernetes_io_name"]
        name = labels["app.kubernetes.io/name"]
        if re.fullmatch(rule.get("regex", "(.*)"), name):
            job = rule.get("replacement", name)
    return job


def monitored() -> list[dict[str, Any]]:
    """Return the pods that the PodMonitor selects."""
    selector = yaml.safe_load((FOLDER / "podmonitor.yaml").read_text())["spec"]["selector"]
    (left_out,) = selector["matchExpressions"]
    pods = [one["spec"]["template"] for one in objects() if one["kind"] in ("Deployment", "StatefulSet", "Job")]
    return [
        pod
        for pod in pods
        if selector["matchLabels"].items() <= pod["metadata"]["labels"].items()
        and pod["metadata"]["labels"][left_out["key"]] not in left_out["values"]
    ]


def test_every_monitored_pod_has_the_port_and_a_job_that_the_alerts_match() -> None:
    wanted = set(re.findall(r'job=~"([^"]+)"', ALERTS.read_text()))
    found = {
        pod["metadata"]["labels"]["app.kubernetes.io/name"]: job_of(pod["metadata"]["labels"]) for pod in monitored()
    }
    assert found == {
        "orchestrator": "orchestrator",
        "worker-act": "subagent",
        "worker-think": "subagent",
        "sessions": "sessions",
        "gateway": "gateway",
    }
    assert wanted
    assert all(re.fullmatch(pattern, job) for pattern in wanted for job in found.values())
    for pod in monitored():
        ports = [port["name"] for one in pod["spec"]["containers"] for port in one.get("ports", ())]
        assert ports.count("metrics") == 1


def test_the_rules_are_those_of_the_file_of_alerts() -> None:
    made = runpy.run_path(str(ROOT / "deploy/make_prometheus_rule.py"))
    rule = (FOLDER / "prometheusrule.yaml").read_text()
    assert rule == made["render"](ALERTS.read_text()), "run deploy/make_prometheus_rule.py"
    assert yaml.safe_load(rule)["spec"] == yaml.safe_load(ALERTS.read_text())
