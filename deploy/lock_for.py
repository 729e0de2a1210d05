"""Print the part of requirements.lock that one member of the workspace needs, hashes and all: `lock_for.py gateway`.

The lock file names each package's parents (`# via`), so nothing has to be resolved again. Needs nothing but Python.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {
    "protocol": "protocol",
    "agents": "packages/agents",
    "reports": "reports",
    "orchestrator": "services/orchestrator",
    "subagent": "services/subagent",
    "gateway": "services/gateway",
    "cli": "cli",
}
PREFIX = "muster-"


class Locked(NamedTuple):
    """One package of the lock file: its name, the names of those that asked for it, and its lines."""

    name: str
    parents: frozenset[str]
    text: str


class Needed(NamedTuple):
    """What members of the workspace ask for: each other, by short name, and packages."""

    members: frozenset[str]
    packages: frozenset[str]


def read_lock(text: str) -> list[Locked]:
    """Return the packages of a lock file as `uv pip compile` writes it."""
    blocks = re.split(r"\n(?=[A-Za-z0-9])", "\n" + text)
    return [_package(block) for block in blocks if "==" in block.partition("\n")[0]]


def _package(block: str) -> Locked:
    lines = block.splitlines()
    comments = " ".join(line.strip(" #") for line in lines if line.startswith("    #"))
    parents = frozenset(re.findall(r"[A-Za-z0-9._-]+", re.sub(r"\(.*?\)", "", comments.removeprefix("via"))))
    kept = [line for line in lines if not line.lstrip().startswith("#")]
    return Locked(lines[0].partition("==")[0], parents, "\n".join(kept))


def needed(member: str, extras: frozenset[str] = frozenset()) -> Needed:
    """Return what a member asks for by itself and through other members, read from their pyproject.toml."""
    project = tomllib.loads((ROOT / FOLDERS[member] / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"]]
    for extra in extras:
        asked += project["optional-dependencies"][extra]
    members, packages = {member}, set[str]()
    for requirement in asked:
        name, wanted = _parsed(requirement)
        if not name.startswith(PREFIX):
            packages.add(name)
            continue
        below = needed(name.removeprefix(PREFIX), wanted)
        members |= below.members
        packages |= below.packages
    return Needed(frozenset(members), frozenset(packages))


def _parsed(requirement: str) -> tuple[str, frozenset[str]]:
    """Return the normalized name of a requirement and the extras it asks for."""
    found = re.match(r"([A-Za-z0-9._-]+)(?:\[([^]]*)])?", requirement)
    assert found is not None, f"{requirement!r} is no requirement"
    extras = frozenset(extra.strip() for extra in (found[2] or "").split(",") if extra.strip())
    return re.sub(r"[-_.]+", "-", found[1]).lower(), extras


def selected(lock: list[Locked], wanted: frozenset[str]) -> list[Locked]:
    """Return the wanted packages and all they need, in the order of the lock file."""
    chosen = set(wanted)
    while more := {package.name for package in lock if package.parents & chosen} - chosen:
        chosen |= more
    return [package for package in lock if package.name in chosen]


def main(member: str) -> None:
    """Print the selection for a member."""
    lock = read_lock((ROOT / "requirements.lock").read_text())
    print("\n".join(package.text for package in selected(lock, needed(member).packages)))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in FOLDERS:
        sys.exit(f"usage: lock_for.py {{{'|'.join(FOLDERS)}}}")
    main(sys.argv[1])
