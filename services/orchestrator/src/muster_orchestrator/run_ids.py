"""Run ids derived from idempotency keys: the same in the whole fleet, and impossible to compute outside it."""

import hashlib
import hmac
import secrets

from msgspec import Struct

from muster_bus import Bus, Rows
from muster_protocol.errors import BusError

SECRET = "run-ids"


class FleetSecret(Struct, frozen=True, kw_only=True):
    """The secret that only the orchestrators of a fleet know."""

    value: str
    """64 hex digits."""


class RunIds:
    """Derives run ids with the fleet's secret; the first orchestrator that needs the secret creates it."""

    def __init__(self, bus: Bus) -> None:
        self._rows = Rows(bus, "FLEET", FleetSecret)
        self._secret = b""

    async def id_for(self, key: str) -> str:
        """Return the id of the run that belongs to an idempotency key.

        Raises:
            BusError, NatsError, TimeoutError: the secret cannot be read now.
        """
        if not self._secret:
            await self._rows.create(SECRET, FleetSecret(value=secrets.token_hex(32)))
            found = await self._rows.get(SECRET)
            if found is None:
                raise BusError("cannot read the fleet's secret, which run ids are derived from (bucket FLEET)")
            self._secret = found.value.encode()
        return f"run-{hmac.digest(self._secret, key.encode(errors='surrogatepass'), hashlib.sha256).hex()[:24]}"
