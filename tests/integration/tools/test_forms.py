"""Typing, choosing and checking, each read back from the page."""

import pytest
from driving import PASSWORD, User
from served import Site, later

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box


@pytest.mark.parametrize(
    "field",
    [
        "<label>Name <input id=f></label>",
        "<label for=f>Name</label> <input id=f>",
        "<input id=f placeholder=Name>",
        "<input id=f aria-label=Name>",
        "<label for=f>Name *</label><input id=f>",
        "<span>Name</span> <input id=f>",
        "<table><tr><td>Name:</td><td><input id=f></td></tr></table>",
        "<textarea id=f aria-label=Name></textarea>",
        "<input id=f name=n data-test=name>",
    ],
)
async def test_a_field_is_found_by_whatever_labels_it(look: User, site: Site, field: str) -> None:
    await look.open(site.page(field))
    outcome = await look.ok("type", element="Name", text="Ada Lovelace")
    assert outcome.confirmed
    assert await look.script("f.value") == "Ada Lovelace"
    await look.ok("check_value", element="Name", value="Ada Lovelace")


async def test_typing_replaces_what_the_field_holds(look: User, site: Site) -> None:
    await look.open(site.page("<input aria-label=Name value=old>"))
    outcome = await look.ok("type", element="Name", text="new")
    assert outcome.text.startswith('Typed "new" into textbox "Name".')
    await look.ok("check_value", element="Name", value="new")
    assert (await look.ok("clear", element="Name")).confirmed
    await look.ok("check_value", element="Name", value="")


@pytest.mark.parametrize("event", ["keydown", "keypress", "keyup"])
@pytest.mark.parametrize("tag", ["input", "textarea", "div contenteditable role=textbox"])
async def test_a_product_that_listens_to_keys_hears_of_a_text(look: User, site: Site, tag: str, event: str) -> None:
    script = f"<script>document.querySelector('[aria-label]').addEventListener('{event}', (e) => o.textContent = e.key)</script>"
    await look.open(site.page(f"<{tag} aria-label=Search></{tag.split(maxsplit=1)[0]}><p id=o></p>{script}"))
    outcome = await look.ok("type", element="Search", text="shirts")
    assert outcome.confirmed
    assert await look.script("o.textContent") == "s"


async def test_a_field_that_takes_no_part_of_a_value_gets_it_at_once(look: User, site: Site) -> None:
    await look.open(site.page("<input type=week aria-label=Week><input type=color aria-label=Colour>"))
    await look.ok("type", element="Week", text="2026-W05")
    await look.ok("type", element="Colour", text="#ff00ab")
    await look.ok("check_value", element="Week", value="2026-W05")
    await look.ok("check_value", element="Colour", value="#ff00ab")


async def test_a_field_that_keeps_less_than_was_typed_is_not_confirmed(look: User, site: Site) -> None:
    await look.open(site.page("<input aria-label=Zip oninput='this.value=this.value.slice(0, 3)'>"))
    outcome = await look.ok("type", element="Zip", text="12345")
    assert not outcome.confirmed
    assert 'but the field holds "123"' in outcome.text


async def test_a_field_that_only_formats_what_was_typed_is_confirmed(look: User, site: Site) -> None:
    await look.open(
        site.page("<input aria-label=Card oninput=\"this.value=this.value.replace(/(\\d{2})(?=\\d)/g,'$1 ')\">")
    )
    outcome = await look.ok("type", element="Card", text="1234")
    assert outcome.confirmed
    assert 'the field holds "12 34"' in outcome.text


async def test_typing_into_something_else_says_what_it_is(look: User, site: Site) -> None:
    await look.open(site.page("<button>Name</button>"))
    outcome = await look.bad("type", element="Name", text="x")
    assert outcome.failure == Failure.TARGET_UNCLEAR
    assert outcome.text == '"Name" is not a field one can type into: the page has button "Name" by that name'


