"""The state of a simulated device, from which everything it shows follows."""

from collections.abc import Mapping

from msgspec import Struct

from muster_devices.screens.app import Dialog, Reaction, Trouble, Value

HANGS = "does not respond"
"""Stands in place of the error of an app that has not ended, but does nothing more."""


class Due(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that will happen by itself."""

    at: float
    """Seconds on the clock of the state."""
    screen: str
    """The screen it came from; leading elsewhere is left out once another one is shown."""
    reaction: Reaction = Reaction()
    """An empty one is an element that appears."""
    what: str = ""
    """In words, for who waits for it."""
    quiet: bool = False


class Troubled(Struct, frozen=True):
    """What keeps everybody from the device."""

    kind: Trouble
    until: float = 0.0
    """On the clock of the state; 0: it does not end."""


class State(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A moment of a simulated device."""

    at: float
    """Seconds; every other time in here is on the same clock."""
    opened_at: float
    """When the current screen was shown."""
    path: tuple[str, ...]
    """The screens that `back` goes through; the last is shown."""
    data: Mapping[str, Value]
    version: int = 0
    """Rises with each change."""
    focus: str = ""
    """Ref of the element that has the focus."""
    scroll: int = 0
    """Pixels by which the content is moved up."""
    dialog: Dialog | None = None
    crash: str = ""
    """The error that ended the app; empty: it runs."""
    due: tuple[Due, ...] = ()
    """The earliest first."""
    struck: Mapping[str, int] = {}
    """How often faults have struck, by name."""
    acts: int = 0
    """How many acts were done on the device."""
    troubled: Troubled | None = None

    @property
    def trouble(self) -> Troubled | None:
        """What keeps everybody from the device now."""
        over = self.troubled is None or 0 < self.troubled.until <= self.at
        return None if over else self.troubled

    @property
    def screen(self) -> str:
        """The name of the screen that is shown."""
        return self.path[-1]

    @property
    def busy(self) -> tuple[str, ...]:
        """What is under way and known to be, in words."""
        return tuple(one.what for one in self.due if not one.quiet)
