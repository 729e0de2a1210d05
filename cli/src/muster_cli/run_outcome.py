"""How a command's run ended, from where its case is written and what was seen of it. Pure."""

from muster_cli.jobs import Job
from muster_cli.progress import RunView
from muster_reports.outcome import (
    INTERRUPTED,
    OTHER_FAILED,
    PASSED,
    PRODUCT_FAILED,
    USAGE,
    CaseOutcome,
    Report,
    Stopped,
    Totals,
    exit_code,
    failed_result,
    make_report,
    totals,
)

__all__ = [
    "INTERRUPTED",
    "OTHER_FAILED",
    "PASSED",
    "PRODUCT_FAILED",
    "USAGE",
    "CaseOutcome",
    "Report",
    "Stopped",
    "Totals",
    "case_outcome",
    "exit_code",
    "failed_result",
    "make_report",
    "totals",
]


def case_outcome(job: Job, view: RunView) -> CaseOutcome:
    """Return what came of a job's run, as far as the view knows."""
    request, verdict = job.case.request, view.verdict
    step, line = _failed_step(job, view)
    return CaseOutcome(
        label=job.label,
        name=request.job.name,
        run=request.id,
        source=job.case.source,
        line=job.case.line,
        suite=request.suite,
        step=step,
        step_line=line,
        steps_done=view.done,
        steps_total=view.total,
        verdict=verdict,
    )


def _failed_step(job: Job, view: RunView) -> tuple[str, int]:
    """Return the words for the sub-task that failed, and the line it is written in (0: not in the file)."""
    node = view.verdict.failed_node if view.verdict else ""
    task = view.sub_task(node)
    if task is None:
        return "", 0
    if task.precondition:
        return f"precondition: {task.description}", job.case.line
    numbers = [index + 1 for index in task.covers]
    where = f"step {numbers[0]}" if numbers else f"sub-task {task.position}"
    lines = job.case.step_lines
    return f"{where}: {task.description}", lines[numbers[0] - 1] if numbers and numbers[0] <= len(lines) else 0
