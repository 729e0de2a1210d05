"""Tools that move files between the session's directory and the page: upload and download."""

import asyncio
import mimetypes
from pathlib import PurePosixPath
from typing import Annotated

from msgspec.structs import replace

from muster_bus.artifact_store import download_name
from muster_devices.actions import Done, Download, File, Upload
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArtifactRef, ToolOutcome
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.device_calls import act, said
from muster_subagent.tools.targets import Element, Ref, Role, Within, target_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, FILES, WORKSPACE, Argument
from muster_text.file_redaction import redact_file
from muster_text.redaction import Redactor
from muster_text.text_match import listed


@tool(effect="idempotent", group="device", needs=DEVICE | FILES | WORKSPACE, does="upload", offer=offers.FILES)
async def browser_upload(
    ctx: ToolContext,
    element: Element,
    files: Annotated[list[str], Argument.OBJECT],
    *,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
) -> ToolOutcome:
    """Choose files of the session's directory in a file field, or with the button that opens the file dialog."""
    target = target_of(element, role or ("" if element or ref else "file"), within, ref)
    action = Upload(target=target, files=tuple([await _file(ctx, path) for path in files]))
    names = listed(file.name for file in action.files)
    return await act(ctx, action, lambda done: said(f"Chose {names} in {target.words()}", done))


async def _file(ctx: ToolContext, path: str) -> File:
    try:
        file = await ctx.session.read_file(path, ctx.transfer_limit)
    except SessionRefused as refused:
        if refused.reason != "not_found":
            raise
        raise ToolError(str(refused), failure=Failure.INVALID_CALL) from refused
    if file.truncated:
        text = f"{path!r} is too large to upload: {file.size} bytes, and TRANSFER_MAX_MB allows {ctx.transfer_limit}"
        raise ToolError(text, failure=Failure.INFRASTRUCTURE)
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return File(name=PurePosixPath(path).name, content=file.content, content_type=kind)


@tool(effect="act", group="device", needs=DEVICE | FILES | WORKSPACE, does="write", offer=offers.FILES)
async def browser_download(
    ctx: ToolContext,
    element: Element,
    *,
    save_as: Annotated[str, Argument.OBJECT] = "",
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
) -> ToolOutcome:
    """Click what starts a download, and store the file in the session's directory."""
    target = target_of(element, role, within, ref)
    files: list[File] = []

    def told(done: Done) -> ToolOutcome:
        files.extend(done.files)
        return said(f"Downloaded {_listed(done.files, save_as)} with {target.words()}", done)

    outcome = await act(ctx, Download(target=target, largest=ctx.transfer_limit), told)
    for file in files:
        await ctx.session.write_file(save_as or file.name, file.content)
    kept = [stored for file in files if (stored := await _kept(ctx, file)) is not None]
    return replace(outcome, artifacts=tuple(kept))


def _listed(files: tuple[File, ...], save_as: str) -> str:
    return ", ".join(f"{save_as or file.name} ({len(file.content)} bytes)" for file in files)


async def _kept(ctx: ToolContext, file: File) -> ArtifactRef | None:
    """Store a download as an artifact too, unless it holds a secret that cannot be masked."""
    redactor = Redactor(ctx.secrets.values().values())
    shown, masked = redactor.mask(file.name), await asyncio.to_thread(redact_file, "", file.content, redactor)
    if masked is None:
        return None
    return ctx.store(download_name("", shown, masked), masked, "application/octet-stream")
