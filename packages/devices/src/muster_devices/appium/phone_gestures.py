"""Carries out actions on a phone, by the commands of its driver."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from muster_devices.actions import Enter, Navigate, Point, Press, Rotate, Scope, Swipe, UseApp
from muster_devices.appium.phones import Phone
from muster_devices.appium.touch_actions import (
    LONG_MS,
    android_key,
    hold,
    on_element,
    strokes,
    swipe_over,
    twice,
)
from muster_devices.appium.webdriver import CommandFailed, WebDriver
from muster_devices.domains import address as full_address
from muster_devices.domains import allowed, checked, outside, refuse_untrusted
from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box
from muster_text.text_match import plain

_PACKAGE = re.compile(r"[A-Za-z]\w*(\.\w+){2,}")
"""An app's id that is given for an address, as in `Open the "com.android.settings" app`."""
APP = "app://"
"""What the address of a native screen begins with; any other is a web page's."""
NEVER_BACK = -1
"""Seconds for which an app goes into the background: until it is opened again."""


class PhoneGestures:
    """The hand on one phone. A method that raises `DeviceRefused` has done nothing."""

    def __init__(self, driver: WebDriver, phone: Phone) -> None:
        self._driver, self._phone = driver, phone
        self._typed = False
        """Whether a keyboard may lie over the screen."""
        self.ended = False
        """Whether the app was closed on purpose."""

    async def element(self, path: str) -> str:
        """Return the id of an element; `path` is its path in the source, or its id already."""
        return await self._driver.find(path) if path.startswith("/") else path

    async def tap(self, path: str) -> None:
        """Tap an element."""
        await self.hide_keyboard()
        await self._driver.post(f"/element/{await self.element(path)}/click")

    async def point(self, action: Point, path: str) -> None:
        """Tap an element, twice, or hold it."""
        if action.gesture == "tap" and not action.holding:
            await self.tap(path)
            return
        if action.holding or action.gesture in ("hover", "secondary"):
            raise _cannot("a touch screen has no mouse and no keys to hold: tap, double-tap or long-press")
        await self.hide_keyboard()
        element = await self.element(path)
        steps = twice() if action.gesture == "double_tap" else hold(LONG_MS)
        await self._driver.post("/actions", on_element(element, *steps))

    async def enter(self, action: Enter, path: str, where: str, scope: Scope) -> None:
        """Put a text into a field, or into whatever has the focus; `where` is the address of a web page."""
        secret = scope.entrusted is not None
        if secret and not where.startswith(APP):
            refuse_untrusted(where, scope.entrusted or ())
        element = await self.element(path) if path else await self._focused()
        if path and action.how != "append":
            await self._driver.post(f"/element/{element}/clear")
        if action.text:
            body = {"text": action.text, "value": list(action.text)}
            await self._driver.post(f"/element/{element}/value", body, secret=secret)
        self._typed = True

    async def set_value(self, path: str, text: str) -> None:
        """Set a field as its driver does: a picker's wheel is turned."""
        await self._driver.post(f"/element/{await self.element(path)}/value", {"text": text, "value": list(text)})

    async def press(self, action: Press, path: str) -> None:
        """Press a key on an element, or where the focus is."""
        if path:
            await self._driver.post(f"/element/{await self.element(path)}/click")
        code = android_key(action.key)
        if self._phone.platform == "android" and code is not None:
            await self._driver.run("mobile: pressKey", {"keycode": code})
        elif action.key == "Back":
            await self._driver.post("/back")
        elif self._phone.platform == "ios" and action.key == "Home":
            await self._driver.run("mobile: pressButton", {"name": "home"})
        elif self._phone.platform == "ios" and action.key in ("Enter", "Backspace"):
            text = "\n" if action.key == "Enter" else "\b"
            await self._driver.post(f"/element/{await self._focused()}/value", {"text": text, "value": [text]})
        else:
            await self._driver.post("/actions", strokes(action.key))

    async def swipe(self, action: Swipe, area: Box | None) -> None:
        """Move a finger over an element, or over the screen."""
        await self.hide_keyboard()
        await self._driver.post("/actions", swipe_over(area or await self._screen(), action.direction))

    async def navigate(self, action: Navigate, where: str, scope: Scope) -> None:
        """Go back, or open an address: of a page in a browser, else a deep link of the app."""
        if action.to == "back":
            await self._driver.post("/back")
        elif self._phone.platform == "web":
            await self._browse(action, where, scope)
        elif action.to != "address":
            raise _cannot(f"a phone cannot go {action.to}: go back, or open a deep link such as shop://cart")
        elif _PACKAGE.fullmatch(action.address):
            await self.use_app(UseApp(app=action.address))
        else:
            link = action.address
            if link.startswith(("http://", "https://")) and not allowed(link, scope.domains):
                raise DeviceRefused(outside(link, scope.domains), failure=Failure.INVALID_CALL, where=link)
            by = "bundleId" if self._phone.platform == "ios" else "package"
            await self._driver.run(
                "mobile: deepLink", {"url": link, by: self._phone.app} if self._phone.app else {"url": link}
            )
        self.ended = False

    async def _browse(self, action: Navigate, where: str, scope: Scope) -> None:
        if action.to == "address":
            url = checked(full_address(action.address, where), scope.domains)
            await self._driver.post("/url", {"url": url})
        else:
            await self._driver.post("/forward" if action.to == "forward" else "/refresh")

    async def use_app(self, action: UseApp) -> None:
        """Open an app, put it into the background, end it or have it forget what it kept; or show notifications."""
        if action.to == "notifications":
            await self._driver.run("mobile: openNotifications")
            return
        app = self._app(action.app)
        if action.to == "background":
            await self._driver.run("mobile: backgroundApp", {"seconds": NEVER_BACK})
            return
        if action.to in ("close", "clear"):
            await self._driver.run("mobile: terminateApp", self._named(app))
        if action.to == "clear":
            await self._driver.run("mobile: clearApp", self._named(app))
        if action.to in ("open", "clear"):
            await self._driver.run("mobile: activateApp", self._named(app))
        if app == self._phone.app:
            self.ended = action.to == "close"

    async def rotate(self, action: Rotate) -> None:
        """Turn the phone."""
        await self._driver.post("/orientation", {"orientation": action.to.upper()})

    async def is_running(self) -> bool:
        """Return whether the app under test runs, in front or behind; so it counts where its driver cannot say."""
        if not self._phone.app or self._phone.platform not in ("android", "ios"):
            return True
        try:
            state = await self._driver.run("mobile: queryAppState", self._named(self._phone.app))
        except CommandFailed:
            return True
        return not isinstance(state, int) or state > 1

    async def hide_keyboard(self) -> None:
        """Put the keyboard away that typing brought up: it would take the tap on what lies below it."""
        if self._typed and self._phone.platform in ("android", "ios"):
            with suppress(CommandFailed):  # there is none
                await self._driver.run("mobile: hideKeyboard")
        self._typed = False

    async def _focused(self) -> str:
        found: Mapping[str, Any] = await self._driver.get("/element/active")
        return str(next(iter(found.values())))

    async def _screen(self) -> Box:
        rect: Mapping[str, Any] = await self._driver.get("/window/rect")
        width, height = float(rect["width"]), float(rect["height"])
        return Box(x=0.0, y=0.0, width=width, height=height)

    def _app(self, name: str) -> str:
        """Return the id of an app: the one under test, or one that is named by its id."""
        own = self._phone.app
        if not name and not own:
            raise _cannot("which app? The capabilities of this phone name none (appium:appPackage or appium:bundleId)")
        if not name or plain(name) in (plain(own), plain(own.rpartition(".")[2])):
            return own
        if "." not in name:
            raise _cannot(
                f"there is no app {name!r} to be found by that name: name its package, such as com.example.shop"
            )
        return name

    def _named(self, app: str) -> dict[str, str]:
        """Return the argument that names an app to the driver."""
        return {"bundleId" if self._phone.platform == "ios" else "appId": app}


def _cannot(text: str) -> DeviceRefused:
    return DeviceRefused(text, failure=Failure.INVALID_CALL)
