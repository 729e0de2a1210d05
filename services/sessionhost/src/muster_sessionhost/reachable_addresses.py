"""The addresses that the commands of a case with domains may reach."""

import asyncio
import ipaddress
import socket
from typing import NamedTuple

from muster_devices.domains import allowed, is_link_local, outside

RESOLVE_SECONDS = 10.0
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class HostClosed(Exception):
    """The case may not reach a host; the text names the host and the reason."""


class Address(NamedTuple):
    """A checked address to connect to. The name is not resolved again, as it could then lead elsewhere."""

    ip: str
    port: int


class Reach(NamedTuple):
    """The hosts that the commands of a session may reach."""

    domains: tuple[str, ...]
    closed: tuple[str, ...] = ()
    """Servers of the fleet, as `host:port`; closed under every name and address."""

    async def find(self, host: str, port: int) -> list[Address]:
        """Return the addresses of a host in the domains; other hosts are not looked up.

        Raises:
            HostClosed: the host is not in the domains, or resolves to a closed address.
            OSError: the name cannot be resolved.
        """
        url = f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
        if not allowed(url, self.domains):
            raise HostClosed(outside(url, self.domains))
        found = await _resolved(host, port)
        for address in found:
            if is_link_local(str(address)) or await self._is_fleet(address, port):
                text = f"{host}:{port} resolves to {address}, which belongs to the fleet or to the machine itself"
                raise HostClosed(f"{text} and is closed to cases")
        return [Address(str(address), port) for address in found]

    async def _is_fleet(self, address: IpAddress, port: int) -> bool:
        """Return whether a server of the fleet may listen there: also if the server's name cannot be resolved."""
        servers = [server.rpartition(":")[0].strip("[]") for server in self.closed if server.endswith(f":{port}")]
        for server in servers:
            try:
                known = await _resolved(server, port)
            except OSError:
                return True
            if address in known or (_is_own(address) and any(map(_is_own, known))):
                return True
        return False


def _is_own(address: IpAddress) -> bool:
    """Return whether the address belongs to this machine."""
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
