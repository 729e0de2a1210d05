"""The command line of the mutation bench."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
SHOP = ROOT / "examples" / "shop"
sys.path += [str(ROOT / "bench"), str(SHOP)]
bugs: Any = importlib.import_module("bugs")


def test_a_fault_nobody_knows_is_refused_and_all_faults_can_be_listed():
    def shop(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(SHOP / "server.py"), *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=20)

    assert [line.split()[0] for line in shop("--list-bugs").stdout.splitlines()] == list(bugs.BUGS)
    unknown = shop("--port", "0", "--bug", "no-such-fault")
    assert unknown.returncode == 2
    assert "no-such-fault" in unknown.stderr


@pytest.mark.slow
def test_a_sample_of_the_bench_finds_its_mutants_and_passes_on_the_healthy_and_the_slow_shop():
    command = [sys.executable, str(ROOT / "bench" / "verdicts.py"), "--only", "coupon", "--rounds", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["score"] == {"mutants": 4, "false_passes": 0, "causes_right": 4, "healthy": 2, "false_fails": 0}
