"""The commands of the guide for Kubernetes, carried out."""

import re
import subprocess
import sys
from pathlib import Path

from manifests import (
    NATS_CONF,
    ROOT,
)


def test_the_guide_puts_passwords_of_nats_alone_into_its_secret(tmp_path: Path) -> None:
    made = tmp_path / "passwords.env"
    subprocess.run([sys.executable, str(ROOT / "deploy/make_env.py"), str(made)], check=True, capture_output=True)
    (pattern,) = re.findall(r"--from-env-file=<\(grep (\S+) passwords.env\)", (ROOT / "docs/operations.md").read_text())
    found = subprocess.run(["grep", pattern, str(made)], check=True, capture_output=True, text=True).stdout

    assert set(re.findall(r"^(\w+)=", found, re.MULTILINE)) == set(re.findall(r"password: \$(\w+)", NATS_CONF))
