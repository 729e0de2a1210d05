"""A recovery that installs a package of the system, in the system of its session alone."""

from pathlib import Path

import pytest
from model_server import Answer, Asked, does, fails, gives, passes
from needed import needs_sandbox
from thinking import SIGN_UP, Play, plan_as_written, stage

pytestmark = [pytest.mark.asyncio, pytest.mark.slow, needs_sandbox()]

PACKAGE = """mkdir -p greet/DEBIAN greet/usr/bin
printf 'Package: muster-greet\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@b.c>\\nDescription: greets\\n' > greet/DEBIAN/control
printf '#!/bin/sh\\necho hello $1\\n' > greet/usr/bin/muster-greet
chmod +x greet/usr/bin/muster-greet
dpkg-deb --build greet greet.deb"""
STEPS = (
    (f"Create the file package.sh with the content:\n{PACKAGE}", ""),
    ("Have the command muster-greet say hello to Ann", 'The output contains "hello Ann"'),
)


def installs(asked: Asked) -> Answer:
    """Answer as a model that installs what is missing with the system's own package manager."""
    if asked.role == "planner":
        return plan_as_written(len(STEPS))
    if asked.role == "evaluator":
        return gives(
            {
                "action": "recover",
                "reason": "muster-greet is not installed",
                "cause": "environment",
                "recovery": "Install the package muster-greet: build it with package.sh",
                "recovery_expected": "",
            }
        )
    if "# Step\nInstall the package" in asked.question:
        return does(("execute_command", {"command": "sh package.sh && dpkg -i greet.deb"}), passes())
    if asked.turn == 0:
        return does(("execute_command", {"command": "muster-greet Ann"}))
    return does(passes()) if "not found" not in asked.last else does(fails("it is not there", blocked=True))


@pytest.mark.parametrize("changes", ["throwaway", "refuse"])
async def test_a_package_of_the_system_is_installed_where_the_session_has_a_system_of_its_own(
    tmp_path: Path, changes: str
):
    async with stage(tmp_path, SYSTEM_CHANGES=changes) as made:
        verdict, _ = await made.run(Play(SIGN_UP, STEPS, installs))
    nodes = {result.node: result.status for result in verdict.results}
    if changes == "throwaway":
        assert verdict.status == "pass", verdict.summary
        assert nodes["step-2-r1"] == "pass"
    else:
        assert (verdict.status, nodes["step-2"]) == ("fail", "fail")
        assert verdict.cause != "product"
    assert not Path("/usr/bin/muster-greet").exists()
