"""A session host as a process of its own, which refuses what could reach beyond the test (`harmless`)."""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # absent where Python was started with -P

from harmless import guard_shells

from muster_bus.service import main
from muster_sessionhost.service import session_host
from muster_sessionhost.settings import SessionHostSettings

if __name__ == "__main__":
    os.environ.pop("LD_PRELOAD", None)  # what was loaded into this process is not for browsers and commands
    guard_shells()
    main("sessions", SessionHostSettings, session_host)
