"""Alerts of devices: which they are, that one moment is one event, and that nothing an app said is in them."""

import io

import pytest
from PIL import Image

from muster_devices.picture_parts import is_black
from muster_protocol import codec
from muster_sessionhost.device_alerts import alert, kind_of_crash


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("the app does not respond: Shop isn't responding", "anr"),
        ("ANR in com.example.shop", "anr"),
        ("NullPointerException in LoginActivity", "app_crash"),
        ("the app com.example.shop does not run any more", "app_crash"),
    ],
)
def test_a_hanging_app_is_told_from_one_that_has_ended(said: str, kind: str) -> None:
    assert kind_of_crash(said) == kind


@pytest.mark.parametrize(("colour", "black"), [("#000000", True), ("#0a0a0a", True), ("#303030", False)])
def test_a_screen_is_black_if_no_pixel_is_brighter(colour: str, black: bool) -> None:
    made = io.BytesIO()
    Image.new("RGB", (40, 80), colour).save(made, "JPEG")
    assert is_black(made.getvalue()) is black


def test_an_alert_names_the_run_and_the_device_and_is_the_same_at_the_same_moment() -> None:
    event = alert("app_crash", "run-1", "main", ("appium", "pixel"), 1796000000.25)
    assert event.type == "alert.app_crash"
    assert event.data == {"run": "run-1", "session": "main", "device": "appium", "name": "pixel"}
    assert event.key == alert("app_crash", "run-1", "main", ("appium", "pixel"), 1796000000.25).key
    assert event.key != alert("app_crash", "run-1", "main", ("appium", "pixel"), 1796000001.25).key
    assert codec.decode(codec.encode(event), type(event)) == event
