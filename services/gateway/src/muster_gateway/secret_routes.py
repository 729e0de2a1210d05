"""HTTP routes for secrets that a fleet keeps: clients seal them to the workers' key, so no value ever comes here."""

import base64

import msgspec
from litestar import Response, delete, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from muster_bus.sealing import fingerprint
from muster_bus.secret_store import SecretStore
from muster_gateway.context import Gateway
from muster_gateway.description import case_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.description.request_bodies import JSON, media_of, object_of, taking
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access_roles import ADMIN, RUNNER
from muster_protocol.codec import decode_asked
from muster_protocol.errors import InvalidRequest
from muster_protocol.sealed_secrets import SealedSecret


class SecretView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A secret without its value, which nobody here can read."""

    name: str
    key: str
    """Fingerprint of the key that it is sealed to."""
    current: bool
    """Whether the workers still have this key; else it must be set anew."""
    at: float = 0.0
    """Unix seconds."""
    by: str = ""


class SecretList(Struct, frozen=True, kw_only=True):
    """The secrets by name, and what new ones are sealed to."""

    public: str
    """Public half of the workers' key, in base64; empty: there is none yet."""
    key: str
    """Its fingerprint, to compare with what `muster secrets init` has printed."""
    secrets: tuple[SecretView, ...]


class SealedBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A secret as its client has sealed it."""

    sealed: str
    """A sealed box of libsodium in base64; inside is JSON with `name` and `value`, filled up with spaces to a multiple
    of 256 bytes."""
    key: str
    """Fingerprint of the key that it is sealed to."""


_SEALED = object_of(
    {"sealed": "A sealed box with name and value, in base64", "key": "Fingerprint of the key it is sealed to"},
    ["sealed", "key"],
)


@get(
    "/secrets",
    opt=RUNNER,
    operation_id="listSecrets",
    summary="List secrets",
    description="Their names, and the key that new ones must be sealed to. Values cannot be read by anybody here.",
    responses=success(SecretList, 200, "The secrets", documented.SECRETS) | failures(503),
)
async def list_secrets(gateway: NamedDependency[Gateway]) -> SecretList:
    """Return the names of all secrets."""
    gateway.require_bus()
    store = SecretStore(gateway.bus)
    public = await store.public()
    key = fingerprint(public) if public else ""
    views = tuple(_view(one, key) for one in await store.all())
    return SecretList(public=base64.b64encode(public or b"").decode(), key=key, secrets=views)


@put(
    "/secrets/{secret:str}",
    opt=ADMIN,
    status_code=200,
    operation_class=taking({JSON: media_of(_SEALED, documented.SEALED, "pin", "A seal")}),
    operation_id="keepSecret",
    summary="Keep a sealed secret",
    description="The client seals name and value to the workers' key; the next sub-task that needs the secret gets the "
    "new value. Names like `model.TEAM.OPENAI_API_KEY` are keys of a team's models.",
    responses=success(SecretView, 200, "The secret", documented.SECRET) | failures(400, 413, 503),
)
async def keep_secret(request: AnyRequest, gateway: NamedDependency[Gateway], secret: FromPath[str]) -> SecretView:
    """Keep what a client has sealed."""
    given = _read_sealed(await request.body())
    gateway.require_bus()
    try:
        sealed = base64.b64decode(given.sealed, validate=True)
    except ValueError:
        raise InvalidRequest(["`sealed` is not base64"]) from None
    caller = request.scope.get("auth")
    by = caller.name if caller is not None else ""
    made = await SecretStore(gateway.bus).keep(secret, sealed, given.key, by=by)
    return _view(made, made.key)


@delete(
    "/secrets/{secret:str}",
    opt=ADMIN,
    operation_id="removeSecret",
    summary="Remove a secret",
    responses=failures(400, 404, 503),
)
async def remove_secret(gateway: NamedDependency[Gateway], secret: FromPath[str]) -> Response[None]:
    """Remove a secret from the fleet."""
    gateway.require_bus()
    store = SecretStore(gateway.bus)
    if secret not in [one.name for one in await store.all()]:
        raise Refusal(404, f"there is no secret {secret!r}; GET /secrets lists all")
    await store.delete(secret)
    return Response(None, status_code=204)


def _read_sealed(body: bytes) -> SealedBody:
    """Return what a body holds; an error never tells the body, in which somebody may have put a readable value.

    Raises:
        InvalidRequest: it cannot be read.
    """
    try:
        return decode_asked(body, SealedBody)
    except msgspec.DecodeError:
        text = "invalid body: send `sealed` and `key` alone; docs/security.md says how a value is sealed"
        raise InvalidRequest([text]) from None


def _view(secret: SealedSecret, now: str) -> SecretView:
    return SecretView(name=secret.name, key=secret.key, current=secret.key == now, at=secret.at, by=secret.by)


HANDLERS = (list_secrets, keep_secret, remove_secret)
