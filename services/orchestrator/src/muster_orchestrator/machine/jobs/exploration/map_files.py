"""The map of an exploration as the file that its run leaves. Pure."""

import msgspec

from muster_exploration.map_file import MAP_FILE, MapFile
from muster_orchestrator.machine.core.commands import JobFile
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.exploration.state import ExplorationState
from muster_protocol.requests import Exploration


def exploration_files(run: Run) -> tuple[JobFile, ...]:
    """Return the map, unless nothing was seen of the app."""
    state, request = run.job, run.request
    if not isinstance(state, ExplorationState) or request is None or not isinstance(request.job, Exploration):
        return ()
    progress = state.progress
    if not progress.map.states:
        return ()
    file = MapFile(job=request.job, map=progress.map, spent=progress.spent, over=progress.over)
    return (JobFile(f"{request.id}/{MAP_FILE}", msgspec.json.encode(file), "application/json"),)
