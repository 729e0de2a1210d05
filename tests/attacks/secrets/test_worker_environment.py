"""The environment of workers: cases that name it as a secret, and processes that inherit it."""

import asyncio
from pathlib import Path

import psutil
import pytest
from fleet import Fleet, fleet
from session_stage import serving_site

from muster_bus.secret_store import SecretStore
from muster_client.runs import submit
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.sealed_secrets import SealedSecret
from muster_service.settings import take, take_secrets
from muster_subagent.known_secrets import KnownSecrets
from muster_subagent.secrets import SecretMissing, read_secrets
from muster_subagent.settings import SubAgentSettings

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


class NoStore(SecretStore):
    """A store without secrets."""

    def __init__(self) -> None:
        pass

    async def get(self, name: str) -> SealedSecret | None:
        return None


@pytest.mark.parametrize("name", [*ENVIRONMENT, "FILE", "S_FILE", "SECRET_SECRET_OTHER", "*", ""])
async def test_the_environment_is_no_secret_store(name: str):
    known = read_secrets("", ENVIRONMENT)
    assert known == {"OTHER": "x"}
    with pytest.raises(SecretMissing, match=r"no secret .*: set SECRET_"):
        await KnownSecrets(known, NoStore(), ()).choose((name,))


def test_a_service_that_is_no_worker_drops_the_secrets_and_a_worker_takes_them_first():
    environ = dict(ENVIRONMENT)
    assert take_secrets(environ) == {"SECRET_OTHER": "x"}
    environ = dict(ENVIRONMENT)
    take(SubAgentSettings, environ)
    assert not [name for name in environ if name.startswith("SECRET_")]


@pytest.mark.slow
async def test_no_process_that_a_service_starts_inherits_a_secret(tmp_path: Path):
    value = "h4rd-to-guess-pin"
    with serving_site() as site:
        case = TestCase(
            name="All that is started",
            secrets=("PIN",),
            steps=(
                Step(action=f'Open "{site}/second"', expected='The text "Second page" is visible'),
                Step(action='Run the command "sleep 0.5; echo done"', expected='The output contains "done"'),
            ),
        )
        async with fleet(tmp_path, SECRET_PIN=value) as group:
            for service in ("orchestrator", "subagent", "sessions", "gateway"):
                await group.start(service)
            run = await submit(group.bus, RunRequest(job=case))
            seen, holding = await _watch_children(group, run.run, value)
            assert (await group.verdict(run.run)).status == "pass"
    assert all(any(part in name for name in seen) for part in ("bash", "node", "chrom")), seen
    assert not holding


async def _watch_children(group: Fleet, run: str, value: str) -> tuple[set[str], set[str]]:
    """Return the names of all that services have started until a verdict, and of those that hold a value."""
    seen, holding = set[str](), set[str]()
    verdict = asyncio.create_task(group.verdict(run))
    while not verdict.done():
        for service in group.running:
            owner = psutil.Process(service.pid)
            for child in owner.children(recursive=True):
                try:
                    name, environ = child.name(), Path(f"/proc/{child.pid}/environ").read_bytes()
                    if child.cmdline() == owner.cmdline():  # forked, and still about to become another program
                        continue
                except (psutil.Error, OSError):
                    continue
                seen.add(name)
                holding |= {name} if value.encode() in environ else set()
        await asyncio.wait({verdict}, timeout=0.05)
    return seen, holding
