"""What tools and their parameters declare about themselves, so that no code depends on a tool's name. Pure."""

import re
from enum import Enum, auto
from typing import Annotated, Literal, NamedTuple, get_args

from msgspec import Struct

from muster_devices.device import Feature
from muster_protocol.facts import About, Does, Relation, Source
from muster_protocol.tool_calls import ArgumentValue, Effect

Need = Literal["device", "shell", "workspace", "checkout", "people", "network"] | Feature
"""What a tool cannot work without; of a device that is what it can do beside pointing, entering and looking."""
NOTHING: frozenset[Need] = frozenset()
DEVICE: frozenset[Need] = frozenset({"device"})
SHELL: frozenset[Need] = frozenset({"shell"})
WORKSPACE: frozenset[Need] = frozenset({"workspace"})
CHECKOUT: frozenset[Need] = frozenset({"checkout"})
"""The session's copy of what its host serves; `workspace` is the session's own directory."""
PEOPLE: frozenset[Need] = frozenset({"people"})
NETWORK: frozenset[Need] = frozenset({"network"})
ADDRESSES: frozenset[Need] = frozenset({"addresses"})
WINDOWS: frozenset[Need] = frozenset({"windows"})
FILES: frozenset[Need] = frozenset({"files"})
FEEDS: frozenset[Need] = frozenset({"feeds"})
DIALOGS: frozenset[Need] = frozenset({"dialogs"})
TOUCH: frozenset[Need] = frozenset({"touch"})
APPS: frozenset[Need] = frozenset({"apps"})
ROTATION: frozenset[Need] = frozenset({"rotation"})
AUDITS: frozenset[Need] = frozenset({"audits"})
FEATURES: frozenset[Need] = frozenset(get_args(Feature))
"""What not every device can do: no matter of safety, so a tool that declares none of them runs on each."""
EVERYTHING = DEVICE | SHELL | WORKSPACE | CHECKOUT | PEOPLE | NETWORK


class Argument(Enum):
    """What an argument is to its call; stands in the annotation of its parameter, `Annotated[str, Argument.ENTERED]`.

    An argument that does not say what it is counts as the worst: of an act as entered, run and opened; of a check it
    makes the check prove nothing.
    """

    ELEMENT = auto()
    """Names the element that is meant."""
    PLACE = auto()
    """Names what the element is in."""
    KIND = auto()
    """The element's role."""
    REF = auto()
    """The element's mark in a snapshot."""
    OBJECT = auto()
    """Names something else that is meant: a file, a tab."""
    ENTERED = auto()
    """Goes into the product, a request or a file; or a key."""
    PROGRAM = auto()
    """A shell command: values are quoted for the shell, secrets stay out of it."""
    ADDRESS = auto()
    WANTED = auto()
    """What a check looks for."""
    RELATION = auto()
    """How a check compares."""
    SOURCE = auto()
    """Where a value is captured from."""
    PATTERN = auto()
    """Which part of it is captured."""
    OPTION = auto()
    """Says nothing of what is done or seen."""
    DETAIL = auto()
    """An option that models do without."""


class Denies(NamedTuple):
    """Stands in the annotation of a parameter with which a check holds because something is not there."""

    values: tuple[str | int, ...] = ()
    """Values that say so; none: any that is neither false nor empty."""

    def by(self, value: ArgumentValue) -> bool:
        """Return whether a value says so."""
        return value in self.values if self.values else bool(value)


Entered = Annotated[str, Argument.ENTERED]
Wanted = Annotated[str, Argument.WANTED]
Denied = Annotated[bool, Denies()]


class Offer(NamedTuple):
    """Tools that are shown to a model together: once it asks for them by `name`, or where they are likely needed."""

    name: str
    """Empty: they are shown wherever there is a page."""
    words: re.Pattern[str] | None = None
    """Words of a step that needs them."""
    roles: frozenset[str] = frozenset()
    """Roles of what a page has where they are needed."""
    view: str = ""
    """A text that the page, as it is shown, has where they are needed."""


class Traits(Struct, frozen=True, kw_only=True):
    """What a tool declares of itself. What is left out counts as the worst."""

    effect: Effect
    group: str = ""
    """What a role must be allowed to use it; empty: nobody may."""
    needs: frozenset[Need] = EVERYTHING
    page: bool = True
    """It is about the page: whether that is one of the product's decides what it proves."""
    does: Does = "unknown"
    """Of a tool that changes something."""
    about: About = "unknown"
    """Of a check."""
    relation: Relation = "unknown"
    """Of a check that always compares in one way."""
    partial: bool = False
    """What the check tells of what it saw may leave out what it was looking for."""
    source: Source = "unknown"
    """Of a tool that always captures values from one place."""
    outline: Literal["", "whole", "part"] = ""
    """It returns the page, or a part of it, as a tree of roles, names and refs."""
    waits: bool = False
    """It does nothing but wait: for a time, or for what the page is to show."""
    rejoinable: bool = False
    """An act whose session remembers it by call id: called again with the same id, it is joined and not repeated."""
    unattended: bool = False
    """An act that the agent of a trigger makes without asking a person first."""
    served_by: str | None = None
    """The address of the MCP server that does its work; empty: a program of its own; None: it is Muster's."""
    delegates: bool = False
    """It asks other agents to do something, who may do no more than whoever calls it."""
    skill: Literal["", "load", "unload"] = ""
    """It loads or unloads a skill, which leaves its agent less to do and never more, so all with skills have it."""
    verbose: bool = False
    """Its text may be long without every word of it mattering, so that a model may sum it up."""
    brief: str | None = None
    """What models are told of it; None: the first line of its docstring."""
    offer: Offer | None = None
    """With which tools it is shown; None: with the rest of its group."""
