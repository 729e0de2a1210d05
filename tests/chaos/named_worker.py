"""A worker under the id that it is given; every other makes its own, so no two have one in common."""

import os
import sys
from functools import partial
from unittest.mock import patch

from muster_bus.service import main
from muster_service.settings import take_secrets
from muster_subagent.settings import SubAgentSettings
from muster_subagent.worker import subagent

if __name__ == "__main__":
    name = sys.argv.pop(1)  # the service itself takes no arguments
    with patch("muster_subagent.worker.new_id", return_value=name):
        main("subagent", SubAgentSettings, partial(subagent, variables=take_secrets(os.environ)))
