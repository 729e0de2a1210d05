"""Nothing is proven by a page that is none of the product: a server's error page, or the browser's own."""

import socket

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArgumentValue

Check = tuple[str, dict[str, ArgumentValue]]

ABSENCES: tuple[Check, ...] = (
    ("check_text", {"text": "Onesie", "absent": True}),
    ("check_text", {"text": "Onesie", "absent": True, "exact": True}),
    ("check_visible", {"element": "Onesie", "absent": True}),
    ("check_count", {"element": "", "role": "button", "count": 0}),
    ("check_count", {"element": "", "role": "button", "count": 3, "comparison": "at_most"}),
    ("check_title", {"title": "Cart", "negate": True}),
    ("wait_for", {"gone": "Onesie"}),
)
PLACES: tuple[Check, ...] = (
    ("check_url", {"url": "/there", "match": "contains"}),
    ("check_title", {"title": "Test"}),
)


@pytest.fixture
def nobody() -> str:
    """An address at which nothing answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/there"


async def led_to(do: User, site: Site, address: str) -> None:
    await do.open(site.page(f"<p>Onesie</p><a href='{address}'>Next</a>", "/first"))
    await do("click", element="Next")


async def test_a_servers_error_page_proves_no_absence_and_no_place(do: User, site: Site) -> None:
    site.page("<h1>Sorry</h1>", "/there", status=500)
    await led_to(do, site, "/there")
    for tool, arguments in (*ABSENCES, *PLACES):
        outcome = await do.bad(tool, **arguments)
        assert (tool, outcome.status, outcome.failure) == (tool, "failed", Failure.SERVER_ERROR)
        assert outcome.seen == "the page answered HTTP 500"
    await do.ok("check_text", text="Sorry")
    await do.ok("check_response", status=500)


async def test_a_page_that_does_not_come_proves_nothing(do: User, site: Site, nobody: str) -> None:
    await led_to(do, site, nobody)
    for tool, arguments in (*ABSENCES, *PLACES):
        outcome = await do.bad(tool, **arguments)
        assert (tool, outcome.status, outcome.failure) == (tool, "failed", Failure.UNREACHABLE)
    outcome = await do.bad("check_text", text="Review")
    assert f"GET {nobody}: net::ERR_CONNECTION_REFUSED" in outcome.seen
    outcome = await do.bad("click", element="Pay")
    assert outcome.failure == Failure.UNREACHABLE


async def test_a_page_that_leads_to_itself_for_ever_is_the_servers_error(do: User, site: Site) -> None:
    site.say("/loop", status=302, headers={"Location": "/loop"})
    await do.open(site.page("<a href=/loop>Next</a>"))
    outcome = await do.ok("click", element="Next")
    assert (outcome.confirmed, outcome.failure) == (False, Failure.SERVER_ERROR)
    for arguments in ({"text": "Onesie"}, {"text": "Onesie", "absent": True}):
        outcome = await do.bad("check_text", **arguments)
        assert outcome.failure == Failure.SERVER_ERROR
        assert "ERR_TOO_MANY_REDIRECTS" in outcome.seen
    assert (await do.bad("browser_navigate", url=f"{site.url}/loop")).failure == Failure.SERVER_ERROR


async def test_nothing_is_missing_from_a_page_that_is_not_there(do: User, site: Site) -> None:
    await led_to(do, site, "/nowhere")
    for tool, arguments in ABSENCES:
        outcome = await do.bad(tool, **arguments)
        assert (tool, outcome.failure) == (tool, Failure.EXPECTATION_FALSE)
        assert outcome.seen == "the page answered HTTP 404"
    assert (await do.bad("check_text", text="Onesie")).seen.endswith("the page answered HTTP 404")
    await do.ok("check_text", text="not found")
    await do.ok("check_url", url="/nowhere", match="ends")


@pytest.mark.parametrize("status", [200, 401, 403, 422])
async def test_something_may_be_missing_from_a_page_that_tells_of_a_mistake(do: User, site: Site, status: int) -> None:
    site.page("<p>The password is wrong</p>", "/there", status=status)
    await led_to(do, site, "/there")
    for tool, arguments in (*ABSENCES, *PLACES):
        await do.ok(tool, **arguments)


async def test_an_empty_tab_proves_no_absence(do: User) -> None:
    assert (await do.bad("check_text", text="Onesie", absent=True)).failure == Failure.UNREACHABLE
    await do.script("document.body.innerHTML = '<p>Print preview</p>'")
    await do.ok("check_text", text="Onesie", absent=True)


async def test_the_document_of_the_current_tab_counts(do: User, site: Site) -> None:
    site.page("<p>Sorry</p>", "/broken", status=500)
    await do.open(site.page("<p>Fine</p>", title="Fine"))
    await do("browser_tab_new", url="/broken")
    await do.bad("check_text", text="Onesie", absent=True)
    await do.ok("browser_tab_switch", tab="Fine")
    await do.ok("check_text", text="Onesie", absent=True)
    await do.ok("browser_tab_switch", tab="broken")
    await do.open(f"{site.url}/")
    await do.ok("back")
    assert (await do.bad("check_text", text="Onesie", absent=True)).failure == Failure.SERVER_ERROR


async def test_a_single_page_app_is_as_well_as_its_document(do: User, site: Site) -> None:
    script = "history.pushState({}, '', '/cart'); fetch('/api')"
    site.say("/api", "{}", status=500)
    await do.open(site.page(f'<button onclick="{script}">Cart</button>'))
    assert (await do.ok("click", element="Cart")).confirmed
    await do.ok("check_text", text="Onesie", absent=True)


async def test_an_action_that_leads_to_an_error_page_is_not_confirmed(do: User, site: Site, nobody: str) -> None:
    site.page("<p>Sorry</p>", "/broken", status=503)
    form = "<form action=/broken method=post><input aria-label=Name><button>Send</button></form>"
    links = f"<a href=/broken>Broken</a><a href={nobody}>Nobody</a><a href=/missing>Missing</a>"
    for tool, arguments, failure in [
        ("click", {"element": "Send"}, Failure.SERVER_ERROR),
        ("press", {"key": "Enter", "element": "Name"}, Failure.SERVER_ERROR),
        ("click", {"element": "Broken"}, Failure.SERVER_ERROR),
        ("click", {"element": "Nobody"}, Failure.UNREACHABLE),
        ("click", {"element": "Missing"}, None),
        ("browser_navigate", {"url": "/broken"}, Failure.SERVER_ERROR),
    ]:
        await do.open(site.page(form + links))
        outcome = await do.ok(tool, **arguments)
        assert (outcome.confirmed, outcome.failure) == (failure is None, failure), arguments
    assert "the page answered HTTP 503" in outcome.text
    outcome = await do.ok("browser_reload")
    assert (outcome.confirmed, outcome.failure) == (False, Failure.SERVER_ERROR)


async def test_an_answer_to_a_dialog_that_leads_to_an_error_page_is_not_confirmed(do: User, site: Site) -> None:
    site.page("<p>Sorry</p>", "/broken", status=500)
    await do.open(site.page("<button onclick=\"if (confirm('Sure?')) location.href = '/broken'\">Remove</button>"))
    await do.ok("click", element="Remove")
    outcome = await do.ok("dialog", accept=True)
    assert (outcome.confirmed, outcome.failure) == (False, Failure.SERVER_ERROR)


async def test_a_page_that_did_not_come_did_not_succeed_whatever_was_there_before(do: User, site: Site) -> None:
    site.page("", "/circle", status=302, headers={"Location": "/circle"})
    await led_to(do, site, "/circle")
    outcome = await do.bad("check_response", status=2, match="class")
    assert outcome.failure == Failure.SERVER_ERROR
    assert "ERR_TOO_MANY_REDIRECTS" in outcome.text


async def test_where_nothing_answers_there_is_no_response(do: User, site: Site, nobody: str) -> None:
    await led_to(do, site, nobody)
    assert (await do.bad("check_response", status=2, match="class")).failure == Failure.UNREACHABLE
