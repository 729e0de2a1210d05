"""What a tester's words mean on a page: which element, and what is said when that is not clear."""

import asyncio

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

SHOP = """
<header><a href=/cart>Cart</a></header>
<main><h1>Products</h1><div class=list>
 <div class=card><div class=title>Backpack</div><p>A bag</p><div><span>$29.99</span><button onclick="hit('a')">Add</button></div></div>
 <div class=card><div class=title>Bike Light</div><p>A light</p><div><span>$9.99</span><button onclick="hit('b')">Add</button></div></div>
 <div class=card><div class=title>Onesie</div><p>For Backpack lovers</p><div><span>$7.99</span><b>Sold out</b></div></div>
</div></main><p id=o></p><script>function hit(w) { o.textContent += w }</script>"""


def hit(name: str) -> str:
    """Return what an element does so that a click on it can be seen."""
    return f"onclick=\"document.title='{name}'\""


@pytest.mark.parametrize(
    ("body", "words", "expected"),
    [
        (f"<button {hit('ok')}>Log in</button><button>Log in with Google</button>", {"element": "Log in"}, "ok"),
        (f"<h2>Login</h2><button {hit('ok')}>Login</button>", {"element": "login"}, "ok"),
        (f"<button>Save</button><a href=# {hit('ok')}>Save</a>", {"element": "Save", "role": "link"}, "ok"),
        (f"<a href=# {hit('ok')}><img alt=Home src=data:,></a>", {"element": "Home"}, "ok"),
        (f"<button {hit('ok')} aria-label=Close>×</button>", {"element": "Close"}, "ok"),
        (f"<button {hit('ok')}><svg width=9 height=9><title>Menu</title></svg></button>", {"element": "Menu"}, "ok"),
        (f"<button {hit('ok')} title=Bold>B</button>", {"element": "Bold"}, "ok"),
        (f"<div {hit('ok')} data-testid=add-to-cart>+</div>", {"element": "add-to-cart"}, "ok"),
        (f"<input type=submit value='Send it' {hit('ok')}>", {"element": "Send it", "role": "button"}, "ok"),
        (f"<button {hit('ok')}><b>Add</b> <i>to cart</i></button>", {"element": "Add to cart"}, "ok"),
        (f"<button {hit('ok')}>  Add\n to   cart </button>", {"element": "Add to cart"}, "ok"),
        (f"<button style=display:none>Go</button><button {hit('ok')}>Go</button>", {"element": "Go"}, "ok"),
        (f"<a href=# {hit('ok')}>Login</a>", {"element": "Login", "role": "button"}, "ok"),
        (f"<div role=button tabindex=0 {hit('ok')}>Div</div>", {"element": "Div", "role": "button"}, "ok"),
        (f"<button {hit('ok')}>It's >> \"odd\" \\ 100%</button>", {"element": "It's >> \"odd\" \\ 100%"}, "ok"),
        (f"<button {hit('ok')} style='text-transform:uppercase'>Checkout</button>", {"element": "Checkout"}, "ok"),
        (f"<label>Terms <input type=checkbox {hit('ok')}></label>", {"element": "Terms"}, "ok"),
        (f"<div onclick='' style='cursor:pointer'><span {hit('ok')}>Card</span></div>", {"element": "Card"}, "ok"),
        (f"<p>Delete</p><button {hit('ok')}>Delete all</button>", {"element": "Delete", "role": "button"}, "ok"),
        (f"<button {hit('ok')}>Cart (2)</button><button>Add to cart</button>", {"element": "Cart"}, "ok"),
        (f"<button {hit('ok')} aria-labelledby=l>x</button><span id=l>Named</span>", {"element": "Named"}, "ok"),
    ],
)  # fmt: skip
async def test_a_name_means_the_element_that_a_person_would_use(
    look: User, site: Site, body: str, words: dict[str, str], expected: str
) -> None:
    await look.open(site.page(body))
    await look.ok("click", **words)
    assert await look.script("document.title") == expected


async def test_a_click_in_a_shadow_tree_is_found(look: User, site: Site) -> None:
    script = """<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement {
      connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<button>Inside</button>';
      this.shadowRoot.firstChild.onclick = () => document.title = 'ok' } })</script>"""
    await look.open(site.page(script))
    await look.ok("click", element="Inside")
    assert await look.script("document.title") == "ok"
    await look.ok("check_text", text="Inside")


