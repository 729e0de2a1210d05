"""A session host as a process of its own, which refuses what could reach beyond the test (`harmless`)."""

from harmless import guard_shells

from muster_bus.service import main
from muster_sessionhost.service import session_host
from muster_sessionhost.settings import SessionHostSettings

if __name__ == "__main__":
    guard_shells()
    main("sessions", SessionHostSettings, session_host)
