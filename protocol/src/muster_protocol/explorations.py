"""The parts of explorations: moves, tours and their results."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import asdict

from muster_protocol.tool_calls import ArtifactRef

ExplorationPolicy = Literal["bfs", "dfs", "coverage", "focused", "goal", "random"]
"""`bfs`: nearest first; `dfs`: newest first; `coverage`: what was never tried anywhere first; `focused`: one part of
the app first; `goal`: what sounds like the goal first; `random`: by the seed."""
REMOTE_KEYS = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", "Escape")
"""Keys that every remote control has."""
EXPLORATION_POLICIES: tuple[ExplorationPolicy, ...] = get_args(ExplorationPolicy)


class OwnNode(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A node that a team adds to those of each tour, such as one that answers a question about cookies.

    It never acts twice: only what it expects is looked for again.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    after: Literal["EnsureDevice", "ProvisionApp", "LaunchOrAttach", "WaitIdle", "Act"] = "LaunchOrAttach"
    """The node that it follows."""
    when: Annotated[str, Meta(max_length=2000)] = ""
    """An expectation: the node has something to do if it holds at this moment. Empty: always."""
    do: Annotated[tuple[Annotated[str, Meta(max_length=2000)], ...], Meta(max_length=20)] = ()
    """Sentences of cases that need no model."""
    expect: Annotated[str, Meta(max_length=2000)] = ""
    """What has to hold afterwards; empty: nothing."""
    attempts: Annotated[int, Meta(ge=1, le=3)] = 3
    """How often that is looked for."""
    then: Literal["", "WaitIdle", "Finish"] = ""
    """What follows; empty: what followed the node before."""
    backtrack: Literal["Unstick", "ReturnToApp", "Relaunch", "GiveUp"] = "GiveUp"
    """What follows where a sentence is refused, or what is expected does not come."""


class Blank(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A field of a form that is filled in before its button is pressed."""

    role: str
    name: str
    ordinal: int = 0
    options: tuple[str, ...] = ()
    """Of a list: what can be chosen."""


class EarlierMove(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is done on a screen before a move."""

    do: Literal["tap", "fill", "enter", "choose", "toggle", "press"]
    """`fill` fills in a form's fields and presses its button; `enter` fills in one field and presses Enter; `press`
    presses the key of that name."""
    role: str
    name: str
    ordinal: int = 0
    """Which of several of this role and name, from 1; 0: there is one."""
    address: str = ""
    """Where a link leads; empty: it is no link, or unknown."""
    blanks: tuple[Blank, ...] = ()
    option: str = ""
    """What to choose; of a checkbox or switch `off`, if it is to be turned off."""

    @property
    def move(self) -> "Move":
        """The same as a move of its own."""
        return Move(**asdict(self))


class Move(EarlierMove, frozen=True, kw_only=True, omit_defaults=True):
    """Something that can be done on a screen."""

    late: bool = False
    """One of many alike, such as the third row of a list: worth a try after all else."""
    first: tuple[EarlierMove, ...] = ()
    """What is done before on the same screen, because it changes something that another screen may show."""

    @property
    def earlier(self) -> EarlierMove:
        """The same as something done before another move."""
        return EarlierMove(**{name: getattr(self, name) for name in EarlierMove.__struct_fields__})

    @property
    def follows(self) -> bool:
        """Whether it only goes to an address, which changes nothing."""
        return self.do == "tap" and self.role == "link" and bool(self.address) and not self.first

    @property
    def blanks_filled(self) -> tuple[Blank, ...]:
        """The blanks that it fills in, in order."""
        own = (Blank(role=self.role, name=self.name, ordinal=self.ordinal),) if self.do == "enter" else self.blanks
        return (*(blank for one in self.first for blank in one.move.blanks_filled), *own)


class Sighting(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A state as a tour saw it."""

    id: str
    """Its structural signature, with the numbers in its address."""
    kin: str
    """Its structural signature without these numbers: pages that differ in them alone are kin."""
    exact: str
    """Digest of all that it showed."""
    address: str
    title: str = ""
    headings: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    left_out: tuple[str, ...] = ()
    """Moves that were not listed, and why."""
    sequence: bool = False
    """Whether it leads to the next and the previous of its kin alone, as a page of a long list does."""
    outside: bool = False
    """Whether it is not of the app."""
    goal: bool = False
    """Whether the goal holds there."""
    picture: ArtifactRef | None = None
    screen: ArtifactRef | None = None
    """Its elements as lines of text."""
    source: ArtifactRef | None = None
    """Of a native app: its page source, the XML of the driver."""


TrialOutcome = Literal["reached", "refused", "outside", "dialog", "unknown"]
"""`refused`: it could not be done; `outside`: it leads out of the app and was not followed; `unknown`: it was under way
when its worker was lost, and is not repeated."""


class Trial(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of one move."""

    move: int
    """Its index among the tour's moves."""
    outcome: TrialOutcome
    to: str = ""
    """Id of the state that it led to."""
    text: str = ""
    """What a dialog said, or why the move was refused."""
    alerts: tuple[str, ...] = ()
    changed: bool = False
    """Whether the state shows something else than before, though it is the same."""
    values: tuple[str, ...] = ()
    """What was put into the blanks, secrets as placeholders."""


FindingKind = Literal[
    "server_error", "dead_link", "console_error", "exception", "crash", "blank_page", "broken_image", "slow", "access"
]
"""`access`: something that people with a screen reader cannot use."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something wrong that a tour came upon. It is no fail: nobody has said what is right."""

    kind: FindingKind
    text: str
    """What is wrong, in one line."""
    move: int = -1
    """Index of the move after which it showed, among the tour's moves; -1: on the way to them."""
    step: int = 0
    """If on the way: after so many steps of the path."""
    state: str = ""
    """Id of the state on which it showed; empty: none was reached."""
    address: str = ""
    request: str = ""
    """The request behind it, such as `GET http://shop.test/api/cart: 500`."""
    picture: ArtifactRef | None = None
    rule: str = ""
    """Of `access`: the broken rule, as axe-core calls it; empty: another way told it."""
    elements: tuple[str, ...] = ()
    """Of such a rule: digests of the markup of all elements that break it; empty if they are not told apart."""


class ExplorationSpent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an exploration has spent."""

    steps: int = 0
    """Whatever changed what the device shows: starts, openings of an address, taps, entries, ways back."""
    taps: int = 0
    outside: int = 0
    """Moves that led out of the app."""
    restarts: int = 0
    """Starts of the app that no tour had planned: after a crash, or where the way back was lost."""

    def plus(self, more: "ExplorationSpent") -> "ExplorationSpent":
        """Return the sum."""
        return ExplorationSpent(
            steps=self.steps + more.steps,
            taps=self.taps + more.taps,
            outside=self.outside + more.outside,
            restarts=self.restarts + more.restarts,
        )
