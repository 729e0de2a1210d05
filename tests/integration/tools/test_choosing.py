"""Choosing an option: in closed native lists, without the name of the list, and in lists made of other elements."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Cause, Failure, cause_of

SIZE = "<label>Size <select id=s><option>S<option>M<option>L</select></label>"
DATALIST = "<label>Size <input id=s list=d><datalist id=d><option>S<option>M</datalist></label>"
GROUPED = "<label>Size <select id=s><optgroup label=a><option>S</optgroup><optgroup label=b><option>M</optgroup></select></label>"
LABELLED_OVER = """<div style="position:relative;width:200px;height:30px">
  <select id=s style="width:200px;height:30px"><option>S<option>M</select>
  <label for=s style="position:absolute;inset:0">Size</label></div>"""
DRAWN = """<label for=s>Size</label><select id=s style="{hidden}"><option>S<option>M</select>
  <button aria-haspopup=listbox onclick="l.hidden = false">S</button>
  <ul id=l role=listbox hidden><li role=option onclick="{chosen}">M</ul>"""
OUT_OF_SIGHT = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)"


@pytest.mark.parametrize(
    "page", [SIZE, DATALIST, GROUPED, LABELLED_OVER, DRAWN.format(hidden="display:none", chosen="s.value = 'M'")]
)
async def test_an_option_of_a_closed_list_is_chosen_without_the_name_of_the_list(
    look: User, site: Site, page: str
) -> None:
    await look.open(site.page(page))
    await look.ok("click", element="M")
    assert await look.script("s.value") == "M"


@pytest.mark.parametrize(
    ("page", "failure"),
    [
        (SIZE + SIZE.replace("Size", "Fit"), Failure.TARGET_UNCLEAR),
        (SIZE + "<table><tr><td>M</td></tr></table>", Failure.TARGET_UNCLEAR),
        (SIZE.replace("<option>M", "<option disabled>M"), Failure.NAME_UNKNOWN),
        (SIZE.replace("<option>M", "<optgroup disabled><option>M</optgroup>"), Failure.NAME_UNKNOWN),
        (SIZE.replace("<select", "<select disabled"), Failure.NAME_UNKNOWN),
    ],
)
async def test_an_option_that_several_mean_or_that_is_disabled_is_not_chosen(
    look: User, site: Site, page: str, failure: Failure
) -> None:
    await look.open(site.page(page))
    assert (await look.bad("click", element="M")).failure == failure
    assert await look.script("(window.s[0] || s).value") == "S"


@pytest.mark.parametrize("tool", ["double_click", "hover", "browser_right_click"])
async def test_what_no_driver_can_do_with_a_closed_option_blames_no_product(look: User, site: Site, tool: str) -> None:
    await look.open(site.page(SIZE))
    outcome = await look.bad(tool, element="M")
    assert cause_of(outcome.failure) == Cause.AGENT, outcome.text


async def test_a_button_is_no_option_and_no_part_of_a_word(look: User, site: Site) -> None:
    await look.open(site.page(SIZE + "<button>Submit</button><a href='#x'>Savedsearches</a>"))
    assert (await look.bad("click", element="M", role="button")).failure == Failure.NAME_UNKNOWN
    assert "Savedsearches" in (await look.bad("click", element="Save")).text


async def test_a_widget_whose_options_are_dead_is_not_passed_by(look: User, site: Site) -> None:
    await look.open(site.page(DRAWN.format(hidden=OUT_OF_SIGHT, chosen="")))
    await look.ok("select", element="Size", options=["M"])
    await look.bad("check_value", element="Size", value="M")


COMBOBOX = """<label for=c>State</label><div><input id=c role=combobox aria-controls=l aria-expanded=false><button>v</button></div>
  <ul id=l role=listbox aria-label=State hidden></ul><script>
  const draw = () => { l.innerHTML = ""; for (const name of ["Ohio", "Utah"].filter((one) => one.startsWith(c.value))) {
    const li = document.createElement("li"); li.role = "option"; li.textContent = name; l.append(li);
    li.onclick = () => { c.value = name; l.hidden = true; c.ariaExpanded = "false" } } l.hidden = false; c.ariaExpanded = "true" };
  c.oninput = draw; c.onkeydown = (event) => { if (event.key === "ArrowDown") draw() };</script>"""


async def test_a_combobox_is_opened_as_people_open_it(look: User, site: Site) -> None:
    await look.open(site.page(COMBOBOX))
    await look.ok("check_state", element="State", state="empty")
    for option in ("Ohio", "Utah"):  # by the arrow key; what it holds then hides the other option, until that is typed
        assert (await look.ok("select", element="State", options=[option])).confirmed
        await look.ok("check_value", element="State", value=option)
    assert (await look.bad("select", element="State", options=["Iowa"])).failure == Failure.NAME_UNKNOWN


LISTBOX = """<h2 id=h>Ways</h2><ul role=listbox aria-labelledby=h aria-multiselectable=true><li role=option aria-selected=false>Bus
  <li role=option aria-selected=true>Train<li role=option aria-selected=false>Ship</ul>
  <fieldset><legend>Crust</legend><label><input type=radio name=r>Thin</label><label><input type=radio name=r checked>Deep</label></fieldset>
  <script>for (const one of document.querySelectorAll("li")) one.onclick = () => { one.ariaSelected = one.ariaSelected !== "true" }</script>"""


async def test_what_is_selected_in_an_open_list_or_a_group_is_what_it_holds(look: User, site: Site) -> None:
    await look.open(site.page(LISTBOX))
    await look.ok("select", element="Ways", options=["Ship"])
    await look.ok("check_value", element="Ways", value="Train, Ship")
    await look.ok("check_value", element="Ways", value="Train", match="includes")
    await look.bad("check_value", element="Ways", value="Bus", match="includes")
    await look.ok("check_state", element="Bus", role="option", state="unselected")
    await look.ok("select", element="Crust", options=["Thin"])
    await look.ok("check_value", element="Crust", value="Thin")
    await look.ok("check_state", element="Thin", state="selected")


async def test_a_spinbutton_is_told_from_the_group_around_it(look: User, site: Site) -> None:
    inner = (
        "<button>-</button><div role=spinbutton tabindex=0 aria-valuenow=1 aria-label=Adults>1</div><button>+</button>"
    )
    await look.open(site.page(f"<div role=group aria-label=Adults>{inner}</div>"))
    await look.ok("check_value", element="Adults", value="1")


async def test_a_drag_to_what_is_not_there_says_so(look: User, site: Site) -> None:
    await look.open(site.page("<p draggable=true>Milk</p>"))
    outcome = await look.bad("drag", element="Milk", to="Archive")
    assert (outcome.failure, "Archive" in outcome.text) == (Failure.NAME_UNKNOWN, True)


async def test_a_file_that_the_test_lacks_blames_no_product(look: User, site: Site) -> None:
    await look.open(site.page("<input type=file aria-label=Avatar>"))
    assert (await look.bad("browser_upload", element="Avatar", files=["none.txt"])).failure == Failure.INVALID_CALL


async def test_a_field_with_a_label_of_its_own_is_not_meant_by_a_text_beside_it(look: User, site: Site) -> None:
    await look.open(site.page("<p>Total</p><label><input id=b type=checkbox>News</label>"))
    await look.bad("check", element="Total")
    assert await look.script("b.checked") is False


MENU = "<button aria-expanded={open}>Actions</button><ul {name} role=menu {hidden}><li role=menuitem>Rename</ul>"


@pytest.mark.parametrize(
    ("page", "visible", "absent"),
    [
        (MENU.format(open="true", name="aria-label=Actions", hidden=""), "ok", "failed"),
        (MENU.format(open="false", name="aria-label=Actions", hidden="hidden"), "failed", "ok"),
        (MENU.format(open="false", name="", hidden="hidden"), "error", "ok"),
        (MENU.format(open="true", name="", hidden=""), "error", "error"),
    ],
)
async def test_a_menu_is_not_the_button_that_opens_it(
    look: User, site: Site, page: str, visible: str, absent: str
) -> None:
    await look.open(site.page(page))
    look.ctx.action_timeout = 0.3
    assert (await look("check_visible", element="Actions", role="menu")).status == visible
    assert (await look("check_visible", element="Actions", role="menu", absent=True)).status == absent
    look.ctx.action_timeout = 2.0


OUT_OF_REACH = {
    "moved out": "position:fixed;top:0;right:0;width:300px;transform:translateX(110%)",
    "left of the page": "position:absolute;left:-500px;width:300px",
    "folded": "height:0;overflow:hidden",
}


@pytest.mark.parametrize("style", OUT_OF_REACH.values(), ids=OUT_OF_REACH)
async def test_what_nobody_can_reach_is_not_clicked_for_what_one_sees(look: User, site: Site, style: str) -> None:
    drawer = f"<div style='{style}'><h2>Cart</h2><button>Check out</button></div>"
    await look.open(site.page(f"<button onclick=\"document.title='Opened'\">Cart (2)</button>{drawer}"))
    await look.ok("click", element="Cart")
    await look.ok("check_title", title="Opened")
    assert "hidden" in (await look.bad("click", element="Check out")).text


async def test_what_one_can_scroll_to_is_in_reach(look: User, site: Site) -> None:
    body = "<div style='height:4000px'></div><div style='width:90px;overflow:auto'><div style='width:900px;text-align:right'>{}</div></div>"
    await look.open(site.page(body.format("<button onclick=\"document.title='Opened'\">Cart</button>")))
    await look.ok("click", element="Cart")
    await look.ok("check_title", title="Opened")


CLOSES_ON_SCROLL = """<label id=n>Team</label><div role=combobox tabindex=0 aria-labelledby=n aria-expanded=false onclick="open_()">&nbsp;</div>
<div id=l role=listbox hidden><div role=option onclick="pick(this)">Sales</div><div role=option onclick="pick(this)">Support</div></div>
<div style="height:3000px"></div><label><input type=radio name=r>Twin</label><label><input type=radio name=r>Double</label><script>
const box = document.querySelector('[role=combobox]');
function open_() { setTimeout(() => { l.hidden = false; box.setAttribute('aria-expanded', true) }, 200) }
function pick(option) { box.textContent = option.textContent; l.hidden = true }
addEventListener('scroll', () => { l.hidden = true });</script>"""


async def test_to_look_for_an_option_does_not_scroll_the_page(look: User, site: Site) -> None:
    await look.open(site.page(CLOSES_ON_SCROLL))
    await look.ok("select", element="Team", options=["Support"])
    await look.ok("check_value", element="Team", value="Support")


SEARCHED = """<label for=s>Assignee</label><select id=s style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden"></select><span>
<span role=combobox tabindex=0 aria-labelledby=held aria-expanded=false onclick="open_()"><span id=held>Anyone</span></span></span>
<div id=d hidden><input id=q role=searchbox aria-autocomplete=list aria-controls=l><div id=l role=listbox></div></div><script>
const box = document.querySelector('[role=combobox]');
function open_() { d.hidden = false; q.value = ''; l.textContent = ''; box.setAttribute('aria-expanded', true); q.focus() }
q.oninput = () => setTimeout(() => {
  const names = ['Grace Hopper', 'Alan Turing'].filter((name) => name.toLowerCase().includes(q.value.toLowerCase()));
  l.innerHTML = names.map((name) => `<div role=option>${name}</div>`).join('');
}, 300);
l.onclick = (event) => { held.textContent = event.target.textContent; d.hidden = true; box.setAttribute('aria-expanded', false) };
</script>"""


async def test_a_list_that_is_searched_once_it_is_open_is_searched_for_the_option(look: User, site: Site) -> None:
    await look.open(site.page(SEARCHED))
    await look.ok("select", element="Assignee", options=["Alan Turing"])
    await look.ok("check_text", text="Alan Turing")
    outcome = await look.bad("select", element="Assignee", options=["Ada Lovelace"])
    assert outcome.failure == Failure.NAME_UNKNOWN, outcome.text


OPENED = """<label id=c for=i>City</label><div><input id=i role=combobox aria-labelledby=c value=Bergen>
<button id=b aria-label="Show all" aria-labelledby="b c" aria-haspopup=listbox>▼</button></div>
<span id=a>Arrival</span><div role=group aria-labelledby=a><div style="display:flex"><span role=spinbutton tabindex=0 id=m aria-label=month aria-valuenow=3
aria-labelledby="m a">3</span><span aria-hidden=true>/</span><span role=spinbutton tabindex=0 id=d aria-label=day aria-valuenow=10 aria-labelledby="d a">10</span><span
aria-hidden=true>/</span><span role=spinbutton tabindex=0 id=y aria-label=year aria-valuenow=2026 aria-labelledby="y a">2026</span></div><button>Pick</button></div>"""


async def test_a_field_is_neither_the_button_beside_it_nor_one_of_its_parts(look: User, site: Site) -> None:
    await look.open(site.page(OPENED))
    await look.ok("check_value", element="City", value="Bergen", match="contains")
    await look.ok("check_value", element="Arrival", value="3/10/2026")
    for element, value in (("City", "▼"), ("Arrival", "3"), ("Arrival", "3/11/2026")):
        await look.bad("check_value", element=element, value=value)


async def test_what_a_dialog_asks_stands_beside_its_title_and_its_buttons(look: User, site: Site) -> None:
    await look.open(
        site.page(
            "<dialog open><h2>Delete item</h2><p>Delete Mug?</p><button>Yes, delete</button></dialog><p>Delete Pot?</p>"
        )
    )
    await look.ok("check_dialog", text="Delete Mug?")
    for other in ("Delete Mug", "Delete Pot?", "Delete"):
        await look.bad("check_dialog", text=other)
