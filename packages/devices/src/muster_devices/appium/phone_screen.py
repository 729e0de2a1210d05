"""Reads the screen of a phone: its source as elements with refs, the version, and whose screen it is."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from muster_devices.appium.android_source import read_android
from muster_devices.appium.ios_source import read_ios
from muster_devices.appium.native_screen import Asked, NativeScreen, Trouble
from muster_devices.appium.phone_gestures import APP, PhoneGestures
from muster_devices.appium.phones import Phone
from muster_devices.appium.plain_source import read_plain
from muster_devices.appium.source_tree import SourceUnreadable
from muster_devices.appium.web_source import read_page
from muster_devices.appium.webdriver import CommandFailed, WebDriver
from muster_devices.domains import allowed, outside
from muster_devices.errors import DeviceRefused
from muster_devices.screen import Element, Place, Screen
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog

_READERS = {"android": read_android, "ios": read_ios, "other": read_plain}


class Shown(NamedTuple):
    """The screen at one moment."""

    screen: Screen
    native: NativeScreen
    paths: dict[str, str]
    """How each element is found, by its ref."""

    @property
    def busy(self) -> tuple[str, ...]:
        """What is seen to be under way."""
        return self.native.busy

    @property
    def moment(self) -> object:
        """What tells this screen from another one."""
        return self.screen.place.address, self.screen.place.title


class PhoneScreen:
    """Looks at one phone."""

    def __init__(self, driver: WebDriver, phone: Phone, hand: PhoneGestures, domains: Sequence[str]) -> None:
        self._driver, self._phone, self._hand, self._domains = driver, phone, hand, domains
        self._refs: dict[tuple[str, str], str] = {}
        self._seen, self._version = "", 0
        self._address = ""
        """Of the page that was seen last."""
        self.window = ""
        """The context that was chosen; empty: the driver's own first one."""

    @property
    def web(self) -> bool:
        """Whether a web page is looked at: of a browser, or in a web view of an app."""
        return self._phone.platform == "web" or self.window.startswith(("WEBVIEW", "CHROMIUM"))

    async def read(self) -> Shown:
        """Return the screen now.

        Raises:
            CommandFailed: the driver cannot read it.
            DeviceRefused: its source cannot be read, or the phone is locked.
        """
        try:
            native = (await self._alert() if self._phone.platform == "other" else None) or await self._native()
        except CommandFailed as failed:
            if failed.code != "unexpected alert open":
                raise
            native = await self._alert() or NativeScreen((), address=self._address)
        if native.address.startswith("http") and not allowed(native.address, self._domains):
            text = f"the page has left the allowed hosts: {outside(native.address, self._domains)}"
            native = native._replace(trouble=Trouble(Failure.INVALID_CALL, text), title="")
        elements = () if native.trouble else native.elements
        self._address = native.address
        numbered = [replace(one, ref=self._ref(path, one)) for one, path in zip(elements, native.paths, strict=False)]
        screen = Screen(place=self._place(native), version=0, elements=tuple(numbered))
        paths = {one.ref: path for one, path in zip(numbered, native.paths, strict=False)}
        return Shown(replace(screen, version=self._counted(screen)), native, paths)

    async def source(self) -> str:
        """Return the source as the driver gives it."""
        return str(await self._driver.get("/source"))

    async def _native(self) -> NativeScreen:
        if self.web:
            return await read_page(self._driver)
        try:
            native = _READERS[self._phone.platform](await self.source())
        except SourceUnreadable as error:
            raise DeviceRefused(str(error), failure=Failure.INFRASTRUCTURE) from error
        except CommandFailed:
            if self._hand.ended or await self._hand.is_running():
                raise
            native = NativeScreen(())
        if native.trouble and native.trouble.failure is Failure.INFRASTRUCTURE:
            raise DeviceRefused(native.trouble.text, failure=Failure.INFRASTRUCTURE)
        own = native.app == self._phone.app and native.elements
        if native.trouble or own or self._hand.ended or await self._hand.is_running():
            return native
        text = f"the app {self._phone.app} has crashed: it does not run any more"
        return native._replace(trouble=Trouble(Failure.SERVER_ERROR, text))

    async def _alert(self) -> NativeScreen | None:
        """Return a screen of which an alert hides everything; None: none is open, as far as the driver knows."""
        try:
            message = str(await self._driver.get("/alert/text") or "").strip()
        except CommandFailed:
            return None
        dialog = OpenDialog(kind="confirm", message=message, url=self._address)
        return NativeScreen((), address=self._address, asked=Asked(dialog), blocked=True)

    def _place(self, native: NativeScreen) -> Place:
        address = native.address or f"{APP}{native.app or self._phone.app or 'screen'}"
        if native.trouble:
            failure, problem = native.trouble
            return Place(address=address, empty=True, failure=failure, problem=problem)
        return Place(address=address, title=native.title, empty=not native.elements)

    def _ref(self, path: str, element: Element) -> str:
        """Return the ref of an element: the same as long as what is in its place is called the same."""
        key = path, "" if element.value is not None else element.name
        return self._refs.setdefault(key, f"e{len(self._refs) + 1}")

    def _counted(self, screen: Screen) -> int:
        """Return the version: one more than before if anything is different."""
        digest = hashlib.sha256(repr((screen.place, screen.elements)).encode()).hexdigest()
        if digest != self._seen:
            self._seen, self._version = digest, self._version + 1
        return self._version
