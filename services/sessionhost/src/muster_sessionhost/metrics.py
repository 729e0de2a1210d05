"""The metrics of a session host."""

from prometheus_client import Counter, Gauge

OPEN = Gauge("muster_sessions_open", "Live sessions on this host")
LIMIT = Gauge("muster_sessions_limit", "Sessions this host may have at once")
OPENED = Counter("muster_sessions_opened", "Sessions opened", ["how"])
ENDED = Counter("muster_sessions_ended", "Sessions that ended, by reason", ["reason"])
FAILED = Counter("muster_sessions_failed", "Sessions that could not be opened, by reason", ["reason"])


def begin(most: int) -> None:
    """Set the limit of sessions, and create all label values, so that the first count shows as an increase."""
    LIMIT.set(most)
    for how in ("fresh", "checkpoint"):
        OPENED.labels(how)
    for reason in ("closed", "idle", "host_stopping", "taken_over", "device_ended"):
        ENDED.labels(reason)
    for reason in ("busy", "fault", "invalid"):
        FAILED.labels(reason)
