"""Which devices there are, and who has them."""

from muster_protocol.device_control import PhoneLease
from muster_protocol.logs import PhoneRow, WorkerRow
from muster_views.device_inventory import view_devices

PHONES = (PhoneRow(name="pixel", platform="android", session="run-1.main"), PhoneRow(name="iphone", platform="ios"))


def host(seen_at: float = 100.0, busy: int = 1) -> WorkerRow:
    return WorkerRow(
        id="host-1",
        service="sessions",
        host="h",
        pid=1,
        version="1",
        slots={"session": 2},
        busy={"session": busy},
        devices=("web", "screens", "appium", "none"),
        phones=PHONES,
        seen_at=seen_at,
    )


def told(row: WorkerRow) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.name, one.state, one.session) for one in view_devices([row], {}, 101.0)]


def test_a_phone_is_free_or_in_use_by_a_session_and_other_devices_have_room_or_not() -> None:
    assert told(host()) == [
        ("appium", "iphone", "free", ""),
        ("appium", "pixel", "in use", "run-1.main"),
        ("screens", "", "free", ""),
        ("web", "", "free", ""),
    ]
    assert {state for *_, state, _ in told(host(busy=2))} == {"in use"}


def test_the_devices_of_a_host_that_stopped_reporting_are_away() -> None:
    assert {state for *_, state, _ in told(host(seen_at=90.0))} == {"away"}


def test_a_phone_that_somebody_keeps_is_leased_unless_a_session_has_it() -> None:
    leases = {name: PhoneLease(phone=name, holder="run-chat", until=200.0) for name in ("pixel", "iphone")}
    told = [(one.name, one.state, one.lease) for one in view_devices([host()], leases, 101.0)][:2]
    assert told == [("iphone", "leased", "run-chat"), ("pixel", "in use", "run-chat")]


def test_only_session_hosts_have_devices() -> None:
    assert view_devices([WorkerRow(id="w", service="subagent", host="h", pid=1, version="1")], {}, 0.0) == ()
