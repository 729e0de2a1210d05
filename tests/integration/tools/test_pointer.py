"""Clicking, hovering, scrolling and keys, on a real page."""

import asyncio

import pytest
from driving import User
from served import Site, later

from muster_protocol.causes import Failure


async def test_a_click_reports_what_changed(look: User, site: Site) -> None:
    await look.open(site.page("<button onclick=\"this.after('Added to cart')\">Add</button>"))
    outcome = await look.ok("click", element="Add")
    assert outcome.confirmed
    assert 'Clicked button "Add"' in outcome.text
    assert "Added to cart" in outcome.text


async def test_a_click_that_changes_nothing_is_not_confirmed(look: User, site: Site) -> None:
    await look.open(site.page("<button>Idle</button>"))
    outcome = await look.ok("click", element="Idle")
    assert not outcome.confirmed
    assert "Nothing on the page was seen to change" in outcome.text


async def test_a_click_on_a_link_names_the_new_page(look: User, site: Site) -> None:
    site.page("<h1>Products</h1>", "/products", "All products")
    await look.open(site.page("<a href=/products>Shop</a>"))
    outcome = await look.ok("click", element="Shop", role="link")
    assert outcome.confirmed
    assert f'The page is now "All products" at {site.url}/products' in outcome.text
    assert outcome.where == f"{site.url}/products"


async def test_a_click_that_toggles_a_state_is_confirmed(look: User, site: Site) -> None:
    await look.open(site.page("<button onclick=\"this.ariaPressed='true'\">Bold</button>"))
    assert (await look.ok("click", element="Bold")).confirmed


async def test_a_click_that_only_sends_a_request_is_confirmed(do: User, site: Site) -> None:
    site.say("/ping", "{}")
    await do.open(site.page("<button onclick=\"fetch('/ping')\">Ping</button>"))
    assert (await do.ok("click", element="Ping")).confirmed
    assert site.count("/ping") == 1


async def test_a_click_waits_for_a_target_that_is_not_there_yet(do: User, site: Site) -> None:
    button = "<button onclick=\"document.title='Done'\">Late</button>"
    await do.open(site.page(later(f"document.body.insertAdjacentHTML('beforeend', `{button}`)")))
    await do.ok("click", element="Late")
    await do.ok("check_title", title="Done")


async def test_a_missing_target_names_what_is_most_like_it(look: User, site: Site) -> None:
    await look.open(site.page("<button>Log in</button><a href=/x>Register</a>"))
    outcome = await look.bad("click", element="Login now", role="button")
    assert (outcome.status, outcome.failure) == ("error", Failure.NAME_UNKNOWN)
    assert outcome.text.startswith('there is no button "Login now" on the page; closest: button "Log in"')
    assert outcome.where == f"{site.url}/"


async def test_a_click_on_a_covered_button_names_the_cover(look: User, site: Site) -> None:
    cover = "<div role=dialog aria-label='Cookie banner' style='position:fixed;inset:0;background:#eee'>Accept?</div>"
    await look.open(site.page(f"<button onclick=\"document.title='hit'\">Buy</button>{cover}"))
    outcome = await look.bad("click", element="Buy")
    assert outcome.failure == Failure.ELEMENT_MISSING
    assert 'button "Buy" is covered by dialog "Cookie banner"' in outcome.text
    assert await look.script("document.title") == "Test"


async def test_a_click_on_a_disabled_button_says_so(look: User, site: Site) -> None:
    await look.open(site.page("<button disabled>Pay</button>"))
    outcome = await look.bad("click", element="Pay")
    assert outcome.text == 'button "Pay" is disabled'


async def test_a_click_on_a_hidden_button_says_so(look: User, site: Site) -> None:
    await look.open(site.page("<button style='display:none'>Ghost</button>"))
    outcome = await look.bad("click", element="Ghost")
    assert outcome.text == 'button "Ghost" is on the page, but hidden'


async def test_double_and_right_clicks_are_what_the_page_sees(look: User, site: Site) -> None:
    seen = "<p id=o></p><script>for (const e of ['dblclick','contextmenu']) "
    seen += "addEventListener(e, () => o.textContent += e + ' ')</script>"
    await look.open(site.page(f"<div onclick='' style='cursor:pointer'>Backpack</div>{seen}"))
    await look.ok("double_click", element="Backpack")
    await look.ok("browser_right_click", element="Backpack")
    assert await look.script("o.textContent") == "dblclick contextmenu "


async def test_hovering_shows_the_menu(look: User, site: Site) -> None:
    style = "<style>#m{display:none} #a:hover #m{display:block}</style>"
    await look.open(site.page(f"{style}<div id=a>Account<div id=m><a href=/out>Log out</a></div></div>"))
    await look.ok("hover", element="Account")
    await look.ok("check_visible", element="Log out", role="link")


async def test_a_key_goes_to_the_named_field(do: User, site: Site) -> None:
    site.page("<h1>Results</h1>", "/find", "Results")
    await do.open(site.page("<form action=/find><input aria-label=Search name=q></form>"))
    await do.ok("type", element="Search", text="bag")
    outcome = await do.ok("press", key="Enter", element="Search")
    assert outcome.confirmed
    await do.ok("check_url", url=f"{site.url}/find?q=bag")


async def test_a_key_goes_to_whatever_has_the_focus(do: User, site: Site) -> None:
    await do.open(site.page("<p id=o></p><script>addEventListener('keydown', e => o.textContent = e.key)</script>"))
    outcome = await do.ok("press", key="esc")
    assert await do.script("o.textContent") == "Escape"
    assert outcome.text.startswith("Pressed Escape.")


