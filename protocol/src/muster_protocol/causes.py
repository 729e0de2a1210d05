"""Why a sub-task or run failed: kinds of failure, and the cause of each."""

from enum import StrEnum


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

    EXPECTATION_FALSE = "expectation_false"
    SERVER_ERROR = "server_error"
    ELEMENT_MISSING = "element_missing"
    NAME_UNKNOWN = "name_unknown"
    UNREACHABLE = "unreachable"
    SESSION_LOST = "session_lost"
    COMMAND_MISSING = "command_missing"
    COMMAND_FAILED = "command_failed"
    PRECONDITION_FAILED = "precondition_failed"
    SECRET_MISSING = "secret_missing"
    INFRASTRUCTURE = "infrastructure"
    IN_FLIGHT_LOST = "in_flight_lost"
    NO_WORKER = "no_worker"
    LIMIT = "limit"
    MONEY_SPENT = "money_spent"
    TIMED_OUT = "timed_out"
    UNPARSABLE = "unparsable"
    UNKNOWN_PHRASE = "unknown_phrase"
    NO_EVIDENCE = "no_evidence"
    INVALID_CALL = "invalid_call"
    NOT_PERMITTED = "not_permitted"
    TARGET_UNCLEAR = "target_unclear"
    GAVE_UP = "gave_up"
    RECORDING_MISSED = "recording_missed"
    CHECKPOINT_MISSED = "checkpoint_missed"
    TAMPERED = "tampered"
    MODEL_UNAVAILABLE = "model_unavailable"
    POISON = "poison"
    CANCELLED = "cancelled"

    @property
    def is_absence(self) -> bool:
        """Whether something that the call needs is missing or cannot be used."""
        return self in (Failure.ELEMENT_MISSING, Failure.NAME_UNKNOWN)

    @property
    def is_unlocated(self) -> bool:
        """Whether the call found no element, or more than one, that it could use."""
        return self.is_absence or self is Failure.TARGET_UNCLEAR


CAUSES: dict[Failure, Cause] = {
    Failure.EXPECTATION_FALSE: Cause.PRODUCT,
    Failure.SERVER_ERROR: Cause.PRODUCT,
    Failure.ELEMENT_MISSING: Cause.PRODUCT,  # an evaluator may clear it
    Failure.NAME_UNKNOWN: Cause.PRODUCT,  # or the case names it wrongly: reports say so
    Failure.UNREACHABLE: Cause.ENVIRONMENT,
    Failure.SESSION_LOST: Cause.ENVIRONMENT,
    Failure.COMMAND_MISSING: Cause.ENVIRONMENT,
    Failure.COMMAND_FAILED: Cause.PRODUCT,
    Failure.PRECONDITION_FAILED: Cause.ENVIRONMENT,
    Failure.SECRET_MISSING: Cause.ENVIRONMENT,
    Failure.INFRASTRUCTURE: Cause.ENVIRONMENT,
    Failure.IN_FLIGHT_LOST: Cause.ENVIRONMENT,
    Failure.NO_WORKER: Cause.ENVIRONMENT,
    Failure.LIMIT: Cause.AGENT,
    Failure.MONEY_SPENT: Cause.BUDGET,
    Failure.TIMED_OUT: Cause.AGENT,
    Failure.UNPARSABLE: Cause.AGENT,
    Failure.UNKNOWN_PHRASE: Cause.AGENT,
    Failure.NO_EVIDENCE: Cause.AGENT,
    Failure.INVALID_CALL: Cause.AGENT,
    Failure.NOT_PERMITTED: Cause.AGENT,
    Failure.TARGET_UNCLEAR: Cause.AGENT,
    Failure.GAVE_UP: Cause.AGENT,
    Failure.RECORDING_MISSED: Cause.AGENT,
    Failure.CHECKPOINT_MISSED: Cause.AGENT,
    Failure.TAMPERED: Cause.AGENT,
    Failure.MODEL_UNAVAILABLE: Cause.ENVIRONMENT,
    Failure.POISON: Cause.AGENT,
    Failure.CANCELLED: Cause.CANCELLED,
}
"""The cause of every failure."""


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


def cause_of(failure: Failure | str | None) -> Cause:
    """Return the cause of a failure; that of one unknown to this version is the agent."""
    try:
        return CAUSES[Failure(failure)] if failure is not None else Cause.AGENT
    except ValueError:
        return Cause.AGENT
