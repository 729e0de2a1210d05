"""A W3C WebDriver server whose phone runs a simulated app: real HTTP, in the dialects of UiAutomator2 and XCUITest."""

import base64
import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from io import BytesIO
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace
from phone_sources import DIALECTS, PACKAGE, Phone, Source
from PIL import Image
from serving import serving

from muster_devices.actions import Action, Choose, Enter, Navigate, Point, Press, Swipe, Target
from muster_devices.appium.webdriver import ELEMENT
from muster_devices.errors import DeviceRefused
from muster_devices.screens.app import App
from muster_devices.screens.gestures import perform
from muster_devices.screens.rendering import Rendered
from muster_devices.screens.simulator import Simulator
from muster_devices.screens.state import State
from muster_devices.screens.templates import fill

KEYBOARD_TOP = 0.6
"""Where the keyboard begins, as a part of the screen's height."""
_KEYS = {66: "Enter", 61: "Tab", 67: "Backspace", 4: "Back", "\n": "Enter", "\b": "Backspace"}


class Answered(NamedTuple):
    """A command that was carried out."""

    method: str
    path: str
    body: dict[str, Any]
    sensitive: bool


class Refused(Exception):
    """A command that was not; the text is its error code."""


SHADE = (
    '<hierarchy><android.widget.FrameLayout package="com.android.systemui" bounds="[0,0][390,844]">'
    '<android.widget.TextView package="com.android.systemui" text="Your parcel is on its way" displayed="true"'
    ' enabled="true" bounds="[0,100][390,160]"/></android.widget.FrameLayout></hierarchy>'
)
"""The notifications of the phone."""


