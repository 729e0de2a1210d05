"""What the orchestrator reads from its environment."""

from typing import Annotated

from msgspec import Meta

from muster_protocol.events import Policy
from muster_service.settings import BusSettings


class OrchestratorSettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """Settings of the orchestrator; each is an environment variable of the same name in capitals."""

    orchestrator_runs: Annotated[int, Meta(ge=1)] = 64
    """Runs this process drives at once."""
    orchestrator_max_subtasks: Annotated[int, Meta(ge=1)] = 30
    """What planning and recovery of a run may add up to; a case can say otherwise in its limits."""
    orchestrator_max_recovery_attempts: Annotated[int, Meta(ge=0)] = 1
    """Recoveries of one sub-task before its fail is final."""
    orchestrator_max_attempts: Annotated[int, Meta(ge=1)] = 3
    """How often a sub-task is tried when infrastructure fails it."""
    orchestrator_backoff_seconds: Annotated[float, Meta(ge=0)] = 1.0
    """Pause before such a sub-task is tried again; each further one is twice as long, and a little more by chance."""
    orchestrator_backoff_limit_seconds: Annotated[float, Meta(ge=0)] = 5.0
    """Longest such pause."""
    orchestrator_state_characters: Annotated[int, Meta(ge=200)] = 800
    """How much a sub-task is told of what was done before it, in characters; beyond that a model sums it up."""
    orchestrator_max_takeovers: Annotated[int, Meta(ge=1)] = 20
    """Orchestrators lost in a row, before another sub-task ends, after which a run is given up."""
    orchestrator_run_seconds: Annotated[float, Meta(gt=0)] = 3600.0
    """Wall time of a run that sets no limit of its own."""
    sub_agent_max_iterations: Annotated[int, Meta(ge=1)] = 15
    """Turns of a model a sub-task may take."""
    sub_agent_max_calls: Annotated[int, Meta(ge=1)] = 100
    """Calls of tools a sub-task may make; `max_calls` in the limits of a case bounds all sub-tasks together."""
    sub_agent_timeout_seconds: Annotated[float, Meta(gt=0)] = 180.0
    """Time a worker has for one sub-task."""
    orchestrator_unserved_seconds: Annotated[float, Meta(gt=0)] = 300.0
    """How long a run waits when there is no worker that can take its next sub-task."""
    orchestrator_parked_seconds: Annotated[float, Meta(gt=0)] = 86_400.0
    """How long a run waits for a person: to be resumed, or to get an answer."""
    orchestrator_run_log_mb: Annotated[float, Meta(gt=0)] = 64.0
    """What the log of one run may hold; a run that writes more is given up before it fills what all share."""
    session_wait_seconds: Annotated[float, Meta(ge=0)] = 60.0
    """How long a run waits for a session host to open its session."""
    sweep_seconds: Annotated[float, Meta(gt=0)] = 10.0
    """How often runs that nobody holds are looked for."""
    artifact_days: Annotated[float, Meta(gt=0, le=30)] = 30.0
    """How long artefacts are kept; a run's log, without which they go too, is kept for 30 days."""
    artifact_sweep_seconds: Annotated[float, Meta(gt=0)] = 600.0
    """How often artefacts are looked for that are too old, or of runs that are gone."""

    def policy(self) -> Policy:
        """Return the settings runs are decided by."""
        return Policy(
            max_subtasks=self.orchestrator_max_subtasks,
            max_recovery_attempts=self.orchestrator_max_recovery_attempts,
            max_attempts=self.orchestrator_max_attempts,
            backoff_seconds=self.orchestrator_backoff_seconds,
            backoff_limit_seconds=self.orchestrator_backoff_limit_seconds,
            state_characters=self.orchestrator_state_characters,
            max_takeovers=self.orchestrator_max_takeovers,
            run_seconds=self.orchestrator_run_seconds,
            unserved_seconds=self.orchestrator_unserved_seconds,
            parked_seconds=self.orchestrator_parked_seconds,
            log_bytes=int(self.orchestrator_run_log_mb * 2**20),
            subtask_seconds=self.sub_agent_timeout_seconds,
            subtask_iterations=self.sub_agent_max_iterations,
            subtask_calls=self.sub_agent_max_calls,
        )
