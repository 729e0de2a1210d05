"""Leases of phones: one holder at a time, decided by compare-and-set."""

import hashlib

from muster_bus.bus import Bus
from muster_bus.rows import Rows
from muster_protocol.device_control import PhoneLease

TRIES = 5


class LeaseStore:
    """The leases of a fleet.

    Raises:
        BusError, NatsError, TimeoutError: from each method, if they cannot be read or written now.
    """

    def __init__(self, bus: Bus) -> None:
        self._bus, self._rows = bus, Rows(bus, "LEASES", PhoneLease)

    async def take(self, wanted: PhoneLease) -> PhoneLease:
        """Return the lease that is in force: the one wanted, which may prolong its holder's, or that of another."""
        key = _key(wanted.phone)
        for _ in range(TRIES):
            found = await self._rows.entry(key)
            if found is not None and found[0].holder != wanted.holder and found[0].until > self._bus.clock.now():
                return found[0]
            if await self._rows.update(key, wanted, found[1] if found else 0) is not None:
                return wanted
        raise TimeoutError(f"the lease of {wanted.phone!r} keeps changing; try again")

    async def give_back(self, phone: str, holder: str) -> bool:
        """End a lease; False if this holder has none."""
        found = await self._rows.entry(_key(phone))
        return found is not None and found[0].holder == holder and await self._rows.remove(_key(phone), found[1])

    async def in_force(self) -> dict[str, PhoneLease]:
        """Return the leases that have not ended, by phone."""
        now = self._bus.clock.now()
        return {lease.phone: lease for lease in await self._rows.all() if lease.until > now}


def _key(phone: str) -> str:
    """Return the key of a phone, whose name may have any characters."""
    return hashlib.sha256(phone.encode()).hexdigest()[:32]
