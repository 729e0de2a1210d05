"""docs/integrate.md and the files it shows."""

import re
import stat
import subprocess
import tomllib
import venv
from pathlib import Path

import pytest
from deployed import ROOT

EXAMPLES = ROOT / "examples/integrate"


def test_scripts_can_be_run_and_name_no_registry() -> None:
    for script in ("submit.sh", "nightly.sh"):
        assert (EXAMPLES / script).stat().st_mode & stat.S_IXUSR
    assert "resolved" not in (EXAMPLES / "javascript/package-lock.json").read_text()


def test_the_page_shows_the_examples_word_for_word() -> None:
    page = (ROOT / "docs/integrate.md").read_text()
    shown = [file for file in sorted(EXAMPLES.rglob("*")) if file.is_file() and file.name != "package-lock.json"]

    missing = [str(file.relative_to(EXAMPLES)) for file in shown if f"\n{file.read_text().rstrip()}\n```" not in page]

    assert missing == []


def folders_to_install() -> list[str]:
    """Return what the page has pip install for the plugin, as a shell would hand it over."""
    (words,) = re.findall(r"^pip install (.*pytest-muster)$", (ROOT / "docs/integrate.md").read_text(), re.MULTILINE)
    return [str(path.relative_to(ROOT)) for word in words.split() for path in sorted(ROOT.glob(word))]


def test_the_command_on_the_page_names_every_package_of_ours_that_the_plugin_needs() -> None:
    read = [tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"] for folder in folders_to_install()]
    needed = {name.partition("[")[0] for one in read for name in one["dependencies"] if name.startswith("muster-")}

    assert {one["name"] for one in read} == needed | {"pytest-muster"}


@pytest.mark.slow
@pytest.mark.timeout(900)  # packages are fetched and built
def test_the_command_on_the_page_installs_the_plugin_into_a_new_environment(tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    python = str(environment / "bin/python")
    pip = (python, "-m", "pip", "install", "--quiet", *(f"./{folder}" for folder in folders_to_install()))
    done = subprocess.run(pip, cwd=ROOT, capture_output=True, text=True, timeout=800)
    assert done.returncode == 0, done.stderr[-3000:]
    helped = subprocess.run(
        (python, "-m", "pytest", "--help"), cwd=tmp_path, capture_output=True, text=True, timeout=60
    )

    assert "--muster-gateway" in helped.stdout
