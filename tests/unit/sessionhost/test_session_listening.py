"""What pages say and download, whatever it is: listeners that raise nothing, secrets cut in two, files that never arrive."""

import asyncio
import json
from pathlib import Path
from typing import Any, cast

from muster_bus.artifact_store import is_private
from muster_devices import device_host
from muster_devices.device_host import Limits
from muster_devices.web import console_log
from muster_devices.web.console_log import ConsoleFile
from muster_devices.web.downloads import Downloads
from muster_devices.web.page_events import Seen
from muster_sessionhost.artifact_export import Names
from muster_sessionhost.checkpoint import artifact_name
from muster_sessionhost.session_memory import LISTS, encode_records
from muster_text.masking import MASK
from muster_text.redaction import Redactor

SECRET = Redactor(["hunter2-hunter2"])


class Page:
    """Says something on its console, as Playwright hands it on."""

    def __init__(self, text: str, url: str = "") -> None:
        self.type, self.text, self.url = "error", text, url
        self.location: dict[str, Any] = {"url": url, "lineNumber": 1}
        self.page = self


def test_half_a_character_is_recorded_and_heard_and_does_not_raise(tmp_path: Path) -> None:
    said, file, heard = cast("Any", Page("x\ud83d", "http://a/\ud83d")), ConsoleFile(tmp_path / "c", 100_000), Seen()
    file._on_message(said)
    heard._on_console(said)
    file.close()
    assert json.loads((tmp_path / "c").read_bytes())["text"] == "x?"
    assert [
        (one["text"], one["url"]) for one in json.loads(encode_records(heard.feed("console"), LISTS["console"], SECRET))
    ] == [("x?", "http://a/?")]


def test_a_listener_that_goes_wrong_does_not_raise_where_others_would_suffer(tmp_path: Path) -> None:
    nothing = cast("Any", object())
    heard, file = Seen(), ConsoleFile(tmp_path / "c", 100_000)
    for listener in (heard._on_console, heard._on_error, heard._on_response, heard._on_failure):
        listener(nothing)
    file._on_message(nothing)
    file._on_error(nothing)
    assert not heard.console


def test_a_secret_that_is_cut_in_two_leaves_no_part_of_it(tmp_path: Path) -> None:
    heard, file = Seen(), ConsoleFile(tmp_path / "c", 100_000)
    for limit, listener in ((device_host.TEXT_LIMIT, heard._on_console), (console_log.TEXT_LIMIT, file._on_message)):
        before = "." * (limit - 10)
        listener(cast("Any", Page(f"{before}hunter2-hunter2 and more", f"http://a/{'u' * 980}hunter2-hunter2")))
        listener(cast("Any", Page("short hunt")))
    file.close()
    lines = [json.loads(console_log.masked(line, SECRET)) for line in (tmp_path / "c").read_bytes().splitlines()]
    entries = json.loads(encode_records(heard.feed("console"), LISTS["console"], SECRET))
    for (long, short), mark in ((lines, "…"), (entries, "")):
        assert set(long["text"]) == {".", *mark}
        assert "hunt" not in long["url"]
        assert short["text"] == "short hunt"


def test_a_line_of_a_console_is_masked_and_stays_a_line(tmp_path: Path) -> None:
    file = ConsoleFile(tmp_path / "c", 100_000)
    file._on_message(cast("Any", Page('said "hunter2-hunter2"', "http://a/?q=hunter2-hunter2")))
    file.close()
    line = json.loads(console_log.masked((tmp_path / "c").read_bytes(), SECRET))
    assert (line["text"], line["url"], line["line"]) == (f'said "{MASK}"', f"http://a/?q={MASK}", 1)


class Endless:
    """A download that never arrives."""

    suggested_filename = "endless.bin"

    async def path(self) -> str:
        return await asyncio.get_running_loop().create_future()


async def test_a_download_that_does_not_arrive_before_the_end_is_told_of(tmp_path: Path) -> None:
    downloads = Downloads(tmp_path, Limits(100, 100))
    downloads._begin(cast("Any", Endless()))
    await downloads.finish(0.01)
    assert [tuple(one) for one in downloads.refused] == [
        ("endless.bin", "it had not arrived when the session ended"),
    ]
    assert not downloads._arriving


def test_checkpoints_are_private_and_nothing_else_is() -> None:
    assert is_private(artifact_name("run-1", "main"))
    for name in (
        Names("run-1", "main", 0).of("trace.zip"),
        "checkpoint/n1/a.png",
        "run-1/n1/checkpoint/a.png",
        "run-1",
    ):
        assert not is_private(name)
