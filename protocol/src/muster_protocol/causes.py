"""Why a sub-task or run failed: kinds of failure, and the cause of each."""

from enum import StrEnum
from typing import Self


class Cause(StrEnum):
    """Who or what is to blame for a failed verdict."""

    PRODUCT = "product"
    """The product under test did not do what was expected."""
    ENVIRONMENT = "environment"
    """Something that the test needs, other than the product, was missing, unreachable or lost."""
    AGENT = "agent"
    """The test could not be carried out as written, or its agent failed."""
    BUDGET = "budget"
    """It would cost more, or has cost as much, as it may; the product was not judged."""
    CANCELLED = "cancelled"
    """The run was cancelled."""


class Failure(StrEnum):
    """What went wrong; decides the cause."""

    cause: Cause

    def __new__(cls, value: str, cause: Cause) -> Self:
        """Return a failure by its name on the wire."""
        made = str.__new__(cls, value)
        made._value_, made.cause = value, cause
        return made

    EXPECTATION_FALSE = "expectation_false", Cause.PRODUCT
    SERVER_ERROR = "server_error", Cause.PRODUCT
    ELEMENT_MISSING = "element_missing", Cause.PRODUCT  # an evaluator may clear it
    NAME_UNKNOWN = "name_unknown", Cause.PRODUCT  # or the case names it wrongly: reports say so
    UNREACHABLE = "unreachable", Cause.ENVIRONMENT
    SESSION_LOST = "session_lost", Cause.ENVIRONMENT
    COMMAND_MISSING = "command_missing", Cause.ENVIRONMENT
    COMMAND_FAILED = "command_failed", Cause.PRODUCT
    PRECONDITION_FAILED = "precondition_failed", Cause.ENVIRONMENT
    SECRET_MISSING = "secret_missing", Cause.ENVIRONMENT
    INFRASTRUCTURE = "infrastructure", Cause.ENVIRONMENT
    IN_FLIGHT_LOST = "in_flight_lost", Cause.ENVIRONMENT
    NO_WORKER = "no_worker", Cause.ENVIRONMENT
    LIMIT = "limit", Cause.AGENT
    MONEY_SPENT = "money_spent", Cause.BUDGET
    TIMED_OUT = "timed_out", Cause.AGENT
    UNPARSABLE = "unparsable", Cause.AGENT
    UNKNOWN_PHRASE = "unknown_phrase", Cause.AGENT
    NO_EVIDENCE = "no_evidence", Cause.AGENT
    INVALID_CALL = "invalid_call", Cause.AGENT
    NOT_PERMITTED = "not_permitted", Cause.AGENT
    TARGET_UNCLEAR = "target_unclear", Cause.AGENT
    GAVE_UP = "gave_up", Cause.AGENT
    RECORDING_MISSED = "recording_missed", Cause.AGENT
    CHECKPOINT_MISSED = "checkpoint_missed", Cause.AGENT
    TAMPERED = "tampered", Cause.AGENT
    MODEL_UNAVAILABLE = "model_unavailable", Cause.ENVIRONMENT
    POISON = "poison", Cause.AGENT
    CANCELLED = "cancelled", Cause.CANCELLED

    @property
    def is_absence(self) -> bool:
        """Whether something that the call needs is missing or cannot be used."""
        return self in (Failure.ELEMENT_MISSING, Failure.NAME_UNKNOWN)

    @property
    def is_unlocated(self) -> bool:
        """Whether the call found no element, or more than one, that it could use."""
        return self.is_absence or self is Failure.TARGET_UNCLEAR


_ANY = frozenset({Cause.PRODUCT, Cause.ENVIRONMENT, Cause.AGENT})
JUDGED: dict[Failure, frozenset[Cause]] = {
    Failure.ELEMENT_MISSING: _ANY,
    Failure.NAME_UNKNOWN: _ANY,
    Failure.TARGET_UNCLEAR: frozenset({Cause.ENVIRONMENT, Cause.AGENT}),
    Failure.COMMAND_FAILED: _ANY,
    Failure.GAVE_UP: frozenset({Cause.ENVIRONMENT, Cause.AGENT}),
}
"""Failures whose cause an evaluating model may change, and the causes it may choose.

An opinion is no evidence: it may clear the product, but never blame it.
"""


def cause_of(failure: Failure | None) -> Cause:
    """Return the cause of a failure; without one it is the agent."""
    return Cause.AGENT if failure is None else failure.cause
