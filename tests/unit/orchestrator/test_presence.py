"""Who is there is told by rows that change; a row that only lingers is no sign of life."""

from msgspec.structs import replace

from muster_bus.process_row import PRESENCE_SECONDS, SILENCE
from muster_orchestrator.presence import Sightings, presence_events, services_of
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
    sightings = watched(60, alive_until=10_000)
    assert presence_events({"pool act", "pool think"}, (), sightings) == (Unserved(what="pool think"),)
    assert presence_events({"pool think"}, {"pool think"}, sightings) == ()
    assert presence_events({"pool act"}, {"pool act"}, sightings) == (Served(what="pool act"),)
    assert presence_events((), {"pool think"}, sightings) == (Served(what="pool think"),)
    assert presence_events({"pool act"}, (), sightings) == ()


def test_a_workspace_or_phone_that_no_live_host_was_ever_seen_to_have_is_told_as_such_with_the_closest_name():
    host = replace(a_host(), workspaces=("shop", "docs"), devices=("none", "appium"))
    sightings = Sightings()
    for now in range(100, 120):
        sightings.update(float(now), [replace(host, seen_at=float(now))])
    unheard, phone = "session host that serves workspace shpo", "session host for appium iphone"
    [event] = presence_events({unheard}, (), sightings)

    assert event == Unserved(
        what=unheard,
        why="did you mean 'shop'? workspaces that are served: docs, shop (setting WORKSPACES)",
        unheard=True,
    )
    assert sightings.is_unheard(phone)
    for what in (
        "session host",
        "session host for web",
        "session host for appium with room for 3 sessions",
        "pool act",
    ):
        assert not sightings.is_unheard(what)
    assert not sightings.is_unheard("session host that serves workspace shop with room for 9 sessions")


def test_a_workspace_whose_host_has_gone_is_waited_for_and_without_any_host_every_name_is():
    other = replace(a_host(), id="other", workspaces=("docs",), devices=("none",))
    shop = replace(a_host(), workspaces=("shop",), devices=("none",))
    what, sightings = "session host that serves workspace shop", Sightings()
    for now in range(100, 140):
        rows = [replace(row, seen_at=float(now)) for row in ((shop, other) if now < 120 else (other,))]
        sightings.update(float(now), rows)
    assert sightings.is_missing(what)
    assert not sightings.is_unheard(what)

    alone = Sightings()
    for now in range(100, 140):
        alone.update(float(now), [])
    assert alone.is_missing(what)
    assert not alone.is_unheard(what)
