"""The progress of a run: its history, the latest calls of each sub-task, and commands to suggest."""

from msgspec import Struct, field

from muster_protocol.events import Entry
from muster_protocol.logs import LogRecord
from muster_protocol.requests import OVER, RunRequest
from muster_views.history import History
from muster_views.node_history import Node, tree_of

CALLS_SHOWN = 3
Update = Entry | LogRecord


class Progress(Struct, kw_only=True):
    """One run as a terminal shows it."""

    label: str
    """Its short name."""
    history: History
    calls: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The latest tool calls of each attempt at a sub-task, by `SubTask.id`, oldest first. Log lines and entries of a
    run come from two streams, so that a call may be told of before its dispatch."""
    made: dict[str, int] = field(default_factory=dict[str, int])
    """The number of its calls so far, likewise."""

    @property
    def run(self) -> str:
        """The run's id."""
        return self.history.run

    @property
    def name(self) -> str:
        """The name of its job."""
        return self.history.request.job.name if self.history.request else ""

    @property
    def live(self) -> bool:
        """Whether the run has begun and has no verdict yet."""
        return self.history.status not in ("queued", *OVER)

    @property
    def sub_tasks(self) -> list[Node]:
        """Those that carry something out, each followed by what it asked others for and by its recoveries; what plans
        has no position."""
        nodes = self.history.nodes
        placed = [node for node in nodes.values() if node.position]
        heads = [node for node in placed if not self.mends(node)]
        ordered = [it for head in heads for it in (head, *(one for one in placed if one.owner == head.id))]
        return [below for node in ordered for below, _ in tree_of(nodes, node.id)]

    def mends(self, node: Node) -> bool:
        """Return whether a sub-task is a recovery of another one that is shown."""
        return node.recovery and node.owner in self.history.nodes

    def depth(self, node: Node) -> int:
        """Return how many others asked for a sub-task, one through the other."""
        above = self.history.nodes.get(node.parent)
        return 1 + self.depth(above) if above else 0

    @property
    def note(self) -> str:
        """A note beside the run's state: what it waits for, and the command to type."""
        history = self.history
        if not self.live:
            return ""
        if history.paused:
            return f"goes on with: muster resume {self.run}"
        if history.cancelling is not None:
            return f"cancelling: {history.cancelling}" if history.cancelling else "cancelling"
        if history.given_up:
            return history.given_up
        if history.questions:
            return " ".join(self.what_to_type())
        if history.waits_for:
            return history.waits_for if history.parked else f"waits: {history.waits_for}"
        thinking = (
            node for node in history.nodes.values() if node.state == "running" and not node.position and not node.parent
        )
        return next((f"{node.task.agent or node.kind} at work" for node in thinking if node.task), "")

    def apply(self, update: Update) -> None:
        """Apply an entry of the run's log, or a log line."""
        if isinstance(update, Entry):
            for event in update.events:
                self.history.apply(event, update.at)
        elif update.kind == "tool_call" and update.task:
            call = update.text.strip().removeprefix("[Sub-agent]").strip()
            self.calls[update.task] = (*self.calls.get(update.task, ()), call)[-CALLS_SHOWN:]
            self.made[update.task] = self.made.get(update.task, 0) + 1

    def what_to_type(self) -> tuple[str, ...]:
        """Return the run's questions, each with the command that answers it."""
        questions = self.history.questions
        options = [f" --question {one.id}" if len(questions) > 1 else "" for one in questions]
        return tuple(
            f'asks: {one.text} — answer with: muster answer {self.run} "…"{option}'
            for one, option in zip(questions, options, strict=True)
        )


def start_progress(request: RunRequest, label: str) -> Progress:
    """Return the progress of a run of which only the request is known."""
    return Progress(label=label, history=History(run=request.id, request=request))
