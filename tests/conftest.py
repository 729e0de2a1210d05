"""What all tests share: how hypothesis looks for examples (the same ones each time, unless asked to explore), when
garbage is collected, and where programs of Node keep what they have compiled.
"""

import gc
import os
import sys
from pathlib import Path

import pytest
import structlog
from hypothesis import settings

from muster_service import log_secrets

settings.register_profile("muster", deadline=None, derandomize=True, max_examples=60, print_blob=True)
settings.register_profile("explore", deadline=None, derandomize=False, max_examples=1000, print_blob=True)
settings.load_profile("muster")

# Browsers' drivers keep what they have compiled: a fifth of each start. Beside the interpreter, so it goes with it.
os.environ.setdefault("NODE_COMPILE_CACHE", str(Path(sys.prefix) / "node-compile-cache"))

gc.disable()  # thousands of tests are about to be collected, all of which stay


def pytest_collection_finish() -> None:
    """Collect garbage again, but never scan the collected tests: that took a tenth of the whole run."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def logs_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that ran in this process before may have silenced the logs, or hidden values in them."""
    structlog.reset_defaults()
    monkeypatch.setattr(log_secrets, "_known", vars(log_secrets)["_known"])  # what a test hides is known until its end
