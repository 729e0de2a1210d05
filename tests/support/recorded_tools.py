"""A user of the tools whose session is recorded, and all that a tool could change."""

from typing import Any, cast

import httpx
from driving import User
from local_session import LocalSession
from served import Site

from muster_devices.actions import Action, CloseWindow, Download, Navigate, OpenWindow, Outcome, Scope, Upload
from muster_devices.screen import Record
from muster_devices.web.page_access import BrowserSession
from muster_devices.web.web_device import WebDevice
from muster_protocol.tool_calls import Usage
from muster_subagent.tool_context import Looked
from muster_subagent.tools.traits import Need

PAGE = """<h1>Shop</h1><p>Total: $8</p><ul><li draggable=true>Mug</li><li>Cup</li></ul><p ondragover="event.preventDefault()"
 ondrop="this.dataset.clicked = 1">Bin</p><div style="height:4000px"></div>
<label>Name <input value="nobody" onkeydown="this.dataset.key = event.key"
 onblur="this.dataset.clicked = 1"></label>
<label>News <input type=checkbox></label><label>Gift <input type=checkbox checked></label>
<label>Size <select><option>S<option>M</select></label><label>Note <input type=file></label>
<button onclick="this.dataset.clicked = 1" ondblclick="this.dataset.twice = 1" oncontextmenu="this.dataset.right = 1"
 onmouseover="this.dataset.over = 1">Save</button>
<a href="/bill" download>Bill</a><button onclick="document.title = prompt('Who?')">Ask</button>
<table><tr><th>Cost<th>Kind</tr><tr><td>1<td>a</tr><tr><td>2<td>a</tr></table>"""
STATE = """() => ({
  place: [location.href, performance.timeOrigin],
  view: [scrollY, [...document.querySelectorAll('*')].map((it) => it.dataset.over)],
  content: [document.title, [...document.querySelectorAll('*')].flatMap((it) => [it.dataset.clicked, it.dataset.twice,
    it.dataset.right, it.dataset.key]), [...document.querySelectorAll('input, select')].map((it) => [it.value, it.checked])],
})"""
USES: dict[str, Need] = {
    **dict.fromkeys(("page", "pages", "use", "dialog", "dialog_opened", "answer_dialog"), "device"),
    **dict.fromkeys(("read_file", "write_file", "list_files"), "workspace"),
}
FEATURES_USED: dict[str, Need] = {
    **dict.fromkeys(("answer", "dialog"), "dialogs"),
    **dict.fromkeys(("windows", "use"), "windows"),
}
TELLS: dict[str, Need] = {"exec": "shell", **dict.fromkeys(("console", "network", "document", "dialog"), "device")}
"""What of a session is a use of what, and what is known of it afterwards."""


class RecordedDevice:
    """A device that notes which of its features a tool uses."""

    def __init__(self, device: WebDevice, used: set[Need]) -> None:
        self._device, self._used = device, used
        self.features = device.features

    def __getattr__(self, name: str) -> Any:
        if name in FEATURES_USED:
            self._used.add(FEATURES_USED[name])
        return getattr(self._device, name)

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        match action:
            case Navigate(to="back"):
                pass
            case Navigate():
                self._used.add("addresses")
            case Upload() | Download():
                self._used.add("files")
            case OpenWindow() | CloseWindow():
                self._used.add("windows")
            case _:
                pass
        return await self._device.do(action, scope, limit)

    async def feed(self, name: str) -> tuple[Record, ...]:
        if name == "accessibility":
            self._used.add("audits")
        return await self._device.feed(name)


class Recorded:
    """A session that notes what a tool uses of it."""

    def __init__(self, session: LocalSession) -> None:
        self._session = session
        self.used: set[Need] = set()
        self.recalled: set[Need] = set()
        self.commands: list[str] = []
        self.recorded = RecordedDevice(WebDevice(cast("BrowserSession", self)), self.used)

    def __getattr__(self, name: str) -> Any:
        if name in USES:
            self.used.add(USES[name])
        return getattr(self._session, name)

    async def execute(self, command: str, **more: Any) -> Any:
        self.used.add("shell")
        self.commands.append(command)
        return await self._session.execute(command, **more)

    async def device(self) -> RecordedDevice:
        return self.recorded

    async def recall(self, key: str) -> str | None:
        if key in TELLS:
            self.recalled |= {TELLS[key], "feeds"}
        return await self._session.recall(key)


class Witness:
    """Sees a page and nothing else, and quotes what it is asked for where it is there."""

    sees = False

    async def at(self, statement: str, text: str, picture: bytes | None) -> Looked:
        holds = "Total: $8" in text
        return Looked(holds, "Total: $8" if holds else "", statement, Usage())


class Bench:
    """A user of the tools whose session is recorded, and everything that a tool could change."""

    def __init__(self, do: User, site: Site) -> None:
        self.do, self.site, self.session = do, site, Recorded(do.session)
        do.ctx.session = self.session  # pyright: ignore[reportAttributeAccessIssue] - it is one but for its type
        do.ctx.http = httpx.AsyncClient(event_hooks={"request": [self._sent]})
        do.ctx.looker = Witness()  # pyright: ignore[reportAttributeAccessIssue] - it is never asked for more
        do.ctx.search_url = site.url
        do.ctx.action_timeout = 2.0

    async def _sent(self, _request: httpx.Request) -> None:
        self.session.used.add("network")

    async def state(self) -> dict[str, Any]:
        """Return all that can be changed, part by part."""
        if self.do.session.dialog is not None:
            return {}
        page = await self.do.session.page()
        folder = self.do.session.folder
        return {
            **await page.evaluate(STATE),
            "place": [len(self.do.session.pages), *(await page.evaluate(STATE))["place"]],
            "files": {path.name: path.read_text() for path in folder.rglob("*") if path.is_file()},
            "commands": list(self.session.commands),
            "requests": [(it.method, it.path, it.body) for it in self.site.asked if it.method == "POST"],
        }
