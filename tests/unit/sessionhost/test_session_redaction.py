"""Taking secrets out of texts, streams, recordings and checkpoints."""

import base64
import gzip
import html
import io
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_devices.web.page_state import PageState, WebState, restoring_script, without_secrets
from muster_devices.web.trace_redaction import first_shown, pictures_after, write_trace
from muster_sessionhost.command_output import Capture
from muster_text.file_redaction import redact_file
from muster_text.masking import MASK
from muster_text.redaction import Redactor

VALUE = 'p@ss w/örd+"quoted"!\'~$x'
REDACTOR = Redactor([VALUE])


@pytest.mark.parametrize(
    "text",
    [
        VALUE,
        quote(VALUE),
        quote(VALUE, safe=""),
        quote(VALUE, safe="!'()*~"),  # encodeURIComponent
        quote_plus(VALUE),
        re.sub("%..", lambda match: match.group().lower(), quote(VALUE, safe="")),
        quote_plus(VALUE, safe="*").replace("~", "%7E"),  # a form's body
        json.dumps(VALUE),
        json.dumps(VALUE, ensure_ascii=False),
        json.dumps(json.dumps({"body": VALUE})),
        html.escape(VALUE),
        repr(VALUE),
        'declare -x TOKEN="p@ss w/örd+\\"quoted\\"!\'~\\$x"',
    ],
)
def test_each_form_of_a_value_is_masked(text: str) -> None:
    assert REDACTOR.holds(text)
    assert REDACTOR.holds(text.encode())
    masked = REDACTOR.mask(f"before {text} after")
    assert masked.startswith("before ")
    assert masked.endswith(" after")
    assert "quoted" not in masked
    assert MASK in masked


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_a_value_within_a_base64_text_is_masked_wherever_it_stands(before: bytes, after: bytes) -> None:
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        masked = REDACTOR.mask(encode(before + VALUE.encode() + after).decode())
        assert MASK in masked
        left = re.sub(f"{MASK}|=", "", masked)
        assert len(left) <= len(base64.b64encode(before + after)) + 8  # what is shared with the neighbours


def test_nothing_is_masked_without_secrets() -> None:
    none = Redactor([""])
    assert not none
    assert none.mask("text") == "text"
    assert none.split("text") == ("text", "")
    assert not none.holds(b"text")


def test_a_redactor_keeps_what_it_knew_when_it_learns_more_and_never_shows_it() -> None:
    both = Redactor(["first-value"]).knowing(["second-value"])
    assert both.mask("first-value second-value") == f"{MASK} {MASK}"
    assert both.knowing(["first-value"]) is both
    assert "value" not in repr(both).replace("values", "")


SECRETS = ["admin", "admin123", "aba", "ababab", VALUE]


@given(
    st.lists(st.sampled_from([*SECRETS, "a", "ab", "x", "ö", " ", "\n"]), max_size=12),
    st.lists(st.integers(min_value=1, max_value=9), min_size=1, max_size=40),
)
def test_a_stream_is_masked_as_its_whole_would_be_however_it_is_cut(parts: list[str], sizes: list[int]) -> None:
    redactor, data = Redactor(SECRETS), "".join(parts).encode()
    capture = Capture(10_000, redactor)
    told, position = "", 0
    for size in sizes:
        told += capture.feed(data[position : position + size])
        position += size
    told += capture.feed(data[position:], last=True)
    assert told == capture.text()
    assert not any(secret in told for secret in SECRETS)
    assert re.sub(f"{MASK}+", "*", told) == re.sub(f"{MASK}+", "*", redactor.mask("".join(parts)))


def test_text_is_told_at_once_unless_it_may_begin_a_secret() -> None:
    capture = Capture(1000, Redactor(["s3cret"]))
    assert capture.feed(b"progress 10% s3") == "progress 10% "
    assert capture.feed(b"conds\n") == "s3conds\n"


