"""Phones in a fleet of real processes: a busy one holds up nobody else, and what becomes of one is told as an event."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from xml.etree import ElementTree

import pytest
from explored_apps import KNOWN, explored
from fleet import Fleet, fleet
from msgspec.structs import replace
from nats.aio.msg import Msg
from phone_server import PhoneServer, capabilities, phone_server
from shop_screens import shop
from waiting import eventually

from muster_bus.artifact_store import get_artifact
from muster_bus.lease_store import LeaseStore
from muster_bus.run_store import find_verdict, read_entries
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.cloud_events import CloudEvent
from muster_protocol.device_control import PhoneLease
from muster_protocol.requests import DeviceSpec, Exploration, RunRequest, Step, TestCase

WAITING = 8
"""Runs that wait for the busy phone: more than the host has room for."""


def case(phone: str, expected: str, action: str = "Press Enter") -> TestCase:
    device = DeviceSpec(kind="appium", name=phone) if phone else DeviceSpec(kind="screens", definition=SHOP)
    return TestCase(name=f"On {phone}", steps=(Step(action=action, expected=expected),), device=device)


SHOP = (Path(__file__).parents[2] / "examples" / "screens" / "shop.yaml").read_text()
LONG = 'The text "Never" is visible within 120 seconds'
SHORT = 'The page title is "Log in"'


@asynccontextmanager
async def with_phones(
    folder: Path, *names: str, automation: str = "UiAutomator2"
) -> AsyncGenerator[tuple[Fleet, dict[str, PhoneServer]]]:
    with ExitStack() as stack:
        phones = {name: stack.enter_context(phone_server(shop())) for name in names}
        told = {name: {"server": it.url, "capabilities": capabilities(automation)} for name, it in phones.items()}
        file = folder / "phones.json"
        file.write_bytes(codec.encode({"phones": told}))
        async with fleet(folder) as group:
            await group.start("sessions", PHONES=str(file), BROWSER_EXECUTABLE="/nowhere", MAX_SESSIONS="4")
            await group.start("orchestrator", SESSION_WAIT_SECONDS="5")
            for _ in range(2):
                await group.start("subagent")
            yield group, phones


async def started(group: Fleet, job: TestCase) -> str:
    return (await submit(group.bus, RunRequest(job=job))).run


@pytest.mark.slow
async def test_a_busy_phone_holds_up_only_those_who_want_this_one(tmp_path: Path) -> None:
    async with with_phones(tmp_path, "pixel", "galaxy") as (group, phones):
        holder = await started(group, case("pixel", LONG))
        await eventually(lambda: phones["pixel"].session, "the phone is in use")
        waiting = [await started(group, case("pixel", SHORT)) for _ in range(WAITING)]
        for other in ("galaxy", ""):
            verdict = await group.verdict(await started(group, case(other, SHORT)))
            assert verdict.status == "pass", (other, verdict.summary)
        for run in (holder, *waiting):
            assert find_verdict(await read_entries(group.bus, run)) is None


@pytest.mark.slow
async def test_a_leased_phone_is_for_the_runs_of_its_holder_until_it_is_given_back(tmp_path: Path) -> None:
    async with with_phones(tmp_path, "pixel") as (group, _):
        leases = LeaseStore(group.bus)
        wanted = PhoneLease(phone="pixel", holder="run-chat", until=time.time() + 600)
        assert await leases.take(wanted) == wanted
        assert (await leases.take(replace(wanted, holder="run-other"))).holder == "run-chat"
        other = await started(group, case("pixel", SHORT))
        own = case("pixel", SHORT)
        assert own.device is not None
        mine = await started(group, replace(own, device=replace(own.device, lease="run-chat")))
        assert (await group.verdict(mine)).status == "pass"
        assert find_verdict(await read_entries(group.bus, other)) is None
        assert await leases.give_back("pixel", "run-chat")
        assert (await group.verdict(other)).status == "pass"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("automation", "root", "kinds"),
    [
        ("UiAutomator2", "hierarchy", {"android.widget.Button", "android.widget.EditText"}),
        ("XCUITest", "AppiumAUT", {"XCUIElementTypeButton", "XCUIElementTypeTextField"}),
    ],
)
async def test_an_exploration_keeps_the_page_source_of_each_state_in_the_drivers_dialect(
    tmp_path: Path, automation: str, root: str, kinds: set[str]
) -> None:
    async with with_phones(tmp_path, "pixel", automation=automation) as (group, _):
        job = Exploration(device=DeviceSpec(kind="appium", name="pixel"), values=KNOWN, max_steps=14)
        verdict, file = await explored(group, job)
        assert {state.title for state in file.map.states} >= {"Log in", "Products"}, verdict.summary
        for state in file.map.states:
            data = await get_artifact(group.bus, state.source)
            assert data is not None, state
            tree = ElementTree.fromstring(data)
            assert tree.tag == root
        first = await get_artifact(group.bus, file.map.states[0].source)
        assert {node.tag for node in ElementTree.fromstring(first or b"").iter()} >= kinds


@pytest.mark.slow
@pytest.mark.parametrize("what", ["app_crash", "anr", "no_signal", "blackscreen"])
async def test_what_becomes_of_a_phone_is_an_event(tmp_path: Path, what: str) -> None:
    heard: asyncio.Queue[CloudEvent] = asyncio.Queue()

    async def hear(message: Msg) -> None:
        heard.put_nowait(codec.decode(message.data, CloudEvent))

    async with with_phones(tmp_path, "pixel") as (group, phones):
        subject = group.bus.names.live(group.bus.names.cloud_event(f"alert.{what}"))
        await group.bus.nc.subscribe(subject, cb=hear)
        await group.bus.nc.flush()
        pause = what == "blackscreen"  # a picture is taken while nobody uses the phone
        job = case("pixel", SHORT if pause else LONG, "Press Enter and wait 60 seconds" if pause else "Press Enter")
        run = await started(group, job)
        phone = phones["pixel"]
        await eventually(lambda: any("source" in asked.path for asked in phone.asked), "the app is looked at")
        match what:
            case "no_signal":
                phone.away = "Could not proxy: the instrumentation process is not running"
            case "blackscreen":
                phone.black = True
            case _:
                phone.trouble = what.removeprefix("app_")
        async with asyncio.timeout(45):
            told = await heard.get()
        assert (told.type, told.subject) == (f"alert.{what}", run)
        assert told.data == {"run": run, "session": "main", "device": "appium", "name": "pixel"}