async def test_an_element_in_a_frame_is_found_typed_into_and_checked(do: User, site: Site) -> None:
    site.page("<input aria-label=Card><button onclick=\"this.after('Saved')\">Save card</button>", "/frame")
    await do.open(site.page("<h1>Pay</h1><iframe src=/frame></iframe>"))
    outcome = await do.ok("type", element="Card", text="4711")
    assert outcome.confirmed
    await do.ok("check_value", element="Card", value="4711")
    outcome = await do.ok("click", element="Save card")
    await do.ok("check_text", text="Saved")
    assert (await do.bad("click", element="Save cart")).failure == Failure.NAME_UNKNOWN


async def test_a_frame_is_a_place_by_its_title(look: User, site: Site) -> None:
    frame = '<iframe title={0} srcdoc="<p>{0} text</p><label>Name <input></label>"></iframe>'
    await look.open(site.page(frame.format("Preview") + frame.format("Ads")))
    await look.ok("type", element="Name", text="Ada", within="Ads")
    await look.ok("check_value", element="Name", value="Ada", within="Ads")
    await look.ok("check_state", element="Name", state="empty", within="Preview")
    await look.ok("check_text", text="Preview text", within="Preview")
    await look.ok("check_text", text="Ads text", within="Preview", absent=True)
    assert (await look.bad("check_text", text="Ads text", within="Preview")).failure == Failure.EXPECTATION_FALSE
    missing = await look.bad("check_text", text="Ads text", within="Previews", absent=True)
    assert missing.failure == Failure.NAME_UNKNOWN


async def test_within_takes_the_card_that_the_text_names(look: User, site: Site) -> None:
    await look.open(site.page(SHOP))
    await look.ok("click", element="Add", within="Bike Light")
    assert await look.script("o.textContent") == "b"


async def test_within_never_takes_the_neighbour_of_what_it_names(look: User, site: Site) -> None:
    await look.open(site.page(SHOP))
    outcome = await look.bad("click", element="Add", within="Onesie")
    assert outcome.failure == Failure.NAME_UNKNOWN
    assert 'there is no "Add" in "Onesie" on the page' in outcome.text
    assert (await look.bad("check_text", text="Sold out", within="Backpack")).status == "failed"
    await look.ok("check_text", text="Sold out", within="Onesie")
    await look.ok("check_text", text="Sold out", within="Backpack", absent=True)


@pytest.mark.parametrize(
    ("body", "within"),
    [
        ("<table><tr><td>Bag</td><td><button {a}>X</button></td></tr><tr><td>Hat</td><td><button {b}>X</button></td></tr></table>", "Hat"),
        ("<ul><li>Bag <button {a}>X</button></li><li>Hat <button {b}>X</button></li></ul>", "Hat"),
        ("<fieldset><legend>Bag</legend><button {a}>X</button></fieldset><fieldset><legend>Hat</legend><button {b}>X</button></fieldset>", "Hat"),
        ("<section aria-label=Bag><button {a}>X</button></section><section aria-label=Hat><button {b}>X</button></section>", "Hat"),
        ("<h2>Bag</h2><p>one</p><button {a}>X</button><h2>Hat</h2><p>two</p><button {b}>X</button>", "Hat"),
        ("<div><div><b>Bag</b></div><div><button {a}>X</button></div></div><div><div><b>Hat</b></div><div><button {b}>X</button></div></div>", "Hat"),
        ("<button {a}>X</button><dialog open><h2>Hat</h2><button {b}>X</button></dialog>", "Hat"),
        ("<section><header><h2>Bag</h2></header><button {a}>X</button></section><section><header><h2>Hat</h2></header><button {b}>X</button></section>", "Hat"),
        ("<nav><button {a}>X</button></nav><footer><button {b}>X</button></footer>", "contentinfo"),
        ("<button {a}>X</button><x-a></x-a><script>document.querySelector('x-a').attachShadow({{mode:'open'}}).innerHTML="
         "`<footer><button {b}>X</button></footer>`</script>", "contentinfo"),
    ],
)  # fmt: skip
async def test_within_knows_rows_items_sections_headings_and_dialogs(
    look: User, site: Site, body: str, within: str
) -> None:
    await look.open(site.page(body.format(a=hit("bag"), b=hit("hat"))))
    await look.ok("click", element="X", within=within)
    assert await look.script("document.title") == "hat"