@given(st.lists(st.text(max_size=30), max_size=20), st.integers(min_value=2, max_value=60))
def test_output_keeps_its_beginning_and_its_end_within_the_limit(chunks: list[str], limit: int) -> None:
    capture, whole = Capture(limit, Redactor()), "".join(chunks)
    told = "".join([capture.feed(chunk.encode(errors="replace")) for chunk in chunks])
    text = capture.text()
    whole = whole.encode(errors="replace").decode()
    half = limit // 2
    assert told == whole[:half]
    if len(whole) <= 2 * half:
        assert (text, capture.truncated) == (whole, False)
    else:
        left_out = len(whole) - 2 * half
        assert text == f"{whole[:half]}\n… {left_out} characters left out …\n{whole[-half:]}"


def test_a_character_cut_in_two_is_put_together_and_a_broken_one_is_marked() -> None:
    capture = Capture(100, Redactor())
    assert capture.feed("ö".encode()[:1]) == ""
    assert capture.feed("ö".encode()[1:] + b"\xff!") == "ö�!"


def snapshot(at: float, *nodes: Any) -> dict[str, Any]:
    return {"type": "frame-snapshot", "snapshot": {"timestamp": at, "html": ["HTML", {}, *nodes]}}


def picture(at: float) -> dict[str, Any]:
    return {"type": "screencast-frame", "file": f"screencast/{at}.jpeg", "timestamp": at}


PASSWORD: list[Any] = ["INPUT", {"type": "password", "__playwright_value_": "s3cret"}]


def test_pictures_are_unsafe_from_the_last_snapshot_before_the_secret_is_shown() -> None:
    redactor = Redactor(["s3cret"])
    events = [
        *(snapshot(1.0, PASSWORD), picture(1.5), snapshot(2.0, [[1, 3]]), picture(2.5)),
        *(snapshot(3.0, ["BODY", {}, ["P", {}, "it is s3cret"]]), picture(3.5), snapshot(4.0), picture(4.5)),
    ]
    assert first_shown(events, redactor) == 2.0
    assert pictures_after(events, 2.0) == {"screencast/2.5.jpeg", "screencast/3.5.jpeg", "screencast/4.5.jpeg"}
    assert first_shown(events[:4], redactor) is None  # a password field shows dots
    assert pictures_after(events, None) == set()
    assert first_shown([snapshot(1.0, ["INPUT", {"type": "text", "value": "s3cret"}])], redactor) == 0.0


def test_a_trace_is_rewritten_file_by_file(tmp_path: Path) -> None:
    redactor, target = Redactor(["1234"]), tmp_path / "trace.zip"
    trace = [
        {"type": "before", "params": {"value": "pin 1234", "n": 51234, "pin": 1234, "half": "\ud83d"}, "sha1": "aa11"},
        snapshot(1.0),
        picture(1.0),
    ]
    files = {
        "resources/aa11.html": b"<p>1234</p>",
        "resources/font.woff": b"\xff\xfe1234",
        "resources/utf16.html": "<p>1234</p>".encode("utf-16"),
        "resources/clean.bin": b"\xff\xfe\x00",
        "screencast/1.0.jpeg": b"\xff",
        "0815.trace": "\n".join([*map(json.dumps, trace), '{"type": "cut o']).encode(),
    }
    for name, content in files.items():
        path = tmp_path / "traces" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert write_trace(tmp_path / "traces", target, redactor, 100_000) == ""
    with zipfile.ZipFile(target) as archive:
        lines = [json.loads(line) for line in archive.read("trace.trace").splitlines()]
        body = f"resources/{lines[0]['sha1']}.html"  # it was named by a hash of what held the secret
        assert lines[0] == {
            "type": "before",
            "params": {"value": f"pin {MASK}", "n": 51234, "pin": 0, "half": "\ufffd"},
            "sha1": lines[0]["sha1"],
        }
        assert lines[0]["sha1"] != "aa11"
        assert lines[1:] == trace[1:]
        assert archive.read(body).decode() == f"<p>{MASK}</p>"
        assert sorted(archive.namelist()) == sorted(["resources/clean.bin", body, "screencast/1.0.jpeg", "trace.trace"])


