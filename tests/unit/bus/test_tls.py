"""What TLS to NATS goes by: files that cannot be used are told by variable and path, and what a server refuses in words."""

import ssl
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives import serialization
from msgspec.structs import replace

from muster_bus.tls import NoCertificate, Tls, create_context, describe_refusal
from muster_service.settings import BusSettings, SettingsError

PLAIN = BusSettings()


@pytest.fixture
def shown(tmp_path: Path) -> BusSettings:
    """Settings with a certificate and its key."""
    made = trustme.CA().issue_cert("orchestrator")
    made.cert_chain_pems[0].write_to_path(str(tmp_path / "tls.crt"))
    made.private_key_pem.write_to_path(str(tmp_path / "tls.key"))
    return BusSettings(nats_tls_cert=str(tmp_path / "tls.crt"), nats_tls_key=str(tmp_path / "tls.key"))


def told(settings: BusSettings) -> str:
    """Return why settings are refused."""
    with pytest.raises(SettingsError) as caught:
        Tls(settings)
    return str(caught.value)


def encrypted(key: Path) -> None:
    """Put a passphrase on a key."""
    loaded = serialization.load_pem_private_key(key.read_bytes(), None)
    hidden = serialization.BestAvailableEncryption(b"secret")
    key.write_bytes(loaded.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, hidden))


def test_a_certificate_and_its_key_are_taken(shown: BusSettings):
    assert create_context(shown).verify_mode is ssl.CERT_REQUIRED


def test_a_certificate_and_its_key_go_together(shown: BusSettings):
    assert told(replace(shown, nats_tls_key="")) == (
        "environment variable `NATS_TLS_KEY` is missing: NATS_TLS_CERT is set, and they go together"
    )
    assert told(replace(shown, nats_tls_cert="")).startswith("environment variable `NATS_TLS_CERT` is missing")


@pytest.mark.parametrize("field", ["nats_tls_ca", "nats_tls_cert", "nats_tls_key"])
def test_a_file_that_cannot_be_read_or_is_something_else_is_named(shown: BusSettings, tmp_path: Path, field: str):
    text = tmp_path / "text"
    text.write_text("something else")
    nowhere, folder = (replace(shown, **{field: str(path)}) for path in (tmp_path / "nowhere", tmp_path))
    what = "private key" if field == "nats_tls_key" else "certificate"

    beginning = f"environment variable `{field.upper()}`: "
    assert told(nowhere) == f"{beginning}cannot read '{tmp_path}/nowhere': No such file or directory"
    assert told(folder) == f"{beginning}cannot read '{tmp_path}': Is a directory"
    assert told(replace(shown, **{field: str(text)})) == f"{beginning}'{text}' holds no {what} in PEM format"


def test_the_key_of_another_certificate_is_told_with_both_files(shown: BusSettings):
    trustme.CA().issue_cert("other").private_key_pem.write_to_path(shown.nats_tls_key)

    assert f"`NATS_TLS_KEY`: '{shown.nats_tls_key}' is not the key of the certificate '{shown.nats_tls_cert}'" in told(
        shown
    )


def test_a_key_with_a_passphrase_is_refused_and_nobody_asked_for_it(shown: BusSettings):
    encrypted(Path(shown.nats_tls_key))

    assert "is encrypted: give a key without a passphrase" in told(shown)


def test_files_that_are_spoilt_later_leave_what_was_read_before(shown: BusSettings):
    tls = Tls(shown)
    first = tls.context(certificate_wanted=True)
    Path(shown.nats_tls_key).write_text("half-way renewed")

    assert tls.context(certificate_wanted=True) is first


def test_without_a_certificate_a_server_that_wants_one_is_not_even_tried():
    tls = Tls(PLAIN)
    tls.context(certificate_wanted=False)

    with pytest.raises(NoCertificate, match="set NATS_TLS_CERT and NATS_TLS_KEY"):
        tls.context(certificate_wanted=True)


def alert(reason: str) -> ssl.SSLError:
    """Return an error as a handshake raises it."""
    error = ssl.SSLError(1, f"[SSL: {reason}] {reason.lower()}")
    error.reason = reason
    return error


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("TLSV1_ALERT_UNKNOWN_CA", "refuses the certificate '/c' of NATS_TLS_CERT (unknown ca)"),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", "refuses the certificate '/c' of NATS_TLS_CERT (certificate expired)"),
        ("SSLV3_ALERT_BAD_CERTIFICATE", "refuses the certificate '/c' of NATS_TLS_CERT (bad certificate)"),
        ("CERTIFICATE_VERIFY_FAILED", ""),  # it is this side that refuses
        ("TLSV1_ALERT_PROTOCOL_VERSION", ""),
    ],
)
def test_a_refusal_of_the_certificate_is_told_from_other_troubles(reason: str, words: str):
    assert describe_refusal(alert(reason), replace(PLAIN, nats_tls_cert="/c", nats_tls_key="/k")) == words


def test_a_server_that_asks_for_a_certificate_says_so_in_more_than_one_way():
    asked = "asks for a client certificate: set NATS_TLS_CERT and NATS_TLS_KEY"

    assert describe_refusal(NoCertificate(), PLAIN) == asked
    assert describe_refusal(alert("TLSV13_ALERT_CERTIFICATE_REQUIRED"), PLAIN) == f"{asked} (certificate required)"
    assert describe_refusal(TimeoutError(), PLAIN) == ""


@pytest.mark.parametrize(
    ("code", "told", "settings", "words"),
    [
        (19, "self-signed certificate", PLAIN, "not trusted (self-signed certificate): NATS_TLS_CA must name"),
        (19, "self-signed certificate", PLAIN, "and NATS_TLS_CA is not set"),
        (20, "unable to get local issuer", replace(PLAIN, nats_tls_ca="/ca.pem"), "NATS_TLS_CA is '/ca.pem'"),
        (62, "Hostname mismatch", PLAIN, "for another name (Hostname mismatch): use a name that it lists in NATS_URL"),
    ],
)
def test_a_server_that_is_not_trusted_is_told_with_what_mends_it(
    code: int, told: str, settings: BusSettings, words: str
):
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code, error.verify_message = code, told
    assert words in describe_refusal(error, settings)
