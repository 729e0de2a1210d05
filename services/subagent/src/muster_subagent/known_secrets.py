"""The secrets a worker can give to sub-tasks: those of its environment and file, and those sealed to its key."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from nacl.public import PrivateKey

from muster_bus.sealing import Unopened, open_sealed
from muster_bus.secret_store import SecretStore
from muster_model import ModelUnusable, OtherKey
from muster_model.settings import Endpoint
from muster_service.log_secrets import hide_in_logs
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

    async def model_key(self, team: str, endpoint: Endpoint) -> OtherKey | None:
        """Return the key with which a team's runs ask an endpoint; None: they have none of their own.

        Raises:
            ModelUnusable: there is one, and this worker cannot open it.
            BusError, NatsError, TimeoutError: the store cannot be read now.
        """
        name = f"model.{team}.{endpoint.key_setting}"
        sealed = await self.store.model_key(name) if team else None
        if sealed is None:
            return None
        try:
            value = open_sealed(replace(sealed, name=name), self.keys)
        except Unopened as error:
            raise ModelUnusable(str(error)) from None
        hide_in_logs([value])
        return OtherKey(value, remedy=f"it anew by `muster secrets set {name}`")

    async def _open(self, name: str) -> str:
        sealed = await self.store.get(name) if is_allowed(name, self.allowed) else None
        if sealed is None or sealed.name != name:
            raise SecretMissing(name)
        try:
            return open_sealed(sealed, self.keys)
        except Unopened as error:
            raise SecretMissing(name, str(error)) from None
