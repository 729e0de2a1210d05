"""Programs that some tests need and not every machine has: without them a test is skipped, or fails if all have to run."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache

import pytest

VARIABLE = "MUSTER_TESTS_NEED_ALL"
"""Set to 1 by `make check-all`: what cannot run there is a failure."""


def absent(programs: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """Return why a test that needs these programs is to be skipped; empty if it is to run, or to fail without them."""
    missing = [program for program in programs if shutil.which(program, path=environ.get("PATH")) is None]
    if not missing or environ.get(VARIABLE) == "1":
        return ""
    return f"not installed: {', '.join(missing)} (deploy/install_programs.py installs what it can)"


@cache
def sandbox_problem() -> str:
    """Return why no sandbox can be had here, or ""; asks bubblewrap for one."""
    program = shutil.which("bwrap")
    if program is None:
        return "not installed: bubblewrap"
    confined = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--cap-drop", "ALL")
    tried = subprocess.run((program, *confined, "/bin/true"), capture_output=True, text=True, check=False, timeout=20)
    return f"bubblewrap does not work here: {tried.stderr.strip()}" if tried.returncode else ""


def needs_sandbox() -> pytest.MarkDecorator:
    """Mark a test that needs a sandbox around the commands it runs."""
    why = "" if os.environ.get(VARIABLE) == "1" else sandbox_problem()
    return pytest.mark.skipif(bool(why), reason=why or "there is a sandbox")


def needs(*programs: str) -> pytest.MarkDecorator:
    """Mark a test that needs programs."""
    why = absent(programs, os.environ)
    return pytest.mark.skipif(bool(why), reason=why or "nothing is missing")