def test_a_trace_has_no_pictures_from_before_a_page_shows_a_secret(tmp_path: Path) -> None:
    traces, target = tmp_path / "traces", tmp_path / "trace.zip"
    (traces / "screencast").mkdir(parents=True)
    events = [snapshot(2.0), *map(picture, (1.5, 2.5)), snapshot(3.0, ["P", {}, "it is s3cret"]), picture(3.5)]
    (traces / "a.trace").write_text("".join(json.dumps(event) + "\n" for event in events))
    for at in (1.5, 2.5, 3.5):
        (traces / "screencast" / f"{at}.jpeg").write_bytes(b"\xff")
    write_trace(traces, target, Redactor(["s3cret"]), 100_000)
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == ["trace.trace", "screencast/1.5.jpeg"]


def test_a_trace_that_would_be_too_large_has_no_old_pictures(tmp_path: Path) -> None:
    traces, target = tmp_path / "traces", tmp_path / "trace.zip"
    (traces / "screencast").mkdir(parents=True)
    (traces / "a.trace").write_text(json.dumps(snapshot(1.0)) + "\n")
    for number in range(5):
        picture_file = traces / "screencast" / f"{number}.jpeg"
        picture_file.write_bytes(os.urandom(10_000))
        os.utime(picture_file, (number, number))
    assert write_trace(traces, target, Redactor(), 25_000) == "3 pictures or resources"
    assert target.stat().st_size <= 25_000
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == ["trace.trace", "screencast/4.jpeg", "screencast/3.jpeg"]


def test_an_archive_that_holds_a_secret_or_cannot_be_looked_into_is_dropped() -> None:
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", f"the password is {VALUE}")
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.zip", inner.getvalue())
    clean = gzip.compress(b"nothing here")
    assert redact_file("a", clean, REDACTOR) == clean
    for content in (inner.getvalue(), outer.getvalue(), gzip.compress(VALUE.encode()), b"PK\x03\x04 broken"):
        assert redact_file("a", content, REDACTOR) is None
        assert redact_file("a", content, Redactor()) == content


def test_a_har_is_masked_as_json_and_stays_json() -> None:
    har = {"log": {"entries": [{"request": {"postData": {"text": json.dumps({"p": VALUE})}}}]}}
    for content in (json.dumps(har, indent=2), json.dumps(har, ensure_ascii=False)):
        masked = json.loads(redact_file("har.har", content.encode(), REDACTOR) or b"")
        assert json.loads(masked["log"]["entries"][0]["request"]["postData"]["text"]) == {"p": MASK}


def test_a_checkpoint_keeps_nothing_that_holds_a_secret() -> None:
    cookies = [{"name": "session", "value": "abc"}, {"name": "token", "value": quote(VALUE, safe="")}]
    origins = [{"origin": "http://a", "localStorage": [{"name": "k", "value": VALUE}, {"name": "l", "value": "fine"}]}]
    pages = (
        PageState(url="http://a/x?q=1#" + quote(VALUE), storage={"a": VALUE, "b": "fine"}),
        PageState(url=f"http://a/y?q={quote(VALUE)}"),
        PageState(url=f"http://a/{quote(VALUE)}"),
        PageState(url="http://a/z?q=1#part"),
    )
    clean = without_secrets(WebState(storage={"cookies": cookies, "origins": origins}, pages=pages), REDACTOR)
    assert clean.storage["cookies"] == cookies[:1]
    assert clean.storage["origins"] == [{"origin": "http://a", "localStorage": [{"name": "l", "value": "fine"}]}]
    assert [page.url for page in clean.pages] == ["http://a/x?q=1", "http://a/y", "about:blank", "http://a/z?q=1#part"]
    assert clean.pages[0].storage == {"b": "fine"}


def test_session_storage_is_restored_for_its_own_origin_alone() -> None:
    script = restoring_script(PageState(url="https://shop.example:8443/pay?x=1", storage={"step": '"</script>'}))
    assert '"https://shop.example:8443", {"step": "\\"</script>"}' in script
