"""The tree of runs, sub-tasks and tool calls that a terminal shows. Pure."""

from collections.abc import Iterable, Sequence

from rich.text import Text
from rich.tree import Tree

from muster_cli.progress import Progress
from muster_views.node_history import REACHED, Attempt, Node
from muster_views.texts import format_count, format_money, format_seconds, to_one_line
from muster_views.words import look

STYLES = {
    "queued": "dim",
    "running": "cyan",
    "asking": "yellow",
    "retrying": "yellow",
    "pass": "green",
    "fail": "bold red",
    "done": "green",
    "failed": "bold red",
    "warning": "yellow",
    "cancelled": "dim",
    "skipped": "dim",
    "paused": "yellow",
    "parked": "yellow",
}
"""By the tone of a state."""
ROWS_BESIDE_A_RUN = 5
"""Minimum number of lines of each run in progress, if there is no room for all."""
CALLS_BESIDE_A_SUB_TASK = 2


def render_tree(runs: Iterable[Progress], now: float, height: int) -> Tree:
    """Return a tree of the runs in at most `height` lines: runs in progress first, the others counted."""
    runs = list(runs)
    root = Tree(_headline(runs, now), guide_style="dim")
    room = max(height - 1, 3)
    live = [run for run in runs if run.live]
    share = max(room // max(len(live), 1) - 1, ROWS_BESIDE_A_RUN)
    for run in live:
        tasks = _sub_tasks(run, share)
        room -= 1 + len(tasks) + sum(len(_latest(run, task)) for task in tasks)
        if room < 0:
            break
        branch = root.add(_shorten(_run_line(run, now)))
        for task in tasks:
            calls = branch.add(_shorten(_task_line(run, task, now)))
            for call in _latest(run, task):
                calls.add(_shorten(Text(to_one_line(call, 200), style="dim")))
    for run in [run for run in reversed(runs) if run.history.verdict is not None][: max(room, 0)]:
        root.add(_shorten(_run_line(run, now)))
    return root


def render_run(run: Progress, now: float) -> Tree:
    """Return the tree of one run with all its sub-tasks; one that was tried again has its attempts and recoveries."""
    root = Tree(_run_line(run, now), guide_style="dim")
    for task in run.sub_tasks:
        if not run.mends(task):
            branch = root.add(_task_line(run, task, now))
            for node, attempt in _tried(run, task):
                branch.add(_attempt_line(node, attempt, now))
    return root


def _tried(run: Progress, task: Node) -> list[tuple[Node, Attempt]]:
    """Return the attempts at a sub-task and its recoveries in the order in which they began; none if there was one."""
    of = (task, *(one for one in run.sub_tasks if run.mends(one) and one.owner == task.id))
    tried = [(node, attempt) for node in of for attempt in node.attempts]
    return sorted(tried, key=lambda one: one[1].task.dispatch) if len(tried) > 1 else []


def _attempt_line(node: Node, attempt: Attempt, now: float) -> Text:
    result = attempt.result
    of = f"{node.label}: {node.description}" if node.recovery else f"attempt {attempt.task.attempt}"
    line = _marked(result.status if result else node.state, to_one_line(of, 200))
    line.append(f"  {format_seconds((attempt.ended_at or now) - attempt.started_at)}", style="dim")
    if result and result.status != "pass":
        line.append(f"  {to_one_line(result.summary, 300)}", style="yellow")
    return line


def render_details(run: Progress, now: float) -> Tree:
    """Return the tree of one run with agent, budget, cost and latest calls of each sub-task, as deep as they ask."""
    root = Tree(_run_line(run, now), guide_style="dim")
    for question in run.history.questions:
        root.add(Text(f"asks: {to_one_line(question.text, 300)}", style="yellow"))
    branches = {"": root}
    for task in run.history.nodes.values():
        branch = branches.get(task.parent, root).add(_detail_line(run, task, now))
        branches[task.id] = branch
        for call in _latest(run, task):
            branch.add(Text(to_one_line(call, 200), style="dim"))
    return root


def _detail_line(run: Progress, task: Node, now: float) -> Text:
    """Return a sub-task with its agent and what it has used of its budget."""
    line = _marked(task.status or task.state, task.task.agent if task.task and task.task.agent else task.kind)
    if task.position:
        line.append(f"  {_place(run, task)}", style="cyan")
    line.append(f"  {to_one_line(task.description, 120)}")
    line.append(f"  {_used(run, task)}", style="cyan")
    if task.started_at:
        line.append(f"  {format_seconds((task.ended_at or now) - task.started_at)}", style="dim")
    if task.result and task.result.refusals:
        line.append(f"  {format_count(len(task.result.refusals), 'refusal')}", style="yellow")
    if task.summary and task.state not in (*REACHED, "running"):
        line.append(f"  {to_one_line(task.summary, 200)}", style="yellow")
    return line


def _used(run: Progress, task: Node) -> str:
    """Return the tool calls, tokens and money that a sub-task has used, and of how much."""
    if task.task is None:
        return ""
    used, budget = task.result.usage if task.result else None, task.task.budget
    calls = used.calls if used else run.made.get(task.task.id, 0)
    tokens = used.tokens if used else 0
    parts = [f"{calls}/{task.allowed_calls} calls"]
    parts += [f"{tokens:,}{f'/{budget.tokens:,}' if budget.tokens else ''} tokens"] if tokens else []
    parts += [f"cost {format_money(used.cost)}"] if used and used.cost else []
    return ", ".join(parts)


def _headline(runs: Sequence[Progress], now: float) -> Text:
    states = [run.history.status for run in runs]
    counts = {
        "running": sum(run.live for run in runs),
        "queued": states.count("queued"),
        "passed": states.count("pass"),
        "failed": states.count("fail"),
        "done": states.count("done"),
        "not done": states.count("failed"),
    }
    started = min((run.history.started_at for run in runs if run.history.started_at), default=now)
    summary = " · ".join(f"{count} {name}" for name, count in counts.items() if count)
    return Text(f"{summary or 'nothing to run'} · {format_seconds(now - started)}", style="bold")


def _run_line(run: Progress, now: float) -> Text:
    history = run.history
    line = _marked(history.status, run.label)
    line.append(f"  {to_one_line(run.name, 60)}")
    if history.planned:
        line.append(f"  {history.done}/{len(history.planned)}", style="cyan")
    if history.started_at:
        line.append(f"  {format_seconds((history.ended_at or now) - history.started_at)}", style="dim")
    note = run.note or (history.verdict.summary if history.verdict and not history.verdict.achieved else "")
    return line.append(f"  {to_one_line(note, 300)}", style="yellow") if note else line


def _sub_tasks(run: Progress, room: int) -> list[Node]:
    """Return the sub-tasks around the newest one at work; with the calls shown they need `room` lines at most."""
    tasks = run.sub_tasks
    current = max((index for index, task in enumerate(tasks) if task.state != "waiting"), default=0)
    calls = sum(len(_latest(run, task)) for task in tasks)
    count = max(room - calls, 1)
    first = max(min(current - count // 2, len(tasks) - count), 0)
    return tasks[first : first + count]


def _latest(run: Progress, task: Node) -> tuple[str, ...]:
    if task.task is None or task.state != "running":
        return ()
    return run.calls.get(task.task.id, ())[-CALLS_BESIDE_A_SUB_TASK:]


def _place(run: Progress, task: Node) -> str:
    """Return the position of a sub-task and the size that the plan has now: `3/4`."""
    return f"{task.position}/{max(task.position, len(run.history.planned))}"


def _task_line(run: Progress, task: Node, now: float) -> Text:
    agent, depth = task.kind == "assign" and task.task is not None, run.depth(task)
    mends = f"{task.label} for " if run.mends(task) else ""
    line = _marked(task.status or task.state, task.label if agent else f"{mends}{_place(run, task)}")
    line = Text("  " * depth).append_text(line) if depth else line
    if agent and task.result and task.task:
        line.append(f"  {task.result.usage.calls}/{task.allowed_calls} calls", style="cyan")
    line.append(f"  {to_one_line(task.description, 200)}")
    if task.started_at:
        line.append(f"  {format_seconds((task.ended_at or now) - task.started_at)}", style="dim")
    if task.summary and task.state not in (*REACHED, "running"):
        line.append(f"  {to_one_line(task.summary, 300)}", style="yellow")
    return line


def _shorten(text: Text) -> Text:
    """Return the text cropped to one line of the screen."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _marked(state: str, text: str) -> Text:
    shown = look(state)
    return Text(f"{shown.mark} ", style=STYLES[shown.tone]).append(to_one_line(text), style="bold")
