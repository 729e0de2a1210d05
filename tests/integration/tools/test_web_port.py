"""The web through the port itself, as another user than tools would ask it."""

import asyncio
from pathlib import Path

import httpx
import pytest
from driving import User, user_of
from local_session import launched, opened
from playwright.async_api import Page
from served import Site

from muster_devices.actions import (
    Choose,
    CloseWindow,
    DialogOpen,
    Done,
    Enter,
    OpenWindow,
    Point,
    Scope,
    Target,
    Toggle,
)
from muster_devices.device import Device
from muster_devices.errors import DeviceLost, DeviceRefused
from muster_devices.observations import FindElements, ReadPlace, ReadPoint, ReadText, ReadValue, Wait
from muster_devices.web import page_views
from muster_devices.web.page_access import BrowserSession
from muster_devices.web.page_actions import settle
from muster_devices.web.web_device import WebDevice
from muster_protocol.causes import Failure
from muster_protocol.narrowing import Relation
from muster_subagent.tool_context import SessionLost

SETTLED = Wait(settle=2.0)
SHOP = """<h1>Cart</h1><p>Total: 12.00</p><label>Name <input></label>
<label>Size <select><option>S<option value=medium>M</select></label><label><input type=checkbox>Gift</label>
<button onclick="said.textContent = 'first'">Buy</button><button onclick="said.textContent = 'second'">Buy</button>
<button onclick="said.textContent = confirm('Sure?') ? 'yes' : 'no'">Ask</button><p id=said></p>"""


async def shop(user: User, site: Site) -> Device:
    await user.open(site.page(SHOP, "/", "Shop"))
    return await user.session.device()


def test_it_is_what_the_port_asks_for() -> None:
    device: type[Device] = WebDevice
    assert device is WebDevice


async def test_an_action_tells_what_was_done_and_whether_it_was_seen(look: User, site: Site) -> None:
    device = await shop(look, site)
    typed = await device.do(Enter(target=Target(name="Name"), text="Ada"), Scope(), 2.0)
    chosen = await device.do(Choose(target=Target(name="Size"), options=("medium",)), Scope(), 2.0)
    checked = await device.do(Toggle(target=Target(name="Gift")), Scope(), 2.0)
    assert isinstance(typed, Done) and isinstance(chosen, Done) and isinstance(checked, Done)
    assert typed.target is not None and chosen.target is not None and checked.target is not None
    assert (typed.target.value, chosen.target.value, checked.target.states.checked) == ("Ada", "M", True)
    assert typed.confirmed and chosen.confirmed and checked.confirmed
    assert typed.target.box is not None
    assert (typed.place.title, typed.place.status, typed.failure) == ("Shop", 200, None)


@pytest.mark.parametrize(("ordinal", "said"), [(1, "first"), (2, "second"), (-1, "second")])
async def test_an_ordinal_says_which_of_several_is_meant(look: User, site: Site, ordinal: int, said: str) -> None:
    device = await shop(look, site)
    done = await device.do(Point(target=Target(name="Buy", ordinal=ordinal)), Scope(), 2.0)
    assert isinstance(done, Done)
    assert done.changes is not None
    assert done.changes.lines == (said,)


async def test_one_of_several_is_never_guessed(look: User, site: Site) -> None:
    device = await shop(look, site)
    with pytest.raises(DeviceRefused, match="may mean 2 elements") as refused:
        await device.do(Point(target=Target(name="Buy")), Scope(), 0.3)
    assert refused.value.failure == Failure.TARGET_UNCLEAR
    third = await device.look(FindElements(target=Target(name="Buy", ordinal=3)), Wait())
    assert third.total == 0
    with pytest.raises(DeviceRefused, match="next to"):
        await device.do(Point(target=Target(name="Buy", relations=(Relation("next_to", "Total"),))), Scope(), 0.3)


async def test_a_look_tells_the_version_that_it_saw_and_waits_for_a_newer_one(look: User, site: Site) -> None:
    device = await shop(look, site)
    seen = await device.look(ReadText(text="Total"), SETTLED)
    assert "Total: 12.00" in seen.lines
    await look.script("void setTimeout(() => said.textContent = 'late', 100)")
    later = await device.look(ReadText(text="late"), Wait(since=seen.version, change=2.0))
    assert later.version > seen.version
    assert later.sources == ("late",)
    assert [one.value for one in (await device.look(ReadValue(name="Total"), Wait())).values] == ["12.00"]


