"""Makes sockets in the network namespace of another process, for a session host that stays in its own.

A program that needs nothing but the standard library. Argument: a process of that namespace. Standard input is a Unix
socket, over which it first hands over a listening TCP socket, and then answers each byte: `4` and `6` with a new TCP
socket of that family, `n` with how many connections so far have gone nowhere. It ends with its host.
"""

import ctypes
import fcntl
import os
import re
import socket
import sys
from pathlib import Path

PORT = 3128
"""Where the commands of a session find their proxy, on every address of their namespace."""
OWNING_USER_NAMESPACE = 0xB701
"""NS_GET_USERNS of ioctl_ns(2)."""
FAMILIES = {b"4": socket.AF_INET, b"6": socket.AF_INET6}
NO_ROUTE = re.compile(r"^Ip6OutNoRoutes\s+(\d+)$", re.MULTILINE)


def enter(pid: str) -> None:
    """Join the network namespace of a process, by way of the user namespace that owns it if that is another.

    Raises:
        OSError: this user may not.
    """
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    owner = fcntl.ioctl(network, OWNING_USER_NAMESPACE)
    if os.fstat(owner).st_ino != Path("/proc/self/ns/user").stat().st_ino:
        _join(owner)
    _join(network)


def count_nowhere() -> int:
    """Return how often this namespace had no route, of both families, or refused a connection; 0: it does not say."""
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
    """Enter the namespace, and serve the host until it is gone."""
    host = socket.socket(fileno=os.dup(0))
    enter(sys.argv[1])
    # on every address: its loopback device may be yet to come up, and there is no other
    _hand_over(host, socket.create_server(("", PORT), backlog=128))
    while asked := host.recv(1):
        if asked in FAMILIES:
            _hand_over(host, socket.socket(FAMILIES[asked], socket.SOCK_STREAM))
        else:
            host.sendall(b"%d" % count_nowhere())


if __name__ == "__main__":
    main()
