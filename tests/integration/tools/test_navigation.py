"""Going somewhere: pages, tabs, and where one may not go."""

import socket

from driving import User
from served import Site

from muster_protocol.causes import Failure


async def test_opening_a_page_tells_its_title_and_is_confirmed(do: User, site: Site) -> None:
    outcome = await do.open(site.page("<h1>Welcome</h1>", title="Shop"))
    assert outcome.confirmed
    assert outcome.text == f'Opened {site.url}/. The page is now "Shop" at {site.url}/. It shows "Welcome".'


async def test_an_address_without_host_or_scheme_is_completed(do: User, site: Site) -> None:
    site.page("<h1>Cart</h1>", "/cart", "Cart")
    await do.open(site.page("x"))
    await do.ok("browser_navigate", url="/cart")
    await do.ok("check_url", url="/cart", match="ends")
    await do.ok("browser_navigate", url=site.url.removeprefix("http://"))
    await do.ok("check_url", url=site.url)


async def test_a_host_that_does_not_answer_is_unreachable(do: User, site: Site) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    outcome = await do.bad("browser_navigate", url=f"http://127.0.0.1:{port}/")
    assert (outcome.status, outcome.failure) == ("error", Failure.UNREACHABLE)
    assert outcome.text == f"http://127.0.0.1:{port}/ cannot be reached: connection refused"
    await do.open(site.page("x"))


async def test_a_page_with_an_error_status_is_opened_but_not_confirmed(do: User, site: Site) -> None:
    outcome = await do.open(site.page("<h1>Oops</h1>", "/broken", status=500))
    assert not outcome.confirmed
    assert "The server answered HTTP 500." in outcome.text
    await do.ok("check_response", status=500)
    check = await do.bad("check_text", text="Welcome")
    assert (check.status, check.failure) == ("failed", Failure.SERVER_ERROR)
    assert "the page answered HTTP 500" in check.seen


async def test_no_web_address_is_refused(do: User) -> None:
    for url in ("file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"):
        outcome = await do.bad("browser_navigate", url=url)
        assert outcome.failure == Failure.INVALID_CALL
        assert "is not a web address" in outcome.text


async def test_a_download_is_no_page(do: User, site: Site) -> None:
    site.say("/file", "a,b", kind="text/csv", headers={"Content-Disposition": "attachment; filename=a.csv"})
    outcome = await do.bad("browser_navigate", url=f"{site.url}/file")
    assert outcome.failure == Failure.INVALID_CALL
    assert "a download, not a page: download it with the link to it" in outcome.text


async def test_back_forward_and_reload_go_where_the_buttons_go(do: User, site: Site) -> None:
    first, second = site.page("<h1>One</h1>", "/1", "One"), site.page("<h1>Two</h1>", "/2", "Two")
    await do.open(first)
    await do.open(second)
    assert '"One"' in (await do.ok("back")).text
    assert '"Two"' in (await do.ok("browser_forward")).text
    assert not (await do.ok("browser_forward")).confirmed
    before = site.count("/2")
    assert (await do.ok("browser_reload")).confirmed
    assert site.count("/2") == before + 1


async def test_only_allowed_hosts_are_reached(do: User, site: Site) -> None:
    do.ctx.domains = ("127.0.0.1",)
    do.session.allow("127.0.0.1")
    await do.open(site.page(f"<a href={site.url.replace('127.0.0.1', 'localhost')}/away>Away</a>"))
    for tool, arguments in [
        ("browser_navigate", {"url": "http://localhost/"}),
        ("browser_tab_new", {"url": "http://x.test/"}),
    ]:
        outcome = await do.bad(tool, **arguments)
        assert outcome.failure == Failure.INVALID_CALL
        assert "is not among the allowed hosts (127.0.0.1)" in outcome.text
    outcome = await do.bad("http_request", method="GET", url="http://localhost/")
    assert "allowed hosts" in outcome.text
    outcome = await do.bad("click", element="Away")
    assert "the action was done, but it led outside: localhost:" in outcome.text
    outcome = await do.bad("check_text", text="not found")
    assert "the page has left the allowed hosts" in outcome.text
    await do.ok("back")
    await do.ok("check_visible", element="Away")


async def test_tabs_are_listed_switched_to_and_closed(do: User, site: Site) -> None:
    await do.open(site.page("<h1>Main</h1>", title="Main"))
    site.page("<h1>Help</h1>", "/help", "Help")
    outcome = await do.ok("browser_tab_new", url="/help")
    assert f"Opened {site.url}/help in a new tab" in outcome.text
    outcome = await do.ok("browser_tabs")
    assert outcome.text == f'  1. "Main" {site.url}/\n* 2. "Help" {site.url}/help'
    await do.ok("browser_tab_switch", tab="1")
    await do.ok("check_title", title="Main")
    await do.ok("browser_tab_switch", tab="help")
    await do.ok("check_text", text="Help")
    outcome = await do.bad("browser_tab_switch", tab="Invoice")
    assert 'no tab is "Invoice"; open tabs: 1. "Main"' in outcome.text
    await do.ok("browser_tab_switch", tab="1")
    await do.ok("browser_tab_switch", tab="-1")
    await do.ok("check_title", title="Help")
    await do.ok("browser_tab_close")
    await do.ok("check_title", title="Main")
    for tab in ("-1", site.url[-1] if site.url[-1] != "1" else "127"):  # the address has such digits
        outcome = await do.bad("browser_tab_switch", tab=tab)
        assert "no tab is" in outcome.text
    outcome = await do.bad("browser_tab_close")
    assert "this is the last tab" in outcome.text
