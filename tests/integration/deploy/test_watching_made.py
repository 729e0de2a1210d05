"""What is made from the code for those who watch is what the code says today."""

import subprocess
import sys

import pytest
from scraping import ROOT


@pytest.mark.parametrize("script", ["make_metrics_docs.py", "make_dashboards.py"])
def test_what_is_made_from_the_code_is_what_the_code_says_today(script: str) -> None:
    command = [sys.executable, str(ROOT / "deploy" / script), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr) == (0, "")
