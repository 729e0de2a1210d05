"""deploy/kubernetes: valid by the schemas of Kubernetes, and in agreement with the code, the Dockerfile and nats.conf."""

import re
from typing import Any

import kubernetes_validate
import pytest
import yaml
from manifests import (
    KUSTOMIZATION,
    NATS_CONF,
    READ_BY,
    ROOT,
    RUNNING,
    WORKLOADS,
    container,
    given,
    labels_of,
    objects,
    of_kind,
    pod,
    selects,
)

from muster_bus.streams import consumer_configs
from muster_orchestrator.settings import OrchestratorSettings
from muster_protocol.requests import PRIORITIES
from muster_protocol.subjects import Names
from muster_service.settings import BusSettings, load
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.settings import SubAgentSettings

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
VERSIONS = ("1.34", pytest.param("1.31", marks=pytest.mark.slow), pytest.param("1.37", marks=pytest.mark.slow))


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_of_kubernetes_is_valid_by_its_schema_without_a_field_too_many(version: str) -> None:
    ours = [one for one in objects() if not one["apiVersion"].startswith("keda.sh/")]

    for one in ours:
        kubernetes_validate.validate(one, version, strict=True)

    assert len(ours) > 20


def test_a_misspelt_field_would_be_found() -> None:
    wrong = yaml.safe_load((ROOT / "deploy/kubernetes/namespace.yaml").read_text()) | {"sepc": {}}

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, "1.34", strict=True)


