"""An Appium server that a session host starts for its phones, and ends with itself."""

import asyncio
import os
import shutil
import signal
import socket
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path

import httpx

from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure

START_SECONDS = 60.0
STOP_SECONDS = 5.0
ASK_SECONDS = 0.2
INSTALL = "install it with `npm install -g appium` and its drivers, or name it with APPIUM_EXECUTABLE"


class AppiumServer:
    """One server, started when it is first asked for; it listens on loopback alone."""

    def __init__(self, executable: str) -> None:
        """`executable`: path of the program; empty: `appium` on the PATH."""
        self._executable = executable or shutil.which("appium") or ""
        self._process: Process | None = None
        self._address = ""
        self._starting = asyncio.Lock()

    @property
    def there(self) -> bool:
        """Whether the program is there."""
        return bool(self._executable) and Path(self._executable).exists()

    async def address(self) -> str:
        """Return the server's address; start it if it does not run.

        Raises:
            DeviceRefused: it cannot be started; says how to mend that.
        """
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                await self._start()
            return self._address

    async def _start(self) -> None:
        if not self.there:
            raise DeviceRefused(f"there is no Appium server: {INSTALL}", failure=Failure.INFRASTRUCTURE)
        port = _free_port()
        self._address = f"http://127.0.0.1:{port}"
        command = (self._executable, "--address", "127.0.0.1", "--port", str(port), "--log-level", "error")
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, start_new_session=True
        )
        try:
            async with asyncio.timeout(START_SECONDS), httpx.AsyncClient(trust_env=False) as http:
                while not await self._ready(http):  # noqa: ASYNC110 - it says nothing by itself
                    await asyncio.sleep(ASK_SECONDS)
        except TimeoutError as error:
            await self.stop()
            text = f"the Appium server did not start within {START_SECONDS:g} s"
            raise DeviceRefused(text, failure=Failure.INFRASTRUCTURE) from error

    async def _ready(self, http: httpx.AsyncClient) -> bool:
        process = self._process
        assert process is not None
        if process.returncode is not None:
            said = (await process.stderr.read()).decode(errors="replace") if process.stderr else ""
            text = f"the Appium server ended at once: {said.strip()[-500:] or process.returncode}"
            raise DeviceRefused(text, failure=Failure.INFRASTRUCTURE)
        with suppress(httpx.HTTPError):
            return (await http.get(f"{self._address}/status", timeout=STOP_SECONDS)).is_success
        return False

    async def stop(self) -> None:
        """End the server and what it has started."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])