async def test_an_unknown_key_says_which_there_are(look: User, site: Site) -> None:
    await look.open(site.page("x"))
    outcome = await look.bad("press", key="Any")
    assert outcome.failure == Failure.INVALID_CALL
    assert "there is no key 'Any'" in outcome.text


async def test_scrolling_moves_the_page_and_says_when_there_is_no_more(do: User, site: Site) -> None:
    await do.open(site.page("<div style='height:3000px'>tall</div><h2>Reviews</h2>"))
    assert (await do.ok("scroll")).confirmed
    assert int(str(await do.script("scrollY"))) > 100
    await do.ok("scroll", direction="top")
    assert await do.script("scrollY") == 0
    assert "nothing more to scroll" in (await do.ok("scroll", direction="up")).text
    await do.ok("scroll", element="Reviews", role="heading")
    assert int(str(await do.script("scrollY"))) > 1000


@pytest.mark.parametrize(
    "way", ["<a href=/new target=_blank>Terms</a>", "<button onclick=\"window.open('/new')\">Terms</button>"]
)
async def test_a_tab_that_a_click_opens_becomes_the_current_one(do: User, site: Site, way: str) -> None:
    site.page("<h1>All terms</h1>", "/new", "Terms of use")
    await do.open(site.page(way))
    outcome = await do.ok("click", element="Terms")
    assert f'A new tab opened and is the current one: "Terms of use" at {site.url}/new' in outcome.text
    await do.ok("check_text", text="All terms")


async def test_a_click_that_closes_its_own_tab_goes_on_in_the_other(do: User, site: Site) -> None:
    site.page("<button onclick='window.close()'>Close me</button>", "/new", "Popup")
    await do.open(site.page("<button onclick=\"window.open('/new')\">Open</button>", title="Main"))
    await do.ok("click", element="Open")
    outcome = await do.ok("click", element="Close me")
    assert 'The tab closed; the current one is "Main"' in outcome.text
    await do.ok("check_title", title="Main")


@pytest.mark.slow
async def test_a_click_that_was_sent_is_never_sent_again(do: User, site: Site) -> None:
    site.page("<h1>Paid</h1>", "/pay", "Paid")
    gate = site.hold("/pay")
    await do.open(site.page("<form action=/pay method=post><button>Pay</button></form>"))
    do.ctx.action_timeout = 2.0
    outcome = await do.bad("click", element="Pay")
    assert outcome.failure == Failure.UNREACHABLE
    assert outcome.text.startswith("it was done, once, and is not repeated")
    gate.opened.set()
    do.ctx.action_timeout = 2.0
    await do.ok("check_title", title="Paid")
    assert site.count("/pay") == 1


async def test_a_page_that_answers_late_is_waited_for(do: User, site: Site) -> None:
    site.page("<h1>Paid</h1>", "/pay", "Paid")
    gate = site.hold("/pay")
    await do.open(site.page("<form action=/pay method=post><button>Pay</button></form>"))
    do.ctx.action_timeout = 2.0
    click = asyncio.create_task(do.ok("click", element="Pay"))
    await gate.asked.wait()
    done, _ = await asyncio.wait({click}, timeout=2.4)
    assert not done
    gate.opened.set()
    outcome = await click
    assert outcome.confirmed
    assert f'The page is now "Paid" at {site.url}/pay.' in outcome.text
    assert site.count("/pay") == 1


async def test_an_act_says_by_what_its_element_was_found(do: User, site: Site) -> None:
    await do.open(site.page("<button>Save</button><button>Save as draft</button><a href='#x'>Read <b>more</b></a>"))
    told = [(await do.ok("click", element=name)).strategy for name in ("Save", "as draft", "more")]
    assert told == ["name", "words", "name"]
    assert 'closest: link "Read more"' in (await do.bad("click", element="Rea")).text  # "Save" is not "Saved searches"


SHAPE = "<rect x=5 y=5 width=150 height=90 fill='#dfd' onclick=\"document.querySelector('p').textContent='Chose A12'\"></rect>"


async def test_a_label_that_lets_clicks_through_is_clicked_by_the_shape_below_it(look: User, site: Site) -> None:
    label = "<text x=20 y=30 style='pointer-events:none'>A12</text>"
    await look.open(
        site.page(f"<p></p><div style='height:3000px'></div><svg width=300 height=100>{SHAPE}{label}</svg>")
    )
    assert (await look.ok("click", element="A12")).confirmed
    await look.ok("check_text", text="Chose A12")


@pytest.mark.parametrize(
    "body",
    [
        f"<p></p><svg width=300 height=100>{SHAPE}<text x=20 y=30 style='pointer-events:none'>A12</text></svg>"
        "<div style='position:fixed;inset:0;background:white'>Wait</div>",
        "<div style='position:relative' onclick=\"document.title='hit'\"><i style='position:absolute;inset:0'></i>"
        "<button style='pointer-events:none;position:relative'>A12</button></div>",
        "<div style='padding:20px'><button style='pointer-events:none'>A12</button></div>",
    ],
    ids=["covered", "a control that cannot be used", "a button that nothing around it stands for"],
)
async def test_what_lets_clicks_through_is_not_clicked_where_nobody_would(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    await look.bad("click", element="A12")
    await look.ok("check_text", text="Chose A12", absent=True)


async def test_another_order_is_a_change(look: User, site: Site) -> None:
    body = "<button onclick=\"const l=document.querySelector('ul');l.append(l.firstChild)\">Sort</button><ul><li>Ann</li><li>Bo</li></ul>"
    await look.open(site.page(body))
    outcome = await look.ok("click", element="Sort")
    assert outcome.confirmed
    assert "stands in another order" in outcome.text
