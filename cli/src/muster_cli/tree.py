"""The tree of runs, sub-tasks and tool calls that a terminal shows. Pure: views in, rich value out."""

from collections.abc import Iterable, Sequence

from rich.text import Text
from rich.tree import Tree

from muster_cli.progress import RunView, SubTaskView
from muster_reports.texts import one_line, seconds

MARKS = {
    "waiting": ("·", "dim"),
    "running": ("▶", "cyan"),
    "asking": ("?", "yellow"),
    "retrying": ("↻", "yellow"),
    "pass": ("✓", "green"),
    "fail": ("✗", "bold red"),
    "error": ("!", "yellow"),
    "cancelled": ("–", "dim"),
    "queued": ("·", "dim"),
    "paused": ("‖", "yellow"),
    "parked": ("‖", "yellow"),
}
ROWS_BESIDE_A_RUN = 5
"""Lines shown of each live run, at least, when there are too many to show all."""
CALLS_BESIDE_A_SUB_TASK = 2


def tree(views: Iterable[RunView], now: float, height: int) -> Tree:
    """Return the tree of the runs that fits into `height` lines: live runs first, the others counted."""
    runs = list(views)
    root = Tree(_headline(runs, now), guide_style="dim")
    room = max(height - 1, 3)
    live = [view for view in runs if view.live]
    share = max(room // max(len(live), 1) - 1, ROWS_BESIDE_A_RUN)
    for view in live:
        tasks = _sub_tasks(view, share)
        room -= 1 + len(tasks) + sum(len(_latest(task)) for task in tasks)
        if room < 0:
            break
        branch = root.add(_cut(_run_line(view, now)))
        for task in tasks:
            calls = branch.add(_cut(_task_line(task, now)))
            for call in _latest(task):
                calls.add(_cut(Text(one_line(call, 200), style="dim")))
    for view in [view for view in reversed(runs) if view.verdict is not None][: max(room, 0)]:
        root.add(_cut(_run_line(view, now)))
    return root


def run_tree(view: RunView, now: float) -> Tree:
    """Return the tree of one run with all its sub-tasks."""
    root = Tree(_run_line(view, now), guide_style="dim")
    for task in view.sub_tasks:
        root.add(_task_line(task, now))
    return root


def _headline(runs: Sequence[RunView], now: float) -> Text:
    verdicts = [view.verdict.status for view in runs if view.verdict is not None]
    counts = {
        "running": sum(view.live for view in runs),
        "queued": sum(view.state == "queued" for view in runs),
        "passed": verdicts.count("pass"),
        "failed": verdicts.count("fail"),
    }
    started = min((view.started_at for view in runs if view.started_at), default=now)
    told = " · ".join(f"{count} {name}" for name, count in counts.items() if count)
    return Text(f"{told or 'nothing to run'} · {seconds(now - started)}", style="bold")


def _run_line(view: RunView, now: float) -> Text:
    state = view.verdict.status if view.verdict else "running" if view.state == "running" else view.state
    line = _marked(state if state in MARKS else "running", view.label)
    line.append(f"  {one_line(view.name, 60)}")
    if view.sub_tasks:
        line.append(f"  {view.done}/{view.total}", style="cyan")
    if view.started_at:
        line.append(f"  {seconds((view.ended_at or now) - view.started_at)}", style="dim")
    note = view.note or (view.verdict.summary if view.verdict and view.verdict.status == "fail" else "")
    return line.append(f"  {one_line(note, 300)}", style="yellow") if note else line


def _sub_tasks(view: RunView, room: int) -> tuple[SubTaskView, ...]:
    """Return the sub-tasks around the newest one at work; with the calls shown they need `room` lines at most."""
    tasks = view.sub_tasks
    current = max((index for index, task in enumerate(tasks) if task.state != "waiting"), default=0)
    calls = sum(len(_latest(task)) for task in tasks)
    count = max(room - calls, 1)
    first = max(min(current - count // 2, len(tasks) - count), 0)
    return tasks[first : first + count]


def _latest(task: SubTaskView) -> tuple[str, ...]:
    return task.calls[-CALLS_BESIDE_A_SUB_TASK:] if task.state == "running" else ()


def _task_line(task: SubTaskView, now: float) -> Text:
    line = _marked(task.state, f"{task.position}/{task.total}")
    line.append(f"  {one_line(task.description, 200)}")
    if task.started_at:
        line.append(f"  {seconds((task.ended_at or now) - task.started_at)}", style="dim")
    if task.summary and task.state not in ("pass", "running"):
        line.append(f"  {one_line(task.summary, 300)}", style="yellow")
    return line


def _cut(text: Text) -> Text:
    """Return the text as one that ends at the edge of the screen, so that each takes one line."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _marked(state: str, text: str) -> Text:
    mark, style = MARKS[state]
    return Text(f"{mark} ", style=style).append(one_line(text), style="bold")
