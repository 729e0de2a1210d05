"""The session host half of the port: who keeps a device, lends it to one worker at a time and saves what it holds."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from muster_devices.screen import Record
from muster_protocol.sessions import Holder, OpenDialog


class Spec(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which device to open."""

    kind: str
    """`web` or `screens`."""
    definition: str = ""
    """Text of the file that describes the device, where there is one."""
    source: str = ""
    """Name of that file, for errors."""
    faults: tuple[str, ...] = ()
    """Faults of the definition that are switched on."""
    domains: tuple[str, ...] = ()
    """Hosts that the device may reach; empty: any."""
    folder: Path | None = None
    """Where it may keep recordings; None: it keeps none."""


class Saved(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What it takes to open a lost device anew; only its adapter can read the state."""

    state: bytes = b""
    missing: str = ""
    """What the device held that is not in the state, or why; empty: nothing."""


class Access(Struct, frozen=True):
    """The way for one holder into a device; whoever knows it can drive the device, so it is never stored or shown."""

    endpoint: str

    def __repr__(self) -> str:
        return "Access(…)"


class Left(Struct, frozen=True, kw_only=True):
    """What a closed device leaves behind."""

    folder: Path | None = None
    """Where its recordings are; None: there are none."""


class Redactor(Protocol):
    """Knows the values of a session's secrets."""

    def holds(self, data: str | bytes) -> bool:
        """Return whether any of them stands in the text or the bytes, in any form."""
        ...

    def mask(self, text: str) -> str:
        """Return the text with all of them blacked out."""
        ...


class DeviceHost(Protocol):
    """A device as its session host keeps it."""

    async def open(self, spec: Spec, saved: Saved | None) -> bool:
        """Start the device, from what was saved if there is anything; return whether it stands as it did then.

        Raises:
            DeviceRefused: it cannot be started; says how to mend that.
        """
        ...

    def watch(self, on_dialog: Callable[[OpenDialog], None], on_gone: Callable[[str], None]) -> None:
        """Have functions called for each dialog that opens, and when the device ends by itself, with the reason."""
        ...

    async def grant(self, holder: Holder, fresh: bool) -> Access:
        """Return the way in for a holder; a fresh one cuts off whoever came in by the one before."""
        ...

    @property
    def dialogs(self) -> tuple[OpenDialog, ...]:
        """The dialogs that wait for an answer, oldest first."""
        ...

    async def answer(self, accept: bool, text: str) -> bool:
        """Answer the oldest dialog; return whether there was one."""
        ...

    def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the host has seen of the device, newest last, as `Device.feed` does."""
        ...

    async def picture(self, hide: Sequence[str]) -> bytes:
        """Return a PNG of what is shown, as `Device.picture` does."""
        ...

    async def save(self, redactor: Redactor) -> Saved | None:
        """Return what it takes to open the device anew, without secrets; None: it cannot be saved now."""
        ...

    async def close(self, quick: bool) -> Left:
        """End the device; `quick`: within a second."""
        ...
