"""The devices of a fleet: which session host has them, and which session has a phone. Pure."""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from muster_bus.process_row import SILENCE
from muster_protocol.device_control import PhoneLease
from muster_protocol.logs import WorkerRow

DeviceState = Literal["free", "in use", "leased", "away"]


class DeviceView(Struct, frozen=True, kw_only=True):
    """A phone, or the browsers or simulated devices of one session host."""

    kind: str
    """`web`, `screens` or `appium`."""
    name: str
    """Of a phone; empty for other kinds."""
    platform: str
    """Of a phone: `android`, `ios`, `web`, or `other`."""
    state: DeviceState
    """`in use`: a session has the phone, or the host has no free session; `leased`: somebody keeps it for
    runs to come; `away`: its host stopped reporting."""
    session: str
    """The session that has the phone, as `<run>.<name>`."""
    host: str
    """Id of the session host."""
    lease: str = ""
    """Who has control of the phone: the run of a conversation, or `key NAME`."""
    leased_until: float = 0.0
    """Unix seconds; 0: nobody has."""


def view_devices(rows: Iterable[WorkerRow], leases: Mapping[str, PhoneLease], now: float) -> tuple[DeviceView, ...]:
    """Return the devices, sorted by kind, name and host; a host that has stopped reporting counts as away.

    `leases` are those in force, by phone; `now` is in Unix seconds.
    """
    found = [
        view
        for row in rows
        if row.service == "sessions"
        for view in _of_host(row, leases, away=now - row.seen_at > SILENCE)
    ]
    return tuple(sorted(found, key=lambda view: (view.kind, view.name, view.host)))


def _of_host(row: WorkerRow, leases: Mapping[str, PhoneLease], *, away: bool) -> Iterable[DeviceView]:
    full = row.busy.get("session", 0) >= row.slots.get("session", 1)
    for phone in row.phones:
        lease = leases.get(phone.name)
        used: DeviceState = "in use" if phone.session or full else "leased" if lease else "free"
        yield DeviceView(
            kind="appium",
            name=phone.name,
            platform=phone.platform,
            state="away" if away else used,
            session=phone.session,
            host=row.id,
            lease=lease.holder if lease else "",
            leased_until=lease.until if lease else 0.0,
        )
    for kind in row.devices:
        if kind not in ("appium", "none"):
            state = "away" if away else "in use" if full else "free"
            yield DeviceView(kind=kind, name="", platform="", state=state, session="", host=row.id)
