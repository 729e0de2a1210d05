"""Sealed secrets in the bucket `SECRETS`: only the workers' key opens them, not even the store can."""

import re

from nats.js.errors import BucketNotFoundError

from muster_bus.bus import Bus
from muster_bus.rows import Rows
from muster_bus.sealing import fingerprint, looks_sealed, seal
from muster_protocol.errors import InvalidRequest
from muster_protocol.sealed_secrets import PUBLIC, VALUES, PublicHalf, SealedSecret

BUCKET = "SECRETS"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,99}")
"""Of a secret that cases may list."""
MODEL_KEY = re.compile(r"model\.[A-Za-z0-9_-]{1,64}\.(?:OPENAI|ORCHESTRATOR|SUB_AGENT|VISION)_API_KEY")
"""Of the key with which models are asked for a team's runs, in place of a worker's setting; no case can list it."""


class SecretStore:
    """Seals secrets, and reads sealed ones."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._halves = Rows(bus, BUCKET, PublicHalf)
        self._secrets = Rows(bus, BUCKET, SealedSecret, VALUES)

    async def public(self) -> bytes | None:
        """Return the public half of the workers' key; None: there is none yet."""
        found = await self._halves.get(PUBLIC)
        return found.public if found else None

    async def publish(self, public: bytes, *, by: str = "", replace: bool = False) -> None:
        """Store the public half that secrets are sealed to from now on.

        Raises:
            InvalidRequest: there is one, and it is not to be replaced.
        """
        half = PublicHalf(public=public, at=self._bus.clock.now(), by=by)
        if replace:
            await self._halves.put(PUBLIC, half)
        elif not await self._halves.create(PUBLIC, half):
            await self.refuse_second_key()

    async def refuse_second_key(self, *, replace: bool = False) -> None:
        """Refuse another key, unless it is to take the place of the one there is.

        Raises:
            InvalidRequest: there is one.
        """
        if not replace and (known := await self.public()):
            others = "--replace takes another, and then every secret must be set anew"
            raise InvalidRequest([f"the workers have a key already ({fingerprint(known)}); {others}"])

    async def set(self, name: str, value: str, *, by: str = "") -> SealedSecret:
        """Seal a value and store it under its name; one that is there is replaced.

        Raises:
            InvalidRequest: it cannot be a secret, or there is no key to seal it to.
        """
        public = await self._public_for(name)
        return await self._put(name, seal(name, value, public), public, by)

    async def keep(self, name: str, sealed: bytes, key: str, *, by: str = "") -> SealedSecret:
        """Store what somebody else has sealed under its name, to the key with this fingerprint.

        Raises:
            InvalidRequest: it cannot be a secret, has not the shape of a seal, or is sealed to another key.
        """
        public = await self._public_for(name)
        if fingerprint(public) != key:
            raise InvalidRequest(
                [f"it is sealed to the key {key}, and the workers have {fingerprint(public)}: seal it anew"]
            )
        if not looks_sealed(sealed):
            raise InvalidRequest(["this is not sealed: a value must be sealed to the workers' key before it is sent"])
        return await self._put(name, sealed, public, by)

    async def _public_for(self, name: str) -> bytes:
        if not NAME.fullmatch(name) and not MODEL_KEY.fullmatch(name):
            why = "letters, digits, '_' and '-', or model.TEAM.OPENAI_API_KEY for the key of a team's models"
            raise InvalidRequest([f"{name!r} cannot be the name of a secret: {why}"])
        public = await self.public()
        if public is None:
            raise InvalidRequest(["the workers have no key yet: `muster secrets init --key-file FILE` makes one"])
        return public

    async def _put(self, name: str, sealed: bytes, public: bytes, by: str) -> SealedSecret:
        made = SealedSecret(name=name, sealed=sealed, key=fingerprint(public), at=self._bus.clock.now(), by=by)
        await self._secrets.put(name, made)
        return made

    async def get(self, name: str) -> SealedSecret | None:
        """Return a sealed secret that cases may list, or None."""
        return await self._read(name) if NAME.fullmatch(name) else None

    async def model_key(self, name: str) -> SealedSecret | None:
        """Return the sealed key of a team's models, or None."""
        return await self._read(name) if MODEL_KEY.fullmatch(name) else None

    async def _read(self, name: str) -> SealedSecret | None:
        try:
            return await self._secrets.get(name)
        except BucketNotFoundError:  # provisioned by an earlier version
            return None

    async def all(self) -> list[SealedSecret]:
        """Return all sealed secrets, by name."""
        return sorted(await self._secrets.all(), key=lambda secret: secret.name)

    async def delete(self, name: str) -> None:
        """Remove a secret; no error if there is none."""
        await self._secrets.delete(name)
