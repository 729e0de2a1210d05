"""Settings: one frozen struct per service, read once at start from the environment that is passed in."""

from collections.abc import Mapping, MutableMapping
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from muster_protocol.errors import MusterError
from muster_service.wrong_settings import describe_wrong_settings

SECRET_PREFIX = "SECRET_"
"""Prefix of environment variables that hold secrets of cases."""


class SettingsError(MusterError):
    """An environment variable has an invalid value; the message names the variable."""


class BusSettings(Struct, frozen=True, kw_only=True, rename=str.upper):
    """Settings of every service; each field is read from the environment variable of that name in capitals."""

    nats_url: str = "nats://127.0.0.1:4222"
    """Address of the NATS server; for a cluster, several addresses separated by commas."""
    nats_user: str = ""
    """User name on NATS; empty: no login."""
    nats_password: str = ""
    """Password of NATS_USER."""
    nats_credentials: str = ""
    """Path of a NATS credentials file, or of a file with the seed of an NKey, used instead of a password."""
    nats_tls_ca: str = ""
    """Path of the certificate authority that signed the server's certificate; empty: the system's authorities."""
    nats_tls_cert: str = ""
    """Path of the client certificate (PEM, with intermediate certificates), for servers that require one; read again at
    each connection."""
    nats_tls_key: str = ""
    """Path of the private key of NATS_TLS_CERT, without a passphrase."""
    muster_prefix: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = "muster"
    """First token of every subject. Teams with different prefixes can share a server."""
    ack_wait_seconds: Annotated[float, Meta(ge=0.5, le=3600)] = 15.0
    """Seconds without a heartbeat after which a process loses its work to another. Use one value in all services."""
    max_runs: Annotated[int, Meta(ge=1)] = 256
    """Maximum number of runs in progress in the whole fleet; used by `muster provision`."""
    stream_replicas: Annotated[int, Meta(ge=1, le=5)] = 1
    """Copies of each stream in a NATS cluster; used by `muster provision`."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level of lines that are logged."""
    log_format: Literal["auto", "json", "console"] = "auto"
    """`json`, `console`, or `auto`: console on a terminal, else JSON."""
    metrics_host: str = "127.0.0.1"
    """Address on which the health port listens."""
    metrics_port: Annotated[int, Meta(ge=-1, le=65535)] = -1
    """Port of /metrics, /healthz and /readyz; -1: no port, 0: any free port."""
    otel_exporter_otlp_endpoint: str = ""
    """OpenTelemetry receiver of traces, over HTTP, such as `http://127.0.0.1:4318`; empty: no traces."""
    otel_exporter_otlp_headers: str = ""
    """Headers for the receiver: `name=value`, separated by commas, values percent-encoded."""
    provision: bool = False
    """Create missing streams and consumers at start, as embedded mode does."""
    artifact_max_mb: Annotated[float, Meta(gt=0)] = 50.0
    """Largest artifact that a worker or session host stores, in MB; larger ones are shortened or dropped."""
    run_artifacts_max_mb: Annotated[float, Meta(gt=0)] = 200.0
    """Maximum MB that one worker stores for one run, and that one session stores; also limits a trace on disk."""
    shutdown_seconds: Annotated[float, Meta(ge=0)] = 10.0
    """Seconds that work in progress gets to finish when the process is asked to stop."""


S = TypeVar("S", bound=BusSettings)


def load(kind: type[S], environ: Mapping[str, str]) -> S:
    """Return settings from environment variables; an empty variable counts as not set.

    Raises:
        SettingsError: a value has the wrong type or is out of bounds; the message has each of them.
    """
    wanted = {field.encode_name for field in msgspec.structs.fields(kind)}
    given = {name: value for name, value in environ.items() if name in wanted and value != ""}
    if wrong := describe_wrong_settings(kind, given):
        raise SettingsError(wrong)
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:  # one is missing that has no default
        raise SettingsError(str(error).replace("`$.", "environment variable `")) from error


def find_setting(settings: BusSettings, value: str) -> str:
    """Return the name of the variable that holds a value; empty: none does. Pure."""
    fields = msgspec.structs.fields(settings)
    return next((it.encode_name for it in fields if value and getattr(settings, it.name) == value), "")


def take(kind: type[S], environ: MutableMapping[str, str]) -> S:
    """Return settings as `load` does, and remove their variables and all secrets from `environ`.

    So no process that is started later inherits them. A worker calls `take_secrets` first.

    Raises:
        SettingsError: as `load`.
    """
    settings = load(kind, environ)
    for field in msgspec.structs.fields(kind):
        environ.pop(field.encode_name, None)
    take_secrets(environ)
    return settings


def take_secrets(environ: MutableMapping[str, str]) -> dict[str, str]:
    """Remove the variables with secrets of cases from `environ` and return them; no child process inherits them."""
    return {name: environ.pop(name) for name in list(environ) if name.startswith(SECRET_PREFIX)}
