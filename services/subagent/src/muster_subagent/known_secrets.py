"""The secrets a worker can give to sub-tasks: those of its environment and file, and those sealed to its key."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nacl.public import PrivateKey

from muster_bus.sealing import Unopened, open_sealed
from muster_bus.secret_store import SecretStore
from muster_subagent.secrets import SecretMissing, is_allowed


class KnownSecrets(NamedTuple):
    """Where a worker finds secrets; of two with one name, its own counts."""

    own: Mapping[str, str]
    """Those of its environment and its file, by name."""
    store: SecretStore
    keys: Sequence[PrivateKey]
    allowed: str = ""
    """Names that cases may use, as in SECRETS_ALLOWED."""

    async def choose(self, names: tuple[str, ...]) -> dict[str, str]:
        """Return the secrets that a case lists; sealed ones are read each time, so that a new value counts at once.

        Raises:
            SecretMissing: one is not known or not allowed, or this worker cannot open it.
            BusError, NatsError, TimeoutError: the store cannot be read now.
        """
        return {name: self.own[name] if name in self.own else await self._open(name) for name in names}

    async def _open(self, name: str) -> str:
        sealed = await self.store.get(name) if is_allowed(name, self.allowed) else None
        if sealed is None or sealed.name != name:
            raise SecretMissing(name)
        try:
            return open_sealed(sealed, self.keys)
        except Unopened as error:
            raise SecretMissing(name, str(error)) from None
