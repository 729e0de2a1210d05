"""`python -m muster_subagent`: run one sub-agent worker process."""

from muster_bus.service import main
from muster_subagent.settings import SubAgentSettings
from muster_subagent.worker import subagent

if __name__ == "__main__":
    main("subagent", SubAgentSettings, subagent)
