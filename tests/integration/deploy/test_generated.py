"""example.env, docs/settings.md and .env: made by scripts of deploy/ from what the code says."""

import runpy
import stat
import subprocess
import sys
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from muster_service.settings import BusSettings

ROOT = Path(__file__).resolve().parents[3]
DOCS = runpy.run_path(str(ROOT / "deploy/make_settings_docs.py"))
MAKE_ENV = ROOT / "deploy/make_env.py"


class Example(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """Settings as a service has them."""

    ratio: Annotated[float, Meta(gt=0, le=1)] = 0.5
    """How much of it,
    in words."""
    plain_thing: bool = True


def test_the_documents_are_what_the_code_says_today() -> None:
    command = [sys.executable, str(ROOT / "deploy/make_settings_docs.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_service_lists_its_settings_and_refuses_what_it_does_not_know() -> None:
    service = [sys.executable, "-m", "muster_orchestrator"]
    told, refused = (
        subprocess.run([*service, argument], capture_output=True, text=True, timeout=60)
        for argument in ("--help", "--nats=nats://127.0.0.1:4222")
    )

    assert told.returncode == 0
    assert (
        "ORCHESTRATOR_RUNS=64  (whole number, from 1)\n      Maximum number of runs that this process drives"
        in told.stdout
    )
    assert refused.returncode == 2
    assert "unrecognized arguments: --nats" in refused.stderr


def test_a_setting_is_shown_with_its_default_its_bounds_and_its_docstring() -> None:
    shown = {setting.variable: setting for setting in DOCS["settings_of"](Example)}

    assert shown["RATIO"][1:4] == ("0.5", "number, above 0 to 1", "How much of it, in words.")
    assert shown["PLAIN_THING"][1:4] == ("1", "1 or 0", "Plain thing.")
    assert shown["MUSTER_PREFIX"].default == "muster"


def test_each_variable_is_listed_once() -> None:
    names = [setting.variable for section in DOCS["sections"]() for setting in section.settings]

    assert len(names) == len(set(names))
    assert {"NATS_URL", "ORCHESTRATOR_RUNS", "ACT_SLOTS", "MAX_SESSIONS", "HTTP_PORT"} <= set(names)


def test_a_made_env_has_a_password_of_its_own_for_each_user_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    target = tmp_path / ".env"
    subprocess.run([sys.executable, str(MAKE_ENV), str(target)], check=True, timeout=30, capture_output=True)

    given = dict(line.split("=", 1) for line in target.read_text().splitlines() if line and not line.startswith("#"))
    assert set(given) == {f"NATS_{user.upper()}_PASSWORD" for user in DOCS["USERS"]} | {"GATEWAY_API_KEY"}
    assert len(set(given.values())) == len(given)
    assert all(len(password) > 30 and password[0].isalpha() for password in given.values())
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_an_env_that_is_there_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / ".env"
    target.write_text("MINE=1\n")

    done = subprocess.run([sys.executable, str(MAKE_ENV), str(target)], timeout=30, capture_output=True, text=True)

    assert done.returncode != 0
    assert "exists: remove it" in done.stderr
    assert target.read_text() == "MINE=1\n"
