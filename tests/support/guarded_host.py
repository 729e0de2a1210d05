"""A session host as a process of its own, which refuses what could reach beyond the test (`harmless`)."""

from harmless import guard_shells

from muster_protocol.service import main
from muster_subagent.sessions.serve import session_host
from muster_subagent.sessions.settings import SessionHostSettings

if __name__ == "__main__":
    guard_shells()
    main("sessions", SessionHostSettings, session_host)