async def test_typing_into_a_read_only_field_says_so(look: User, site: Site) -> None:
    await look.open(site.page("<input aria-label=Name readonly>"))
    outcome = await look.bad("type", element="Name", text="x")
    assert outcome.text == 'textbox "Name" is read-only'


async def test_a_text_that_the_field_cannot_take_says_how_to_write_it(look: User, site: Site) -> None:
    await look.open(site.page("<input aria-label=When type=date>"))
    outcome = await look.bad("type", element="When", text="tomorrow")
    assert outcome.failure == Failure.INVALID_CALL
    assert "2026-01-31" in outcome.text
    assert (await look.ok("type", element="When", text="2026-10-01")).confirmed


async def test_a_field_that_is_rendered_anew_while_typing_is_read_back(do: User, site: Site) -> None:
    again = "<script>function again(e) { const n = e.cloneNode(); n.value = e.value; e.replaceWith(n); n.oninput = null }</script>"
    await do.open(site.page(f"<input aria-label=Name oninput='again(this)'>{again}"))
    outcome = await do.ok("type", element="Name", text="Ada")
    assert outcome.confirmed
    await do.ok("check_value", element="Name", value="Ada")


async def test_a_secret_is_typed_but_never_told(do: User, site: Site) -> None:
    await do.open(site.page("<input aria-label=Password type=password><input aria-label=Shown>"))
    outcome = await do.ok("type", element="Password", text="${secret:PASSWORD}")
    assert outcome.confirmed
    assert await do.script("document.querySelector('input').value") == PASSWORD
    plain = await do.ok("type", element="Shown", text="${secret:PASSWORD}")
    check = await do.bad("check_value", element="Shown", value="other")
    assert PASSWORD not in f"{outcome}{plain}{check}"
    await do.ok("check_value", element="Password", value="${secret:PASSWORD}")


async def test_an_unknown_secret_says_where_it_belongs(do: User, site: Site) -> None:
    await do.open(site.page("<input aria-label=Password>"))
    outcome = await do.bad("type", element="Password", text="${secret:NOBODY}")
    assert outcome.failure == Failure.SECRET_MISSING
    assert await do.script("document.querySelector('input').value") == ""


SELECT = (
    "<label>Size <select id=s><option value=1>Small<option value=2>Medium<option value=3>Extra large</select></label>"
)


@pytest.mark.parametrize(("option", "value"), [("Medium", "2"), ("medium", "2"), ("3", "3"), ("large", "3")])
async def test_an_option_is_chosen_by_its_text_or_value(look: User, site: Site, option: str, value: str) -> None:
    await look.open(site.page(SELECT))
    outcome = await look.ok("select", element="Size", options=[option])
    assert outcome.confirmed
    assert await look.script("s.value") == value


async def test_an_option_that_is_not_there_names_those_that_are(look: User, site: Site) -> None:
    await look.open(site.page(SELECT))
    outcome = await look.bad("select", element="Size", options=["Mediun"])
    assert outcome.failure == Failure.NAME_UNKNOWN
    assert 'has no single option "Mediun"; closest: "Medium"' in outcome.text
    assert '"Extra large"' in outcome.text


async def test_an_option_that_is_loaded_late_is_waited_for(do: User, site: Site) -> None:
    await do.open(site.page(SELECT + later("s.add(new Option('Huge', '4'))")))
    await do.ok("select", element="Size", options=["Huge"])
    assert await do.script("s.value") == "4"


async def test_several_options_of_a_list_are_chosen_and_checked(look: User, site: Site) -> None:
    await look.open(site.page("<select multiple aria-label=Tags><option>red<option>green<option>blue</select>"))
    await look.ok("select", element="Tags", options=["red", "blue"])
    await look.ok("check_value", element="Tags", value="red, blue")
    await look.ok("check_options", element="Tags", options=["green", "red"])
    outcome = await look.bad("check_options", element="Tags", options=["pink"])
    assert (outcome.status, outcome.seen) == ("failed", '"red", "green", "blue"')


