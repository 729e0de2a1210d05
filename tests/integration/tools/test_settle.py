"""Pages that load late: an action is over when what it started is over, and no later."""

import asyncio
from collections.abc import Awaitable
from time import perf_counter
from typing import TypeVar

import pytest
from driving import User
from served import Answer, Gate, Site, later

from muster_devices.web.page_access import PATIENCE
from muster_protocol.causes import Failure

T = TypeVar("T")


async def held(action: Awaitable[T], gate: Gate, seconds: float = 0.3) -> T:
    """Return what an action comes to, once it has been seen to wait for an answer that is held back."""
    task = asyncio.ensure_future(action)
    await asyncio.wait_for(gate.asked.wait(), 10)
    done, _ = await asyncio.wait({task}, timeout=seconds)
    assert not done, task.result()
    gate.opened.set()
    return await task


@pytest.mark.parametrize(
    "load",
    [
        "fetch('/api').then(r => r.json()).then(d => { o.textContent = d.total })",
        "const x = new XMLHttpRequest; x.onload = () => { o.textContent = JSON.parse(x.responseText).total };"
        "x.open('GET', '/api'); x.send()",
        "setTimeout(async () => { o.textContent = (await (await fetch('/api')).json()).total }, 200)",
        "queueMicrotask(() => requestAnimationFrame(() => fetch('/api').then(r => r.text()).then(t => "
        "setTimeout(() => { o.textContent = JSON.parse(t).total }, 100))))",
    ],
)
async def test_a_click_waits_for_what_it_asks_the_server(do: User, site: Site, load: str) -> None:
    site.say("/api", '{"total": "42.00"}')
    gate = site.hold("/api")
    await do.open(
        site.page(
            f'<button onclick="load()">Load</button><p id=o>0.00</p><script>function load() {{ {load} }}</script>'
        )
    )
    outcome = await held(do.ok("click", element="Load"), gate)
    assert "42.00" in outcome.text


async def test_a_total_that_is_stale_at_first_is_read_when_it_is_right(do: User, site: Site) -> None:
    site.say("/total", "49.90", kind="text/plain")
    gate = site.hold("/total")
    body = """<button onclick="n.textContent = 2; fetch('/total').then(r => r.text()).then(t => total.textContent = t)">+</button>
      <span id=n>1</span><dl><dt>Total</dt><dd id=total>24.95</dd></dl>"""
    await do.open(site.page(body))
    await held(do.ok("click", element="+"), gate)
    outcome = await do.ok("remember", name="total", element="Total")
    assert outcome.captured == {"total": "49.90"}


async def test_a_page_is_opened_when_its_script_has_rendered_it(do: User, site: Site) -> None:
    site.say("/data", '["Backpack"]')
    gate = site.hold("/data")
    script = "<main id=m></main><script>fetch('/data').then(r => r.json()).then(d => setTimeout(() => m.innerHTML = d, 300))</script>"
    page = site.page(script)
    await held(do.open(page), gate)
    assert await do.script("m.textContent") == "Backpack"


async def test_a_text_that_must_be_absent_is_looked_for_once_the_page_is_settled(do: User, site: Site) -> None:
    site.say("/error", "Card declined", kind="text/plain")
    gate = site.hold("/error")
    await do.open(site.page("<button>Pay</button><p id=o></p>"))
    await do.script("void fetch('/error').then(r => r.text()).then(t => o.textContent = t)")
    outcome = await held(do("check_text", text="declined", absent=True), gate)
    assert (outcome.status, outcome.seen) == ("failed", '"Card declined"')


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("check_text", {"text": "declined", "absent": True}),
        ("check_visible", {"element": "Card declined", "absent": True}),
        ("check_count", {"element": "", "role": "paragraph", "count": 1, "comparison": "at_most"}),
    ],
)
async def test_what_must_be_absent_waits_for_an_answer_that_the_action_did_not(
    do: User, site: Site, tool: str, arguments: dict[str, str | bool | int]
) -> None:
    site.say("/pay", "Card declined", kind="text/plain")
    gate = site.hold("/pay")
    ask = (
        "fetch('/pay', {method: 'POST'}).then(r => r.text()).then(t => b.insertAdjacentHTML('afterend', `<p>${t}</p>`))"
    )
    await do.open(site.page(f'<p>Cart</p><button id=b onclick="{ask}">Pay</button>'))
    do.ctx.action_timeout = 3.0  # a second is too short for a click on a busy machine
    outcome = await do.ok("click", element="Pay")
    assert "Still loading" in outcome.text
    assert (await held(do(tool, **arguments), gate)).status == "failed"


