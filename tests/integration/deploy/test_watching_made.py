"""What is made from the code for those who watch is what the code says today, and what Prometheus takes."""

import subprocess
import sys

import pytest
from scraping import ROOT, RULES, needs_prometheus


@pytest.mark.parametrize("script", ["make_metrics_docs.py", "make_dashboards.py"])
def test_what_is_made_from_the_code_is_what_the_code_says_today(script: str) -> None:
    command = [sys.executable, str(ROOT / "deploy" / script), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr) == (0, "")


@needs_prometheus
@pytest.mark.parametrize("command", ["check config prometheus.yml", "test rules alerts_test.yml"])
def test_promtool_takes_the_configuration_and_finds_each_alert_firing_when_it_should(command: str) -> None:
    done = subprocess.run(["promtool", *command.split()], capture_output=True, text=True, timeout=60, cwd=RULES.parent)

    assert done.returncode == 0, done.stdout + done.stderr
