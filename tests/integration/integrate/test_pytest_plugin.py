"""pytest-muster: cases are collected as tests, run on a fleet, and fail with what was expected and seen."""

import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from deployed import ROOT, password_of
from outside import Outside
from programs import Ended, ran

pytestmark = pytest.mark.asyncio(loop_scope="module")
EXAMPLE = ROOT / "examples/integrate/pytest"
HELLO = """\
name: {name}
tags: [{tag}]
steps:
  - action: Run the command "echo hello"
    expected: The output contains "{word}"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a case that passes, one that fails and one that is written wrong."""
    cases = tmp_path / "cases"
    cases.mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    (cases / "good.yaml").write_text(HELLO.format(name="It says hello", tag="smoke", word="hello"))
    (cases / "bad.yaml").write_text(HELLO.format(name="It says bye", tag="late", word="bye"))
    (cases / "README.md").write_text("# No case\n\nJust words.\n")
    (tmp_path / "settings.yaml").write_text("not: a case\n")
    return tmp_path


async def pytest_in(project: Path, *arguments: str, **variables: str) -> Ended:
    """Run pytest in a project as it is installed here."""
    plain = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:asyncio")
    return await ran(*plain, *arguments, cwd=project, **variables)


@pytest.mark.slow
async def test_cases_are_collected_with_their_tags_as_markers_and_nothing_else_is(project: Path) -> None:
    ended = await pytest_in(project, "--collect-only", "-q", "-m", "smoke")
    named = await pytest_in(project, "--collect-only", "-q", "settings.yaml")

    assert ended.code == 0
    assert ended.said.splitlines()[0] == "cases/good.yaml::It says hello"
    assert "1/2 tests collected (1 deselected)" in ended.said
    assert named.code != 0
    assert "settings.yaml" in named.said


@pytest.mark.slow
async def test_a_case_that_is_written_wrong_is_an_error_with_its_place(project: Path) -> None:
    (project / "cases/wrong.yaml").write_text("name: Wrong\nsteps:\n  - actoin: Look\n    expected: It is\n")

    ended = await pytest_in(project, "--collect-only", "-q")

    assert ended.code == 2
    assert "wrong.yaml:3" in ended.said
    assert "actoin" in ended.said


@pytest.mark.slow
async def test_over_a_gateway_a_fail_says_what_was_expected_seen_and_whose_fault_it_is(
    outside: Outside, project: Path
) -> None:
    gateway = ("--muster-gateway", outside.http["MUSTER_URL"])
    ended = await pytest_in(project, *gateway, "--junit-xml", "results.xml", MUSTER_KEY=outside.http["MUSTER_KEY"])
    refused = await pytest_in(project, *gateway, MUSTER_KEY="muster_wrong")

    assert ended.code == 1, ended.said
    assert "1 failed, 1 passed" in ended.said
    said = ended.said.splitlines()
    assert any(line.startswith("expected") and "bye" in line for line in said)
    assert any(line.startswith("seen") and "hello" in line for line in said)
    assert "cause      product" in said
    runs = [found.get("value") for found in ET.parse(project / "results.xml").iter("property")]
    assert len(runs) == 2
    assert "the gateway answered 401" in refused.said


@pytest.mark.slow
async def test_over_nats_a_case_runs_with_variables_and_the_line_of_the_failed_step(
    outside: Outside, project: Path
) -> None:
    word = 'The output contains "${word}"'
    wanted = (project / "cases/bad.yaml").read_text().replace('The output contains "bye"', word)
    (project / "cases/bad.yaml").write_text(wanted)
    fleet = {**outside.nats, "NATS_USER": "admin", "NATS_PASSWORD": password_of("admin")}
    nats = ("--muster-nats", fleet["NATS_URL"], "-k", "bye")

    fails = await pytest_in(project, *nats, "--muster-var", "word=bye", **fleet)
    passes = await pytest_in(project, *nats, "--muster-var", "word=hello", **fleet)
    misspelt = await pytest_in(project, *nats, "--collect-only", "--muster-var", "wrod=hello", **fleet)

    assert fails.code == 1, fails.said
    assert "written in" in fails.said
    assert "bad.yaml:4" in fails.said
    assert passes.code == 0, passes.said
    assert "--muster-var wrod: no case defines or uses it" in misspelt.said


@pytest.mark.slow
async def test_two_ways_to_a_fleet_are_one_too_many(project: Path) -> None:
    ended = await pytest_in(project, "--muster-nats", "nats://127.0.0.1:1", "--muster-gateway", "http://127.0.0.1:1")

    assert ended.code == 4
    assert "use one of them" in ended.said


@pytest.mark.slow
@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "-1"])
async def test_a_time_that_would_never_be_over_is_refused(project: Path, seconds: str) -> None:
    ended = await pytest_in(project, f"--muster-timeout={seconds}")

    assert ended.code == 4
    assert "--muster-timeout is a number of seconds, above 0" in ended.said


@pytest.mark.slow
async def test_the_example_runs_on_a_private_fleet_against_the_product_its_conftest_starts(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(EXAMPLE, project)

    ended = await pytest_in(project, "-v")

    assert ended.code == 0, ended.said
    assert "cases/files.yaml::The files are listed PASSED" in ended.said
