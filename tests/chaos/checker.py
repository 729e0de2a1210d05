"""Everything that must hold, whatever was done to the fleet: a history in, violations out. Pure."""

from chaos import check_journals, check_logs, check_world
from chaos.history import History, Violation

CHECKS = (*check_logs.CHECKS, *check_journals.CHECKS, *check_world.CHECKS)


def violations(history: History) -> tuple[Violation, ...]:
    """Return everything in a history that must not be."""
    return tuple(violation for check in CHECKS for violation in check(history))
