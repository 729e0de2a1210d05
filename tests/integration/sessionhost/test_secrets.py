"""No form of a secret stays in anything a session stores or tells."""

import base64
import io
import json
import zipfile
from urllib.parse import quote, quote_plus

from nats.aio.msg import Msg
from session_stage import Stage
from waiting import eventually

from muster_bus.artifact_store import get_artifact, list_artifacts
from muster_devices.web.page_picture import captured
from muster_subagent.attachment import Attachment

SECRET = 'p@ss w/örd+"quoted"!\''
PLAIN = "hunter2hunter2"


def every_form(value: str) -> list[bytes]:
    data = value.encode()
    forms = [
        value,
        quote(value),
        quote(value, safe=""),
        quote_plus(value),
        quote(value, safe="!'()*"),
        json.dumps(value),
    ]
    forms += [json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]]
    forms += [base64.b64encode(b"me:" + data).decode()[4:-4], base64.b64encode(data).decode()[:-4]]
    return [form.encode() for form in forms]


def found_in(name: str, data: bytes, value: str) -> list[str]:
    """Return where a form of the value stands, entries of zip files included."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [
                hit for entry in archive.namelist() for hit in found_in(f"{name}/{entry}", archive.read(entry), value)
            ]
    return [f"{name}: {form!r}" for form in every_form(value) if form in data or form in name.encode()]


async def stored(stage: Stage) -> dict[str, bytes]:
    names = await list_artifacts(stage.bus, f"{stage.run}/")
    return {name: await get_artifact(stage.bus, name) or b"" for name in names}


async def use_secrets(site: str, session: Attachment) -> None:
    """Type them, send them as form and JSON, in an address and a header, and have them echoed everywhere."""
    page = await session.page()
    await page.goto(f"{site}/login")
    await page.fill("#password", SECRET)
    await page.click("#json")
    await page.wait_for_function("document.title === 'Sent'")
    await page.click("#encoded")
    await page.wait_for_function("document.title === 'Encoded'")
    await page.fill("#shown", PLAIN)
    await captured(page.screenshot)
    await page.click("#send")
    await page.wait_for_function("document.title === 'Echo'")
    given = {"TOKEN": SECRET, "OTHER": PLAIN}
    done = await session.execute(
        'echo "$TOKEN $OTHER"; echo "$TOKEN" | base64 -w0 >&2', call="t:1", timeout_seconds=5, secrets=given
    )
    assert done.stdout == "•••••• ••••••\n"
    assert SECRET not in done.stderr


async def test_no_secret_is_in_any_artifact_of_a_session(stage: Stage, site: str) -> None:
    await stage.open()
    told: list[bytes] = []

    async def listen(message: Msg) -> None:
        told.append(message.data)

    await stage.bus.nc.subscribe(stage.bus.names.session_events(stage.run, "main"), cb=listen)
    async with stage.attach(secrets={"TOKEN": SECRET, "OTHER": PLAIN}) as session:
        await use_secrets(site, session)
        recalled = [await session.recall(key) or "" for key in ("console", "network", "document", "exec")]
        assert "got " in recalled[0]

    async def has_checkpoint() -> bool:
        return f"{stage.run}/checkpoint/main.json" in await stored(stage)

    await eventually(has_checkpoint, "a checkpoint")
    kept = await stored(stage)
    await stage.close()
    kept |= await stored(stage)
    names = sorted(name.rpartition("/")[2] for name in kept)
    assert names == ["main-console.jsonl", "main-network.har", "main-trace.zip", "main.json"]
    kept |= {f"event {number}": data for number, data in enumerate(told)}
    kept |= {f"recalled {number}": text.encode() for number, text in enumerate(recalled)}
    assert [
        hit for value in (SECRET, PLAIN) for name, data in kept.items() for hit in found_in(name, data, value)
    ] == []


async def test_the_rewritten_recordings_still_tell_what_happened(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach(secrets={"OTHER": PLAIN}) as session:
        page = await session.page()
        await page.goto(f"{site}/login")
        await page.fill("#shown", PLAIN)
        await page.click("#send")
        await page.wait_for_function("document.title === 'Echo'")
    await stage.close()
    kept = await stored(stage)
    entries = json.loads(kept[f"{stage.run}/session/main-network.har"])["log"]["entries"]
    assert [entry["request"]["method"] for entry in entries] == ["GET", "POST"]
    assert "shown=••••••" in entries[1]["request"]["postData"]["text"]
    assert "<title>Echo</title>" in entries[1]["response"]["content"]["text"]
    with zipfile.ZipFile(io.BytesIO(kept[f"{stage.run}/session/main-trace.zip"])) as trace:
        events = [json.loads(line) for line in trace.read("trace.trace").splitlines()]
        fills = [event for event in events if event.get("method") == "fill"]
        assert fills[0]["params"]["value"] == "••••••"
        pictures = [event["timestamp"] for event in events if event.get("type") == "screencast-frame"]
        shown = [name for name in trace.namelist() if name.endswith(".jpeg")]
        assert len(shown) < len(pictures)  # those taken since the field showed the secret are left out
