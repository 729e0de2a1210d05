"""Settings: one frozen struct per service, read once at start-up from a mapping that is passed in."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from muster_protocol.errors import MusterError


class SettingsError(MusterError):
    """A variable of the environment has a value that cannot be used."""


class BusSettings(Struct, frozen=True, kw_only=True, rename=str.upper):
    """What every service reads; each field is the environment variable of the same name in capitals."""

    nats_url: str = "nats://127.0.0.1:4222"
    """Comma-separated for a cluster."""
    nats_user: str = ""
    """User name on NATS; empty: none."""
    nats_password: str = ""
    """Its password."""
    nats_credentials: str = ""
    """Path of a credentials file."""
    nats_tls_ca: str = ""
    """Path of the certificate authority of the server; empty: the system's."""
    nats_tls_cert: str = ""
    """Path of the certificate to show a server that asks its clients for one (PEM, with what is between it and the
    authority); read again at each connection."""
    nats_tls_key: str = ""
    """Path of its private key, without a passphrase; needed with NATS_TLS_CERT."""
    muster_prefix: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = "muster"
    """First token of every subject, so that teams can share a server."""
    ack_wait_seconds: Annotated[float, Meta(ge=0.5, le=3600)] = 15.0
    """How long a holder may be silent before its work is handed to another. The same in all services of a fleet."""
    max_runs: Annotated[int, Meta(ge=1)] = 256
    """Runs in flight in the whole fleet; used by `muster provision`."""
    stream_replicas: Annotated[int, Meta(ge=1, le=5)] = 1
    """Servers of a NATS cluster that keep a copy of each stream; used by `muster provision`."""
    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""
    log_format: str = "auto"
    """`json`, `console`, or `auto`: console on a terminal."""
    metrics_host: str = "127.0.0.1"
    """Address the health port listens on."""
    metrics_port: Annotated[int, Meta(ge=-1, le=65535)] = -1
    """Port of /metrics, /healthz and /readyz; -1: none, 0: any free one."""
    otel_exporter_otlp_endpoint: str = ""
    """Where traces go: an OpenTelemetry receiver over HTTP, such as `http://127.0.0.1:4318`; empty: none are made."""
    otel_exporter_otlp_headers: str = ""
    """Headers for it, `name=value` with commas between, values percent-encoded."""
    provision: bool = False
    """Make streams and consumers at start-up where they are missing, as embedded mode does."""
    artifact_max_mb: Annotated[float, Meta(gt=0)] = 50.0
    """Largest artefact that a worker or a session host stores, in MB; of a larger one something is left out, or all."""
    run_artifacts_max_mb: Annotated[float, Meta(gt=0)] = 200.0
    """What one worker stores for one run, and what one session leaves, in MB; also what its trace may take on disk."""
    shutdown_seconds: Annotated[float, Meta(ge=0)] = 10.0
    """Grace given to work in progress when asked to stop."""


S = TypeVar("S", bound=BusSettings)


def load(kind: type[S], environ: Mapping[str, str]) -> S:
    """Return settings from environment variables; empty ones count as not set.

    Raises:
        SettingsError: a value has the wrong type or is out of bounds; names the variable.
    """
    wanted = {field.encode_name for field in msgspec.structs.fields(kind)}
    given = {name: value for name, value in environ.items() if name in wanted and value != ""}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(str(error).replace("`$.", "environment variable `")) from error
