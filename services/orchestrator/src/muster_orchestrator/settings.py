"""Settings of the orchestrator."""

from typing import Annotated

from msgspec import Meta

from muster_orchestrator.run_analyst import SecondLooks
from muster_protocol.events import Policy
from muster_protocol.requests import CHECKERS
from muster_service.settings import BusSettings


class OrchestratorSettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """Each field is an environment variable of the same name in capitals."""

    orchestrator_runs: Annotated[int, Meta(ge=1)] = 64
    """Maximum number of runs that this process drives at once."""
    orchestrator_max_subtasks: Annotated[int, Meta(ge=1)] = 30
    """Maximum number of sub-tasks of a run, planning and recovery included; a case can set its own limit."""
    orchestrator_max_recovery_attempts: Annotated[int, Meta(ge=0)] = 1
    """Maximum number of recoveries of one sub-task."""
    orchestrator_max_attempts: Annotated[int, Meta(ge=1)] = 3
    """Maximum number of attempts at a sub-task that fails for infrastructure reasons."""
    orchestrator_backoff_seconds: Annotated[float, Meta(ge=0)] = 1.0
    """Seconds before the second attempt; the pause doubles each time, plus a random part."""
    orchestrator_backoff_limit_seconds: Annotated[float, Meta(ge=0)] = 5.0
    """Longest pause between attempts, in seconds."""
    orchestrator_state_characters: Annotated[int, Meta(ge=200)] = 800
    """Characters of history that a sub-task gets; a longer history is summarised by a model."""
    orchestrator_max_takeovers: Annotated[int, Meta(ge=1)] = 20
    """Orchestrators lost in a row, without a finished sub-task in between, after which a run is given up."""
    orchestrator_run_seconds: Annotated[float, Meta(gt=0)] = 3600.0
    """Maximum seconds of a run that sets no limit of its own."""
    orchestrator_critic: bool = False
    """Let the critic review the plan of each case; 0: only of cases with `checked_by: critic`."""
    orchestrator_ask_before: str = ""
    """Ask a person before steps with these effects or words, separated by commas: `pays`, `deletes`, `mails`, `ends`
    (sessions, machines), `decides`, or words of your own. With a critic, also before steps that it calls risky. Empty:
    never ask."""
    orchestrator_validator: bool = False
    """Let the validator look again at clauses that a look alone has proven; 0: only in cases with `checked_by:
    validator`."""
    orchestrator_checkpoints: bool = False
    """Let a planner state what parts of a split step must show, so that a run stops early if they do not."""
    orchestrator_replan: bool = False
    """Let an evaluator have the rest of a case planned again, once per run."""
    orchestrator_recover_by_rule: bool = False
    """Try a step again, with longer waits, if it failed before it acted; once, before an evaluator is asked."""
    orchestrator_second_looks: SecondLooks = "never"
    """Which finished runs of cases the agent `analyzer` examines again: `all`, none (`never`), or `unusual` ones, which
    fail or differ from the earlier runs of their test."""
    sub_agent_max_iterations: Annotated[int, Meta(ge=1)] = 15
    """Maximum number of turns of a model in a sub-task."""
    sub_agent_max_calls: Annotated[int, Meta(ge=1)] = 100
    """Maximum number of tool calls of a sub-task; `max_calls` in the limits of a case covers all sub-tasks together."""
    sub_agent_timeout_seconds: Annotated[float, Meta(gt=0)] = 180.0
    """Maximum seconds of a sub-task at a worker."""
    orchestrator_unserved_seconds: Annotated[float, Meta(gt=0)] = 300.0
    """Seconds that a run waits for a worker that can take its next sub-task."""
    orchestrator_parked_seconds: Annotated[float, Meta(gt=0)] = 86_400.0
    """Seconds that a run waits for a person to resume it or answer its question."""
    orchestrator_run_log_mb: Annotated[float, Meta(gt=0)] = 64.0
    """Largest log of one run, in MB; a run that writes more is given up, because all runs share one stream."""
    session_wait_seconds: Annotated[float, Meta(ge=0)] = 60.0
    """Seconds that a run waits for a session host when none is running; while hosts are full, it waits in line."""
    sweep_seconds: Annotated[float, Meta(gt=0)] = 10.0
    """Seconds between searches for runs without an owner."""
    artifact_days: Annotated[float, Meta(gt=0, le=30)] = 30.0
    """Days that artifacts are kept; they are also removed with their run's log, after 30 days."""
    artifact_sweep_seconds: Annotated[float, Meta(gt=0)] = 600.0
    """Seconds between removals of old artifacts and those of removed runs."""

    def policy(self) -> Policy:
        """Return the policy that new runs are decided by."""
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
            session_wait_seconds=self.session_wait_seconds,
            parked_seconds=self.orchestrator_parked_seconds,
            log_bytes=int(self.orchestrator_run_log_mb * 2**20),
            subtask_seconds=self.sub_agent_timeout_seconds,
            subtask_iterations=self.sub_agent_max_iterations,
            subtask_calls=self.sub_agent_max_calls,
            ask_before=tuple(filter(None, (it.strip() for it in self.orchestrator_ask_before.split(",")))),
            checkpoints=self.orchestrator_checkpoints,
            replan=self.orchestrator_replan,
            recover_by_rule=self.orchestrator_recover_by_rule,
            checkers=tuple(name for name in CHECKERS if getattr(self, f"orchestrator_{name}")),
        )
