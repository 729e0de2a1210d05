"""Cases that name what a worker has in its environment as a secret, to have it typed into a page."""

import pytest

from muster_subagent.secrets import SecretMissing, chosen, read_secrets

ENVIRONMENT = {
    "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer x",
    "NATS_PASSWORD": "x",
    "OPENAI_API_KEY": "x",
    "AWS_SECRET_ACCESS_KEY": "x",
    "KUBERNETES_SERVICE_HOST": "x",
    "SECRETS_FILE": "/run/secrets",
    "SECRETS_ALLOWED": "PIN",
    "HOME": "/root",
    "PATH": "/bin",
    "PIN": "of something else",
    "secret_PIN": "x",
    "SECRET_OTHER": "x",
}


@pytest.mark.parametrize("name", [*ENVIRONMENT, "FILE", "S_FILE", "SECRET_SECRET_OTHER", "*", ""])
def test_the_environment_is_no_secret_store(name: str):
    known = read_secrets("", ENVIRONMENT)
    assert known == {"OTHER": "x"}
    with pytest.raises(SecretMissing, match=r"no secret .*: set SECRET_"):
        chosen(known, (name,))
