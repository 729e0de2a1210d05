"""The process `python -m muster_subagent.sessions`."""

from muster_protocol.service import main
from muster_subagent.sessions.serve import session_host
from muster_subagent.sessions.settings import SessionHostSettings

if __name__ == "__main__":
    main("sessions", SessionHostSettings, session_host)
