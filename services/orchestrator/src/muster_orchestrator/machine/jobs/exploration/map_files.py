"""The map of an exploration as the file that its run leaves. Pure."""

import msgspec

from muster_exploration.map_file import MAP_FILE, MapFile
from muster_orchestrator.machine.core.commands import JobFile
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.exploration.state import ExplorationState
from muster_protocol.graphs import GraphRow, explored_app
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


def graph_row(run: Run) -> GraphRow | None:
    """Return the row of the map that is left, unless nothing was seen of the app."""
    state, request = run.job, run.request
    if not isinstance(state, ExplorationState) or request is None or not isinstance(request.job, Exploration):
        return None
    known = state.progress.map
    if not known.states:
        return None
    return GraphRow(
        run=request.id,
        app=explored_app(request.job),
        name=request.job.name,
        at=run.verdict.ended_at if run.verdict else run.now,
        states=known.distinct,
        edges=len(known.edges),
        open=sum(map(len, known.open.values())),
        findings=len(known.findings),
        over=state.progress.over,
    )
