"""What the browser's console has had: errors that the page let escape or wrote, messages, and none of them."""

from driving import User
from served import Site

from muster_protocol.causes import Failure


async def test_a_quiet_page_has_no_errors(do: User, site: Site) -> None:
    await do.open(site.page("<script>console.log('Loaded in 3 ms')</script>"))
    await do.ok("check_console", level="error", absent=True)
    await do.ok("check_console", text="Loaded")
    assert (await do.bad("check_console", text="Loaded", absent=True)).failure == Failure.EXPECTATION_FALSE
    assert (await do.bad("check_console", level="error")).failure == Failure.EXPECTATION_FALSE


async def test_an_icon_that_the_browser_asks_for_is_no_error_of_the_page_and_what_the_page_asks_for_is(
    do: User, site: Site
) -> None:
    await do.open(site.page("<p>Hello</p>"))
    await do.script("fetch('/favicon.ico').then(() => 0)")
    await do.ok("check_console", level="error", absent=True)
    await do.script("fetch('/missing.js').then(() => 0)")
    assert "/missing.js" in (await do.bad("check_console", level="error", absent=True)).text


async def test_what_a_page_lets_escape_is_an_error(do: User, site: Site) -> None:
    await do.open(site.page("<button onclick='nowhere()'>Go</button>"))
    await do.ok("check_console", level="error", absent=True)
    await do.ok("click", element="Go")
    outcome = await do.bad("check_console", level="error", absent=True)
    assert "nowhere is not defined" in outcome.text


async def test_a_warning_is_no_error(do: User, site: Site) -> None:
    await do.open(site.page("<script>console.warn('Deprecated')</script>"))
    await do.ok("check_console", level="error", absent=True)
    await do.bad("check_console", level="warning", absent=True)
    await do.bad("check_console", text="deprecated", absent=True)


async def test_of_messages_that_were_dropped_nobody_can_say_that_there_were_none(do: User, site: Site) -> None:
    await do.open(site.page("<script>for (let i = 0; i < 600; i += 1) console.log(i)</script>"))
    await do.ok("check_console", text="599")
    assert (await do.bad("check_console", level="error", absent=True)).failure == Failure.NO_EVIDENCE


async def test_a_message_that_comes_late_is_waited_for(do: User, site: Site) -> None:
    await do.open(site.page("<script>setTimeout(() => console.log('ready'), 900)</script>"))
    await do.ok("check_console", text="ready")


async def test_of_a_page_that_shows_nothing_that_is_told(do: User, site: Site) -> None:
    await do.open(site.page(""))
    outcome = await do.bad("check_console", level="error", absent=True)
    assert (outcome.failure, outcome.seen) == (Failure.EXPECTATION_FALSE, "the page shows nothing")
