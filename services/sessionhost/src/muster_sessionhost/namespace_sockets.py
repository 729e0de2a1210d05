"""Creates sockets in the network namespace of another process, for a session host that stays in its own namespace.

This program needs only the standard library. Its argument is the id of a process in that namespace. Standard input is
a Unix socket to the host: the program first sends a listening TCP socket, then answers each byte: `4` and `6` with a
new TCP socket of that IP version, `n` with the number of connections that have failed. It exits when the host does.
"""

import ctypes
import fcntl
import os
import re
import socket
import sys
from pathlib import Path

PORT = 3128
"""Port of the proxy for a session's commands, on every address of their namespace."""
OWNING_USER_NAMESPACE = 0xB701
"""NS_GET_USERNS of ioctl_ns(2)."""
FAMILIES = {b"4": socket.AF_INET, b"6": socket.AF_INET6}
NO_ROUTE = re.compile(r"^Ip6OutNoRoutes\s+(\d+)$", re.MULTILINE)


def enter(pid: str) -> None:
    """Join the network namespace of a process; if another user namespace owns it, join that one first.

    Raises:
        OSError: this user may not join it.
    """
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    owner = fcntl.ioctl(network, OWNING_USER_NAMESPACE)
    if os.fstat(owner).st_ino != Path("/proc/self/ns/user").stat().st_ino:
        _join(owner)
    _join(network)


def _count_failures() -> int:
    """Return how often a connection in this namespace was refused or had no route (IPv4 and IPv6); 0 if unknown."""
    try:
        found = NO_ROUTE.search(_table("snmp6"))
        return _count("Ip:", "OutNoRoutes") + _count("Tcp:", "AttemptFails") + (int(found[1]) if found else 0)
    except (OSError, ValueError):
        return 0


def _count(protocol: str, name: str) -> int:
    names, values = (line.split() for line in _table("snmp").splitlines() if line.startswith(protocol))
    return int(values[names.index(name)])


def _join(namespace: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(namespace, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def _table(name: str) -> str:
    return Path("/proc/self/net", name).read_text(encoding="ascii")


def _hand_over(host: socket.socket, made: socket.socket) -> None:
    with made:
        socket.send_fds(host, [b"s"], [made.fileno()])


def main() -> None:
    """Enter the namespace, and serve the host until it closes the link."""
    host = socket.socket(fileno=os.dup(0))
    enter(sys.argv[1])
    # on every address, as the loopback device may not be up yet; there is no other device
    _hand_over(host, socket.create_server(("", PORT), backlog=128))
    while asked := host.recv(1):
        if asked in FAMILIES:
            _hand_over(host, socket.socket(FAMILIES[asked], socket.SOCK_STREAM))
        else:
            host.sendall(b"%d" % _count_failures())


if __name__ == "__main__":
    main()
