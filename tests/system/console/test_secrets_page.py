"""The secrets page: a value is sealed in the browser, the gateway gets what it cannot read, and workers can open it."""

import base64

import pytest
import pytest_asyncio
from browsing import NARROW, overflow, visiting
from playwright.async_api import Request, expect

from muster_bus.sealing import fingerprint, make_private_key, open_sealed
from muster_bus.secret_store import SecretStore

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]

VALUE = 'Grüße "an\\alle" 🔑 ' + "x" * 300
KEY = make_private_key()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def store(stage: Stage) -> SecretStore:
    """Give the workers a key."""
    store = SecretStore(stage.fleet.bus)
    await store.publish(bytes(KEY.public_key), replace=True)
    return store


async def test_a_value_is_sealed_before_it_leaves_the_browser(stage: Stage, store: SecretStore) -> None:
    async with visiting(stage.site, "/console/") as (page, _):
        sent: list[str] = []

        def hear(request: Request) -> None:
            sent.append(f"{request.url} {request.post_data or ''}")

        page.on("request", hear)
        await expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
        await page.keyboard.press("g")
        await page.keyboard.press("k")
        await expect(page.get_by_role("region", name="Set a secret")).to_contain_text(
            fingerprint(bytes(KEY.public_key))
        )
        await page.get_by_label("Name").fill("SHOP_PASSWORD")
        await page.get_by_label("Value").fill(VALUE)
        await page.keyboard.press("Enter")
        row = page.get_by_role("table", name="Secrets").get_by_role("row").filter(has_text="SHOP_PASSWORD")
        await expect(row).to_be_visible()
        await expect(page.get_by_label("Value")).to_have_value("")
        (put,) = [one for one in sent if '"sealed"' in one]
        for form in (VALUE, "x" * 40, base64.b64encode(b"x" * 30).decode()):
            assert not any(form in one for one in sent)
        assert "SHOP_PASSWORD" in put
        kept = await store.get("SHOP_PASSWORD")
        assert kept
        assert open_sealed(kept, [KEY]) == VALUE
        assert kept.by == (await stage.api.get("/whoami")).json()["name"]
        await row.get_by_role("button", name="Remove").click()
        await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        await expect(page.get_by_text("There are no secrets yet.")).to_be_visible()
        assert await store.get("SHOP_PASSWORD") is None


async def test_a_secret_that_is_sealed_to_an_earlier_key_is_told(stage: Stage, store: SecretStore) -> None:
    await store.set("OLD", "x")
    await store.publish(bytes(make_private_key().public_key), replace=True)
    async with visiting(stage.site, "/console/secrets", size=NARROW, theme="dark") as (page, _):
        await expect(page.get_by_role("table", name="Secrets")).to_contain_text("set it anew")
        assert await overflow(page) == 0


async def test_only_an_admin_sets_secrets_and_nothing_is_kept_that_is_not_sealed(
    stage: Stage, store: SecretStore
) -> None:
    public = (await stage.api.get("/secrets")).json()["key"]
    plain = {"sealed": base64.b64encode(b"hunter2").decode(), "key": public}
    for body, why in (
        (plain, "this is not sealed"),
        ({"sealed": "hunter2!", "key": public}, "not base64"),
        ({"sealed": base64.b64encode(bytes(304)).decode(), "key": "000000000000"}, "seal it anew"),
        ({"value": "hunter2"}, "invalid body"),
    ):
        answer = await stage.api.put("/secrets/PIN", json=body)
        assert (answer.status_code, why in answer.text, "hunter2" in answer.text) == (400, True, False), answer.text
    for role, expected in (("viewer", 403), ("runner", 403)):
        headers = {"Authorization": f"Bearer {stage.keys[role]}"}
        assert (await stage.api.put("/secrets/PIN", json=plain, headers=headers)).status_code == expected
    async with visiting(stage.site, "/console/secrets", key=stage.keys["runner"]) as (page, _):
        await page.get_by_label("Name").fill("PIN")
        await page.get_by_label("Value").fill("1234")
        await expect(page.get_by_role("button", name="Set")).to_have_attribute("aria-disabled", "true")
    assert await store.get("PIN") is None
