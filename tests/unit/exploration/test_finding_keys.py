"""What makes two sightings one fault: kind, words and page; how the page is sorted does not, what a request asks for does."""

import pytest

from muster_exploration.app_map import MapFinding, finding_key, is_known_fault

ACCESS = MapFinding(
    kind="access", text="Buttons must have text: 3 elements, the first <a>", address="http://a.test/list"
)
ERROR = MapFinding(
    kind="server_error", text="answers 500", address="http://a.test/", request="GET http://a.test/api: 500"
)


@pytest.mark.parametrize(
    "other",
    [
        MapFinding(kind="access", text=ACCESS.text, address="http://a.test/list?sort=name"),
        MapFinding(kind="access", text=ACCESS.text.replace("3 elements", "12 elements"), address=ACCESS.address),
        MapFinding(kind="access", text=ACCESS.text, address="http://a.test/list", picture="other.png", times=4),
    ],
)
def test_one_fault_seen_twice(other: MapFinding) -> None:
    assert finding_key(ACCESS) == finding_key(other)


@pytest.mark.parametrize(
    "other",
    [
        MapFinding(kind="access", text="Links must have text", address=ACCESS.address),
        MapFinding(kind="access", text=ACCESS.text, address="http://a.test/other"),
        MapFinding(kind="exception", text=ACCESS.text, address=ACCESS.address),
    ],
)
def test_two_faults(other: MapFinding) -> None:
    assert finding_key(ACCESS) != finding_key(other)


def test_a_broken_rule_of_a_page_is_one_fault_whatever_its_elements_are_called() -> None:
    first, again = (
        MapFinding(
            kind="access", rule="target-size", text=f"target-size: too small (#react{id})", address="http://a.test/"
        )
        for id in ("8158577301-r29", "9777852022-r2n")
    )
    other = MapFinding(kind="access", rule="label", text=first.text, address=first.address)
    assert finding_key(first) == finding_key(again) != finding_key(other)


def test_what_a_failing_request_asks_for_tells_apart_but_stays_a_known_fault() -> None:
    other = MapFinding(
        kind="server_error", text="answers 500", address=ERROR.address, request="GET http://a.test/api?page=cart: 500"
    )
    assert finding_key(ERROR) != finding_key(other)
    assert is_known_fault(finding_key(ERROR), finding_key(other))
