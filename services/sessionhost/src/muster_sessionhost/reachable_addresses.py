"""Which addresses the commands of a case with domains may be connected to."""

import asyncio
import ipaddress
import socket
from typing import NamedTuple

from muster_devices.domains import allowed, is_link_local, outside

RESOLVE_SECONDS = 10.0
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class HostClosed(Exception):
    """A host is closed to the case; the text names it and says why."""


class Address(NamedTuple):
    """Where to connect to; what was checked is what is connected to, so that a name cannot change its mind."""

    ip: str
    port: int


class Reach(NamedTuple):
    """What the commands of a session may reach."""

    domains: tuple[str, ...]
    closed: tuple[str, ...] = ()
    """Of the fleet itself, as `host:port`; stays closed under every name and address."""

    async def find(self, host: str, port: int) -> list[Address]:
        """Return the addresses of a host that is one of the domains; a host that is none is not even looked up.

        Raises:
            HostClosed: it is none of them, or leads to what is closed.
            OSError: it is not known.
        """
        url = f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
        if not allowed(url, self.domains):
            raise HostClosed(outside(url, self.domains))
        found = await _resolved(host, port)
        for address in found:
            if is_link_local(str(address)) or await self._is_fleet(address, port):
                text = f"{host}:{port} leads to {address}, which belongs to the fleet or to the machine itself"
                raise HostClosed(f"{text} and is closed to cases")
        return [Address(str(address), port) for address in found]

    async def _is_fleet(self, address: IpAddress, port: int) -> bool:
        """Return whether a server of the fleet listens there; one whose own address is unknown may be anywhere."""
        servers = [server.rpartition(":")[0].strip("[]") for server in self.closed if server.endswith(f":{port}")]
        for server in servers:
            try:
                known = await _resolved(server, port)
            except OSError:
                return True
            if address in known or (is_own(address) and any(map(is_own, known))):
                return True
        return False


def is_own(address: IpAddress) -> bool:
    """Return whether an address is one of this machine's."""
    if address.is_loopback or address.is_unspecified:
        return True
    with socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((str(address), 0))
        except OSError:
            return False
    return True


async def _resolved(host: str, port: int) -> list[IpAddress]:
    looking = asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found = await asyncio.wait_for(looking, RESOLVE_SECONDS)
    addresses = (ipaddress.ip_address(where[0]) for _, _, _, _, where in found)
    return list(dict.fromkeys(getattr(address, "ipv4_mapped", None) or address for address in addresses))
