"""What containers are started with: docker-compose.yml as docker-compose reads it, and the health check."""

import asyncio
import json
import os
import subprocess
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path
from typing import Any

import yaml
from deployed import ROOT, Deployed, identity
from fleet import Fleet
from needed import needs

from muster_service.telemetry import serve_health

READY = ROOT / "deploy/ready.py"
needs_compose = needs("docker-compose")


def compose(env_file: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run docker-compose on the file, with variables from the env file alone."""
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = ["docker-compose", "-f", str(ROOT / "docker-compose.yml"), "--env-file", str(env_file), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=bare)


@needs_compose
def test_docker_compose_takes_the_file_with_a_made_env_and_hands_settings_to_those_that_read_them(
    tmp_path: Path,
) -> None:
    env_file = tmp_path / ".env"
    subprocess.run([sys.executable, str(ROOT / "deploy/make_env.py"), str(env_file)], check=True, capture_output=True)
    with env_file.open("a") as file:
        file.write("ACT_SLOTS=7\nGATEWAY_PORT=18080\n")

    done = compose(env_file, "config")

    assert done.returncode == 0, done.stderr
    services: dict[str, Any] = yaml.safe_load(done.stdout)["services"]
    given = {name: service.get("environment", {}) for name, service in services.items()}
    assert given["subagent"]["ACT_SLOTS"] == "7"
    assert [name for name in given if "ACT_SLOTS" in given[name]] == ["subagent"]
    assert services["gateway"]["ports"] == ["127.0.0.1:18080:8080/tcp"]
    passwords = [variables["NATS_PASSWORD"] for variables in given.values() if "NATS_PASSWORD" in variables]
    assert len(set(passwords)) == len(passwords) == 6


@needs_compose
def test_docker_compose_says_what_to_do_where_passwords_are_missing(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("")

    done = compose(tmp_path / ".env", "config", "--quiet")

    assert done.returncode != 0
    assert "run deploy/make_env.py" in done.stderr


def test_every_container_is_without_capabilities_and_cannot_gain_any() -> None:
    services: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]

    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
    writable = {name for name, service in services.items() if not service.get("read_only")}
    assert writable == {"sessions", "prometheus", "grafana", "muster"}


async def asked(port: int) -> tuple[int | None, str]:
    """Run the health check against a port and return its exit code and what it says."""
    environment = {**os.environ, "METRICS_PORT": str(port)}
    process = await asyncio.create_subprocess_exec(sys.executable, READY, env=environment, stdout=PIPE, stderr=STDOUT)
    output, _ = await asyncio.wait_for(process.communicate(), 30)
    return process.returncode, output.decode().strip()


async def test_the_health_check_says_whether_a_service_is_ready_and_why_not() -> None:
    problem = [""]
    server = await serve_health("127.0.0.1", 0, lambda: problem[0])
    port = server.sockets[0].getsockname()[1]

    assert await asked(port) == (0, "ready")
    problem[0] = "no connection to NATS"
    assert await asked(port) == (1, "not ready: no connection to NATS")
    server.close()
    await server.wait_closed()
    code, said = await asked(port)
    assert code == 1
    assert "refused" in said


async def test_a_service_with_the_variables_of_its_container_becomes_ready(fleet: Fleet, server: Deployed) -> None:
    given: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["orchestrator"]
    fixed = {
        name: str(value) for name, value in given["environment"].items() if value is not None and name[:5] != "NATS_"
    }
    local = {"NATS_URL": server.url, "METRICS_HOST": "127.0.0.1", "METRICS_PORT": "0", **identity("orchestrator")}
    await fleet.start("orchestrator", **{**fixed, **local})

    events = [json.loads(line) for line in (fleet.folder / "orchestrator-0.log").read_text().splitlines()]
    (port,) = [event["port"] for event in events if event["event"] == "health port open"]
    assert await asked(port) == (0, "ready")
