"""What KEDA reads, and what kubectl makes of the manifests."""

import json
import subprocess
import urllib.request
from typing import Any

import pytest
import yaml
from deployed import ROOT, Deployed
from fleet import Fleet
from needed import needs
from node import run_node, workplace

from muster_protocol.kinds import POOLS
from muster_protocol.requests import DEVICE_KINDS, PRIORITIES

TRIGGERS = [
    trigger["metadata"]
    for scaled in yaml.safe_load_all((ROOT / "deploy/kubernetes/autoscaling.yaml").read_text())
    for trigger in scaled["spec"]["triggers"]
]


def lag(port: int, trigger: dict[str, str]) -> int:
    """Return what KEDA's nats-jetstream scaler counts: messages waiting and messages held, by the server's /jsz."""
    url = f"http://127.0.0.1:{port}/jsz?acc={trigger['account']}&consumers=true&config=true"
    with urllib.request.urlopen(url, timeout=10) as answer:
        told: dict[str, Any] = json.load(answer)
    (account,) = [one for one in told["account_details"] if one["name"] == trigger["account"]]
    (stream,) = [one for one in account["stream_detail"] if one["name"] == trigger["stream"]]
    (consumer,) = [one for one in stream["consumer_detail"] if one["name"] == trigger["consumer"]]
    return consumer["num_pending"] + consumer["num_ack_pending"]


async def test_a_trigger_counts_what_waits_and_what_is_worked_on(fleet: Fleet, server: Deployed) -> None:
    for number in range(5):
        await fleet.bus.store("muster.tasks.act.normal", f"{number}".encode())
    pull = await fleet.bus.js.pull_subscribe_bind("act-normal", stream="TASKS")
    held = await pull.fetch(2, timeout=10)

    counted = {trigger["consumer"]: lag(server.monitor_port, trigger) for trigger in TRIGGERS}
    for message in held:
        await message.ack_sync()
    done = lag(server.monitor_port, TRIGGERS[0])

    line = {f"{kind}-{priority}": 0 for kind in DEVICE_KINDS if kind != "appium" for priority in PRIORITIES}
    queues = {f"{pool}-{priority}": 0 for pool in POOLS for priority in PRIORITIES}
    assert counted == queues | {"act-normal": 5} | line
    assert done == 3


@pytest.mark.slow
@pytest.mark.timeout(300)  # packages are fetched
def test_scaled_objects_are_what_kedas_own_definitions_say() -> None:
    folder = workplace(ROOT / "tests/support/schemas")
    objects = list(yaml.safe_load_all((ROOT / "deploy/kubernetes/autoscaling.yaml").read_text()))

    assert run_node(folder, "keda.mjs", said=json.dumps(objects)).strip() == str(len(objects))


def test_scaled_objects_have_no_field_but_those_that_keda_documents() -> None:
    spec = {"scaleTargetRef", "minReplicaCount", "maxReplicaCount", "pollingInterval", "cooldownPeriod", "advanced"}
    trigger = {"natsServerMonitoringEndpoint", "account", "stream", "consumer", "lagThreshold"}

    for scaled in yaml.safe_load_all((ROOT / "deploy/kubernetes/autoscaling.yaml").read_text()):
        assert (scaled["apiVersion"], scaled["kind"]) == ("keda.sh/v1alpha1", "ScaledObject")
        assert set(scaled["spec"]) == spec | {"triggers"}
        assert set(scaled["spec"]["advanced"]) == {"scalingModifiers", "horizontalPodAutoscalerConfig"}
        assert {one["type"] for one in scaled["spec"]["triggers"]} == {"nats-jetstream"}
        assert all(set(one) == {"type", "name", "metadata"} for one in scaled["spec"]["triggers"])
        assert all(set(one["metadata"]) == trigger for one in scaled["spec"]["triggers"])


@needs("kubectl")
def test_kubectl_puts_it_together_with_images_and_the_configuration_of_nats() -> None:
    done = subprocess.run(("kubectl", "kustomize", str(ROOT / "deploy")), capture_output=True, text=True, timeout=60)

    assert done.returncode == 0, done.stderr
    made = list(yaml.safe_load_all(done.stdout))
    config = next(one for one in made if one["metadata"]["name"].startswith("muster-nats-conf-"))
    assert config["data"]["nats.conf"] == (ROOT / "deploy/nats.conf").read_text()
    assert {one["metadata"].get("namespace", "muster") for one in made} == {"muster"}
    images = [pod["image"] for one in made for pod in _containers(one)]
    assert len(images) == 7
    assert all(":" in image for image in images)


def _containers(one: dict[str, Any]) -> list[dict[str, Any]]:
    return one.get("spec", {}).get("template", {}).get("spec", {}).get("containers", [])
