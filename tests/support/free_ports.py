"""Ports for servers that a test starts: none that the system hands out to others meanwhile."""

import os
import socket
from itertools import count

FIRST, EACH = 15_000, 1_500
"""Each process of a test run takes its own of the ports below those that Linux gives to whoever asks for any."""
_taken = count()


def free_port() -> int:
    """Return a port of loopback that nobody listens on now, another one at each call."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 10
    while True:
        port = FIRST + process * EACH + (os.getpid() + next(_taken)) % EACH
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
