"""A HAR made of the network part of a Playwright trace: one JSON file with bodies in it, secrets masked."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from muster_devices.web.trace_redaction import lines_of, network_file
from muster_text.file_redaction import redact_file
from muster_text.redaction import Redactor

BODY_LIMIT = 1_000_000
"""Bytes of one body."""
CREATOR = {"name": "Muster", "version": "1"}
OWN = ("_monotonicTime", "_frameref", "pageref")
"""What entries of a trace say to the rest of the trace alone."""


def write_har(traces: Path, target: Path, redactor: Redactor, limit: int) -> str | None:
    """Write what was asked for and answered as HAR 1.2; return what was left out, or None if nothing was recorded.

    Bodies are left out once half the limit is used, and then entries once it is used up; scripts have no bodies.
    """
    source = network_file(traces)
    if source is None:
        return None
    left_out = written = 0
    with target.open("wb") as out:
        used = _write(out, f'{{"log":{{"version":"1.2","creator":{json.dumps(CREATOR)},"entries":[')
        for entry in _entries(source):
            data = _encoded(entry, traces, redactor, BODY_LIMIT if used < limit / 2 else 0)
            if used + len(data) + 10 > limit:
                left_out += 1
                continue
            used += _write(out, "," if written else "") + _write(out, data)
            written += 1
        _write(out, "]}}")
    if not written and not left_out:
        return None
    return f"{left_out} requests" if left_out else ""


def _write(out: BinaryIO, text: str | bytes) -> int:
    return out.write(text if isinstance(text, bytes) else text.encode())


def _entries(source: Path) -> Iterator[dict[str, Any]]:
    for line in lines_of(source):
        event = json.loads(line)
        if event.get("type") == "resource-snapshot":
            yield event["snapshot"]


def _encoded(entry: dict[str, Any], traces: Path, redactor: Redactor, most: int) -> bytes:
    """Return an entry as JSON, its bodies in place of the files they are in."""
    masked = {key: redactor.masked(value) for key, value in entry.items() if key not in OWN}
    own, theirs = entry.get("request", {}), entry.get("response", {})
    for part, holder in (("postData", own), ("content", theirs)):
        name = holder.get(part, {}).get("_file") or ""
        into = cast("dict[str, Any]", masked["request" if holder is own else "response"].get(part) or {})
        into.pop("_file", None)
        if name:
            into |= _body(traces, name, redactor, most, text_only=part == "postData")
            masked["request" if holder is own else "response"][part] = into
    return json.dumps(masked, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def _body(traces: Path, name: str, redactor: Redactor, most: int, *, text_only: bool) -> dict[str, str]:
    """Return the fields of a HAR that hold a body, or say why it is not there."""
    path = traces / name
    if not path.resolve().is_relative_to(traces.resolve()) or not path.is_file():
        return {"comment": "not recorded"}
    if path.stat().st_size > most:
        return {"comment": f"left out: {path.stat().st_size} bytes"}
    content = redact_file(name, path.read_bytes(), redactor)
    if content is None:
        return {"comment": "left out: it holds a secret"}
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        if text_only:  # HAR has no encoding for what is sent
            return {"comment": f"left out: {len(content)} bytes that are no text"}
        return {"text": base64.b64encode(content).decode(), "encoding": "base64"}
