"""What deploy/Dockerfile does, done without Docker: each service installed from the lock file alone, as its image is."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import playwright
import pytest
import yaml
from deployed import ROOT
from needed import needs

STARTED = {
    "orchestrator": ("muster_orchestrator.service",),
    "subagent": ("muster_subagent.worker",),
    "sessionhost": ("muster_sessionhost.service",),
    "gateway": ("muster_gateway.app",),
    "cli": ("muster_cli.subcommands.run", "muster_cli.language_server", "muster_cli.embedded"),
}
FOREIGN = {
    "orchestrator": ("playwright", "openai", "litestar", "yaml", "muster_cases", "pytest"),
    "subagent": ("litestar", "muster_orchestrator", "muster_sessionhost", "pytest"),
    "sessionhost": ("litestar", "openai", "muster_orchestrator", "muster_subagent", "muster_grammar", "pytest"),
    "gateway": ("playwright", "openai", "muster_subagent", "muster_sessionhost", "pytest"),
    "cli": ("pytest",),
}


def sent() -> list[str]:
    """Return what the build stage copies from the repository."""
    text = (ROOT / "deploy/Dockerfile").read_text()
    found = re.findall(r"^COPY (?!--from)(.*) \S+$", text.partition(" AS runtime")[0], re.MULTILINE)
    return [name for line in found for name in line.split()]


def steps(service: str) -> str:
    """Return the shell commands of a service's build stage."""
    text = (ROOT / "deploy/Dockerfile").read_text().replace("\\\n", " ")
    (found,) = re.findall(rf"^FROM build AS build-{service}\nRUN (.*)$", text, re.MULTILINE)
    return found


def copied(source: Path, target: Path) -> None:
    """Copy a file or a folder as the builder is sent it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    else:
        shutil.copy(source, target)


def shell(command: str, cwd: Path, venv: Path) -> str:
    """Run a command where the virtual environment of an image is the active one."""
    path = f"{venv}/bin:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "VIRTUAL_ENV": str(venv), "PATH": path, "UV_LINK_MODE": "copy"}
    done = subprocess.run(
        ("sh", "-euc", command), cwd=cwd, env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("service", STARTED)
def test_an_image_holds_what_its_service_needs_to_start_and_nothing_of_the_others(service: str, tmp_path: Path) -> None:
    source, venv = tmp_path / "src", tmp_path / "venv"
    for name in sent():
        copied(ROOT / name, source / name)
    shell(f"uv venv --quiet --python {sys.executable} {venv}", tmp_path, venv)

    shell(steps(service), source, venv)

    modules = ", ".join((*STARTED[service], "nkeys"))
    assert shell(f"{venv}/bin/python -c 'import {modules}; print(1)'", tmp_path, venv) == "1\n"
    looked = f"import importlib.util as u; print([n for n in {FOREIGN[service]!r} if u.find_spec(n)])"
    assert shell(f'{venv}/bin/python -c "{looked}"', tmp_path, venv) == "[]\n"
    if service == "gateway":
        assert packaged(venv) == {file.name for file in (ROOT / CONSOLE).rglob("*") if file.is_file()}


class Stage(NamedTuple):
    """A stage of deploy/Dockerfile: what it begins with, and its instructions."""

    parent: str
    text: str


def stages() -> dict[str, Stage]:
    """Return the stages of deploy/Dockerfile by name."""
    text = (ROOT / "deploy/Dockerfile").read_text().replace("\\\n", " ")
    found = re.findall(r"^FROM (\S+) AS (\S+)\n(.*?)(?=^FROM |\Z)", text, re.MULTILINE | re.DOTALL)
    return {name: Stage(parent, body) for parent, name, body in found}


def installed(name: str) -> set[str]:
    """Return the Debian packages that a stage and those it begins with install."""
    packages = set[str]()
    while stage := stages().get(name):
        for line in re.findall(r"apt-get install([^&\n]*)", stage.text):
            packages |= {word for word in line.split() if word[0] != "-"}
        name = stage.parent
    return packages


IN_SLIM = {"libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0", "libstdc++.so.6"}
PACKAGES = {"libatomic.so.1": "libatomic1"}


@needs("ldd")
def test_images_that_start_playwright_install_the_libraries_of_its_node_that_the_slim_image_lacks() -> None:
    driver = Path(playwright.__file__).parent / "driver"
    node = next(path for path in (driver / "node-itself", driver / "node") if path.exists())  # the one setup may wrap
    told = subprocess.run(["ldd", str(node)], capture_output=True, text=True, check=True, timeout=30).stdout
    names = {Path(line.split()[0]).name for line in told.splitlines()}
    lacking = {name for name in names - IN_SLIM if not name.startswith(("ld-linux", "linux-vdso"))}

    holding = [
        name for name, stage in stages().items() if re.search(r"--from=build-(subagent|sessionhost|cli) ", stage.text)
    ]

    assert sorted(holding) == ["cli", "sessions", "subagent"]
    for name in holding:
        assert {PACKAGES[library] for library in lacking} <= installed(name)
        assert "RUN playwright --version" in stages()[name].text


CONSOLE = "services/gateway/src/muster_gateway/console"


def packaged(venv: Path) -> set[str]:
    """Return the names of the console's files that came with the package."""
    (folder,) = venv.glob("lib/python*/site-packages/muster_gateway/console")
    return {file.name for file in folder.rglob("*") if file.is_file()}


@pytest.mark.slow
def test_provisioning_is_a_command_of_the_command_line():
    command = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["provision"]["command"]
    done = subprocess.run((sys.executable, "-m", "muster_cli", *command, "--help"), capture_output=True, timeout=240)
    assert done.returncode == 0, done.stderr
