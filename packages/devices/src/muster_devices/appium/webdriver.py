"""Speaks W3C WebDriver to an Appium server, over HTTP."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import httpx

from muster_devices.errors import DeviceLost, DeviceRefused
from muster_protocol.causes import Failure

COMMAND_SECONDS = 60.0
"""How long one command may take; UiAutomator2 alone waits 10 s for an app that never idles."""
OPEN_SECONDS = 300.0
"""How long a session may take to open: an app is installed, a simulator started."""
CLOSE_SECONDS = 5.0
LARGEST_ANSWER = 64 * 2**20
"""Bytes of the largest answer that is read: pictures of a screen have some 10 MiB, its source fewer."""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key by which W3C WebDriver names an element."""
_GONE = ("invalid session id", "no such window")
"""Error codes of a session that is over."""
_AWAY = (
    "cannot be proxied", "instrumentation process is not running", "device offline", "not found in the list of",
    "socket hang up", "ECONNREFUSED", "ECONNRESET", "device unauthorized", "lost connection to the device",
)  # fmt: skip
"""What the drivers say when the phone behind them has gone."""


MOVED = "stale element reference", "no such element"
"""Error codes for an element that has changed since the screen was read."""
_ABSENT = (*MOVED, "element not interactable")
_LACKED = "unknown command", "unknown method", "invalid argument", "unsupported operation"
"""Error codes of what a driver cannot do: no phone of its kind can."""


class CommandFailed(DeviceRefused):
    """The server did not carry out a command: nothing was done."""

    def __init__(self, code: str, text: str) -> None:
        """`code` is WebDriver's, such as `no such element`."""
        self.code = code
        absent, lacked = code in _ABSENT, code in _LACKED
        failure = Failure.ELEMENT_MISSING if absent else Failure.INVALID_CALL if lacked else Failure.INFRASTRUCTURE
        super().__init__(f"the phone's driver refused: {text}", failure=failure, seen=code)


class _Answer(NamedTuple):
    """An answer: its HTTP status and its body."""

    status: int
    content: bytes


class WebDriver:
    """One session at an Appium server."""

    def __init__(self, server: str) -> None:
        self._http = httpx.AsyncClient(base_url=server.rstrip("/"), trust_env=False)
        self._session = ""

    async def open(self, capabilities: Mapping[str, Any]) -> Mapping[str, Any]:
        """Open the session and return the capabilities that it has.

        Raises:
            CommandFailed, DeviceLost: it cannot be opened.
        """
        body = {"capabilities": {"alwaysMatch": dict(capabilities)}}
        value = cast("dict[str, Any]", await self._ask("POST", "/session", body, OPEN_SECONDS))
        self._session = str(value["sessionId"])
        return value.get("capabilities") or {}

    async def close(self) -> None:
        """End the session, if there is one; a server that does not answer ends it by itself later."""
        try:
            if self._session:
                await self._ask("DELETE", f"/session/{self._session}", None, CLOSE_SECONDS)
        except (CommandFailed, DeviceLost):
            pass
        finally:
            self._session = ""
            await self._http.aclose()

    async def get(self, path: str) -> Any:  # noqa: ANN401 - JSON
        """Ask for something; raises as `post` does."""
        return await self._ask("GET", f"/session/{self._session}{path}", None)

    async def post(self, path: str, body: Mapping[str, Any] | None = None, *, secret: bool = False) -> Any:  # noqa: ANN401 - JSON
        """Have something done; the server writes nothing of a `secret` request into its log.

        Raises:
            CommandFailed: it was not done.
            DeviceLost: the session or the phone is gone, or the server does not answer.
        """
        return await self._ask("POST", f"/session/{self._session}{path}", body or {}, secret=secret)

    async def run(self, script: str, arguments: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
        """Run one of the driver's own commands, such as `mobile: activateApp`; raises as `post` does."""
        return await self.post("/execute/sync", {"script": script, "args": [dict(arguments or {})]})

    async def find(self, path: str) -> str:
        """Return the id of the element at an XPath; raises as `post` does."""
        found = await self.post("/element", {"using": "xpath", "value": path})
        return str(found[ELEMENT])

    async def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | None, seconds: float = COMMAND_SECONDS, **how: bool
    ) -> Any:  # noqa: ANN401 - JSON
        headers = {"X-Appium-Is-Sensitive": "true"} if how.get("secret") else {}
        request = self._http.build_request(method, path, json=body, headers=headers, timeout=seconds)
        try:
            async with asyncio.timeout(seconds):  # the client's own begins anew with each byte
                answer = await self._send(request)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise DeviceLost(f"the Appium server did not answer in full within {seconds:g} s") from error
        except httpx.HTTPError as error:
            raise DeviceLost(f"the Appium server cannot be reached: {error or type(error).__name__}") from error
        try:
            value = json.loads(answer.content)["value"]
        except (ValueError, KeyError, TypeError) as error:
            raise DeviceLost(f"what answers is no Appium server: HTTP {answer.status}") from error
        if 200 <= answer.status < 300:
            return value
        raise _failed(value)

    async def _send(self, request: httpx.Request) -> _Answer:
        """Return the whole answer to a request.

        Raises:
            httpx.HTTPError: there is none.
            DeviceLost: it has more than `LARGEST_ANSWER` bytes.
        """
        response = await self._http.send(request, stream=True)
        content = bytearray()
        try:
            async for part in response.aiter_bytes():
                content += part
                if len(content) > LARGEST_ANSWER:
                    raise DeviceLost(f"the Appium server's answer has more than {LARGEST_ANSWER // 2**20} MiB")
        finally:
            await response.aclose()
        return _Answer(response.status_code, bytes(content))


def _failed(value: object) -> CommandFailed | DeviceLost:
    told = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    code, text = str(told.get("error", "unknown error")), str(told.get("message", "")).strip()
    line = (text.splitlines() or [code])[0][:500]
    if code in _GONE or any(words in text for words in _AWAY):
        return DeviceLost(f"the phone's session is over: {line}")
    return CommandFailed(code, line)