async def test_an_answer_that_never_comes_does_not_hold_an_absence_up_for_ever(do: User, site: Site) -> None:
    site.say("/pay", "x")
    site.hold("/pay")
    await do.open(site.page("<button onclick=\"fetch('/pay')\">Pay</button>"))
    do.ctx.action_timeout = 3.0
    await do.ok("click", element="Pay")
    do.ctx.action_timeout = 1.0
    assert (await do.ok("check_text", text="declined", absent=True)).duration_ms < 4000


async def test_a_redirect_chain_is_followed_to_its_end(do: User, site: Site) -> None:
    site.say("/one", status=302, headers={"Location": "/two"})
    site.page("<script>location.replace('/three')</script>", "/two", "Passing through")
    site.page("<meta http-equiv=refresh content='0; url=/four'>", "/three", "Still passing")
    site.page("<h1>Arrived</h1>", "/four", "End")
    await do.open(site.page("<a href=/one>Go</a>"))
    outcome = await do.ok("click", element="Go")
    assert f'The page is now "End" at {site.url}/four' in outcome.text
    outcome = await do.open(f"{site.url}/one")
    assert f"{site.url}/four" in outcome.text


async def test_a_refresh_that_is_due_soon_is_waited_for_and_a_later_one_is_not(do: User, site: Site) -> None:
    site.page("<meta http-equiv=refresh content='1; url=/end'>", "/passing", "Still passing")
    site.page("<h1>Arrived</h1><meta http-equiv=refresh content='60; url=/passing'>", "/end", "End")
    outcome = await do.open(f"{site.url}/passing")
    assert f'The page is now "End" at {site.url}/end' in outcome.text
    assert (await do.ok("check_text", text="Arrived")).duration_ms < 1000


async def test_a_navigation_that_a_script_starts_later_is_waited_for(do: User, site: Site) -> None:
    site.say("/login", '{"ok": true}')
    site.page("<h1>Welcome</h1>", "/home", "Home")
    gate = site.hold("/home")
    script = (
        "async function login() { await (await fetch('/login', {method: 'POST'})).json(); location.href = '/home' }"
    )
    await do.open(site.page(f'<button onclick="login()">Log in</button><script>{script}</script>'))
    outcome = await held(do.ok("click", element="Log in"), gate)
    assert 'The page is now "Home"' in outcome.text


@pytest.mark.parametrize(
    "answer",
    [Answer(status=204), Answer("x", headers={"Content-Disposition": "attachment; filename=a.txt"})],
    ids=["no content", "a download"],
)
async def test_a_navigation_that_brings_no_page_is_waited_for_until_it_is_answered(
    do: User, site: Site, answer: Answer
) -> None:
    site.answers["/nothing"] = answer
    gate = site.hold("/nothing")
    site.say("/first", status=302, headers={"Location": "/nothing"})
    await do.open(site.page("<button onclick=\"setTimeout(() => { location.href = '/first#top' }, 300)\">Go</button>"))
    outcome = await held(do.ok("click", element="Go"), gate)
    assert outcome.duration_ms < 2000 * PATIENCE / 2
    assert "Still loading" not in outcome.text


async def test_a_form_is_sent_exactly_once_though_the_answer_is_slow(do: User, site: Site) -> None:
    site.page("<h1>Thank you</h1>", "/order", "Ordered")
    gate = site.hold("/order")
    await do.open(site.page("<form action=/order method=post><button>Order</button></form>"))
    await held(do.ok("click", element="Order"), gate)
    await do.ok("check_text", text="Thank you")
    assert site.count("/order") == 1


async def test_a_button_that_is_enabled_late_is_waited_for(do: User, site: Site) -> None:
    script = later("b.disabled = false")
    await do.open(site.page(f"<button id=b disabled onclick=\"document.title='hit'\">Next</button>{script}"))
    await do.ok("click", element="Next")
    assert await do.script("document.title") == "hit"


