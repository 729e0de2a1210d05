"""Control of a phone over HTTP: one holder at a time, and its runs alone may have the phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from muster_bus import Rows
from muster_gateway.fleet.device_routes import with_lease
from muster_gateway.security.gate import Caller
from muster_protocol.logs import PhoneRow, WorkerRow
from muster_protocol.requests import DeviceSpec, Exploration, RunRequest

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Web


async def keep_phones(bus: Bus, *phones: PhoneRow) -> None:
    row = WorkerRow(
        id="host-1", service="sessions", host="h", pid=1, version="1", devices=("appium",), phones=phones,
        slots={"session": 4}, seen_at=bus.clock.now(),
    )  # fmt: skip
    await Rows(bus, "WORKERS", WorkerRow).put("host-1", row)


async def state_of(web: Web, phone: str) -> tuple[str, str]:
    devices = (await web.http.get("/devices")).json()["devices"]
    return next((one["state"], one["lease"]) for one in devices if one["name"] == phone)


async def test_a_phone_is_kept_shown_as_leased_and_given_back(web: Web, bus: Bus) -> None:
    await keep_phones(bus, PhoneRow(name="pixel 8", platform="android"))
    assert await state_of(web, "pixel 8") == ("free", "")
    await web.http.post("/devices/pixel%208/lease", json={"minutes": 1})
    taken = await web.http.post("/devices/pixel%208/lease", json={"minutes": 5})  # asking again prolongs it
    assert taken.status_code == 200, taken.text
    assert taken.json()["until"] > bus.clock.now() + 290
    state, holder = await state_of(web, "pixel 8")
    assert (state, holder) == ("leased", taken.json()["holder"])
    assert (await web.http.post("/devices/pixel%208/release")).status_code == 204
    assert await state_of(web, "pixel 8") == ("free", "")
    assert (await web.http.post("/devices/pixel%208/release")).status_code == 404


@pytest.mark.parametrize(
    ("phone", "minutes", "status"), [("iphone", 5, 404), ("busy", 5, 409), ("pixel", 0, 400), ("pixel", 481, 400)]
)
async def test_what_cannot_be_kept_is_refused(web: Web, bus: Bus, phone: str, minutes: int, status: int) -> None:
    busy = PhoneRow(name="busy", platform="ios", session="run-1.main")
    await keep_phones(bus, busy, PhoneRow(name="pixel", platform="android"))
    refused = await web.http.post(f"/devices/{phone}/lease", json={"minutes": minutes})
    assert refused.status_code == status, refused.text


def test_a_request_cannot_say_itself_whose_phones_it_may_use() -> None:
    device = DeviceSpec(kind="appium", name="pixel", lease="run-chat")
    (mine,) = with_lease([RunRequest(job=Exploration(device=device))], Caller("ann", "runner", "key"))
    assert isinstance(mine.job, Exploration)
    assert mine.job.device is not None
    assert mine.job.device.lease == "key ann"
    (theirs,) = with_lease([RunRequest(job=mine.job)], Caller("ann", "runner", "chat", conversation="run-chat"))
    assert isinstance(theirs.job, Exploration)
    assert theirs.job.device is not None
    assert theirs.job.device.lease == "run-chat"
