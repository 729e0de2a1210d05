"""The packages: each module name once, each package described, and what it imports asked for where it says so."""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
SHARED = frozenset(
    [
        "__init__",
        "__main__",
        "settings",
        "metrics",
        "service",
        "app",
        "state",
        "errors",
        "routes",
        "views",
        "evolve",
        "decide",
        "end",
    ]
)
"""Names that several packages have, because each has its own of that."""
PARTS = ("", "packages/", "services/", "integrations/")


class Package(NamedTuple):
    """A distribution: its folder, and its pyproject.toml."""

    folder: Path
    project: dict[str, Any]

    @property
    def module(self) -> str:
        """The name it is imported by."""
        return str(self.project["name"]).replace("-", "_")

    @property
    def files(self) -> list[Path]:
        """Its Python files."""
        return sorted((self.folder / "src" / self.module).rglob("*.py"))


def packages() -> list[Package]:
    """Return the distributions of the repository."""
    found = [file for part in PARTS for file in sorted(ROOT.glob(f"{part}*/pyproject.toml"))]
    return [Package(file.parent, tomllib.loads(file.read_text())["project"]) for file in found]


PACKAGES = {package.module: package for package in packages()}


def names_of(requirements: list[str]) -> set[str]:
    """Return the distributions that requirements name."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", one)[0]).lower() for one in requirements}


def modules_of(files: Iterable[Path]) -> set[str]:
    """Return the modules that files import."""
    modules = set[str]()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module)
            elif isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
    return modules


def imported(package: Package) -> set[str]:
    """Return the distributions whose modules a package imports."""
    outside = {
        module
        for module in modules_of(package.files)
        if module.partition(".")[0] not in {package.module, *sys.stdlib_module_names}
    }
    return {distribution_of(module) for module in outside}


def installed_with(*names: str) -> set[str]:
    """Return the distributions that come with some, these included."""
    found, left = set[str](), list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            with suppress(PackageNotFoundError):
                left += names_of([one for one in requires(name) or () if "extra ==" not in one])
    return found


def distribution_of(module: str) -> str:
    """Return the distribution that brings a module."""
    root = module.partition(".")[0]
    if root in PACKAGES:
        return str(PACKAGES[root].project["name"])
    for name, distribution in SPREAD.items():
        if module.startswith(name):
            return distribution
    return re.sub(r"[-_.]+", "-", KNOWN[root][0]).lower()


KNOWN = packages_distributions()
SPREAD = {
    "opentelemetry.exporter": "opentelemetry-exporter-otlp-proto-http",
    "opentelemetry.sdk": "opentelemetry-sdk",
    "opentelemetry": "opentelemetry-api",
}
"""Modules of one name that several distributions bring."""
BROUGHT_ALONG = {"markupsafe": "jinja2"}
"""What is imported and comes with what is asked for."""
READ_AT_RUN_TIME = {"tzdata"}
"""Data that the standard library reads where the machine has none of its own."""


def test_every_module_name_is_used_once() -> None:
    files = [file for package in PACKAGES.values() for file in package.files]
    used = Counter(file.stem for file in files if file.stem not in SHARED)
    used += Counter(file.parent.name for file in files if file.stem == "__init__")

    assert [name for name, times in used.items() if times > 1] == []


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_asks_for_what_it_imports_and_for_nothing_else(name: str) -> None:
    package = PACKAGES[name]
    asked = names_of(package.project["dependencies"]) - READ_AT_RUN_TIME
    wanted = {other if (other := BROUGHT_ALONG.get(one, one)) in asked else one for one in imported(package)}

    assert wanted == asked


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_described_in_about_ten_lines(name: str) -> None:
    lines = (PACKAGES[name].folder / "README.md").read_text().splitlines()

    assert lines[0] == f"# {PACKAGES[name].project['name']}"
    assert 5 <= len([line for line in lines if not line.startswith("|")]) <= 20, "a table of modules may come on top"
    assert re.search(r"\bimports?\b", "\n".join(lines), re.IGNORECASE)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_readme_names_the_packages_that_its_package_depends_on(name: str) -> None:
    text = (PACKAGES[name].folder / "README.md").read_text()
    (sentence,) = re.findall(r"\b(?:May import|Imports) (.*?)[.:]\s", text, re.DOTALL)
    asked = {one for one in names_of(PACKAGES[name].project["dependencies"]) if one.startswith("muster-")}
    named = set(re.findall(r"muster-[a-z]+", sentence))

    assert named == asked or re.search(r"everything|every package but|packages below it", sentence)


def test_import_contracts_and_the_workspace_know_every_package() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    layers = [name for layer in tools["importlinter"]["contracts"][0]["layers"] for name in layer.split(" | ")]

    assert sorted(tools["importlinter"]["root_packages"]) == sorted(layers) == sorted(PACKAGES)
    assert sorted(tools["uv"]["sources"]) == sorted(package.project["name"] for package in PACKAGES.values())


@pytest.mark.parametrize("service", [folder.name for folder in sorted((ROOT / "services").iterdir())])
def test_the_unit_tests_of_a_service_need_no_other_service(service: str) -> None:
    checked_alone = (ROOT / "Makefile").read_text().partition("check-all:")[2].partition("bare:")[0]
    there = installed_with(f"muster-{service}", *re.findall(r"--with ([\w-]+)", checked_alone))
    outside = {
        module
        for module in modules_of((ROOT / "tests/unit" / service).rglob("*.py"))
        if (root := module.partition(".")[0]) in PACKAGES or (root in KNOWN and root not in sys.stdlib_module_names)
    }

    assert {distribution_of(module) for module in outside} - there == set()
