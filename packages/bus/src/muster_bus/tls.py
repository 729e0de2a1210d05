"""TLS to NATS: whom a server's certificate has to come from, and the certificate that a process shows a server."""

import ssl
from pathlib import Path

import structlog
from nats.errors import Error as NatsError

from muster_service.settings import BusSettings, SettingsError

log = structlog.get_logger("muster.bus")

REFUSALS = ("CERTIFICATE", "UNKNOWN_CA", "ACCESS_DENIED")
"""What alerts are called by which a server says no to the certificate it was shown, or to none."""


class NoCertificate(NatsError):
    """A server takes only clients with a certificate, and this process has none."""

    def __str__(self) -> str:
        return "asks for a client certificate: set NATS_TLS_CERT and NATS_TLS_KEY"


class NotEncrypted(NatsError):
    """A server offers no TLS where it was asked for; going on would show the password to whoever is in between."""

    def __str__(self) -> str:
        return "offers no TLS, and its address begins with tls://, or NATS_TLS_CA or NATS_TLS_CERT is set"


class Tls:
    """Makes what each handshake goes by anew, so that certificates renewed meanwhile are used."""

    def __init__(self, settings: BusSettings) -> None:
        """Raise SettingsError if a file that the settings name cannot be used."""
        self._settings = settings
        self._last = create_context(settings) if has_files(settings) else None

    def require_tls(self, scheme: str, offered: bool) -> None:
        """Raise NotEncrypted if TLS is wanted of a server, by its address or a file that is named, and not offered."""
        if not offered and (scheme == "tls" or (scheme == "nats" and has_files(self._settings))):
            raise NotEncrypted

    def context(self, certificate_wanted: bool) -> ssl.SSLContext:
        """Return it for a server that wants a certificate of its clients or does not.

        While files cannot be used that could be before, as when one of two is renewed, what was read then stays.

        Raises:
            NoCertificate: one is wanted, and none is set.
        """
        if certificate_wanted and not self._settings.nats_tls_cert:
            raise NoCertificate
        try:
            self._last = create_context(self._settings)
        except SettingsError as error:
            if self._last is None:
                raise
            log.warning("cannot reload TLS files; using the ones loaded before", error=str(error))
        return self._last


def has_files(settings: BusSettings) -> bool:
    """Return whether any file is named. Pure."""
    return bool(settings.nats_tls_ca or settings.nats_tls_cert or settings.nats_tls_key)


def describe_refusal(error: Exception, settings: BusSettings) -> str:
    """Return what a server does that no further try will change, of TLS; empty for any other error. Pure."""
    if isinstance(error, NoCertificate | NotEncrypted):
        return str(error)
    alert = (error.reason or "") if isinstance(error, ssl.SSLError) else ""
    if "ALERT" not in alert or not any(refused in alert for refused in REFUSALS):
        return ""
    if not settings.nats_tls_cert:
        return f"{NoCertificate()} ({_alert_name(alert)})"
    return f"refuses the certificate {settings.nats_tls_cert!r} of NATS_TLS_CERT ({_alert_name(alert)})"


def create_context(settings: BusSettings) -> ssl.SSLContext:
    """Return what a handshake with NATS goes by, read from the files that the settings name.

    Raises:
        SettingsError: a file cannot be used; says of which variable, and why.
    """
    if settings.nats_tls_ca:
        _check_certificates("NATS_TLS_CA", settings.nats_tls_ca)
    made = ssl.create_default_context(cafile=settings.nats_tls_ca or None)
    cert, key = settings.nats_tls_cert, settings.nats_tls_key
    if bool(cert) != bool(key):
        given, lacking = ("NATS_TLS_CERT", "NATS_TLS_KEY") if cert else ("NATS_TLS_KEY", "NATS_TLS_CERT")
        raise SettingsError(f"environment variable `{lacking}` is missing: {given} is set, and they go together")
    if cert:
        _check_certificates("NATS_TLS_CERT", cert)
        _load_certificate(made, cert, key)
    return made


def _check_certificates(variable: str, path: str) -> None:
    """Raise SettingsError unless certificates can be read from a file."""
    _check_readable(variable, path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except ssl.SSLError as error:
        raise _unusable_file(variable, path, "holds no certificate in PEM format") from error


def _load_certificate(made: ssl.SSLContext, cert: str, key: str) -> None:
    """Have a context show a certificate; its file is known to hold one."""

    def passphrase() -> str:  # without it, a terminal would be asked
        raise _unusable_file("NATS_TLS_KEY", key, "is encrypted: give a key without a passphrase")

    _check_readable("NATS_TLS_KEY", key)
    try:
        made.load_cert_chain(cert, key, password=passphrase)
    except ssl.SSLError as error:
        if "MISMATCH" in (error.reason or ""):
            raise _unusable_file("NATS_TLS_KEY", key, f"is not the key of the certificate {cert!r}") from error
        if error.reason:  # such as a certificate too weak to be used
            raise _unusable_file(
                "NATS_TLS_CERT", cert, f"with the key {key!r} cannot be used: {error.reason}"
            ) from error
        raise _unusable_file("NATS_TLS_KEY", key, "holds no private key in PEM format") from error


def _check_readable(variable: str, path: str) -> None:
    try:
        with Path(path).open("rb"):
            pass
    except OSError as error:
        raise SettingsError(f"environment variable `{variable}`: cannot read {path!r}: {error.strerror}") from error


def _unusable_file(variable: str, path: str, why: str) -> SettingsError:
    return SettingsError(f"environment variable `{variable}`: {path!r} {why}")


def _alert_name(alert: str) -> str:
    """Return the name of an alert, `TLSV1_ALERT_UNKNOWN_CA`, as people read it."""
    return alert.partition("ALERT_")[2].replace("_", " ").lower()
