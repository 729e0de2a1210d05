"""What one tour may spend, and what it has spent."""

from muster_protocol.explorations import ExplorationSpent
from muster_protocol.kinds import ExploreInput
from muster_subagent.fleet_time import fleet_time


class TourBudget:
    """The budget of a tour; `spent` is what it has spent."""

    def __init__(self, tour: ExploreInput) -> None:
        self._left, self._until = tour.left, tour.until
        self.spent = ExplorationSpent()

    def spend(self, steps: int = 0, taps: int = 0, outside: int = 0, restarts: int = 0) -> None:
        """Count what is spent."""
        self.spent = self.spent.plus(ExplorationSpent(steps=steps, taps=taps, outside=outside, restarts=restarts))

    def pays(self, steps: int) -> bool:
        """Return whether so many more steps may be made."""
        return self.spent.steps + steps <= self._left.steps

    def restart(self) -> bool:
        """Count a restart that no tour has planned, unless there may be no more; return whether it is paid for."""
        if self.spent.restarts >= self._left.restarts:
            return False
        self.spend(restarts=1)
        return True

    @property
    def is_used_up(self) -> bool:
        """Whether there is nothing left for another step, or no time."""
        late = bool(self._until) and fleet_time() >= self._until
        return late or self.spent.steps >= self._left.steps or self.spent.taps >= self._left.taps
