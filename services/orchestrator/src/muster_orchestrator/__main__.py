"""`python -m muster_orchestrator`: run one orchestrator process."""

from muster_bus.service import main
from muster_orchestrator.service import orchestrator
from muster_orchestrator.settings import OrchestratorSettings

if __name__ == "__main__":
    main("orchestrator", OrchestratorSettings, orchestrator)
