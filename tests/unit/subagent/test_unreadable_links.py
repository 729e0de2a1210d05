"""Links that no program can take apart, as templates and documentation leave them on pages."""

import pytest

from muster_devices.domains import checked, joined
from muster_devices.errors import DeviceRefused
from muster_devices.screen import Place, Screen
from muster_subagent.exploring.perception import is_outside, perceived, sighting_of
from muster_subagent.tools.response_checks import value_at

UNREADABLE = ("http://[your-host]/", "http://host:port/", "http://a:99999999/", "http://\u2100.com/", "//[x")
NUMBERS = "9" * 5_000


@pytest.mark.parametrize("link", [*UNREADABLE, f"/list/{NUMBERS}"])
def test_a_page_with_such_a_link_can_be_explored(link: str) -> None:
    lines = ('- link "Docs" [ref=e1]:', f"  - /url: {link}", '- link "Cart" [ref=e2]:', "  - /url: /cart")
    seen = perceived(Screen(version=1, place=Place(address="http://shop.test/list/2"), lines=lines))
    assert seen.parts[1].address == "http://shop.test/cart"
    sighting, _ = sighting_of(seen, ("other.test:80", "shop.test"), (), ())
    assert [move.name for move in sighting.moves if move.name == "Cart"]
    assert not is_outside(seen.parts[0].address, "http://shop.test/", ())


@pytest.mark.parametrize("url", UNREADABLE)
def test_nobody_can_be_sent_there(url: str) -> None:
    assert joined("http://shop.test/", url) == ""
    with pytest.raises(DeviceRefused, match="is not a web address"):
        checked(url, ("shop.test:80",))


def test_a_place_in_an_answer_whose_number_nobody_can_read_holds_nothing() -> None:
    assert value_at({"items": ["a"]}, f"items[{NUMBERS}]") is None
    assert value_at({"items": ["a"]}, "items[0]") == "a"
