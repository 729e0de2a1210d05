"""Rewriting what Playwright recorded (trace and HAR, both zip files) so that no secret stays in it."""

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from muster_subagent.sessions.redact import Redactor

LINES = (".trace", ".network", ".stacks")
"""Entries that hold a JSON value a line."""


def redacted_zip(path: Path, redactor: Redactor) -> bytes:
    """Return a recording with every form of every secret masked; entries that cannot be masked are left out.

    Pictures cannot be searched: those of a page that may show a secret in clear are left out as well.
    """
    data = path.read_bytes()
    if not redactor:
        return data
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        pictures = _unsafe_pictures(source, redactor)
        for name in source.namelist():
            content = None if name in pictures else redacted(name, source.read(name), redactor)
            if content is not None:
                target.writestr(redactor.mask(name), content)
    return out.getvalue()


def redacted(name: str, content: bytes, redactor: Redactor) -> bytes | None:
    """Return the bytes of one entry without secrets, or None if it is binary and holds one."""
    if name.endswith(LINES):
        return b"\n".join(_json(line, redactor) for line in content.split(b"\n"))
    if name.endswith(".har"):
        return _json(content, redactor)
    if not redactor.holds(content):
        return content
    try:
        return redactor.mask(content.decode()).encode()
    except UnicodeDecodeError:
        return None


def _json(content: bytes, redactor: Redactor) -> bytes:
    if not redactor.holds(content):
        return content
    return json.dumps(redactor.masked(json.loads(content)), ensure_ascii=False, separators=(",", ":")).encode()


def _unsafe_pictures(source: zipfile.ZipFile, redactor: Redactor) -> set[str]:
    """Return the names of all pictures taken since a page first showed a secret outside a password field."""
    unsafe = set[str]()
    for name in source.namelist():
        data = source.read(name) if name.endswith(".trace") else b""
        if redactor.holds(data):
            events = [json.loads(line) for line in data.split(b"\n") if b'-frame"' in line or b'"frame-' in line]
            unsafe |= pictures_after(events, first_shown(events, redactor))
    return unsafe


def first_shown(events: list[dict[str, Any]], redactor: Redactor) -> float | None:
    """Return the trace time of the last snapshot before one that shows a secret; None: none does."""
    clean = 0.0
    for snapshot in (event["snapshot"] for event in events if event.get("type") == "frame-snapshot"):
        if _shows(snapshot.get("html"), redactor):
            return clean
        clean = snapshot.get("timestamp", clean)
    return None


def pictures_after(events: list[dict[str, Any]], moment: float | None) -> set[str]:
    """Return the names of the screencast's pictures from that trace time on."""
    if moment is None:
        return set()
    frames = [event for event in events if event.get("type") == "screencast-frame" and event["timestamp"] >= moment]
    return {event.get("file") or f"resources/{event['sha1']}" for event in frames}


def _shows(node: Any, redactor: Redactor) -> bool:  # noqa: ANN401 - a snapshot's JSON: [tag, attributes, child…] or a text
    if isinstance(node, str):
        return redactor.holds(node)
    if not isinstance(node, list) or not node:
        return False
    parts = cast("list[Any]", node)
    if not isinstance(parts[0], str):
        return False  # a reference to a node of an earlier snapshot, which was looked at there
    attributes = cast("dict[str, str]", parts[1]) if len(parts) > 1 and isinstance(parts[1], dict) else {}
    if attributes.get("type") == "password":
        return False
    shown = any(redactor.holds(value) for value in attributes.values())
    return shown or any(_shows(child, redactor) for child in parts[2:])
