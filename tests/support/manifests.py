"""deploy/kubernetes as tests read it: its objects, and the one container of each workload."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from muster_gateway.settings import GatewaySettings
from muster_orchestrator.settings import OrchestratorSettings
from muster_service.settings import BusSettings
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.settings import SubAgentSettings

ROOT = Path(__file__).resolve().parents[2]
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((ROOT / "deploy/kustomization.yaml").read_text())
NATS_CONF = (ROOT / "deploy/nats.conf").read_text()
READ_BY: dict[str, type[BusSettings]] = {
    "orchestrator": OrchestratorSettings,
    "worker-act": SubAgentSettings,
    "worker-think": SubAgentSettings,
    "sessions": SessionHostSettings,
    "gateway": GatewaySettings,
    "provision": BusSettings,
}


@cache
def objects() -> list[dict[str, Any]]:
    """Return every object of every file the kustomization names."""
    files = [ROOT / "deploy" / name for name in KUSTOMIZATION["resources"]]
    return [one for file in files for one in yaml.safe_load_all(file.read_text())]


def of_kind(*kinds: str) -> dict[str, dict[str, Any]]:
    """Return the objects of some kinds by name."""
    return {one["metadata"]["name"]: one for one in objects() if one["kind"] in kinds}


WORKLOADS = of_kind("Deployment", "StatefulSet", "Job")
RUNNING = {name: one for name, one in WORKLOADS.items() if one["kind"] == "Deployment"}


def pod(name: str) -> dict[str, Any]:
    """Return the pod of a workload."""
    return WORKLOADS[name]["spec"]["template"]["spec"]


def container(name: str) -> dict[str, Any]:
    """Return its one container."""
    (only,) = pod(name)["containers"]
    return only


def given(name: str) -> dict[str, str]:
    """Return the variables a container is given by value: its own, and those of the common ConfigMap."""
    (common,) = [made["literals"] for made in KUSTOMIZATION["configMapGenerator"] if made["name"] == "muster-bus"]
    own = {one["name"]: one["value"] for one in container(name)["env"] if "value" in one}
    return dict(pair.split("=", 1) for pair in common) | own


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    """Return whether a label selector takes something with these labels."""
    wanted = selector.get("matchLabels", {}).items() <= labels.items()
    return wanted and all(labels.get(one["key"]) in one["values"] for one in selector.get("matchExpressions", []))


def labels_of(name: str) -> dict[str, str]:
    """Return the labels of a workload's pods."""
    return WORKLOADS[name]["spec"]["template"]["metadata"]["labels"]
