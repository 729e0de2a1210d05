"""A secret's value is nowhere in what a run leaves behind: streams, buckets, object store, service logs."""

import base64
import io
import urllib.parse
import zipfile
from pathlib import Path

from fleet import Fleet, fleet

from muster_bus import replay
from muster_bus.artifact_store import get_artifact, list_artifacts
from muster_client.runs import submit
from muster_protocol.requests import RunRequest, Step, TestCase

SECRET = "s3cr3t/Wörd+&=~1977"


def forms(value: str) -> dict[str, bytes]:
    """Return the value in every encoding it may be stored in."""
    data = value.encode()
    return {
        "plain": data,
        "url": urllib.parse.quote(value, safe="").encode(),
        "form": urllib.parse.quote_plus(value).encode(),
        "base64": base64.b64encode(data),
        "base64 inside": base64.b64encode(b"\0" + data)[4:-4],
        "json": value.encode("ascii", "backslashreplace"),
    }


def unpacked(name: str, data: bytes) -> list[tuple[str, bytes]]:
    """Return the data and, of an archive, everything in it."""
    found = [(name, data)]
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found += [(f"{name}!{entry}", archive.read(entry)) for entry in archive.namelist()]
    return found


async def everything(group: Fleet) -> list[tuple[str, bytes]]:
    """Return every stored byte of the fleet, by where it is."""
    found: list[tuple[str, bytes]] = []
    for stream in ("REQUESTS", "RUNS", "TASKS", "JOURNAL", "CONTROL", "LOGS", "DEAD"):
        subject = group.bus.names.prefix + ".>"
        found += [(f"{stream} {m.subject}", m.data) async for m in replay(group.bus, stream, subject)]
    for bucket in ("SNAPSHOTS", "RUN_LIST", "SESSIONS", "WORKERS"):
        found += [(f"{bucket} {m.subject}", m.data) async for m in replay(group.bus, f"KV_{bucket}", f"$KV.{bucket}.>")]
    for name in await list_artifacts(group.bus, ""):
        found += unpacked(name, await get_artifact(group.bus, name) or b"")
    found += [(str(path), path.read_bytes()) for path in group.folder.glob("*.log")]
    return found


async def test_a_secret_typed_sent_echoed_and_printed_is_stored_nowhere(tmp_path: Path, login_page: str) -> None:
    case = TestCase(
        name="Log in",
        secrets=("THE_PASSWORD",),
        steps=(
            Step(action=f'Open "{login_page}"', expected='The page title is "Log in"'),
            Step(action='Type "${secret:THE_PASSWORD}" into the "Password" field'),
            Step(action='Click the "Log in" button', expected='The text "Welcome" is visible'),
            Step(
                action='Run the command "echo ${secret:THE_PASSWORD} | tee said.txt | base64"',
                expected="The exit code is 0",
            ),
            Step(action='Read the file "said.txt"', expected='The file "said.txt" exists'),
        ),
    )
    async with fleet(tmp_path, SECRET_THE_PASSWORD=SECRET) as group:
        for service in ("orchestrator", "subagent"):
            await group.start(service)
        await group.start("sessions", SECRET_THE_PASSWORD="")
        run = (await submit(group.bus, RunRequest(job=case, record="on"))).run
        verdict = await group.verdict(run)
        assert verdict.status == "pass", verdict.summary
        await group.closed(run)

        stored = await everything(group)

    assert any("trace" in where for where, _ in stored)
    assert any(".har" in where for where, _ in stored)
    leaks = [(form, where) for form, text in forms(SECRET).items() for where, data in stored if text in data]
    assert leaks == []
