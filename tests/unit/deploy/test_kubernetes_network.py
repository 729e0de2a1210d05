"""The network policies of deploy/kubernetes: who reaches whom, and that nobody reaches more."""

from typing import Any

from manifests import RUNNING, WORKLOADS, given, labels_of, of_kind, selects


def reachable(target: str, port: str) -> set[str]:
    """Return which workloads may open a connection to a port of another by the policies: both sides must allow it."""
    return {name for name in WORKLOADS if _lets_in(target, name, port) and _lets_out(name, target, port)}


def _policies(name: str, kind: str) -> list[dict[str, Any]]:
    found = [one["spec"] for one in of_kind("NetworkPolicy").values() if kind in one["spec"]["policyTypes"]]
    return [one for one in found if selects(one["podSelector"], labels_of(name))]


def _lets(rule: dict[str, Any], side: str, other: str, port: str) -> bool:
    peers = rule.get(side)
    among = peers is None or any(
        "podSelector" in one and selects(one["podSelector"], labels_of(other)) for one in peers
    )
    return among and ("ports" not in rule or any(one.get("port") == port for one in rule["ports"]))


def _lets_in(target: str, other: str, port: str) -> bool:
    rules = [rule for one in _policies(target, "Ingress") for rule in one.get("ingress", [])]
    return any(_lets(rule, "from", other, port) for rule in rules)


def _lets_out(name: str, target: str, port: str) -> bool:
    rules = [rule for one in _policies(name, "Egress") for rule in one.get("egress", [])]
    return any(_lets(rule, "to", target, port) for rule in rules)


def test_pods_reach_what_they_need_and_no_other_pod() -> None:
    services = set(WORKLOADS)

    assert reachable("nats", "client") == services
    assert reachable("nats", "cluster") == {"nats"}
    assert reachable("nats", "monitor") == set()
    assert reachable("sessions", "any") == {"worker-act", "worker-think"}
    assert reachable("gateway", "http") == set(), "people come from outside the fleet"
    assert [name for name in WORKLOADS if reachable(name, "metrics") - {"worker-act", "worker-think"}] == []


def test_every_service_that_may_be_told_of_a_receiver_of_traces_may_reach_it() -> None:
    told = {name for name in RUNNING if "OTEL_EXPORTER_OTLP_ENDPOINT" in given(name)}
    rules = {name: [rule for one in _policies(name, "Egress") for rule in one.get("egress", [])] for name in told}
    receiver = {
        "to": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}],
        "ports": [{"port": 4318}],
    }

    assert told == set(RUNNING)
    assert [name for name in told if receiver not in rules[name]] == []


def test_everything_is_refused_that_no_policy_allows() -> None:
    nobody = of_kind("NetworkPolicy")["nobody"]["spec"]

    assert nobody == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
