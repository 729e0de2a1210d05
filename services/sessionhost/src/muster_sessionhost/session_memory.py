"""Texts that sub-tasks keep for later ones, and what the host has seen; replies are masked and fit into one message."""

from collections.abc import Awaitable, Callable

from msgspec import Struct
from msgspec.structs import replace

from muster_devices.device_host import ADDRESS_LIMIT, TEXT_LIMIT
from muster_devices.screen import Record
from muster_protocol import codec
from muster_protocol.sessions import (
    PAGE_KEY,
    REPLY_LIMIT,
    ConsoleSeen,
    DocumentSeen,
    DownloadStopped,
    Holder,
    NetworkSeen,
    OpenDialog,
)
from muster_sessionhost.host_devices import SessionDevice
from muster_sessionhost.session_commands import Commands
from muster_text.redaction import Redactor

KEPT_KEYS = 100

Feed = Callable[[str], Awaitable[tuple[Record, ...]]]
"""What a device's host has seen, by the name of the feed."""


class SessionMemory:
    """The texts that sub-tasks keep with a session, and what the host has seen of its device and commands."""

    def __init__(self, device: SessionDevice, commands: Commands, chosen: str) -> None:
        """`chosen`: the window that was chosen before the session was reopened."""
        self._device, self._commands = device, commands
        self._kept = {PAGE_KEY: chosen} if chosen else dict[str, str]()
        self._last_dialog: tuple[int, OpenDialog] | None = None
        """The newest dialog, open or answered, and the dispatch of the sub-task in which it opened."""

    @property
    def chosen(self) -> str:
        """The chosen window."""
        return self._kept.get(PAGE_KEY, "")

    def keep(self, key: str, value: str) -> None:
        """Keep a text.

        Raises:
            ValueError: the session already keeps `KEPT_KEYS` texts.
        """
        if key not in self._kept and len(self._kept) >= KEPT_KEYS:
            raise ValueError(f"a session keeps at most {KEPT_KEYS} texts")
        self._kept[key] = value

    def note_dialog(self, dialog: OpenDialog, holder: Holder | None) -> None:
        """Remember a dialog for the checks of the sub-task in which it opened."""
        self._last_dialog = (holder.dispatch if holder else 0, dialog)

    async def recall(self, key: str, redactor: Redactor, holder: Holder | None) -> str | None:
        """Return the text kept under a key, or what the host has seen; `Recall` lists the keys that the host fills."""
        if key == "exec":
            return codec.encode(self._commands.last).decode() if self._commands.last else None
        if key == "dialog":
            last = self._last_dialog
            mine = last is not None and holder is not None and last[0] == holder.dispatch
            return codec.encode(mask_dialog(last[1], redactor)).decode() if last and mine else None
        seen = await encode_feed(self._device.running.feed, key, redactor) if self._device.running else None
        return self._kept.get(key) if seen is None else seen


def mask_dialog(dialog: OpenDialog, redactor: Redactor) -> OpenDialog:
    """Return the dialog with secrets masked."""
    mask = redactor.mask
    return replace(dialog, message=mask(dialog.message), default=mask(dialog.default), url=mask(dialog.url))


def _console(record: Record) -> Struct:
    return ConsoleSeen(level=record.level, text=record.text, url=record.address, at=record.at)


def _network(record: Record) -> Struct:
    request = NetworkSeen(method=record.method, url=record.address, status=record.status, at=record.at)
    return replace(request, failure=record.failure, kind=record.level)


def _download(record: Record) -> Struct:
    return DownloadStopped(name=record.text, why=record.failure, at=record.at)


LISTS: dict[str, Callable[[Record], Struct]] = {"console": _console, "network": _network, "downloads": _download}


async def encode_feed(feed: Feed, key: str, redactor: Redactor) -> str | None:
    """Return a device's feed under a key as masked JSON; None if the device has no such feed."""
    if key in LISTS:
        return encode_records(await feed(key), LISTS[key], redactor)
    documents = await feed(key) if key == "document" else ()
    if not documents:
        return None
    last = _mask_record(documents[-1], redactor)
    seen = DocumentSeen(url=last.address, status=last.status, at=last.at, failure=last.failure)
    return codec.encode(seen).decode()


def encode_records(records: tuple[Record, ...], shape: Callable[[Record], Struct], redactor: Redactor) -> str:
    """Return the records as a masked JSON list, without the oldest ones if they do not all fit into one reply."""
    texts, room = list[str](), REPLY_LIMIT // 2
    for record in reversed(records):
        text = codec.encode(shape(_mask_record(record, redactor))).decode()
        room -= len(text) + 1
        if room < 0:
            break
        texts.append(text)
    return f"[{','.join(reversed(texts))}]"


def _mask_record(record: Record, redactor: Redactor) -> Record:
    text = _mask_text(record.text, TEXT_LIMIT, redactor)
    return replace(record, text=text, address=_mask_text(record.address, ADDRESS_LIMIT, redactor))


def _mask_text(text: str, limit: int, redactor: Redactor) -> str:
    """Return the masked text; if it was cut at the limit, also drop the part of a secret at its end."""
    return redactor.mask(redactor.split(text)[0] if len(text) >= limit else text)
