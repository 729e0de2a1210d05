"""A phone has one session at a time."""

import pytest

from muster_devices.appium.phones import Phone, PhonesInvalid, read_phones
from muster_protocol.requests import DeviceSpec
from muster_sessionhost.phone_loans import PhoneLoans

PHONE = Phone(capabilities={"platformName": "Android", "appium:automationName": "UiAutomator2"})
PIXEL, ANY = DeviceSpec(kind="appium", name="pixel"), DeviceSpec(kind="appium")


def test_a_phone_is_lent_once_until_it_is_given_back() -> None:
    loans = PhoneLoans({"pixel": PHONE, "galaxy": PHONE})
    assert loans.lend("a", PIXEL)
    assert loans.lend("a", PIXEL)  # asked again
    assert not loans.lend("b", PIXEL)
    assert loans.lend("b", ANY)
    assert (loans.lent_to("a"), loans.lent_to("b"), loans.lent_to("c")) == ("pixel", "galaxy", "")
    assert not loans.lend("c", ANY)
    assert loans.describe() == "pixel is in use by a, galaxy is in use by b"
    assert [(row.name, row.session) for row in loans.rows()] == [("galaxy", "b"), ("pixel", "a")]
    loans.give_back("a")
    assert loans.lend("c", PIXEL)


def test_other_devices_need_no_phone_and_a_missing_one_is_told() -> None:
    loans = PhoneLoans({})
    assert loans.lend("a", DeviceSpec(kind="web"))
    assert loans.lend("a", None)
    assert loans.missing("") == "it has no phones: name them in a file (PHONES)"
    assert PhoneLoans({"pixel": PHONE}).missing("iphone") == "it has no phone 'iphone'; its phones (PHONES) are pixel"


def test_the_file_of_phones_is_read_and_what_is_wrong_with_it_is_told() -> None:
    phones = read_phones(
        "phones: {pixel: {server: 'http://h:4723', capabilities: {platformName: Android,"
        " 'appium:automationName': UiAutomator2, 'appium:appPackage': a.b}}}"
    )
    assert (phones["pixel"].platform, phones["pixel"].app) == ("android", "a.b")
    for text, told in (
        ("phones: {pixel: {}}", "missing required field `capabilities`"),
        ("phones: {pixel: {capabilities: {}}}", "need a platformName"),
        ("phones: {pixel: {server: 'ftp://h', capabilities: {platformName: iOS}}}", "must be an http address"),
        ("phones: [", "write it like this"),
        ("phone: {}", "unknown field|missing required field"),
    ):
        with pytest.raises(PhonesInvalid, match=told):
            read_phones(text)
