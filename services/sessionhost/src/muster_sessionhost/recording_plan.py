"""When recordings of a session are kept: as the request says, else as the host's settings say. Pure."""

from muster_devices.device_host import RecordPlan
from muster_protocol.requests import RecordMode, RecordWish
from muster_sessionhost.settings import SessionHostSettings


def plan_recordings(settings: SessionHostSettings, asked: RecordWish) -> RecordPlan:
    """Return the mode of each kind of recording."""
    if asked:
        return RecordPlan(asked, asked, asked, asked)
    return RecordPlan(settings.record_trace, settings.record_har, settings.record_console, settings.record_downloads)


def picture_mode(settings: SessionHostSettings, asked: RecordWish) -> RecordMode:
    """Return the mode of the last picture."""
    return asked or settings.record_picture
