"""Tools that move files between the session's directory and the page: upload and download."""

import asyncio
import mimetypes
import tempfile
from pathlib import Path, PurePosixPath

from msgspec.structs import replace
from playwright.async_api import Download, Error, FilePayload, Locator

from muster_bus.artifact_store import download_name
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArtifactRef, ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.page_access import PATIENCE, current
from muster_subagent.tools.page_actions import act
from muster_subagent.tools.pointer_tools import told
from muster_subagent.tools.targets import Element, Ref, Role, Target, Within
from muster_subagent.tools.text_matching import listed
from muster_subagent.tools.tool import ToolError, tool
from muster_text.file_redaction import redacted
from muster_text.redaction import Redactor


@tool(effect="idempotent")
async def browser_upload(
    ctx: ToolContext, element: Element, files: list[str], *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Choose files of the session's directory in a file field, or with the button that opens the file dialog."""
    target = Target(element, role or ("" if element or ref else "file"), within, ref)
    payloads = [await _payload(ctx, path) for path in files]

    async def choose(locator: Locator, timeout: float) -> None:
        if await locator.evaluate("el => (el.control || el).type === 'file'", timeout=timeout):
            await locator.set_input_files(payloads, timeout=timeout)
            return
        async with locator.page.expect_file_chooser(timeout=timeout) as waiting:
            await locator.click(timeout=timeout)
        await (await waiting.value).set_files(payloads, timeout=timeout)

    acted = await act(ctx, target, "upload", choose)
    names = [payload["name"] for payload in payloads]
    control = acted.target
    held = control.content if control is not None and control.type == "file" else None
    sure = acted.changed if held is None else all(name in held for name in names)
    return told(f"Chose {listed(names)} in {target.words()}", acted, confirmed=sure)


async def _payload(ctx: ToolContext, path: str) -> FilePayload:
    file = await ctx.session.read_file(path)
    if file.truncated:
        text = f"{path!r} is too big to upload: {file.size} bytes, and {len(file.content)} can be moved at once"
        raise ToolError(text, failure=Failure.INVALID_CALL)
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return {"name": PurePosixPath(path).name, "mimeType": kind, "buffer": file.content}


@tool(effect="act")
async def browser_download(
    ctx: ToolContext, element: Element, *, save_as: str = "", role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Click what starts a download, and store the file in the session's directory."""
    target = Target(element, role, within, ref)
    page = await current(ctx)
    downloads: list[Download] = []

    async def click(locator: Locator, timeout: float) -> None:
        async with page.expect_download(timeout=timeout * PATIENCE) as waiting:
            await locator.click(timeout=timeout)
        downloads.append(await waiting.value)

    try:
        acted = await act(ctx, target, "click", click, waited=True)
    except Error as error:
        if "waiting for event" not in error.message:
            raise
        text = f"{target.words()} was clicked, but no download began"
        raise ToolError(text, failure=Failure.ELEMENT_MISSING, where=page.url) from error
    name, content = await _stored(ctx, downloads[0], save_as)
    outcome = told(f"Downloaded {name} ({len(content)} bytes) with {target.words()}", acted, confirmed=len(content) > 0)
    return replace(outcome, artifacts=await _kept(ctx, downloads[0].suggested_filename, content))


async def _kept(ctx: ToolContext, name: str, content: bytes) -> tuple[ArtifactRef, ...]:
    """Store a download as an artefact too, unless it holds a secret that cannot be masked."""
    redactor = Redactor(ctx.secrets.values().values())
    shown, masked = redactor.mask(name), await asyncio.to_thread(redacted, "", content, redactor)
    if masked is None:
        return ()
    return (ctx.store(download_name("", shown, masked), masked, "application/octet-stream"),)


async def _stored(ctx: ToolContext, download: Download, save_as: str) -> tuple[str, bytes]:
    """Store a download in the session's directory, and return its path there and its content."""
    name = save_as or PurePosixPath(download.suggested_filename).name
    failed = await download.failure()
    if failed:
        raise ToolError(f"the download of {name} failed: {failed}", failure=Failure.ELEMENT_MISSING, where=download.url)
    with tempfile.TemporaryDirectory(prefix="muster-") as folder:
        path = Path(folder) / "download"
        await download.save_as(path)
        content = path.read_bytes()
    await ctx.session.write_file(name, content)
    return name, content
