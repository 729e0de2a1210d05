"""Runs of a team ask models with the team's own key, which only workers can read."""

from pathlib import Path

import pytest
from model_server import Answer, Asked, does, passes, says
from msgspec.structs import replace
from thinking import SIGN_UP, Stage, plan_as_written, stage

from muster_bus.sealing import make_private_key, write_key_line
from muster_bus.secret_store import SecretStore
from muster_client.runs import submit
from muster_protocol.causes import Cause
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import TEAM_LABEL, RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict

pytestmark = pytest.mark.slow


def script(asked: Asked) -> Answer:
    if asked.role == "planner":
        return plan_as_written(2)
    if asked.role == "executor":
        return does(("click", {"element": "Send"}), passes())
    return says("ok")


async def keys_of(stage: Stage, team: str) -> tuple[Verdict, set[str]]:
    """Run a case for a team, and return its verdict and the keys with which models were asked for it."""
    for name, page in SIGN_UP.items():
        stage.site.pages[f"/t/{name}"] = str(page).replace("@", f"{stage.site.url}/t")
    steps = (
        Step(action=f'Open "{stage.site.url}/t/"', expected='The title is "Page"'),
        Step(action="Send the form", expected='The text "Welcome" is visible'),
    )
    labels = {TEAM_LABEL: team} if team else {}
    before = len(stage.model.asked)
    run = (await submit(stage.fleet.bus, RunRequest(job=TestCase(name="Sign up", steps=steps), labels=labels))).run
    verdict = await stage.fleet.verdict(run)
    return verdict, {asked.key for asked in stage.model.asked[before:]}


async def test_each_team_pays_with_its_own_key_and_never_with_anothers(tmp_path: Path):
    key = make_private_key()
    file = tmp_path / "workers.key"
    file.write_text(write_key_line(key))
    async with stage(tmp_path, SECRETS_KEY_FILE=str(file)) as on:
        on.model.script = script
        store = SecretStore(on.fleet.bus)
        await store.publish(bytes(key.public_key))
        sealed = await store.set("model.checkout.OPENAI_API_KEY", "key of checkout")
        await store.set("model.billing.VISION_API_KEY", "of a setting that no endpoint here uses")

        for team, expected in (("checkout", "key of checkout"), ("billing", "key"), ("", "key")):
            verdict, keys = await keys_of(on, team)
            assert (verdict.status, keys) == ("pass", {expected}), verdict.summary
            assert "key of checkout" not in str(verdict)

        # A seal that was copied to another team's name is not opened, and nobody else pays for it.
        stolen = replace(sealed, name="model.search.OPENAI_API_KEY")
        await store.keep(stolen.name, stolen.sealed, stolen.key)
        verdict, keys = await keys_of(on, "search")
        assert (verdict.status, verdict.cause, keys) == ("fail", Cause.ENVIRONMENT, set())
        assert "the seal of secret model.search.OPENAI_API_KEY is broken" in verdict.summary

        name = sealed.name
        assert await store.get(name) is None, "what cases list is looked for elsewhere"
        step = Step(action=f'Open "{on.site.url}/?${{secret:{name}}}"', expected='The title is "Page"')
        with pytest.raises(InvalidRequest, match="is not a valid name"):
            await submit(on.fleet.bus, RunRequest(job=TestCase(name="Theft", secrets=(name,), steps=(step,))))