async def test_a_moving_button_is_hit_once_it_stands_still(do: User, site: Site) -> None:
    style = "<style>button{position:absolute;left:300px;animation:in .6s} @keyframes in{from{left:0}}</style>"
    await do.open(site.page(f"{style}<button onclick=\"document.title += '!'\">Catch me</button>"))
    await do.ok("click", element="Catch me")
    assert await do.script("document.title") == "Test!"


async def test_a_button_that_never_stands_still_is_blamed_for_moving(do: User, site: Site) -> None:
    move = "function move() { b.style.left = `${x = (x + 7) % 300}px`; requestAnimationFrame(move) }"  # in every frame
    await do.open(
        site.page(f"<button id=b style=position:absolute>Catch me</button><script>let x = 0; {move} move()</script>")
    )
    outcome = await do.bad("click", element="Catch me")
    assert outcome.failure == Failure.ELEMENT_MISSING
    assert outcome.text == 'button "Catch me" could not be used in time: it was moving'


async def test_an_element_that_is_rendered_anew_all_the_time_is_still_clicked(do: User, site: Site) -> None:
    script = "<div id=d></div><script>function draw() { d.innerHTML = `<button onclick=\"document.title='hit'\">Buy</button>` }"
    await do.open(site.page(f"{script} draw(); setInterval(draw, 150)</script>"))
    await do.ok("click", element="Buy")
    assert await do.script("document.title") == "hit"


async def test_an_alert_that_fades_out_is_seen_to_be_gone(do: User, site: Site) -> None:
    await do.open(site.page("<p id=p>Saved</p>" + later("p.remove()")))
    await do.ok("check_text", text="Saved", absent=True)


async def test_nothing_pending_costs_no_waiting(do: User, site: Site) -> None:
    await do.open(site.page("<input aria-label=A><button onclick=\"this.textContent += '.'\">B</button>"))
    page = await do.session.page()
    fastest = min([await settled_ms(page.evaluate("window.__muster.after({timeout: 2000})")) for _ in range(5)])
    plain = min([await settled_ms(page.evaluate("1")) for _ in range(5)])
    assert fastest < plain + 30


async def settled_ms(work: Awaitable[object]) -> float:
    """Return how long something takes, in ms."""
    start = perf_counter()
    await work
    return (perf_counter() - start) * 1000


@pytest.mark.slow
@pytest.mark.parametrize(
    "endless",
    [
        "function tick() { c.textContent++; setTimeout(tick, 50) } tick()",
        "function tick() { c.textContent++; requestAnimationFrame(tick) } tick()",
        "setInterval(() => fetch('/poll'), 40)",
        "async function poll() { await fetch('/never'); poll() } poll()",
        "async function poll() { c.textContent = (await (await fetch('/poll')).text()).length + c.textContent++; poll() } poll()",
    ],
)
async def test_a_page_that_never_rests_holds_nobody_up_for_long(do: User, site: Site, endless: str) -> None:
    site.say("/poll", "{}")
    site.say("/never", "{}")
    site.hold("/never")
    await do.open(
        site.page(f"<p id=c>0</p><button onclick=\"document.title += '!'\">Go</button><script>{endless}</script>")
    )
    for expected in ("Test!", "Test!!"):
        outcome = await do.ok("click", element="Go")
        assert outcome.duration_ms < 8000  # a page that is waited for as long as it may take costs 30 s
        assert await do.script("document.title") == expected
    assert (await do.ok("check_text", text="nothing like it", absent=True)).duration_ms < 4000


async def test_a_document_without_the_script_is_read_and_used_all_the_same(do: User, site: Site) -> None:
    await do.open(site.page("x"))
    page = await do.session.page()
    await page.goto("about:blank")
    await page.evaluate("delete window.__muster; document.body.innerHTML = '<input aria-label=A><button>B</button>'")
    await do.ok("type", element="A", text="typed")
    await page.evaluate("delete window.__muster")
    await do.ok("check_value", element="A", value="typed")


async def test_a_strict_content_security_policy_changes_nothing(do: User, site: Site) -> None:
    policy = {"Content-Security-Policy": "default-src 'none'"}
    await do.open(site.page("<input aria-label=A><a href=#b>B</a>", headers=policy))
    assert (await do.ok("type", element="A", text="typed")).confirmed
    assert (await do.ok("click", element="B")).confirmed
