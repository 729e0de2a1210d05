"""Input and output of critics and validators."""

from typing import Literal

from msgspec import Struct

from muster_protocol.plans import Plan
from muster_protocol.requests import TestCase


class Screens(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the screen showed before and after a step, as lines; shortened, without secrets."""

    before: str = ""
    after: str = ""


class PlanIssue(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is wrong with a plan."""

    kind: Literal["incomplete", "order", "needless", "risky"]
    text: str
    step: int = 0
    """Number of the written step, from 1; 0: none in particular."""


class CritiqueInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="critique"):
    """A case, and the plan to examine."""

    case: TestCase
    plan: Plan


class CritiqueOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="critique"):
    """What a critic says of a plan: it can send it back, and never approves what the rules refuse."""

    issues: tuple[PlanIssue, ...] = ()
    suggestions: tuple[str, ...] = ()
    confidence: float = 0.0
    """From 0 to 1; shown, and decides nothing."""
    revise: bool = False
    """Whether the plan is to be made again."""


class ClauseOpinion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether a clause holds on the screen."""

    clause: str
    holds: Literal["yes", "no", "unsure"] = "unsure"
    reason: str = ""


class ValidateInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="validate"):
    """What is expected, and what the screen showed before and after; no word of who acted."""

    clauses: tuple[str, ...] = ()
    screens: Screens = Screens()


class ValidateOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="validate"):
    """What a validator says of clauses that rest on a look alone: it can doubt them, and prove nothing."""

    opinions: tuple[ClauseOpinion, ...] = ()
