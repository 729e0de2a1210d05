"""Plans for goals: the planner's output, and the outcome of a plan that other agents have carried out."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

MOST_STEPS = 20


class GoalStep(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One step, for one agent that knows nothing but this."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
    task: Annotated[str, Meta(min_length=1, max_length=8_000, description="What to do, with all that it has to know.")]
    agent: str = ""
    needs: Annotated[tuple[str, ...], Meta(description="Ids of the steps that have to be done before.")] = ()
    done_when: Annotated[str, Meta(description="How one sees that it is done.")] = ""


class Risk(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What may go wrong."""

    text: Annotated[str, Meta(min_length=1)]
    steps: Annotated[tuple[str, ...], Meta(description="Ids of the steps that it is about.")] = ()
    notice: Annotated[str, Meta(description="How one would notice.")] = ""


class GoalPlan(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The steps to a goal, and what may go wrong."""

    steps: Annotated[tuple[GoalStep, ...], Meta(min_length=1, max_length=MOST_STEPS)]
    risks: tuple[Risk, ...] = ()


class Fault(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a review finds wrong."""

    text: Annotated[str, Meta(min_length=1)]
    file: str = ""
    line: int = 0


class Review(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a reviewer hands in: faults, the worst first; none: nothing has to be mended."""

    faults: tuple[Fault, ...]


StepStatus = Literal["done", "failed", "skipped"]


class StepOutcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a step: `skipped` is one whose needs have failed."""

    id: str
    status: StepStatus
    agent: str = ""
    summary: str = ""
    tries: int = 0


class PlanOutcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a plan."""

    plan: GoalPlan
    steps: tuple[StepOutcome, ...] = ()
    reviews: tuple[Review, ...] = ()
    reworks: int = 0
    """Rounds in which something was tried again or mended."""
    open: tuple[Fault, ...] = ()
    """What is still wrong."""
