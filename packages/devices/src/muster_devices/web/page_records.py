"""What a session's host has seen of the pages, as the device's feeds. Pure."""

import msgspec

from muster_devices.screen import Record
from muster_protocol.sessions import ConsoleSeen, DocumentSeen, DownloadStopped, NetworkSeen, OpenDialog


def records(feed: str, kept: str | None) -> tuple[Record, ...]:
    """Return the records of a feed from the JSON that the host keeps of it, newest last."""
    if not kept:
        return ()
    match feed:
        case "console":
            said = msgspec.json.decode(kept, type=list[ConsoleSeen])
            return tuple(Record(at=one.at, text=one.text, level=one.level, address=one.url) for one in said)
        case "network":
            return tuple(map(_request, msgspec.json.decode(kept, type=list[NetworkSeen])))
        case "downloads":
            stopped = msgspec.json.decode(kept, type=list[DownloadStopped])
            return tuple(Record(at=one.at, text=one.name, failure=one.why) for one in stopped)
        case "document":
            one = msgspec.json.decode(kept, type=DocumentSeen)
            return (Record(at=one.at, address=one.url, status=one.status, failure=one.failure),)
        case "dialog":
            one = msgspec.json.decode(kept, type=OpenDialog)
            return (Record(at=0.0, text=one.message, level=one.kind, address=one.url),)
        case _:
            return ()


def _request(one: NetworkSeen) -> Record:
    return Record(at=one.at, level=one.kind, address=one.url, method=one.method, status=one.status, failure=one.failure)
