"""The phones that a session host offers, from its file: which server drives each, with which capabilities. Pure."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from muster_yaml.bounded_yaml import YamlFault, load

Platform = Literal["android", "ios", "web", "other"]
_DRIVERS: dict[str, Platform] = {
    "uiautomator2": "android", "espresso": "android", "xcuitest": "ios", "chromium": "web", "safari": "web",
    "gecko": "web",
}  # fmt: skip
EXAMPLE = "phones: {pixel: {server: 'http://127.0.0.1:4723', capabilities: {platformName: Android, …}}}"


class PhonesInvalid(Exception):
    """The file of phones cannot be used; the text says what is wrong."""


class Phone(Struct, frozen=True, forbid_unknown_fields=True):
    """One phone, emulator or simulator."""

    capabilities: dict[str, Any]
    """As Appium takes them."""
    server: str = ""
    """Address of an Appium server; empty: the session host starts one."""

    @property
    def platform(self) -> Platform:
        """Whose screens it has, by its driver."""
        automation = str(self.capabilities.get("appium:automationName", "")).lower()
        return _DRIVERS.get(automation, "other")

    @property
    def app(self) -> str:
        """Package or bundle of the app under test; empty: the capabilities name none."""
        named = (self.capabilities.get(f"appium:{key}") for key in ("appPackage", "bundleId"))
        return next((str(name) for name in named if name), "")


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    phones: dict[str, Phone]


def read_phones(text: str) -> dict[str, Phone]:
    """Return the phones of a file, by name.

    Raises:
        PhonesInvalid: it cannot be used.
    """
    try:
        phones = msgspec.convert(load(text), _File).phones
    except (YamlFault, msgspec.ValidationError) as error:
        raise PhonesInvalid(f"{error}; write it like this: {EXAMPLE}") from error
    for name, phone in phones.items():
        if phone.server and not phone.server.startswith(("http://", "https://")):
            raise PhonesInvalid(f"the server of {name!r} must be an http address, not {phone.server!r}")
        if "platformName" not in phone.capabilities:
            raise PhonesInvalid(f"the capabilities of {name!r} need a platformName")
    return phones