async def test_a_list_made_of_other_elements_is_opened_and_chosen_from(look: User, site: Site) -> None:
    body = """<div id=c role=combobox aria-label=Colour tabindex=0 onclick="l.hidden=false">Choose</div>
      <div id=l role=listbox hidden><div role=option onclick="c.textContent='Red';l.hidden=true">Red</div>
      <div role=option>Dark red</div></div>"""
    await look.open(site.page(body))
    outcome = await look.ok("select", element="Colour", options=["Red"])
    assert outcome.confirmed
    assert await look.script("c.textContent") == "Red"
    outcome = await look.bad("select", element="Colour", options=["Pink"])
    assert outcome.failure == Failure.NAME_UNKNOWN
    assert '"Dark red"' in outcome.text


@pytest.mark.parametrize(
    "box",
    [
        "<label><input id=b type=checkbox> Terms</label>",
        "<label><input id=b type=checkbox style='display:none'> Terms</label>",
        "<label for=b>Terms</label><input id=b type=checkbox style='opacity:0;position:absolute;width:1px;height:1px'>",
    ],
)
async def test_checkboxes_are_checked_and_unchecked_once(look: User, site: Site, box: str) -> None:
    await look.open(site.page(box))
    assert (await look.ok("check", element="Terms")).confirmed
    assert await look.script("b.checked") is True
    await look.ok("check", element="Terms")
    assert await look.script("b.checked") is True
    await look.ok("check_state", element="Terms", state="checked")
    assert (await look.ok("uncheck", element="Terms")).confirmed
    assert await look.script("b.checked") is False
    await look.ok("check_state", element="Terms", state="unchecked")


async def test_a_radio_button_and_a_switch_are_turned_on(look: User, site: Site) -> None:
    body = """<label><input type=radio name=r value=a>Express</label><label><input type=radio name=r>Normal</label>
      <button role=switch aria-checked=false onclick="this.ariaChecked = this.ariaChecked !== 'true'">Dark</button>"""
    await look.open(site.page(body))
    await look.ok("check", element="Express")
    await look.ok("check_state", element="Express", role="radio", state="checked")
    assert (await look.ok("check", element="Dark", role="switch")).confirmed
    await look.ok("check_state", element="Dark", state="checked")


async def test_a_checkbox_that_stays_as_it_is_is_an_error(look: User, site: Site) -> None:
    await look.open(site.page("<label><input type=checkbox onclick='return false'> Terms</label>"))
    outcome = await look("check", element="Terms")  # with all the patience of a user: the click itself may be slow
    assert outcome.status == "error"
    assert "did not become checked" in outcome.text


PLACED = '<style>* {margin: 0; border: 0; padding: 0}</style><div style="height: 40px">Name</div>'
FIELD = '<input aria-label=Name style="position: absolute; left: 30px; top: 50px; width: 120px; height: 20px">'


async def test_a_call_tells_where_the_element_is_that_it_touched_or_looked_at(look: User, site: Site) -> None:
    await look.open(site.page(PLACED + FIELD))
    place = Box(x=30, y=50, width=120, height=20)
    assert (await look.ok("type", element="Name", text="Ada")).element == place
    assert (await look.ok("check_value", element="Name", value="Ada")).element == place
    assert (await look.bad("check_value", element="Name", value="Bob")).element == place
    assert (await look.ok("check_visible", element="Name", role="textbox")).element == place
    assert (await look.ok("snapshot")).element is None
    assert look.ctx.pointed == place  # the page is the same
    await look.ok("browser_reload")
    assert look.ctx.pointed is None


async def test_an_element_in_a_frame_has_no_place_in_the_window(look: User, site: Site) -> None:
    site.page(FIELD, "/inner")
    await look.open(site.page('<iframe src="/inner" style="width: 300px; height: 200px"></iframe>'))
    assert (await look.ok("type", element="Name", text="Ada")).element is None
