"""Who is there is told by rows that change; a row that only lingers is no sign of life."""

from msgspec.structs import replace

from muster_bus.service import PRESENCE_SECONDS
from muster_orchestrator.presence import SILENCE, Sightings, presence_events, services_of
from muster_protocol.events import Served, Unserved
from muster_protocol.logs import PhoneRow, WorkerRow
from muster_protocol.requests import DeviceKind


def a_worker(seen_at: float = 0.0, id: str = "worker-1", **slots: int) -> WorkerRow:
    return WorkerRow(
        id=id, service="subagent", host="h", pid=1, version="1", slots=slots or {"act": 2}, seen_at=seen_at
    )


def a_host(seen_at: float = 0.0) -> WorkerRow:
    devices: tuple[DeviceKind, ...] = ("web", "none")
    slots = {"session": 2}
    return WorkerRow(
        id="host-1", service="sessions", host="h", pid=2, version="1", seen_at=seen_at, devices=devices, slots=slots
    )


def watched(seconds: float, *, start: float = 100.0, alive_until: float = 0.0) -> Sightings:
    """Look every second for a while at one worker that beats until a moment, and then leaves its row behind."""
    sightings, now = Sightings(), start
    while now <= start + seconds:
        beats = min(now, alive_until)
        sightings.update(now, [a_worker(beats - beats % PRESENCE_SECONDS)] if alive_until else [])
        now += 1
    return sightings


def test_a_worker_offers_the_pools_it_has_slots_for_and_a_host_sessions():
    assert services_of(a_worker(act=2, think=0)) == {"pool act"}
    assert services_of(a_host()) == {"session host", "session host for web"} | {
        "session host with room for 2 sessions",
        "session host for web with room for 2 sessions",
    }
    assert (
        services_of(WorkerRow(id="o", service="orchestrator", host="h", pid=1, version="1", slots={"runs": 64}))
        == set()
    )


def test_a_host_offers_its_workspaces_and_a_missing_one_is_told_with_those_that_are_served():
    host = replace(a_host(), workspaces=("shop", "shop-main"))
    assert "session host that serves workspace shop" in services_of(host)
    assert "session host for web that serves workspace shop-main with room for 2 sessions" in services_of(host)

    sightings = Sightings()
    for now in range(100, 120):
        sightings.update(float(now), [replace(host, seen_at=float(now))])
    assert not sightings.is_missing("session host that serves workspace shop")
    assert sightings.is_missing(missing := "session host that serves workspace gone")
    assert sightings.explain(missing) == "workspaces that are served: shop, shop-main (setting WORKSPACES)"
    assert sightings.explain("session host for web") == ""


def test_a_host_offers_its_phones_and_a_missing_one_is_told_with_those_that_there_are():
    phones = (PhoneRow(name="pixel", platform="android", session="run.main"),)
    host = replace(a_host(), devices=("web", "appium", "none"), phones=phones)
    assert {"session host for appium", "session host for appium pixel"} <= services_of(host)
    sightings = Sightings()
    for now in range(100, 120):
        sightings.update(float(now), [replace(host, seen_at=float(now))])
    assert not sightings.is_missing("session host for appium pixel")
    assert sightings.is_missing(missing := "session host for appium iphone")
    assert sightings.explain(missing) == "phones that there are: pixel (setting PHONES)"


def test_at_first_nobody_is_missing_and_after_the_silence_everybody_is():
    assert not watched(SILENCE).is_missing("pool act")
    assert watched(SILENCE + 1).is_missing("pool act")


def test_who_beats_is_there_however_long_one_looks():
    sightings = watched(600, alive_until=10_000)
    assert not sightings.is_missing("pool act")
    assert sightings.is_missing("pool think")
    assert sightings.is_missing("session host")


def test_a_killed_worker_is_missing_within_ten_seconds_though_its_row_is_still_there():
    sightings = watched(10, start=100, alive_until=100)
    assert sightings.is_missing("pool act")


def test_who_starts_to_wait_while_somebody_looks_hears_of_a_missing_pool_at_once():
    assert watched(60).is_missing("pool gpu")


def test_after_a_time_of_not_looking_nothing_is_known_until_the_silence_is_over():
    sightings = watched(60)
    sightings.update(1_000.0, [])
    assert not sightings.is_missing("pool act")


def test_one_of_many_is_enough():
    sightings = Sightings()
    for now in range(100, 130):
        sightings.update(float(now), [a_worker(1.0, "dead"), a_worker(float(now), "alive")])
    assert not sightings.is_missing("pool act")


def test_a_run_is_told_of_each_change_once_and_only_of_what_it_needs():
    def missing(what: str) -> bool:
        return what == "pool act"

    def nothing(_what: str) -> str:
        return ""

    assert presence_events({"pool act", "pool think"}, (), missing, nothing) == (Unserved(what="pool act"),)
    assert presence_events({"pool act"}, {"pool act"}, missing, nothing) == ()
    assert presence_events({"pool think"}, {"pool think"}, missing, nothing) == (Served(what="pool think"),)
    assert presence_events((), {"pool act"}, missing, nothing) == (Served(what="pool act"),)
    assert presence_events({"pool think"}, (), missing, nothing) == ()


def test_of_a_host_that_is_missing_it_is_told_what_the_others_lack():
    sightings = Sightings()
    sightings.update(1.0, [replace(a_host(), warnings=("BROWSER_EXECUTABLE names /nowhere",))])
    assert sightings.explain("session host for web") == "BROWSER_EXECUTABLE names /nowhere"
    assert sightings.explain("pool act") == ""
