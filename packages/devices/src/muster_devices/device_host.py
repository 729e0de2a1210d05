"""The session host half of the port: who keeps a device, lends it to one worker at a time and saves what it holds."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from muster_devices.screen import Record
from muster_protocol.requests import DeviceKind, RecordMode
from muster_protocol.sessions import Holder, OpenDialog
from muster_text.redaction import Redactor

TEXT_LIMIT = 2000
"""Characters of the text of a record of a feed; what is longer was cut there."""
ADDRESS_LIMIT = 1000
"""The same of its address."""

RecordingKind = Literal["trace", "har", "console", "downloads", "diff"]


class RecordPlan(NamedTuple):
    """When each kind of recording is kept."""

    trace: RecordMode = "off"
    har: RecordMode = "off"
    console: RecordMode = "off"
    downloads: RecordMode = "off"

    def kept(self, *, passed: bool) -> frozenset[RecordingKind]:
        """Return what is to be stored of a session whose run has passed, or has not as far as is known. Pure."""
        wanted = {"on"} if passed else {"on", "on-failure"}
        kinds: tuple[RecordingKind, ...] = ("trace", "har", "console", "downloads")
        return frozenset(kind for kind, mode in zip(kinds, self, strict=True) if mode in wanted)


class Limits(NamedTuple):
    """Bytes."""

    artifact: int
    """Of one artifact."""
    session: int
    """Of all that one session leaves, and of what may lie on the host's disk for each kind of it."""


class Spec(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which device to open."""

    kind: DeviceKind
    name: str = ""
    """Which of the host's phones; empty for other kinds."""
    definition: str = ""
    """Text of the file that describes the device, where there is one."""
    source: str = ""
    """Name of that file, for errors."""
    faults: tuple[str, ...] = ()
    """Faults of the definition that are switched on."""
    domains: tuple[str, ...] = ()
    """Hosts that the device may reach; empty: any."""
    folder: Path = Path()
    """Where it may write: private to the host, and gone with the session."""
    environment: Mapping[str, str] = {}
    """Variables of the processes it starts, beside the host's own."""
    plan: RecordPlan = RecordPlan()
    limits: Limits = Limits(0, 0)


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


class LeftFile(NamedTuple):
    """A file that may be stored: every secret in it is masked."""

    name: str
    """What it is called, such as `trace.zip`; of a download what the page called it, which may be any text."""
    path: Path
    content_type: str = "application/octet-stream"
    download: bool = False


class Written(NamedTuple):
    """The files of a recording, and what is left out, in words."""

    files: tuple[LeftFile, ...] = ()
    left_out: tuple[str, ...] = ()


WriteRecording = Callable[[Redactor, Path, int], Written]
"""Writes masked files into a folder, of so many bytes at most. Blocking; may raise anything."""


class Recording(NamedTuple):
    """Something that was recorded, as it was: secrets included."""

    kind: RecordingKind
    write: WriteRecording


class Left(NamedTuple):
    """What a closed device leaves behind, in the order in which it takes the room there is."""

    plan: RecordPlan = RecordPlan()
    recordings: tuple[Recording, ...] = ()

    def kept(self, *, passed: bool) -> tuple[Recording, ...]:
        """Return what is to be stored of a run that has passed, or has not as far as is known."""
        kinds = self.plan.kept(passed=passed)
        return tuple(recording for recording in self.recordings if recording.kind in kinds)


class DeviceHost(Protocol):
    """A device as its session host keeps it. Every method raises `DeviceLost` once the device is gone."""

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

    async def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the host has seen of the device up to now, newest last, as `Device.feed` does."""
        ...

    async def picture(self, chosen: str, known: Callable[[], Redactor]) -> bytes | None:
        """Return a JPEG of what is shown; None if that is nothing, or a secret, or may have been one meanwhile.

        `chosen` is what the worker half keeps with the session under `PAGE_KEY`; `known` returns the secrets known now.
        """
        ...

    async def save(self, redactor: Redactor) -> Saved | None:
        """Return what it takes to open the device anew, without secrets; None: it cannot be saved now."""
        ...

    async def bound(self, seconds: float) -> None:
        """End recordings that have grown larger than the spec's limits; `seconds` is what that may take."""
        ...

    async def close(self, quick: bool) -> Left:
        """End the device; `quick`: within a second. Its recordings are on disk then, also if it was gone already."""
        ...
