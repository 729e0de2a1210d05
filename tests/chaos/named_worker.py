"""A worker under the id that it is given; every other makes its own, so no two have one in common."""

import os
import sys
from functools import partial
from unittest.mock import patch

from muster_bus.service import main
from muster_service.settings import take_secrets
from muster_subagent.settings import SubAgentSettings
from muster_subagent.worker import subagent


def given_id(kind: str) -> str:
    """Return the id that was given, for the only thing that is named in this module."""
    return sys.argv[1]


if __name__ == "__main__":
    with patch("muster_subagent.worker.new_id", given_id):
        main("subagent", SubAgentSettings, partial(subagent, variables=take_secrets(os.environ)))
