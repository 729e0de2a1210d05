"""The session host half of a phone: opens its session at an Appium server, and lends it to one holder at a time."""

from collections.abc import Awaitable, Callable, Mapping

from muster_devices.appium.phone_device import PhoneDevice
from muster_devices.appium.phones import Phone
from muster_devices.appium.webdriver import COMMAND_SECONDS, CommandFailed, WebDriver
from muster_devices.device_host import Access, Left, Saved, Spec
from muster_devices.errors import DeviceLost, DeviceRefused, not_open
from muster_devices.hosted.device_server import DeviceServer
from muster_devices.screen import Record, outline
from muster_protocol.causes import Failure
from muster_protocol.sessions import Holder, OpenDialog
from muster_text.redaction import Redactor

DEFAULTS = {"appium:newCommandTimeout": 900, "unhandledPromptBehavior": "ignore"}
"""Capabilities that the file of phones need not name: the server ends a session that its host has left."""
KEPT_BY_ITSELF = "a phone keeps what its app has stored, which no checkpoint has"


class AppiumHost:
    """Implements `DeviceHost`."""

    def __init__(
        self,
        phones: Mapping[str, Phone],
        server: Callable[[], Awaitable[str]],
        bind: str = "127.0.0.1",
        advertise: str = "",
    ) -> None:
        """`server` returns the address of the Appium server that this host starts, for phones that name none."""
        self._phones, self._start, self._bind, self._advertise = phones, server, bind, advertise or bind
        self._driver: WebDriver | None = None
        self._device: PhoneDevice | None = None
        self._server: DeviceServer | None = None
        self._on_gone: Callable[[str], None] = lambda _why: None

    async def open(self, spec: Spec, saved: Saved | None) -> bool:
        """Open the session of the phone that the spec names.

        Raises:
            DeviceRefused: the phone cannot be had now; says why.
        """
        phone = self._phones[spec.name]
        driver = WebDriver(phone.server or await self._start())
        try:
            await driver.open({**DEFAULTS, **phone.capabilities})
        except (CommandFailed, DeviceLost) as error:
            await driver.close()
            said = error.text if isinstance(error, CommandFailed) else error.reason
            raise DeviceRefused(
                f"the phone {spec.name} cannot be used: {said}", failure=Failure.INFRASTRUCTURE
            ) from error
        except BaseException:
            await driver.close()
            raise
        self._driver, self._device = driver, PhoneDevice(driver, phone, spec.domains)
        self._server = DeviceServer(self._device, self._bind, self._advertise, COMMAND_SECONDS)
        self._server.on_lost = self._lost
        return saved is None

    def watch(self, on_dialog: Callable[[OpenDialog], None], on_gone: Callable[[str], None]) -> None:
        """Have a function called once the phone is gone; its dialogs are part of its screen."""
        self._on_gone = on_gone

    def _lost(self, reason: str) -> None:
        self._on_gone(reason)

    async def grant(self, holder: Holder, fresh: bool) -> Access:
        """Return the way in; it leads to this host, and never to the Appium server."""
        if self._server is None:
            raise not_open()
        return await self._server.grant(holder, fresh)

    @property
    def dialogs(self) -> tuple[OpenDialog, ...]:
        """Nothing: a phone does not tell of dialogs by itself, and its screen shows them."""
        return ()

    async def answer(self, accept: bool, text: str) -> bool:
        """Do nothing: the worker half answers dialogs."""
        return False

    async def feed(self, name: str) -> tuple[Record, ...]:
        """Return what was seen of the phone."""
        return self._device.feed(name) if self._device else ()

    async def picture(self, chosen: str, known: Callable[[], Redactor]) -> bytes | None:
        """Return a JPEG of the screen; None where it shows a secret outside password fields, or cannot be taken now."""
        if self._device is None or self._server is None or self._server.busy:
            return None
        redactor = known()
        try:
            async with self._server.one_at_a_time:
                screen = await self._device.screen("", 0)
                picture = await self._device.picture((), "JPEG")
                after = await self._device.screen("", 0)
        except (DeviceLost, DeviceRefused, CommandFailed):
            return None
        unsure = known() is not redactor or after.version != screen.version
        return None if unsure or any(redactor.holds(line) for line in outline(screen)) else picture

    async def save(self, redactor: Redactor) -> Saved | None:
        """Return that nothing can be saved: a lost phone is not where it was."""
        return Saved(missing=KEPT_BY_ITSELF)

    async def bound(self, seconds: float) -> None:
        """Do nothing: no recording is made."""

    async def close(self, quick: bool) -> Left:
        """End the session; it leaves nothing behind."""
        if self._server is not None:
            await self._server.close()
        if self._driver is not None:
            await self._driver.close()
        self._server = self._device = self._driver = None
        return Left()
