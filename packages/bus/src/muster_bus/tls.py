"""TLS to NATS: verifies the server's certificate, and presents a client certificate."""

import ssl
from pathlib import Path

import structlog
from nats.errors import Error as NatsError

from muster_service.settings import BusSettings, SettingsError

log = structlog.get_logger("muster.bus")

REFUSALS = ("CERTIFICATE", "UNKNOWN_CA", "ACCESS_DENIED")
"""Parts of the names of TLS alerts by which a server refuses a client certificate, or the lack of one."""

OUT_OF_TIME = (9, 10)
"""OpenSSL's codes for a certificate that is not in force yet, or no longer."""
OTHER_NAMES = (62, 64)
"""OpenSSL's codes for a certificate of another host name or IP address."""


class NoCertificate(NatsError):
    """The server requires a client certificate, and this process has none."""

    def __str__(self) -> str:
        return "asks for a client certificate: set NATS_TLS_CERT and NATS_TLS_KEY"


class NotEncrypted(NatsError):
    """The server offers no TLS although it is configured here; going on would expose the password on the network."""

    def __str__(self) -> str:
        return "offers no TLS, but its address begins with tls://, or NATS_TLS_CA or NATS_TLS_CERT is set"


class Tls:
    """Builds a new TLS context for each handshake, so that renewed certificates are used."""

    def __init__(self, settings: BusSettings) -> None:
        """Raise SettingsError if a file named in the settings cannot be used."""
        self._settings = settings
        self._last = create_context(settings) if _has_files(settings) else None

    def require_tls(self, scheme: str, offered: bool) -> None:
        """Raise NotEncrypted if the address or a TLS setting requires TLS and the server does not offer it."""
        if not offered and (scheme == "tls" or (scheme == "nats" and _has_files(self._settings))):
            raise NotEncrypted

    def context(self, certificate_wanted: bool) -> ssl.SSLContext:
        """Return the context for a server that requires a client certificate, or does not.

        If the files cannot be used now, as when only one of two is renewed yet, return the last context.

        Raises:
            NoCertificate: a client certificate is required, and none is set.
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


def _has_files(settings: BusSettings) -> bool:
    """Return whether any TLS file is set. Pure."""
    return bool(settings.nats_tls_ca or settings.nats_tls_cert or settings.nats_tls_key)


def describe_refusal(error: Exception, settings: BusSettings) -> str:
    """Return the TLS refusal of a server that retries will not change, as "refuses …"; empty for other errors. Pure."""
    if isinstance(error, NoCertificate | NotEncrypted):
        return str(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        return _describe_distrust(error, settings)
    alert = (error.reason or "") if isinstance(error, ssl.SSLError) else ""
    if "ALERT" not in alert or not any(refused in alert for refused in REFUSALS):
        return ""
    if not settings.nats_tls_cert:
        return f"{NoCertificate()} ({_alert_name(alert)})"
    return f"refuses the certificate {settings.nats_tls_cert!r} of NATS_TLS_CERT ({_alert_name(alert)})"


def _describe_distrust(error: ssl.SSLCertVerificationError, settings: BusSettings) -> str:
    if error.verify_code in OTHER_NAMES:
        return f"shows a certificate for another name ({error.verify_message}): use a name that it lists in NATS_URL"
    if error.verify_code in OUT_OF_TIME:
        return (
            f"shows a certificate that has expired or is not valid yet ({error.verify_message}): renew it on the "
            "server; if its dates are right, the clock of this machine is wrong"
        )
    file = f"NATS_TLS_CA is {settings.nats_tls_ca!r}" if settings.nats_tls_ca else "NATS_TLS_CA is not set"
    why = f"shows a certificate that is not trusted ({error.verify_message})"
    return f"{why}: NATS_TLS_CA must name the file of the authority that signed it, and {file}"


def create_context(settings: BusSettings) -> ssl.SSLContext:
    """Return the TLS context made from the files in the settings.

    Raises:
        SettingsError: a file cannot be used; names the variable and the reason.
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
    """Raise SettingsError unless a file holds certificates in PEM format."""
    _check_readable(variable, path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except ssl.SSLError as error:
        raise _unusable_file(variable, path, "holds no certificate in PEM format") from error


def _load_certificate(made: ssl.SSLContext, cert: str, key: str) -> None:
    """Load the client certificate and its key into a context."""

    def passphrase() -> str:  # without it, OpenSSL would prompt on the terminal
        raise _unusable_file("NATS_TLS_KEY", key, "is encrypted: give a key without a passphrase")

    _check_readable("NATS_TLS_KEY", key)
    try:
        made.load_cert_chain(cert, key, password=passphrase)
    except ssl.SSLError as error:
        if "MISMATCH" in (error.reason or ""):
            raise _unusable_file("NATS_TLS_KEY", key, f"is not the key of the certificate {cert!r}") from error
        if error.reason:  # such as a certificate with too short a key
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
    """Return the name of an alert such as `TLSV1_ALERT_UNKNOWN_CA` in words."""
    return alert.partition("ALERT_")[2].replace("_", " ").lower()
