"""What is wrong with what a page has requested: not what may be the fault of this machine's network."""

from muster_devices.screen import Place, Record
from muster_exploration.screen_shape import Shape
from muster_subagent.exploring.perception import Perceived
from muster_subagent.exploring.tour_findings import request_findings

DOMAINS = ("app.test",)
HERE = Perceived(Place(address="http://app.test/"), (), Shape("", "", ""), ())
NO_HOST = "net::ERR_NAME_NOT_RESOLVED"


def image(address: str, status: int = 0, failure: str = "") -> Record:
    return Record(at=1.0, level="image", method="GET", address=address, status=status, failure=failure)


def told(*requests: Record, said: str = "") -> list[str]:
    lines = [Record(at=1.0, level="error", text=said)] if said else []
    return [one.kind for one in request_findings(HERE, requests, lines, DOMAINS)]


def test_an_image_of_another_host_is_broken_if_that_host_says_so():
    assert told(image("https://cdn.test/a.png", status=404)) == ["broken_image"]
    assert told(image("https://cdn.test/a.png", failure=NO_HOST)) == []


def test_an_image_of_the_app_is_broken_however_it_fails():
    assert told(image("http://app.test/a.png", failure="net::ERR_EMPTY_RESPONSE")) == ["broken_image"]


def test_what_the_page_says_of_a_host_that_gave_no_answer_is_no_fault_of_its_own():
    address = "https://news.test/latest.txt"
    lost = Record(at=1.0, level="fetch", method="GET", address=address, failure=NO_HOST)
    said = f"Error fetching {address}. TypeError: Failed to fetch"
    assert told(lost, said=said) == []
    assert told(said=said) == ["console_error"]
