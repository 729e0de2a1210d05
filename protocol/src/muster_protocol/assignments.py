"""The parts of assignments: budgets, permissions and findings."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

MOST_DEPTH = 3
"""Deepest nesting of sub-agents below an assignment's own."""
MOST_CHILDREN = 100
"""Most sub-agents that one sub-agent may have in all."""
AT_ONCE, MOST_AT_ONCE = 3, 20
"""Sub-agents of one call that work at the same time: by default, and at most."""
Deliverable = Literal["", "case"]
"""What an output is held to beside its schema: `case`, a draft of a test case that `muster check` accepts."""
TierName = Literal["orchestrator", "sub_agent", "vision"]
"""A worker's models, each with its own settings."""
Temperature = Annotated[float, Meta(ge=0, le=2)]
Names = tuple[str, ...] | None
"""What is allowed, by name; None: all there is."""


class Spending(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an assignment and its sub-agents may spend together; None: as much as the agent's file says."""

    calls: Annotated[int, Meta(ge=0)] | None = None
    """Tool calls."""
    turns: Annotated[int, Meta(ge=1)] | None = None
    """Requests to the model; each sub-agent has its own."""
    tokens: Annotated[int, Meta(ge=1)] | None = None
    cost: Annotated[float, Meta(gt=0)] | None = None
    """Money, in the currency of the price table."""
    seconds: Annotated[float, Meta(gt=0)] | None = None
    """Time of work, without the time that it waits for its sub-agents or a person."""
    context: Annotated[int, Meta(ge=1_000)] | None = None
    """Characters of the largest question to the model."""
    depth: Annotated[int, Meta(ge=0, le=MOST_DEPTH)] = 2
    """How deep sub-agents may be nested; 0: none."""


class Rights(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a sub-agent may use at most, by name; None: all that its agent's file allows."""

    tools: Names = None
    """Tools or groups of tools."""
    effects: Names = None
    read: Names = None
    """Paths of the workspace; `write` likewise."""
    write: Names = None
    domains: Names = None
    look: Names = None
    """Kinds of device that may be looked at; `control`: acted on."""
    control: Names = None
    secrets: Names = None
    approvals: tuple[str, ...] = ()
    """Tools whose calls a person has to allow first."""


class Found(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that an agent found, with where it is: a file and line, or a quote from a source."""

    text: str
    file: str = ""
    line: int = 0
    """From 1; 0: the whole file."""
    quote: str = ""
    source: str = ""
    """Where the quote is from: an address, a command, a file."""
    unread: bool = False
    """Whether no tool of its agent has returned the quote or, without a quote, named the file."""
