"""A service whose setting names a file or folder that cannot be used says so in a line, and ends with 2."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from muster_bus.nats_server import NatsServer

WAYS = [  # service, setting, what is said
    (
        "muster_subagent",
        "SECRETS_FILE",
        "muster subagent: the file of secrets {file} (SECRETS_FILE): line 1 is not UTF-8",
    ),
    ("muster_sessionhost", "SESSIONS_DIR", "muster sessions: environment variable `SESSIONS_DIR`: {file}: File exists"),
    (
        "muster_gateway",
        "NATS_CREDENTIALS",
        "muster gateway: environment variable `NATS_CREDENTIALS`: {file} holds neither",
    ),
]


def ended(module: str, settings: Mapping[str, str]) -> tuple[int, str]:
    env = {**os.environ, "METRICS_PORT": "0", **settings}
    done = subprocess.run([sys.executable, "-m", module], env=env, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


@pytest.mark.parametrize(("module", "setting", "said"), WAYS)
def test_it_is_told_in_one_line(module: str, setting: str, said: str, server: NatsServer, tmp_path: Path):
    file = tmp_path / "file"
    file.write_bytes(b"PIN=caf\xe9")
    code, text = ended(module, {"NATS_URL": server.url, setting: str(file)})
    assert said.format(file=file) in text
    assert (code, "Traceback" in text) == (2, False)
