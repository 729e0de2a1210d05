"""Programs that some tests need and not every machine has: without them a test is skipped, or fails if all have to run."""

import os
import shutil
from collections.abc import Mapping

import pytest

VARIABLE = "MUSTER_TESTS_NEED_ALL"
"""Set to 1 by `make check-all`: what cannot run there is a failure."""


def absent(programs: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """Return why a test that needs these programs is to be skipped; empty if it is to run, or to fail without them."""
    missing = [program for program in programs if shutil.which(program, path=environ.get("PATH")) is None]
    if not missing or environ.get(VARIABLE) == "1":
        return ""
    return f"not installed: {', '.join(missing)} (deploy/install_programs.py installs what it can)"


def needs(*programs: str) -> pytest.MarkDecorator:
    """Mark a test that needs programs."""
    why = absent(programs, os.environ)
    return pytest.mark.skipif(bool(why), reason=why or "nothing is missing")
