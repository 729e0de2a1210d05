"""`python -m muster_subagent`: run one sub-agent worker process."""

import os
from functools import partial

from muster_bus.service import main
from muster_service.settings import take_secrets
from muster_subagent.settings import SubAgentSettings
from muster_subagent.worker import subagent

if __name__ == "__main__":
    main("subagent", SubAgentSettings, partial(subagent, variables=take_secrets(os.environ)))
