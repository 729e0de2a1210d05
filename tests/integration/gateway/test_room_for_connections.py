"""Room for connections is asked of the system."""

import subprocess
import sys


def test_room_for_the_connections_is_asked_of_the_system_as_far_as_it_allows():
    script = (
        "import resource as r; from muster_gateway.http.connections import raise_file_limit\n"
        "r.setrlimit(r.RLIMIT_NOFILE, (256, 1000)); raise_file_limit(500); print(r.getrlimit(r.RLIMIT_NOFILE)[0])\n"
        "raise_file_limit(100); print(r.getrlimit(r.RLIMIT_NOFILE)[0]); raise_file_limit(5000); print(r.getrlimit(r.RLIMIT_NOFILE)[0])"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True).stdout
    numbers = [line for line in told.splitlines() if line.isdigit()]
    assert numbers == ["700", "700", "1000"]
    assert "fewer open files than MAX_CONNECTIONS needs" in told