def test_every_file_of_the_folder_is_applied() -> None:
    there = {f"kubernetes/{file.name}" for file in (ROOT / "deploy/kubernetes").glob("*.yaml")}

    assert set(KUSTOMIZATION["resources"]) == there
    assert [made["files"] for made in KUSTOMIZATION["configMapGenerator"] if "files" in made] == [["nats.conf"]]


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_pod_has_no_rights_it_does_not_need(name: str) -> None:
    found, alone = pod(name), container(name)

    assert found["automountServiceAccountToken"] is False
    assert found["securityContext"]["runAsNonRoot"] is True
    assert found["securityContext"]["runAsUser"] == 10001
    assert found["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert alone["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert not {"hostNetwork", "hostPID", "hostIPC"} & set(found)
    assert "memory" in alone["resources"]["limits"]
    assert all("hostPath" not in volume for volume in found.get("volumes", []))


@pytest.mark.parametrize("name", WORKLOADS)
def test_what_a_container_mounts_is_there_and_is_used(name: str) -> None:
    mounted = {one["name"] for one in container(name).get("volumeMounts", [])}
    claimed = {one["metadata"]["name"] for one in WORKLOADS[name]["spec"].get("volumeClaimTemplates", [])}

    assert mounted == {one["name"] for one in pod(name).get("volumes", [])} | claimed


@pytest.mark.parametrize("name", READ_BY)
def test_a_service_reads_each_variable_it_is_given_and_takes_its_value(name: str) -> None:
    names = {one["name"] for one in container(name)["env"]}

    assert names <= set(READ_BY[name].__struct_encode_fields__)
    settings = load(READ_BY[name], given(name))
    assert len(settings.nats_url.split(",")) == WORKLOADS["nats"]["spec"]["replicas"]
    assert settings.metrics_host == "0.0.0.0"


@pytest.mark.parametrize("name", READ_BY)
def test_a_service_is_its_own_user_with_its_own_password_from_the_secret(name: str) -> None:
    user = given(name)["NATS_USER"]
    (password,) = [one["valueFrom"] for one in container(name)["env"] if one["name"] == "NATS_PASSWORD"]

    assert password == {"secretKeyRef": {"name": "muster-nats", "key": f"NATS_{user.upper()}_PASSWORD"}}
    assert f"{{ user: {user}, password: $NATS_{user.upper()}_PASSWORD," in NATS_CONF


def test_the_gateways_keys_lie_where_the_guide_says_the_secret_is_made() -> None:
    command = "create secret generic muster-keys --from-file="
    (key,) = re.findall(rf"{command}([^=\s]+)=\S+", (ROOT / "docs/operations.md").read_text())
    (mounted,) = [one["mountPath"] for one in container("gateway")["volumeMounts"] if one["name"] == "keys"]

    assert given("gateway")["API_KEYS_FILE"] == f"{mounted}/{key}"


def test_nats_is_given_the_passwords_of_its_users_one_by_one_and_nothing_else_of_the_secret() -> None:
    named = [one for one in container("nats")["env"] if "secretKeyRef" in one.get("valueFrom", {})]

    assert {one["name"] for one in named} == set(re.findall(r"password: \$(\w+)", NATS_CONF))
    assert all(one["valueFrom"]["secretKeyRef"] == {"name": "muster-nats", "key": one["name"]} for one in named)
    assert "envFrom" not in container("nats")


def test_secrets_are_named_and_never_held() -> None:
    text = "".join(file.read_text() for file in (ROOT / "deploy/kubernetes").glob("*.yaml"))

    assert of_kind("Secret") == {}
    assert re.findall(r"(?i)password['\"]?, value:", text) == []
    assert [name for name in WORKLOADS if "muster-worker-secrets" in str(pod(name))] == ["worker-act", "worker-think"]


@pytest.mark.parametrize("name", RUNNING)
def test_a_service_is_asked_for_its_health_where_it_answers(name: str) -> None:
    alone = container(name)
    ports = {one["name"]: one["containerPort"] for one in alone["ports"]}

    assert ports["metrics"] == int(given(name)["METRICS_PORT"])
    paths = {kind: alone[kind]["httpGet"] for kind in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {kind: found["path"] for kind, found in paths.items()} == {
        "startupProbe": "/healthz",
        "livenessProbe": "/healthz",  # a fleet without NATS waits; restarting it would help nobody
        "readinessProbe": "/readyz",
    }
    assert {found["port"] for found in paths.values()} == {"metrics"}
    assert WORKLOADS[name]["spec"]["template"]["metadata"]["annotations"]["prometheus.io/port"] == str(ports["metrics"])


@pytest.mark.parametrize("name", RUNNING)
def test_a_pod_is_given_the_time_its_service_takes_to_let_go(name: str) -> None:
    settings = load(READ_BY[name], given(name))
    stop = container(name).get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)

    assert pod(name)["terminationGracePeriodSeconds"] > stop + settings.shutdown_seconds + 2


def test_a_worker_that_is_taken_away_has_time_for_a_whole_sub_task() -> None:
    longest = load(OrchestratorSettings, {}).sub_agent_timeout_seconds

    for name in ("worker-act", "worker-think"):
        assert load(SubAgentSettings, given(name)).shutdown_seconds > longest


def test_nats_is_given_the_time_its_lame_duck_takes() -> None:
    (seconds,) = re.findall(r"^lame_duck_duration: (\d+)s", NATS_CONF, re.MULTILINE)

    assert pod("nats")["terminationGracePeriodSeconds"] > int(seconds) + 5
    assert container("nats")["lifecycle"]["preStop"]["exec"]["command"][1] == "-sl=ldm=/run/nats/nats.pid"
    assert "-P=/run/nats/nats.pid" in container("nats")["args"]


def test_the_servers_of_nats_know_each_other_and_run_the_version_of_the_tests() -> None:
    (routes,) = [argument for argument in container("nats")["args"] if argument.startswith("--routes=")]
    servers = [f"nats-{number}.nats" for number in range(WORKLOADS["nats"]["spec"]["replicas"])]
    copies = load(BusSettings, given("provision")).stream_replicas

    assert re.findall(r"nats://([^:,]+):6222", routes) == servers
    assert re.findall(r"nats://([^:,]+):4222", given("gateway")["NATS_URL"]) == servers
    assert container("nats")["image"] == COMPOSE["services"]["nats"]["image"]
    assert copies == len(servers)


def test_keda_finds_the_leader_of_a_consumer_by_the_names_of_the_servers() -> None:
    (routes,) = [argument for argument in container("nats")["args"] if argument.startswith("--routes=")]
    asked = {one["metadata"]["natsServerMonitoringEndpoint"] for one in triggers()}
    ports = {one["name"]: one["containerPort"] for one in container("nats")["ports"]}

    assert "--no_advertise" in container("nats")["args"], "else KEDA goes by addresses that servers advertise"
    assert "-n=$(POD_NAME)" in container("nats")["args"]
    assert re.findall(r"nats://([^:,.]+)\.", routes) == [f"nats-{number}" for number in range(3)]
    assert asked == {f"nats.{KUSTOMIZATION['namespace']}.svc.cluster.local:{ports['monitor']}"}
    assert of_kind("Service")["nats"]["spec"]["clusterIP"] == "None", "nats-1.nats.… has to be the pod"


def test_images_are_those_that_docker_compose_builds() -> None:
    built = {service["image"] for service in COMPOSE["services"].values() if "build" in service}
    used = {container(name)["image"] for name in READ_BY}

    assert used == built
    assert {image["name"] for image in KUSTOMIZATION["images"]} == built


def test_each_workload_that_lasts_has_its_own_disruption_budget() -> None:
    found = {
        name: [other for other in WORKLOADS if selects(budget["spec"]["selector"], labels_of(other))]
        for name, budget in of_kind("PodDisruptionBudget").items()
    }

    assert found == {name: [name] for name in WORKLOADS if name != "provision"}


def test_services_lead_to_the_pods_of_their_name() -> None:
    for name, service in of_kind("Service").items():
        assert [other for other in WORKLOADS if service["spec"]["selector"].items() <= labels_of(other).items()] == [
            name
        ]
        ports = {one["name"] for one in container(name)["ports"]}
        assert {one["targetPort"] for one in service["spec"]["ports"]} <= ports


def triggers() -> list[dict[str, Any]]:
    """Return what KEDA asks, of all pools."""
    return [one for scaled in of_kind("ScaledObject").values() for one in scaled["spec"]["triggers"]]


def scaled_pools() -> dict[str, dict[str, Any]]:
    """Return what scales workers, by their name."""
    return {name: scaled for name, scaled in of_kind("ScaledObject").items() if name != "sessions"}


def test_session_hosts_are_scaled_by_all_lines_for_sessions_and_have_time_to_drain() -> None:
    lines = {config.name for stream, config in consumer_configs(Names(), BusSettings()) if stream == "OPENINGS"}
    lines = {name for name in lines if not str(name).startswith("appium-")}  # more hosts bring no more phones
    spec, settings = of_kind("ScaledObject")["sessions"]["spec"], load(SessionHostSettings, given("sessions"))
    formula = spec["advanced"]["scalingModifiers"]["formula"]

    assert {one["metadata"]["consumer"] for one in spec["triggers"]} == lines
    assert {one["metadata"]["stream"] for one in spec["triggers"]} == {"OPENINGS"}
    assert formula == " + ".join(one["name"] for one in spec["triggers"])
    assert "replicas" not in WORKLOADS["sessions"]["spec"], "an apply would undo what KEDA did"
    grace = WORKLOADS["sessions"]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
    assert grace > settings.session_drain_seconds + settings.shutdown_seconds


def test_the_queues_of_a_pool_are_added_up_and_not_the_longer_one_taken() -> None:
    for name, scaled in scaled_pools().items():
        settings = load(SubAgentSettings, given(name))
        slots = settings.act_slots if settings.pools == "act" else settings.think_slots
        assert scaled["spec"]["advanced"]["scalingModifiers"] == {
            "formula": " + ".join(one["name"] for one in scaled["spec"]["triggers"]),
            "target": str(slots),
            "metricType": "AverageValue",
        }
        assert [one["metadata"]["consumer"].split("-")[1] for one in scaled["spec"]["triggers"]] == [
            *reversed(PRIORITIES)
        ]


def test_workers_are_scaled_by_the_queues_of_their_pool_and_one_worker_counts_as_its_slots() -> None:
    queues = {config.name for stream, config in consumer_configs(Names(), BusSettings()) if stream == "TASKS"}
    seen = set[str]()
    for name, scaled in scaled_pools().items():
        settings = load(SubAgentSettings, given(name))
        (pool,) = settings.pools.split(",")
        triggers = [trigger["metadata"] for trigger in scaled["spec"]["triggers"]]
        slots = settings.act_slots if pool == "act" else settings.think_slots
        assert scaled["spec"]["scaleTargetRef"] == {"name": name}
        assert "replicas" not in WORKLOADS[name]["spec"], "an apply would undo what KEDA did"
        assert {trigger["lagThreshold"] for trigger in triggers} == {str(slots)}
        assert {trigger["consumer"].split("-")[0] for trigger in triggers} == {pool}
        assert {(trigger["account"], trigger["stream"]) for trigger in triggers} == {("MUSTER", "TASKS")}
        seen |= {trigger["consumer"] for trigger in triggers}

    assert seen == queues


def test_there_are_sessions_enough_for_all_the_workers_there_may_be() -> None:
    most = of_kind("ScaledObject")["worker-act"]["spec"]["maxReplicaCount"]
    slots = load(SubAgentSettings, given("worker-act")).act_slots
    hosts = of_kind("ScaledObject")["sessions"]["spec"]["maxReplicaCount"]

    assert most * slots <= hosts * load(SessionHostSettings, given("sessions")).max_sessions