async def test_the_screen_comes_as_elements_and_as_lines(look: User, site: Site) -> None:
    device = await shop(look, site)
    screen = await device.screen()
    field = next(one for one in screen.elements if one.role == "textbox")
    assert (field.name, field.value) == ("Name", "")
    assert any(f"[ref={field.ref}]" in line for line in screen.lines)
    done = await device.do(Enter(target=Target(ref=field.ref), text="Ada"), Scope(), 2.0)
    assert isinstance(done, Done)
    assert done.confirmed


@pytest.mark.parametrize("what", ["screen", "picture"])
async def test_a_page_whose_frame_goes_away_while_it_is_read_is_read_anew(
    look: User, site: Site, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    frame = site.page("<input type=password value=hunter2><p>One letter</p>", "/letter")
    await look.open(site.page(f"<iframe title=Mail src='{frame}'></iframe>", "/mail"))
    device = await look.session.device()
    asked: list[str] = []

    async def disturbed(browser: BrowserSession, page: Page, seconds: float) -> object:
        after = await settle(browser, page, seconds)
        asked.append(page.url)
        if len(asked) == 1:
            waiting = asyncio.ensure_future(page.frames[1].evaluate("new Promise(() => {})"))
            await page.evaluate("frames[0].location.reload()")
            await waiting
        return after

    monkeypatch.setattr(page_views, "settle", disturbed)
    if what == "picture":
        assert await device.picture(["hunter2"])
    else:
        said = str(await device.screen())
        assert "One letter" in said
        assert "hunter2" not in said
    assert len(asked) == 2


async def test_a_dialog_ends_the_action_and_its_answer_goes_on(do: User, site: Site) -> None:
    device = await shop(do, site)
    outcome = await device.do(Point(target=Target(name="Ask")), Scope(), 2.0)
    assert isinstance(outcome, DialogOpen)
    assert await device.dialog() == outcome.dialog
    with pytest.raises(DeviceRefused, match="waits for an answer"):
        await device.look(ReadPlace(), Wait())
    done = await device.answer(True, "", "call-1")
    assert isinstance(done, Done)
    assert done.changes is not None
    assert done.changes.lines == ("yes",)
    assert await device.dialog() is None


async def test_tabs_are_windows_and_the_last_one_stays(do: User, site: Site) -> None:
    device = await shop(do, site)
    site.page("<h1>Help</h1>", "/help", "Help")
    opened = await device.do(OpenWindow(address="/help"), Scope(), 2.0)
    assert isinstance(opened, Done)
    assert [(one.title, one.current) for one in await device.windows()] == [("Shop", False), ("Help", True)]
    await device.use("1")
    assert (await device.look(ReadPlace(), SETTLED)).place.title == "Shop"
    await device.do(CloseWindow(window="2"), Scope(), 2.0)
    with pytest.raises(DeviceRefused, match="last tab"):
        await device.do(CloseWindow(), Scope(), 2.0)


async def test_a_worker_that_was_shut_out_has_lost_the_device(
    http: httpx.AsyncClient, site: Site, tmp_path: Path
) -> None:
    async with launched() as host, opened(host, tmp_path) as session:  # a browser of its own: nobody else loses theirs
        device = await shop(user_of(session, http), site)
        await host.shut_out()
        with pytest.raises((DeviceLost, SessionLost)):  # the session's own error, where it has heard of it by then
            await device.look(ReadText(), SETTLED)


AT = "position:absolute;left:{0}px;top:40px;width:80px;height:40px"
PLACES = f"""<button style="{AT.format(40)}">Plain</button><canvas style="{AT.format(140)}"></canvas>
<button style="{AT.format(240)}"><canvas width=60 height=20></canvas></button>
<button style="{AT.format(340)}">Below</button><div style="{AT.format(340)};background:white;z-index:2">Over</div>
<img alt="Logo" src="data:," style="{AT.format(440)}"><img alt="" src="data:," style="{AT.format(540)}">
<div id=host style="{AT.format(640)}"></div><iframe srcdoc="<button>In</button>" style="{AT.format(740)}"></iframe>
<p id=said style="margin-top:150px">nothing</p><script>
host.attachShadow({{mode: 'open'}}).innerHTML = '<button style="width:80px;height:40px">Shadow</button>';
document.querySelector('canvas').addEventListener('click', (e) => {{ said.textContent = `${{e.offsetX}},${{e.offsetY}}` }});
</script>"""


async def test_at_a_point_there_is_what_a_person_would_use_or_what_draws_a_picture(look: User, site: Site) -> None:
    await look.open(site.page(PLACES, "/places", "Places"))
    device = await look.session.device()
    found: list[tuple[str | None, bool, bool]] = []
    for x in (80, 180, 280, 380, 480, 580, 680, 780, 1100):
        there = await device.look(ReadPoint(x=x, y=60), SETTLED)
        name = there.element.name if there.element else None
        found.append((name, bool(there.element and there.element.ref), there.drawn is not None))
    assert found == [
        ("Plain", True, False),
        (None, False, True),  # nobody knows what a canvas shows
        ("", True, False),  # the button around one
        (None, False, False),  # what lies over it is nothing to use
        ("Logo", True, False),
        (None, False, True),
        ("Shadow", True, False),
        (None, False, False),  # a frame is not looked into
        (None, False, False),
    ]


async def test_a_point_is_clicked_where_it_is_and_nothing_where_it_has_become_another(look: User, site: Site) -> None:
    await look.open(site.page(PLACES, "/places", "Places"))
    device = await look.session.device()
    done = await device.do(Point(target=Target(ref="@170,50")), Scope(described=True), 2.0)
    assert isinstance(done, Done) and done.touched is not None
    assert (done.touched.native, done.touched.name, done.confirmed) == ("canvas", "", True)
    assert "30,10" in (await device.look(ReadText(), SETTLED)).lines
    for target in (Target(ref="@380,60"), Target(ref="@80,60", name="Other"), Target(ref="@5000,60")):
        with pytest.raises(DeviceRefused, match="there is") as refused:
            await device.do(Point(target=target), Scope(), 2.0)
        assert refused.value.unsent
    with pytest.raises(DeviceRefused, match="only be clicked"):
        await device.do(Point(target=Target(ref="@80,60"), gesture="hover"), Scope(), 2.0)


SOLE = """<main><form><h2>{heading}</h2><div><label>Name <input></label><i></i></div><div><label>Mail <input></label><i></i>
</div><button type=button>Send</button></form>{more}</main>"""
SECOND = "<form><h2>Later</h2><div><label>Day <input></label></div><button type=button>Send</button></form>"


@pytest.mark.parametrize(
    ("page", "sole"),
    [
        (SOLE.format(heading="Join", more=""), True),
        (SOLE.format(heading="Join", more=SECOND), False),
        (SOLE.format(heading="Join", more=SECOND.replace("Send", "Remind me")), True),
        (f"<ul><li>{SOLE.format(heading='Join', more='')}</li><li>Other</li></ul>", False),
        (f"<div class=card>{SOLE.format(heading='Join', more='')}</div>", False),
        (SOLE.format(heading="", more=""), False),
        ("<section><h2>Backpack</h2><button>Details</button> <button>Send</button></section>", False),
    ],
    ids=["a form", "two", "two that differ", "an item", "a card", "no heading", "nothing to enter"],
)
async def test_what_is_in_a_form_of_its_kind_alone_and_called_so_alone_is_told_when_it_is_used(
    look: User, site: Site, page: str, sole: bool
) -> None:
    await look.open(site.page(page, "/sole", "Sole"))
    device = await look.session.device()
    done = await device.do(Point(target=Target(name="Send", ordinal=1)), Scope(described=True), 2.0)
    assert isinstance(done, Done) and done.touched is not None
    assert done.touched.sole is sole


async def test_a_target_that_is_missing_says_that_nothing_was_sent_and_a_toggle_that_stays_does_not(
    look: User, site: Site
) -> None:
    page = """<label><input type=checkbox onclick="return false">Gift</label>"""
    await look.open(site.page(page, "/stays", "Stays"))
    device = await look.session.device()
    missing, stays = Point(target=Target(name="Buy")), Toggle(target=Target(name="Gift"))
    for action, failure, unsent in (
        (missing, Failure.NAME_UNKNOWN, True),
        (stays, Failure.ELEMENT_MISSING, False),
    ):
        with pytest.raises(DeviceRefused) as refused:
            await device.do(action, Scope(), 1.0)
        assert (refused.value.failure, refused.value.unsent) == (failure, unsent)
