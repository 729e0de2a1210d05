"""Assigns a host's phones to sessions, each to one at a time. Pure."""

from collections.abc import Mapping
from types import MappingProxyType

from muster_devices.appium.phones import Phone
from muster_protocol.device_control import PhoneLease
from muster_protocol.logs import PhoneRow
from muster_protocol.requests import DeviceSpec

NO_PHONES = "it has no phones: name them in a file (PHONES)"


class PhoneLoans:
    """The phones of one host, and the sessions that have them."""

    def __init__(self, phones: Mapping[str, Phone]) -> None:
        self.phones = phones
        self._lent: dict[str, str] = {}

    def missing(self, name: str) -> str:
        """Return why this host has no such phone, lent or not; empty if it has. No name: any."""
        if not self.phones:
            return NO_PHONES
        if name and name not in self.phones:
            return f"it has no phone {name!r}; its phones (PHONES) are {', '.join(sorted(self.phones))}"
        return ""

    def lend(
        self, session: str, device: DeviceSpec | None, leases: Mapping[str, PhoneLease] = MappingProxyType({})
    ) -> bool:
        """Reserve the phone that a session asks for, or any; return False if it is taken. Other devices are free.

        `leases` keep phones for the runs of their holders.
        """
        if device is None or device.kind != "appium" or session in self._lent:
            return True
        taken = self._lent.values()
        wanted = (device.name,) if device.name else tuple(sorted(self.phones))
        kept = {name for name, lease in leases.items() if lease.holder != device.lease}
        free = next((name for name in wanted if name in self.phones and name not in taken and name not in kept), None)
        if free is not None:
            self._lent[session] = free
        return free is not None

    def give_back(self, session: str) -> None:
        """Free the phone of a session that has ended."""
        self._lent.pop(session, None)

    def lent_to(self, session: str) -> str:
        """Return the name of a session's phone; empty if it has none."""
        return self._lent.get(session, "")

    def rows(self) -> tuple[PhoneRow, ...]:
        """Return the phones, and who has them."""
        holders = {phone: session for session, phone in self._lent.items()}
        told = sorted((name, phone.platform) for name, phone in self.phones.items())
        return tuple(PhoneRow(name=name, platform=kind, session=holders.get(name, "")) for name, kind in told)

    def describe(self, leases: Mapping[str, PhoneLease] = MappingProxyType({})) -> str:
        """Return who has which phone, in words."""
        used = [f"{phone} is in use by {session}" for session, phone in sorted(self._lent.items())]
        idle = sorted(self.phones.keys() & leases.keys() - set(self._lent.values()))
        return ", ".join([*used, *(f"{phone} is kept for {leases[phone].holder}" for phone in idle)])
