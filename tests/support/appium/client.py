"""Drives a phone server with the client that most people use for Appium, and prints what it understood as JSON.

python client.py URL AUTOMATION
"""

# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
# its packages are fetched when it runs

import json
import sys
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from appium import webdriver
from appium.options.common import AppiumOptions
from appium.webdriver.common.appiumby import AppiumBy
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.support.wait import WebDriverWait

APP = "com.example.shop"
FIELDS = {
    "UiAutomator2": (("android.widget.EditText", "password", "false"), ("android.widget.EditText", "password", "true")),
    "XCUITest": (
        ("XCUIElementTypeTextField", "enabled", "true"),
        ("XCUIElementTypeSecureTextField", "enabled", "true"),
    ),
}
"""The fields of the log-in: tag, and an attribute with its value."""


def refused(act: Callable[[], Any]) -> str:
    """Return the class of the error that the client makes of a refusal; empty: there was none."""
    try:
        act()
    except WebDriverException as error:
        return type(error).__name__
    return ""


def path_of(source: str, tag: str, named: str, value: str) -> str:
    """Return the XPath from the root to the first element of a tag that has an attribute with a value."""
    root = ElementTree.fromstring(source)

    def below(node: ElementTree.Element, path: str) -> str:
        if node.tag == tag and node.get(named) == value:
            return f'{path}[@{named}="{value}"]'
        met: dict[str, int] = {}
        for child in node:
            met[child.tag] = met.get(child.tag, 0) + 1
            if found := below(child, f"{path}/{child.tag}[{met[child.tag]}]"):
                return found
        return ""

    return below(root, f"/{root.tag}")


def finger(driver: Any) -> ActionBuilder:
    """Return actions of one finger."""
    return ActionBuilder(driver, mouse=PointerInput(POINTER_TOUCH, "finger"))


def main() -> None:
    """Log in, look around, be refused, and leave."""
    url, automation = sys.argv[1:]
    android = automation == "UiAutomator2"
    options = AppiumOptions()
    named = "appium:appPackage" if android else "appium:bundleId"
    options.load_capabilities(
        {"platformName": "Android" if android else "iOS", "appium:automationName": automation, named: APP}
    )
    driver = webdriver.Remote(url, options=options)
    told: dict[str, Any] = {"session": bool(driver.session_id), "automation": driver.caps["automationName"]}
    button, named = ("android.widget.Button", "text") if android else ("XCUIElementTypeButton", "label")
    told["root"] = driver.page_source.split("<", 2)[-1].split()[0].split(">")[0]
    size = driver.get_window_size()
    told["size"] = [size["width"], size["height"]]
    told["picture"] = len(driver.get_screenshot_as_png()) > 100
    WebDriverWait(driver, 10).until(lambda _: path_of(driver.page_source, button, named, "Log in"))
    fields = [path_of(driver.page_source, *field) for field in FIELDS[automation]]
    user, password = (driver.find_element(AppiumBy.XPATH, field) for field in fields)
    user.send_keys("tester")
    password.send_keys("swordfish")
    user.clear()
    user.send_keys("tester")
    told["missing"] = refused(lambda: driver.find_element(AppiumBy.XPATH, "//nothing"))
    told["none"] = len(driver.find_elements(AppiumBy.XPATH, "//nothing"))
    told["one"] = len(driver.find_elements(AppiumBy.XPATH, fields[0]))
    driver.execute_script("mobile: hideKeyboard", {})
    driver.find_element(AppiumBy.XPATH, path_of(driver.page_source, button, named, "Log in")).click()
    told["products"] = bool(WebDriverWait(driver, 10).until(lambda _: "Backpack" in driver.page_source))
    told["stale"] = refused(user.click)
    actions = finger(driver)
    actions.pointer_action.move_to_location(200, 600).pointer_down().move_to_location(200, 200).release()
    actions.perform()
    told["running"] = driver.execute_script("mobile: queryAppState", {"appId": APP, "bundleId": APP})
    driver.back()
    driver.orientation = "LANDSCAPE"
    told["unknown"] = refused(lambda: driver.execute_script("mobile: dance", {}))
    driver.quit()
    told["after"] = refused(lambda: driver.page_source)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
