"""`python -m muster_orchestrator`: run one orchestrator process."""

from muster_orchestrator.service import orchestrator
from muster_orchestrator.settings import OrchestratorSettings
from muster_protocol.service import main

if __name__ == "__main__":
    main("orchestrator", OrchestratorSettings, orchestrator)
