"""Alerts of devices as events that triggers can wait for: a crash, an app that hangs, a black screen, a lost device."""

import asyncio
import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

import structlog

from muster_bus import Bus
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_devices.device_host import DeviceHost
from muster_devices.errors import DeviceLost, DeviceRefused
from muster_devices.picture_parts import is_black
from muster_devices.record_times import moment
from muster_devices.screen import Record
from muster_protocol import codec
from muster_protocol.cloud_events import ALERTS, STRUCTURED, CloudEvent
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

AlertKind = Literal["app_crash", "anr", "blackscreen", "no_signal"]
LOOK_SECONDS = 1.0
"""Between two looks at what a device has told."""
PICTURE_SECONDS = 10.0
"""Between two looks at its picture."""
_HANGS = re.compile(r"\bANR\b|not respond", re.IGNORECASE)


def kind_of_crash(text: str) -> AlertKind:
    """Return whether an app has ended or hangs, by what the device says. Pure."""
    return "anr" if _HANGS.search(text) else "app_crash"


def alert(kind: AlertKind, run: str, session: str, device: Sequence[str], at: float) -> CloudEvent:
    """Return an alert of a device, told as its kind and name; the same at the same moment. Pure.

    What the app said is left out: it may hold a secret, and an event outlives the run.
    """
    told = {"run": run, "session": session, "device": device[0], "name": device[1]}
    key = f"{run}.{session}.{kind}.{at:.3f}"
    time = datetime.fromtimestamp(at, UTC).isoformat()
    return CloudEvent(
        specversion="1.0", id=key, source="muster/devices", type=f"{ALERTS}{kind}", subject=run, time=time, data=told
    )


class DeviceAlerts:
    """Watches the device of one session."""

    def __init__(self, bus: Bus, run: str, session: str, kind: str, name: str) -> None:
        self._bus, self._run, self._session, self._device = bus, run, session, (kind, name)
        self._heard = moment()
        self._black = False

    async def watch(self, device: DeviceHost) -> None:
        """Send alerts of what the device tells and shows, until cancelled."""
        pictured = time.monotonic()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.tell(device)
            if time.monotonic() - pictured >= PICTURE_SECONDS:
                pictured = time.monotonic() if await self._look(device) else pictured

    async def tell(self, device: DeviceHost) -> None:
        """Send alerts of what the device has told since the last time."""
        for record in self._news(await device.feed("crash")):
            await self.send(kind_of_crash(record.text), record.at)

    def _news(self, records: Sequence[Record]) -> list[Record]:
        new = [record for record in records if record.at > self._heard]
        self._heard = max((self._heard, *(record.at for record in new)))
        return new

    async def _look(self, device: DeviceHost) -> bool:
        """Send an alert once the screen has become black; return whether there was a picture, which is dropped."""
        nothing = Redactor()
        try:
            picture = await device.picture("", lambda: nothing)
        except (DeviceLost, DeviceRefused):
            return False
        if picture is None:
            return False
        black = await asyncio.to_thread(is_black, picture)
        if black and not self._black:
            await self.send("blackscreen", moment())
        self._black = black
        return True

    async def send(self, kind: AlertKind, at: float) -> None:
        """Store an alert; one that cannot be stored is told of in the service's log alone."""
        event = alert(kind, self._run, self._session, self._device, at)
        headers = {"Nats-Msg-Id": event.key, "Content-Type": STRUCTURED}
        try:
            await self._bus.store(self._bus.names.cloud_event(event.type), codec.encode(event), headers)
        except BUS_ERRORS as error:
            log.warning("device alert not sent", kind=kind, error=describe_error(error))
