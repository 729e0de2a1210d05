"""What came of the moves that a tour has tried."""

from collections.abc import Callable

from muster_protocol.explorations import Trial, TrialOutcome


class MoveTrials:
    """The trials of one tour; `mask` takes secrets out of what was said."""

    def __init__(self, mask: Callable[[str], str]) -> None:
        self._mask = mask
        self.made: list[Trial] = []
        self.trying = -1
        """Index of the move that was just made and is not looked at yet."""
        self.values: tuple[str, ...] = ()
        """What was put into its blanks."""

    def end(
        self,
        outcome: TrialOutcome,
        to: str = "",
        text: str = "",
        alerts: tuple[str, ...] = (),
        *,
        changed: bool = False,
    ) -> None:
        """Note what came of the move that was just made, if there is one."""
        if self.trying < 0:
            return
        trial = Trial(
            move=self.trying,
            outcome=outcome,
            to=to,
            text=self._mask(text),
            alerts=alerts,
            changed=changed,
            values=self.values,
        )
        self.made.append(trial)
        self.trying = -1
