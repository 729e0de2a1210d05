"""The log lines of one sub-task."""

from muster_bus import Bus, LogLine, LogLines
from muster_protocol.logs import Level, LogKind, Transition
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import ArtifactRef

LONGEST = 8_000
"""Characters of one line; the whole of a long output is an artifact."""
FLUSH_SECONDS = 2.0
"""Lines must not keep a slot, nor a process that is to end."""


class Lines:
    """Publishes lines of one sub-task in order; what they say must be masked already."""

    def __init__(self, bus: Bus, task: SubTask, worker: str) -> None:
        self._task = task
        self._lines = LogLines(bus, task.run, worker)

    def tell(
        self,
        kind: LogKind,
        text: str,
        *,
        level: Level = "info",
        tool: str = "",
        status: str = "",
        duration_ms: float = 0.0,
        artifacts: tuple[str, ...] = (),
    ) -> None:
        """Publish a line soon."""
        line = LogLine(
            kind=kind,
            text=f"  [Sub-agent] {text[:LONGEST]}",
            level=level,
            node=self._task.node,
            task=self._task.id,
            position=self._task.position,
            total=self._task.total,
            tool=tool,
            status=status,
            duration_ms=duration_ms,
            artifacts=artifacts,
        )
        self._lines.publish(line)

    def announce(self, picture: ArtifactRef) -> None:
        """Tell that a picture can be fetched."""
        name = picture.name.rpartition("/")[2]
        line = LogLine(
            kind="picture",
            text=f"  [Sub-agent] stored the picture {name}",
            level="debug",
            node=self._task.node,
            task=self._task.id,
            artifacts=(picture.name,),
            picture=picture,
        )
        self._lines.publish(line)

    def move(self, step: Transition) -> None:
        """Tell a step of the machine that the sub-task works by."""
        told = f"{step.source} → {step.target} ({step.guard}){f': {step.reason}' if step.reason else ''}"
        line = LogLine(
            kind="transition",
            text=f"  [Sub-agent] {told[:LONGEST]}",
            level="debug",
            node=self._task.node,
            task=self._task.id,
            transition=step,
        )
        self._lines.publish(line)

    async def flush(self) -> None:
        """Return when all lines are on their way, or cannot be for now."""
        await self._lines.flush(FLUSH_SECONDS)
