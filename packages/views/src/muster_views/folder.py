"""Writes the files of a run for a report: artifacts, log lines, verdict, journals and page."""

import asyncio
import base64
from collections.abc import Awaitable, Callable

import msgspec
from msgspec.structs import replace

from muster_bus import Bus
from muster_bus.artifact_store import get_artifact, is_private, list_artifacts
from muster_protocol.codec import encode
from muster_views.html import RunPage, build_page, render_run
from muster_views.material import (
    Material,
    StoredFile,
    artifact_paths,
    content_type,
    content_types,
    read_material,
)
from muster_views.outcome import CaseOutcome, Report
from muster_views.texts import to_slug

PAGE = "index.html"
SIDE_FILES = ("log.txt", "verdict.json", "journals.jsonl")
"""Files of a run in addition to page and artifacts."""

Save = Callable[[str, bytes], Awaitable[None]]
"""Saves a file by its path below the run's folder."""


async def write_run(bus: Bus, outcome: CaseOutcome, save: Save, *, alone: bool = False) -> RunPage:
    """Save every file of a run and return its page; `alone`: the report has no index to link to.

    Raises:
        BusError, NatsError, TimeoutError: what belongs into it cannot be read.
    """
    material = await read_material(bus, outcome)
    files = [*await _write_artifacts(bus, material, save)]
    for name, data in zip(SIDE_FILES, _render_side_files(material), strict=True):
        await save(name, data)
        files.append(StoredFile(name, name, len(data)))
    page = await asyncio.to_thread(build_page, replace(material, files=tuple(files)))
    await save(PAGE, (await asyncio.to_thread(render_run, page, alone=alone)).encode())
    return page


async def render_single_page(bus: Bus, outcome: CaseOutcome, room: int) -> str:
    """Return the page of a run with pictures embedded, up to `room` bytes, and without other files.

    Raises:
        BusError, NatsError, TimeoutError: what belongs into it cannot be read.
    """
    material = await read_material(bus, outcome)
    types = content_types(material)
    files: list[StoredFile] = []
    for name in await _list_shown(bus, outcome.run):
        kind = content_type(name, types)
        if not StoredFile(name, "", 0, kind).picture:
            continue
        data = await get_artifact(bus, name)
        if data is not None and len(data) <= room:
            room -= len(data)
            path = f"data:{kind};base64,{base64.b64encode(data).decode()}"
            files.append(StoredFile(name, path, len(data), kind))
    page = await asyncio.to_thread(build_page, replace(material, files=tuple(files)))
    return await asyncio.to_thread(render_run, page, alone=True)


async def _write_artifacts(bus: Bus, material: Material, save: Save) -> list[StoredFile]:
    run, types = material.outcome.run, content_types(material)
    found: list[StoredFile] = []
    for name, path in artifact_paths(await _list_shown(bus, run), run).items():
        data = await get_artifact(bus, name)
        if data is not None:
            await save(path, data)
            found.append(StoredFile(name, path, len(data), content_type(name, types)))
    return found


async def _list_shown(bus: Bus, run: str) -> list[str]:
    return [name for name in await list_artifacts(bus, f"{run}/") if not is_private(name)]


def _render_side_files(material: Material) -> tuple[bytes, bytes, bytes]:
    """Return the contents of `SIDE_FILES`, in that order."""
    lines = "".join(f"{line}\n" for line in material.lines)
    verdict = msgspec.json.format(encode(material.outcome), indent=2) + b"\n"
    journals = [
        encode({"task": task, "entries": [entry for _, entry in journal]})
        for task, journal in material.journals.items()
    ]
    return lines.encode(), verdict, b"".join(line + b"\n" for line in journals)


def to_json(report: Report) -> bytes:
    """Return the report as indented JSON with a final newline."""
    return msgspec.json.format(encode(report), indent=2) + b"\n"


def folder_name(outcome: CaseOutcome) -> str:
    """Return the name of a run's folder: its label and, to make it unique, the end of its id."""
    return f"{to_slug(outcome.label)}-{to_slug(outcome.run[-6:])}"
