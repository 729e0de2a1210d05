"""When what is recorded of a session is kept: as the request asks, else as the host is set. Pure."""

from muster_devices.device_host import RecordPlan
from muster_protocol.requests import RecordMode, RecordWish
from muster_sessionhost.settings import SessionHostSettings


def planned(settings: SessionHostSettings, asked: RecordWish) -> RecordPlan:
    """Return when each kind of recording is kept."""
    if asked:
        return RecordPlan(asked, asked, asked, asked)
    return RecordPlan(settings.record_trace, settings.record_har, settings.record_console, settings.record_downloads)


def pictured(settings: SessionHostSettings, asked: RecordWish) -> RecordMode:
    """Return when the last picture is kept."""
    return asked or settings.record_picture