async def test_a_part_of_a_word_of_the_heading_does_not_stand_for_the_page(look: User, site: Site) -> None:
    await look.open(site.page("<h1>todos</h1><p>Buy milk</p><ul><li>Buy bread</ul>"))
    for within in ("todo", "odos"):
        assert (await look.bad("check_text", text="Buy milk", within=within)).failure == Failure.NAME_UNKNOWN
    await look.ok("check_text", text="Buy milk", within="todos")


async def test_a_text_in_a_picture_names_the_picture_and_not_all_that_is_around_it(look: User, site: Site) -> None:
    picture = "<svg width=200 height=40><text y=20>Revenue</text></svg>"
    body = f"<div onclick=\"document.title='all'\"><button {hit('more')}>More</button><p>Sales</p>{picture}</div>"
    await look.open(site.page(body))
    await look.ok("check_text", text="Revenue")
    await look.ok("check_count", element="Revenue", count=1)
    assert (await look("check_visible", element="Revenue", role="button")).status != "ok"


async def test_a_name_of_several_elements_lists_them_and_says_how_to_choose(look: User, site: Site) -> None:
    await look.open(site.page(SHOP))
    outcome = await look.bad("click", element="Add")
    assert outcome.failure == Failure.TARGET_UNCLEAR
    assert '"Add" may mean 2 elements: 1) button "Add" in "Backpack"; 2) button "Add" in "Bike Light"' in outcome.text
    assert "within='Backpack'" in outcome.text
    assert await look.script("o.textContent") == ""


async def test_two_links_to_the_same_place_are_no_question(look: User, site: Site) -> None:
    site.page("<h1>Cart</h1>", "/cart", "Cart")
    await look.open(site.page("<a href=/cart>Cart</a><p>x</p><a href=/cart>Cart</a>"))
    await look.ok("click", element="Cart")
    await look.ok("check_title", title="Cart")


async def test_an_unknown_container_names_what_there_is(look: User, site: Site) -> None:
    await look.open(site.page(SHOP))
    outcome = await look.bad("click", element="Add", within="Bike Lite")
    assert outcome.failure == Failure.NAME_UNKNOWN
    assert 'no row, card, section, form or dialog named "Bike Lite"' in outcome.text


async def test_a_partly_matching_name_waits_for_the_exact_one(do: User, site: Site) -> None:
    site.say("/late", "{}")
    gate = site.hold("/late")
    await do.open(site.page(f"<button id=b {hit('wrong')}>Delete all</button>"))
    exact = "b.insertAdjacentHTML('beforebegin', `<button onclick=\"document.title='right'\">Delete</button>`)"
    await do.script(f"void fetch('/late').then(() => {exact})")
    click = asyncio.create_task(do.ok("click", element="Delete"))
    await gate.asked.wait()
    done, _ = await asyncio.wait({click}, timeout=0.3)
    assert not done
    gate.opened.set()
    await click
    assert await do.script("document.title") == "right"


async def test_elements_behind_a_modal_dialog_are_not_meant(do: User, site: Site) -> None:
    dialog = f"<dialog id=d><h2>Sure?</h2><button {hit('dialog')}>OK</button></dialog><script>d.showModal()</script>"
    await do.open(site.page(f"<button {hit('page')}>OK</button>{dialog}"))
    await do.ok("click", element="OK")
    assert await do.script("document.title") == "dialog"


async def test_a_ref_of_the_snapshot_names_its_element(look: User, site: Site) -> None:
    await look.open(site.page(f"<button>Go</button><button {hit('second')}>Go</button>"))
    text = (await look.ok("snapshot")).text
    ref = text.split("[ref=")[-1].split("]")[0]
    outcome = await look.ok("click", element="", ref=ref)
    assert outcome.confirmed
    assert await look.script("document.title") == "second"
    await look.ok("check_visible", element="", ref=ref)
    outcome = await look.bad("click", element="", ref="e999")
    assert outcome.failure == Failure.ELEMENT_MISSING
    assert "take a new snapshot" in outcome.text


async def test_a_target_without_any_words_is_refused(look: User, site: Site) -> None:
    await look.open(site.page("x"))
    outcome = await look.bad("click", element="")
    assert outcome.failure == Failure.INVALID_CALL