class PhoneServer:
    """One phone with one app. What a test changes takes effect with the next command."""

    def __init__(self, app: App, faults: tuple[str, ...] = ()) -> None:
        self.simulator = Simulator(app, {})
        self.break_app(*faults)
        self.automation = "UiAutomator2"
        self.url = ""
        self.asked: list[Answered] = []
        self.capabilities: dict[str, Any] = {}
        self.trouble = ""
        """`crash`, `anr` or `locked`: what the system shows over the app."""
        self.away = ""
        """The text of the error that every command gets once the phone was unplugged."""
        self.keyboard, self.black = False, False
        self.orientation = "PORTRAIT"
        self.running = True
        self.behind = False
        """Whether the home screen is shown instead of the app that runs."""
        self.shade = False
        """Whether the notifications are shown."""
        self.session = ""
        self.most_sessions = 0
        """How many sessions it had at once: 2 if a new one came while another was open."""
        self._sessions = 0
        self._opened = ""
        self._state = self.simulator.begin(time.monotonic())
        self._lock = threading.Lock()

    def break_app(self, *faults: str) -> None:
        """Switch on faults of the app, from the next session on."""
        app = self.simulator.app
        self.simulator = Simulator(app, {name: app.faults[name] for name in faults})

    # ---- what it shows

    @property
    def state(self) -> State:
        """The app's state now."""
        self._state = self.simulator.advance(self._state, time.monotonic())
        return self._state

    def rendered(self) -> list[Rendered]:
        """Return the elements."""
        return self.simulator.rendered(self.state)

    def source(self) -> Source:
        """Return the page source."""
        state, app = self.state, self.simulator.app
        title = fill(app.screens[state.screen].title, state.data) or state.screen
        shown = (
            state if self.running and not self.behind else replace(state, crash=state.crash or "closed", dialog=None)
        )
        phone = Phone(shown, self.rendered(), title, app.size, self._opened, self.trouble)
        return DIALECTS[self.automation](phone)

    # ---- what is done to it

    def answer(self, method: str, path: str, body: dict[str, Any], *, sensitive: bool) -> Any:
        """Return the value of a command's answer."""
        with self._lock:
            self.asked.append(Answered(method, path, body, sensitive))
            if self.away:
                raise Refused("unknown error")
            if path == "/session":
                return self._begin(body["capabilities"]["alwaysMatch"])
            _, _, session, command = (*path.split("/", 3), "")[:4]
            if not self.session or session != self.session:
                raise Refused("invalid session id")
            if method == "DELETE":
                self.session = ""
                return None
            return self._command(method, command, body)

    def _begin(self, capabilities: dict[str, Any]) -> Any:
        self.capabilities, self.automation = capabilities, capabilities["appium:automationName"]
        self.most_sessions = max(self.most_sessions, 2 if self.session else 1)
        self._sessions += 1
        self.session = f"session-{self._sessions}"
        self._state, self._opened, self.running = self.simulator.begin(time.monotonic()), "", True
        told = {name.removeprefix("appium:"): value for name, value in capabilities.items()}  # as Appium 3 does
        return {"sessionId": self.session, "capabilities": told}

    def _command(self, method: str, command: str, body: dict[str, Any]) -> Any:
        match method, command.split("/"):
            case "GET", _:
                return self._told(command)
            case "POST", ["element"]:
                return {ELEMENT: self._find(body["value"])}
            case "POST", ["elements"]:
                found = self.source().find(body["value"])
                return [{ELEMENT: found}] if found is not None else []
            case "POST", ["element", element, what]:
                self._use(element, what, body)
            case "POST", ["actions"]:
                self._moved(body["actions"][0])
            case "POST", ["execute", "sync"]:
                return self._run(body["script"], body["args"][0])
            case "POST", _:
                self._change(command, body)
            case _:
                raise Refused("unknown command")
        return None

    def _told(self, command: str) -> Any:
        match command:
            case "source":
                return SHADE if self.shade else self.source().text()
            case "screenshot":
                return self._screenshot()
            case "window/rect":
                return {"x": 0, "y": 0, **to_builtins(self.simulator.app.size)}
            case "element/active":
                return {ELEMENT: self._focused()}
            case _:
                raise Refused("unknown command")

    def _change(self, command: str, body: dict[str, Any]) -> None:
        if command == "back":
            self._press("Back")
        elif command == "orientation":
            self.orientation = body["orientation"]
        else:
            raise Refused("unknown command")

    def _find(self, path: str) -> str:
        found = self.source().find(path)
        if found is None:
            raise Refused("no such element")
        return found

    def _focused(self) -> str:
        if not self.state.focus:
            raise Refused("no such element")
        return self.state.focus

    def _do(self, action: Action, ref: str = "") -> None:
        found = next((one for one in self.rendered() if one.element.ref == ref), None)
        if ref and found is None:
            raise Refused("stale element reference")
        try:
            self._state = perform(self.simulator, self.state, action, found)
        except DeviceRefused as error:
            raise Refused("invalid element state") from error

    def _use(self, element: str, what: str, body: dict[str, Any]) -> None:
        if what == "click":
            self._click(element)
        elif what == "clear":
            self._do(Enter(target=Target(ref=element), text=""), element)
        elif body["text"] in ("\n", "\b"):
            self._do(Press(key=_KEYS[body["text"]]))
        elif self._role(element) == "combobox":
            self._do(Choose(target=Target(ref=element), options=(body["text"],)), element)
        else:
            self._do(Enter(target=Target(ref=element), text=body["text"], how="append"), element)
            self.keyboard = True

    def _role(self, ref: str) -> str:
        return next((one.part.role for one in self.rendered() if one.element.ref == ref), "")

    def _click(self, element: str) -> None:
        if element in ("accept", "dismiss"):
            self._state = self.simulator.answer(self.state, element == "accept", "")
        elif element.startswith("option-"):
            part = next(one.part for one in self.rendered() if one.element.ref == self._opened)
            option = part.options[int(element.removeprefix("option-"))]
            self._do(Choose(target=Target(ref=self._opened), options=(option,)), self._opened)
            self._opened = ""
        elif self._role(element) == "combobox" and self.automation == "UiAutomator2":
            self._opened = element
        elif not self._under_keyboard(element):
            self._do(Point(target=Target(ref=element)), element)

    def _under_keyboard(self, element: str) -> bool:
        """Return whether the keyboard takes a tap on an element."""
        if not self.keyboard or self.automation != "UiAutomator2":
            return False
        box = next((one.element.box for one in self.rendered() if one.element.ref == element), None)
        return box is not None and box.y > KEYBOARD_TOP * self.simulator.app.size.height

    def _moved(self, pointer: dict[str, Any]) -> None:
        steps = pointer["actions"]
        if pointer["type"] == "key":
            raise Refused("unknown command")
        origin = steps[0]["origin"]
        if origin != "viewport":
            downs = sum(step["type"] == "pointerDown" for step in steps)
            held = max((step["duration"] for step in steps if step["type"] == "pause"), default=0)
            gesture = "double_tap" if downs == 2 else "long_press" if held >= 500 else "tap"
            self._do(Point(target=Target(ref=origin[ELEMENT]), gesture=gesture), origin[ELEMENT])
            return
        begin, end = [step for step in steps if step["type"] == "pointerMove"]
        right, down = end["x"] - begin["x"], end["y"] - begin["y"]
        sideways = abs(right) > abs(down)
        direction = ("right" if right > 0 else "left") if sideways else ("down" if down > 0 else "up")
        self._do(Swipe(direction=direction))

    def _run(self, script: str, arguments: dict[str, Any]) -> Any:
        match script:
            case "mobile: queryAppState":
                return 1 if self.state.crash or not self.running else 3 if self.behind else 4
            case "mobile: hideKeyboard":
                self.keyboard = False
            case "mobile: pressKey":
                self._press(_KEYS[arguments["keycode"]])
            case "mobile: deepLink":
                self._do(Navigate(address=arguments["url"]))
            case "mobile: activateApp":
                self.behind = False
                if not self.running or self.state.crash:
                    self._state, self.running = self.simulator.begin(time.monotonic(), self.state), True
            case "mobile: openNotifications" if self.automation == "UiAutomator2":
                self.shade = True
            case "mobile: backgroundApp":
                self.behind = True
            case "mobile: terminateApp" | "mobile: clearApp":
                self.running = False
            case _:
                raise Refused("unknown command")
        return None

    def _press(self, key: str) -> None:
        if key == "Back" and self.shade:
            self.shade = False
        elif key == "Back" and self._opened:
            self._opened = ""
        else:
            self._do(Press(key=key))

    def _screenshot(self) -> str:
        size, stream = self.simulator.app.size, BytesIO()
        Image.new("RGB", (size.width * 2, size.height * 2), "#000000" if self.black else "#ffffff").save(stream, "PNG")
        return base64.b64encode(stream.getvalue()).decode()


@contextmanager
def phone_server(app: App, *faults: str) -> Generator[PhoneServer]:
    """Serve a phone on a free port of this machine."""
    phone = PhoneServer(app, faults)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: else each answer waits 40 ms for an acknowledgement

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            status, value = 200, None
            try:
                sensitive = self.headers.get("X-Appium-Is-Sensitive") == "true"
                value = phone.answer(self.command, self.path, body, sensitive=sensitive)
            except Refused as refused:
                status, value = 404, {"error": str(refused), "message": phone.away or f"{refused}", "stacktrace": ""}
            data = json.dumps({"value": value}).encode()
            with suppress(OSError):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with serving(Handler) as url:
        phone.url = url
        yield phone


def capabilities(automation: str = "UiAutomator2") -> dict[str, Any]:
    """Return what a phone's file would say of it."""
    named = {"UiAutomator2": "appium:appPackage", "XCUITest": "appium:bundleId"}[automation]
    platform = "Android" if automation == "UiAutomator2" else "iOS"
    return {"platformName": platform, "appium:automationName": automation, named: PACKAGE}
