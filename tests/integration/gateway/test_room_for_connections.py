"""Room for connections is asked of the system."""

import subprocess
import sys


def test_room_for_the_connections_is_asked_of_the_system_as_far_as_it_allows():
    script = (
        "import resource as r\n"
        "from muster_gateway.http.connections import raise_file_limit\n"
        "r.setrlimit(r.RLIMIT_NOFILE, (256, 1000))\n"
        "for most in (500, 100, 5000):\n"
        "    print(raise_file_limit(most), r.getrlimit(r.RLIMIT_NOFILE)[0])\n"
        "r.setrlimit(r.RLIMIT_NOFILE, (120, 120)); print(raise_file_limit(500), 120)"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True).stdout
    numbers = [line for line in told.splitlines() if line.replace(" ", "").isdigit()]
    assert numbers == ["500 700", "100 700", "800 1000", "60 120"], (
        "connections leave files for the bus and the health port"
    )
    assert "fewer open files than MAX_CONNECTIONS needs" in told
