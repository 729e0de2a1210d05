"""What is kept of a session and under which names, decided without a browser; and HARs made of a trace."""

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_bus.artifact_store import download_name
from muster_devices.web.har import write_har
from muster_protocol.tool_calls import ArtifactRef, Box
from muster_service.settings import SettingsError, load
from muster_sessionhost.artifact_export import Names, format_log_line
from muster_sessionhost.recording_plan import picture_mode, plan_recordings
from muster_sessionhost.screenshots import LastPicture, PictureStore, pause_after
from muster_sessionhost.settings import SessionHostSettings
from muster_text.file_names import LONGEST_NAME, clean_name
from muster_text.masking import MASK
from muster_text.redaction import Redactor


def test_recordings_are_for_failures_and_downloads_for_all_unless_set_or_asked_otherwise() -> None:
    settings = load(SessionHostSettings, {})
    assert plan_recordings(settings, "").kept(passed=True) == {"downloads"}
    assert plan_recordings(settings, "").kept(passed=False) == {"trace", "har", "console", "downloads"}
    assert plan_recordings(settings, "off").kept(passed=False) == frozenset()
    assert plan_recordings(settings, "on").kept(passed=True) == {"trace", "har", "console", "downloads"}
    assert plan_recordings(settings, "on-failure").kept(passed=True) == frozenset()
    mine = load(SessionHostSettings, {"RECORD_TRACE": "on", "RECORD_DOWNLOADS": "off"})
    assert plan_recordings(mine, "").kept(passed=True) == {"trace"}
    with pytest.raises(SettingsError, match="RECORD_HAR"):
        load(SessionHostSettings, {"RECORD_HAR": "yes"})


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\list.csv", "list.csv"),
        ("Größe (1) – neu.csv", "Größe-1-neu.csv"),
        ("invoice\u202efdp.exe", "invoice-fdp.exe"),
        ("a\r\nContent-Type: text/html.txt", "html.txt"),
        ("<img src=x onerror=alert(1)>.svg", "img-src-x-onerror-alert-1-.svg"),
        (".bashrc", "bashrc"),
        ("..", "download"),
        ("", "download"),
    ],
)
def test_a_downloads_name_harms_nobody(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@given(st.text(max_size=400))
def test_any_name_is_one_short_part_of_a_path(name: str) -> None:
    clean = clean_name(name)
    assert 0 < len(clean) <= LONGEST_NAME
    assert clean not in (".", "..")
    assert not set(clean) & set("/\\\r\n\0 <>\"'")
    assert clean_name(clean) == clean or not clean.isascii()


def test_the_same_download_is_one_artifact_and_another_of_its_name_is_not() -> None:
    assert download_name("run-1", "a.csv", b"1") == download_name("run-1", "a.csv", b"1")
    assert download_name("run-1", "a.csv", b"1") != download_name("run-1", "a.csv", b"2")
    assert download_name("run-1", "x/../a.csv", b"1").startswith("run-1/downloads/")


def test_the_log_is_told_what_was_kept_and_what_was_not() -> None:
    names = Names("run-1", "main", 2)
    ref = ArtifactRef(name=names.of("trace.zip"), sha256="", size=1_234_567)
    assert ref.name == "run-1/session/main-2-trace.zip"
    assert format_log_line("main", [ref], ()) == "[Session] main: kept main-2-trace.zip (1.2 MB)"
    both = "[Session] main: kept main-2-trace.zip (1.2 MB); left out a.csv (too large: 9 bytes)"
    assert format_log_line("main", [ref], ("a.csv (too large: 9 bytes)",)) == both
    assert format_log_line("main", [], ()) == ""


def entry(url: str, *, sent: str = "", got: str = "") -> dict[str, Any]:
    """Return what a trace notes of a request, with the names of the files that hold the bodies."""
    request: dict[str, Any] = {"method": "POST" if sent else "GET", "url": url}
    if sent:
        request["postData"] = {"mimeType": "text/plain", "text": "", "_file": sent}
    response = {"status": 200, "content": {"size": 1, "mimeType": "text/html", "_file": got}}
    return {"pageref": "page@1", "_monotonicTime": 1.0, "request": request, "response": response}


def made_har(
    folder: Path, entries: list[dict[str, Any]], limit: int = 100_000, secret: str = ""
) -> tuple[Any, str | None]:
    lines = [json.dumps({"type": "resource-snapshot", "snapshot": item}) for item in entries]
    (folder / "a.network").write_text("\n".join([*lines, '{"type": "cut']))
    left_out = write_har(folder, folder / "out.har", Redactor([secret]), limit)
    return json.loads((folder / "out.har").read_bytes())["log"], left_out


def test_a_har_holds_bodies_masked_and_nothing_from_outside_the_trace(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    (traces / "resources").mkdir(parents=True)
    (tmp_path / "outside.txt").write_text("private")
    files = {"in.txt": b"pin=s3cret", "out.html": b"<p>s3cret</p>", "pic.png": b"\xff\x00", "bad.bin": b"\xffs3cret"}
    for name, content in files.items():
        (traces / "resources" / name).write_bytes(content)
    log, left_out = made_har(
        traces,
        [
            entry("http://a/?q=s3cret", sent="resources/in.txt", got="resources/out.html"),
            entry("http://a/pic", got="resources/pic.png"),
            entry("http://a/bad", got="resources/bad.bin"),
            entry("http://a/evil", got="../outside.txt"),
        ],
        secret="s3cret",
    )
    assert left_out == ""
    first, picture, bad, evil = log["entries"]
    assert first["request"]["url"] == f"http://a/?q={MASK}"
    assert first["request"]["postData"] == {"mimeType": "text/plain", "text": f"pin={MASK}"}
    assert first["response"]["content"]["text"] == f"<p>{MASK}</p>"
    assert set(first) == {"request", "response"}
    assert picture["response"]["content"]["encoding"] == "base64"
    assert base64.b64decode(picture["response"]["content"]["text"]) == b"\xff\x00"
    assert bad["response"]["content"]["comment"] == "left out: it holds a secret"
    assert evil["response"]["content"]["comment"] == "not recorded"


def test_a_har_that_would_be_too_large_has_fewer_bodies_and_then_fewer_requests(tmp_path: Path) -> None:
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources" / "a.html").write_text("x" * 2000)
    entries = [entry(f"http://a/{number}", got="resources/a.html") for number in range(100)]
    log, left_out = made_har(tmp_path, entries, limit=10_000)
    assert (tmp_path / "out.har").stat().st_size <= 10_000
    bodies = ["text" in item["response"]["content"] for item in log["entries"]]
    assert bodies[:2] == [True, True]
    assert not bodies[-1]
    assert left_out == f"{100 - len(bodies)} requests"


def test_the_page_is_pictured_unless_set_or_asked_otherwise() -> None:
    settings = load(SessionHostSettings, {})
    assert [picture_mode(settings, asked) for asked in ("", "off", "on-failure")] == ["on", "off", "on-failure"]
    assert picture_mode(load(SessionHostSettings, {"RECORD_PICTURE": "off"}), "") == "off"


async def _not_told(_text: str, _picture: ArtifactRef) -> None:
    return


async def test_pictures_are_taken_at_most_every_second_and_more_seldom_where_they_take_long() -> None:
    assert [pause_after(took) for took in (0.01, 0.06, 0.1, 0.5)] == [1.0, 6.0, 10.0, 15.0]

    async def store(name: str, data: bytes, content_type: str, element: Box | None = None, /) -> ArtifactRef:
        return ArtifactRef(name=name, sha256="", size=len(data), content_type=content_type)

    async def remove(_name: str) -> int:
        return 0

    keeping = PictureStore("r/session/main-last.jpg", store, remove, _not_told, 1000)
    picture = LastPicture(keeping, "on")
    taken = asyncio.Event()

    async def take() -> None:
        taken.set()

    assert picture.is_due(0.0) and not LastPicture(keeping, "off").is_due(1e9, last=True)
    picture.take_later(take)
    await asyncio.wait_for(taken.wait(), 10)
    picture.end()
    assert not picture.is_due(1e9, last=True)
