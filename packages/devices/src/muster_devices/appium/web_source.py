"""Reads a web page by WebDriver: HTML is no XML, so a script in the page lists its elements."""

from importlib import resources
from typing import Any, cast

import msgspec

from muster_devices.appium.native_screen import NativeScreen
from muster_devices.appium.webdriver import ELEMENT, WebDriver
from muster_devices.screen import Element
from muster_devices.web.page_script import SETTLE_SCRIPT


async def read_page(driver: WebDriver) -> NativeScreen:
    """Return what the page shows; the path of an element is its id at the driver.

    Raises:
        CommandFailed: an alert is open, or the page cannot run the script.
    """
    listing = resources.files("muster_devices.appium").joinpath("page_elements.js").read_text("utf-8")
    script = f"{SETTLE_SCRIPT};\n{listing}"
    told: dict[str, Any] = await driver.post("/execute/sync", {"script": script, "args": []})
    elements = msgspec.convert(told["elements"], tuple[Element, ...])
    nodes = cast("list[dict[str, str]]", told["nodes"])
    return NativeScreen(
        elements=elements,
        paths=tuple(node[ELEMENT] for node in nodes),
        title=str(told["title"]),
        address=str(told["address"]),
        width=float(told["width"]),
        height=float(told["height"]),
        busy=("the page",) if told["loading"] else (),
    )
