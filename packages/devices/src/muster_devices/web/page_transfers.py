"""Files between worker and page: chosen in a field, or downloaded with a click."""

import asyncio
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from msgspec.structs import replace
from playwright.async_api import Download as StartedDownload
from playwright.async_api import Error, FilePayload, Locator

from muster_devices.actions import Done, Download, File, Upload
from muster_devices.errors import DeviceRefused
from muster_devices.web.page_access import PATIENCE
from muster_devices.web.page_actions import Acting, act, was_sent
from muster_devices.web.page_records import records
from muster_protocol.causes import Failure

DOWNLOAD_SECONDS = 300.0
"""How long a download may take."""
PAYLOAD_LIMIT = 10_000_000
"""Bytes of files that are handed to the driver in one message."""


async def upload(action: Upload, locator: Locator, timeout: float) -> None:
    """Choose the files in a file field, or with the button that opens the file dialog."""
    with tempfile.TemporaryDirectory(prefix="muster-") as folder:
        await _choose_files(action, await asyncio.to_thread(_files, action, Path(folder)), locator, timeout)


def _files(action: Upload, folder: Path) -> list[FilePayload] | list[Path]:
    """Return what the driver is to be given: it takes contents up to a bound, and larger ones as files."""
    if sum(len(file.content) for file in action.files) <= PAYLOAD_LIMIT:
        return [{"name": it.name, "mimeType": it.content_type, "buffer": it.content} for it in action.files]
    paths = [folder / str(number) / it.name for number, it in enumerate(action.files)]
    for path, file in zip(paths, action.files, strict=True):
        path.parent.mkdir()
        path.write_bytes(file.content)
    return paths


async def _choose_files(
    action: Upload, payloads: list[FilePayload] | list[Path], locator: Locator, timeout: float
) -> None:
    if await locator.evaluate("el => (el.control || el).type === 'file'", timeout=timeout):
        await locator.set_input_files(payloads, timeout=timeout)
        return
    with _refused_without(f"{action.target.words()} was clicked, but no file dialog opened", locator):
        async with locator.page.expect_file_chooser(timeout=timeout * PATIENCE) as waiting:
            await _click(locator, timeout)
        await (await waiting.value).set_files(payloads, timeout=timeout)


async def download(acting: Acting, action: Download) -> Done:
    """Click what starts a download, and return what was done with the file.

    Raises:
        DeviceRefused: nothing was downloaded, or the file is too large.
    """
    target, started = action.target, list[StartedDownload]()

    async def click(locator: Locator, timeout: float) -> None:
        with _refused_without(f"{target.words()} was clicked, but no download began", locator):
            async with locator.page.expect_download(timeout=timeout * PATIENCE) as waiting:
                await _click(locator, timeout)
            started.append(await waiting.value)

    done = await act(acting, target, "click", click)
    return replace(done, files=(await _downloaded(acting, started[0], action.largest),))


async def _click(locator: Locator, timeout: float) -> None:
    """Click. A page that answers a sent click late is no error: the awaited event decides."""
    try:
        await locator.click(timeout=timeout)
    except Error as error:
        if not was_sent(error):
            raise


@contextmanager
def _refused_without(text: str, locator: Locator) -> Generator[None]:
    """Refuse with a text if the awaited event does not come."""
    address = locator.page.url
    try:
        yield
    except Error as error:
        if "waiting for event" not in error.message:
            raise
        raise DeviceRefused(text, failure=Failure.ELEMENT_MISSING, where=address) from error


async def _downloaded(acting: Acting, download: StartedDownload, largest: int) -> File:
    name = PurePosixPath(download.suggested_filename).name
    try:
        failed = await asyncio.wait_for(download.failure(), DOWNLOAD_SECONDS)
    except TimeoutError as error:
        await download.cancel()
        text = f"the download of {name} had not ended after {DOWNLOAD_SECONDS:g} s"
        raise DeviceRefused(text, failure=Failure.TIMED_OUT, where=download.url) from error
    if failed:
        raise await _broken_off(acting, download, failed)
    with tempfile.TemporaryDirectory(prefix="muster-") as folder:
        path = Path(folder) / "download"
        await download.save_as(path)
        if (size := path.stat().st_size) > largest:
            text = f"{name} is too large to be kept: {size} bytes, and TRANSFER_MAX_MB allows {largest}"
            raise DeviceRefused(text, failure=Failure.INFRASTRUCTURE, where=download.url)
        return File(name=name, content=await asyncio.to_thread(path.read_bytes))


async def _broken_off(acting: Acting, download: StartedDownload, failed: str) -> DeviceRefused:
    """Return what became of a download that failed: a limit of the session host is no fault of the product."""
    name = download.suggested_filename
    stopped = {one.text: one.failure for one in records("downloads", await acting.browser.recall("downloads"))}
    if name in stopped:
        text = f"the download of {PurePosixPath(name).name} was stopped: {stopped[name]}"
        return DeviceRefused(text, failure=Failure.INFRASTRUCTURE, where=download.url)
    text = f"the download of {PurePosixPath(name).name} failed: {failed}"
    return DeviceRefused(text, failure=Failure.ELEMENT_MISSING, where=download.url)
