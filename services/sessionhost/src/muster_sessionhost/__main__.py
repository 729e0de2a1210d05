"""The process `python -m muster_sessionhost`."""

from muster_bus.service import main
from muster_sessionhost.service import session_host
from muster_sessionhost.settings import SessionHostSettings

if __name__ == "__main__":
    main("sessions", SessionHostSettings, session_host)
