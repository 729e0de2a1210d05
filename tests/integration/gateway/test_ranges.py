"""Files of a run in parts, and only if they have changed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from muster_bus.artifact_store import put_artifact

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import OpenRun, Web

DATA = bytes(range(256)) * 2000
PATH = "/runs/r1/artifacts/n1.1/trace.zip"


async def test_a_file_is_had_whole_in_part_or_not_again(web: Web, bus: Bus, open_run: OpenRun):
    await open_run("r1")
    await put_artifact(bus, "r1/n1.1/trace.zip", DATA, "application/zip")
    whole = await web.http.get(PATH)
    etag = f'"{hashlib.sha256(DATA).hexdigest()}"'
    assert (whole.status_code, whole.content == DATA, whole.headers["etag"]) == (200, True, etag)
    assert whole.headers["accept-ranges"] == "bytes"
    seen = await web.http.head(PATH)
    assert (seen.status_code, seen.content) == (200, b"")
    for name in ("content-length", "content-type", "etag", "accept-ranges"):
        assert seen.headers[name] == whole.headers[name], name

    async def asked(**headers: str) -> tuple[int, str, bytes]:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = await web.http.get(PATH, headers=names)
        assert int(answer.headers.get("content-length", len(answer.content))) == len(answer.content)
        return answer.status_code, answer.headers.get("content-range", ""), answer.content

    size = len(DATA)
    assert await asked(range="bytes=100-399") == (206, f"bytes 100-399/{size}", DATA[100:400])
    assert await asked(range="bytes=-5") == (206, f"bytes {size - 5}-{size - 1}/{size}", DATA[-5:])
    assert await asked(range="bytes=0-9", if_range=etag) == (206, f"bytes 0-9/{size}", DATA[:10])
    assert (await asked(range="bytes=0-9", if_range='"other"'))[0] == 200
    assert (await asked(range="bytes=0-9,20-29"))[0] == 200
    for tags in (f'"x", {etag}', "*"):
        assert await asked(if_none_match=tags) == (304, "", b"")
        same = await web.http.head(PATH, headers={"If-None-Match": tags})
        assert (same.status_code, same.headers["etag"]) == (304, etag)
    assert (await web.http.head(PATH, headers={"If-None-Match": '"x"'})).status_code == 200
    for ask in (web.http.get, web.http.head):  # as the console asks for pictures of one name and different content
        assert (await ask(f"{PATH}?v={etag[1:13]}")).status_code == 200
        assert (await ask(f"{PATH}?version=1")).status_code == 400
    refused = await web.http.get(PATH, headers={"Range": f"bytes={size}-"})
    assert (refused.status_code, refused.headers["content-range"]) == (416, f"bytes */{size}")
    assert refused.headers["content-type"] == "application/problem+json"


async def test_a_checkpoint_is_neither_listed_nor_given_out(web: Web, bus: Bus, open_run: OpenRun):
    await open_run("r1")
    await put_artifact(bus, "r1/checkpoint/main.json", b"{}", "application/json")
    assert (await web.http.get("/runs/r1/artifacts")).json()["artifacts"] == []
    for name in ("checkpoint/main.json", "/checkpoint/main.json", "checkpoint%2fmain.json"):
        assert (await web.http.get(f"/runs/r1/artifacts/{name}")).status_code == 404, name
        assert (await web.http.head(f"/runs/r1/artifacts/{name}")).status_code == 404, name


async def test_an_empty_file_and_one_that_is_not_there(web: Web, bus: Bus, open_run: OpenRun):
    await open_run("r1")
    await put_artifact(bus, "r1/empty.txt", b"", "text/plain")
    empty = await web.http.get("/runs/r1/artifacts/empty.txt")
    assert (empty.status_code, empty.content) == (200, b"")
    assert (await web.http.get("/runs/r1/artifacts/empty.txt", headers={"Range": "bytes=0-"})).status_code == 416
    for name in ("gone.txt", "..%2fr2%2fx", "%ff", "a%00b", "é"):
        assert (await web.http.get(f"/runs/r1/artifacts/{name}")).status_code in (400, 404), name
        assert (await web.http.head(f"/runs/r1/artifacts/{name}")).status_code in (400, 404), name
    listed = (await web.http.get("/runs/r1/artifacts")).json()["artifacts"]
    assert [(one["name"], one["size"], one["content_type"]) for one in listed] == [("empty.txt", 0, "text/plain")]
    assert listed[0]["stored_at"].startswith("20")
