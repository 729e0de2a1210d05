"""Print the part of requirements.lock that a member of the workspace needs, with hashes: `lock_for.py gateway`.

`lock_for.py gateway --members` prints the folders of the members it needs instead, its own included.
The lock file names each package's parents (`# via`), so nothing needs to be resolved. Needs only Python.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("protocol", "packages/*", "services/*", "cli")
PREFIX = "muster-"


class Locked(NamedTuple):
    """A package in the lock file: its name, the packages that require it, and its lines."""

    name: str
    parents: frozenset[str]
    text: str


class Needed(NamedTuple):
    """Requirements of members: other members, by short name, and packages."""

    members: frozenset[str]
    packages: frozenset[str]


def folders() -> dict[str, str]:
    """Return the folder of each member, by its short name."""
    found = [folder for part in PARTS for folder in sorted(ROOT.glob(part)) if (folder / "pyproject.toml").exists()]
    return {folder.name: folder.relative_to(ROOT).as_posix() for folder in found}


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
    """Return the direct and transitive requirements of a member, read from pyproject.toml files."""
    project = tomllib.loads((ROOT / folders()[member] / "pyproject.toml").read_text())["project"]
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
    """Return the normalized name and the extras of a requirement."""
    found = re.match(r"([A-Za-z0-9._-]+)(?:\[([^]]*)])?", requirement)
    assert found is not None, f"{requirement!r} is not a requirement"
    extras = frozenset(extra.strip() for extra in (found[2] or "").split(",") if extra.strip())
    return re.sub(r"[-_.]+", "-", found[1]).lower(), extras


def selected(lock: list[Locked], wanted: frozenset[str]) -> list[Locked]:
    """Return the wanted packages with their dependencies, in the order of the lock file."""
    chosen = set(wanted)
    while more := {package.name for package in lock if package.parents & chosen} - chosen:
        chosen |= more
    return [package for package in lock if package.name in chosen]


def main(member: str, *, members: bool) -> None:
    """Print the selection for a member, or the folders of the members it needs."""
    wanted = needed(member)
    if members:
        print("\n".join(f"./{folder}" for name, folder in folders().items() if name in wanted.members))
        return
    lock = read_lock((ROOT / "requirements.lock").read_text())
    print("\n".join(package.text for package in selected(lock, wanted.packages)))


if __name__ == "__main__":
    match sys.argv[1:]:
        case [member, *rest] if member in folders() and rest in ([], ["--members"]):
            main(member, members=bool(rest))
        case _:
            sys.exit(f"usage: lock_for.py {{{'|'.join(folders())}}} [--members]")
