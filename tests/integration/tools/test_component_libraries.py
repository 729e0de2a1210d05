"""What component libraries draw in place of plain elements: signs of icon fonts, sliders, tables in two halves, bars."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure

SIGNS = """<style>@font-face {font-family: "Test Icons"; src: url("data:font/woff2;base64,")}
i {font: 24px "Test Icons"; letter-spacing: -1em; display: inline-block; width: 24px; overflow: hidden; white-space: nowrap}</style>"""
HEADS = "".join(f"<th><i aria-hidden=true>arrow_upward</i>{name}" for name in ("Name", "Age"))
PEOPLE = f"{SIGNS}<table><thead><tr>{HEADS}</thead><tr><td>Ada<td>36<tr><td>Bob<td>21</table>"
BIN = f"{SIGNS}<button onclick=\"document.body.append('Gone')\"><i aria-hidden=true>delete</i></button>"

SLIDER = """<div id=s role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=100 aria-valuenow=50 style="width:200px;height:20px;
background:#ccc" onkeydown="const by = {{ArrowRight: {step}, ArrowLeft: -{step}}}[event.key] || 0;
requestAnimationFrame(() => s.setAttribute('aria-valuenow', +s.getAttribute('aria-valuenow') + by))"></div>"""
HIDDEN_RANGE = """<div style="position:relative;width:200px;height:20px;background:#ccc"><div style="position:absolute;clip-path:inset(50%);
width:1px;height:1px;overflow:hidden"><input type=range aria-label=Discount value=10></div><b>10</b></div>"""
GRID = """<div role=grid aria-label=Goods><table role=none><thead><tr role=row><th role=columnheader>Item<th role=columnheader>Price</table>
<div><div role=row><div role=gridcell aria-colindex=1>Lamp</div><div role=gridcell aria-colindex=2>5</div></div></div></div>"""
CHOSEN = """<table><tr><th><input type=checkbox aria-label=All><th>Name<tr><td><input type=checkbox checked><td>Ada
<tr><td><input type=checkbox><td>Bob</table>"""
PRESSED = "<button aria-pressed=true>Daily</button><button aria-pressed=false>Weekly</button>"
BAR = "<div role=progressbar aria-label=Disk aria-valuenow=7 aria-valuemax=20 style='width:99px;height:9px;background:red'></div>"
TABS = """<div role=tablist><a role=tab aria-selected=true aria-controls=a tabindex=0>Account</a><a role=tab aria-controls=r
tabindex=-1>Roles</a></div><div role=tabpanel id=a>Account</div><a href=#r role=tab aria-controls=r>Roles</a>"""
TITLED = """<abbr title="Order total $59.98">Paid</abbr><table><tr><td title="Order total $59.98">$10</table>
<button aria-label=Close>x</button>"""
PARTS = "<span>/</span>".join(f"<span role=spinbutton>{part}</span>" for part in ("2026", "11", "02"))
DUE = f"<p id=l>Due</p><div role=group aria-labelledby=l style=display:flex>{PARTS}</div>"


@pytest.mark.parametrize(
    ("page", "true", "false"),
    [
        (PEOPLE, 'The "Age" of "Bob" is 21', 'The "Age" of "Bob" is 22'),
        (PEOPLE, 'The text "arrow_upward" is not visible', 'The text "arrow_upward" is visible'),
        (BIN, 'The "Delete" button is visible', 'The "Delete" button is not visible'),
        (BIN, 'The "Delete" button is enabled', '"Delete" is not visible'),
        (HIDDEN_RANGE, 'The "Discount" slider is "10"', 'The "Discount" slider is "1"'),
        (GRID, 'The "Price" of "Lamp" is "5"', 'The "Price" of "Lamp" is "50"'),
        (CHOSEN, 'The row "Ada" is selected', 'The row "Bob" is selected'),
        (CHOSEN, 'The row "Bob" is not selected', 'The row "Ada" is not selected'),
        (PRESSED, 'The "Daily" button is selected', 'The "Weekly" button is selected'),
        (BAR, 'The "Disk" progress bar shows 35%', 'The "Disk" progress bar shows 5%'),
        (TABS, 'The "Roles" tab is not selected', 'The "Roles" tab is selected'),
        (TITLED, '"Paid" is visible', '"Order total $59.98" is visible'),
        (TITLED, 'The "Close" button is visible', 'The "Order total $59.98" cell is visible'),
        (DUE, 'The "Due" field is "2026/11/02"', 'The "Due" field is "2026/11/03"'),
    ],
)
async def test_what_a_person_sees_of_it_is_true(look: User, site: Site, page: str, true: str, false: str) -> None:
    await look.open(site.page(page))
    for call in parse_expectation(true):
        await look.ok(call.tool, **call.arguments)
    for call in parse_expectation(false):
        await look.bad(call.tool, **call.arguments)


@pytest.mark.parametrize("step", [1, 5])
async def test_a_drawn_slider_is_moved_by_its_keys(do: User, site: Site, step: int) -> None:
    await do.open(site.page(SLIDER.format(step=step)))
    for sentence in ('Set the "Volume" slider to 80', 'Move the "Volume" slider to 20'):
        [call] = parse_action(sentence)
        await do.ok(call.tool, **call.arguments)
        [check] = parse_expectation(f'The "Volume" slider is "{sentence[-2:]}"')
        await do.ok(check.tool, **check.arguments)


async def test_a_field_that_is_one_of_its_own_labels_is_found(do: User, site: Site) -> None:
    thumb = "<input type=range id=r value=20 aria-label=Limit aria-labelledby='r g'>"
    await do.open(site.page(f"<div role=group id=g aria-label=Limit><p>Limit</p>{thumb}</div>"))
    for call in (*parse_action('Set the "Limit" slider to 60'), *parse_expectation('The "Limit" slider is "60"')):
        await do.ok(call.tool, **call.arguments)


async def test_a_slider_that_cannot_be_where_it_should_is_told(do: User, site: Site) -> None:
    await do.open(site.page(SLIDER.format(step=30)))
    [call] = parse_action('Set the "Volume" slider to 75')
    outcome = await do(call.tool, **call.arguments)
    assert not outcome.consequence and "but the field holds" in outcome.text


async def test_a_sign_is_clicked_by_its_name(do: User, site: Site) -> None:
    await do.open(site.page(BIN))
    [call] = parse_action('Click "Delete"')
    await do.ok(call.tool, **call.arguments)
    await do.ok("check_text", text="Gone")


async def test_of_two_tabs_of_one_panel_the_first_is_used(do: User, site: Site) -> None:
    await do.open(site.page(TABS))
    outcome = await do.ok("click", element="Roles", role="tab")
    assert outcome.text.startswith('Clicked tab "Roles"')


OPENS = """onclick="this.ariaExpanded = String(this.ariaExpanded !== 'true'); this.closest('tr').nextElementSibling.hidden = this.ariaExpanded !== 'true'" """
FOLDED = f"""<table><tr><th>More<th>Name <button aria-label="Sort by Name" onclick="document.title = 'Sorted'">^</button><th></tr>
<tr onclick="document.title = 'Row'"><td><button aria-label=Details aria-expanded=false {OPENS}>&gt;</button><td>Ada<td><button aria-expanded=false aria-label=Menu>…</button></tr>
<tr hidden><td colspan=3>Lives in Oslo</tr></table>
<table role=treegrid><tr role=row aria-expanded=false><td role=gridcell><span style=cursor:pointer onclick="this.closest('tr').ariaExpanded = 'true'">&gt;</span>
Photos<td role=gridcell>3 files</tr></table>
<label for=r>Region</label><div><button id=r aria-expanded=false onclick="l.hidden = false">Any</button><ul id=l role=listbox hidden>
<li role=option onclick="r.textContent = 'Asia'; l.hidden = true">Asia</li></ul></div>"""


async def test_an_act_goes_to_the_part_that_carries_it_out(do: User, site: Site) -> None:
    await do.open(site.page(FOLDED))

    async def carry_out(sentence: str) -> None:
        for call in parse_action(sentence):
            await do.ok(call.tool, **call.arguments)

    async def hold(sentence: str) -> None:
        for call in parse_expectation(sentence):
            await do.ok(call.tool, **call.arguments)

    await hold('The "Ada" row is collapsed')
    await carry_out('Expand the "Ada" row')
    await hold('"Lives in Oslo" is visible and the "Ada" row is expanded')
    await carry_out('Collapse "Ada"')
    await hold('"Lives in Oslo" is not visible and the "Ada" row is collapsed and the "Photos" row is collapsed')
    await carry_out('Expand "Photos"')
    await hold('The "Photos" row is expanded')
    await carry_out('Sort the table by "Name"')
    await hold('The page title is "Sorted"')
    await carry_out('Select "Asia" from the "Region" dropdown')
    await hold('The "Region" dropdown shows "Asia"')


TILES = """<style>b::before {{ content: "+" }} .tile input {{ display: none }} .tile :checked + label {{ color: blue }}</style>
<div class=tile><input type=radio name=n id=s checked><label for=s><div>Small</div><div>For one site</div></label></div>
<div class=tile><input type=radio name=n id=m><label for=m><div>Large</div><div>For many sites</div></label></div>
<h3><b id=h role=button tabindex=0 aria-expanded={open} aria-controls=p>Returns</b></h3>
<div id=p role=region aria-labelledby=h {hidden}>Within thirty days</div>"""


async def test_a_part_has_the_state_of_the_control_that_it_belongs_to(look: User, site: Site) -> None:
    for opened, hidden, state, other in (
        ("true", "", "expanded", "collapsed"),
        ("false", "hidden", "collapsed", "expanded"),
    ):
        await look.open(site.page(TILES.format(open=opened, hidden=hidden)))
        await look.ok("check_state", element="Returns", state=state)
        assert (await look.bad("check_state", element="Returns", state=other)).failure == Failure.EXPECTATION_FALSE
    for chosen in ("Small", "For one site"):
        await look.ok("check_state", element=chosen, state="selected")
    for chosen in ("Large", "For many sites"):
        assert (await look.bad("check_state", element=chosen, state="selected")).failure == Failure.EXPECTATION_FALSE


VALUED = """<div><div>Limit: <b id=v>20</b></div><div><div id=h role=slider tabindex=0 aria-valuenow=20.0 style="height:9px"></div></div></div>
  <div><p>Volume: 5</p><input type=range max=10 value=7></div>
  <label for=l>Tags</label><div id=c role=combobox aria-haspopup=true style="border:1px solid;min-height:20px">
    <select multiple hidden id=l></select><i id=chosen></i><div id=list role=listbox hidden><p role=option>red</p></div></div><script>
  h.onkeydown = ({ key }) => { v.textContent = Number(v.textContent) + (key === 'ArrowRight' ? 1 : -1); h.ariaValueNow = v.textContent; };
  c.onclick = ({ target }) => { list.hidden = target.role === 'option'; if (list.hidden) { chosen.textContent = 'red'; target.remove(); } };
  </script>"""


async def test_fields_that_only_drawing_names_are_set(do: User, site: Site) -> None:
    await do.open(site.page(VALUED))
    acts = ('Set the "Limit" slider to 23', 'Select "red" from the "Tags" dropdown')
    for call in (
        *(call for act in acts for call in parse_action(act)),
        *parse_expectation('The "Limit" slider is "23"'),
    ):
        await do.ok(call.tool, **call.arguments)
    assert await do.script("[h.ariaValueNow, chosen.textContent]") == ["23", "red"]
    [call] = parse_action(
        'Set the "Volume" slider to 3'
    )  # the text beside that field says something else than it holds
    await do.bad(call.tool, **call.arguments)
    assert await do.script("document.querySelector('[type=range]').value") == "7"


MOUSE_SLIDER = """<div id=t style="{track};background:#ccc;position:relative">
<div id=f style="position:absolute;background:#06c;inset:0 auto auto 0;width:30%;height:100%"></div>
<div id=s role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=100 aria-valuenow=30 {oriented}
style="position:absolute;width:16px;height:16px;{side}:30%;margin-{side}:-8px"></div></div>
<script>const go = event => {{
  const {{ left, bottom, width, height }} = t.getBoundingClientRect();
  const share = "{side}" === "left" ? (event.clientX - left) / width : (bottom - event.clientY) / height;
  const value = Math.round(Math.min(Math.max(share, 0), 1) * 100);
  s.style.setProperty("{side}", value + "%");
  s.setAttribute("aria-valuenow", value);
}};
t.onpointerdown = event => {{ t.setPointerCapture(event.pointerId); go(event); }};
t.onpointermove = event => {{ if (t.hasPointerCapture(event.pointerId)) go(event); }};</script>"""
"""Listens to the mouse alone; what it is filled to is no track."""


@pytest.mark.parametrize(
    ("track", "oriented", "side"),
    [("width:301px;height:9px", "", "left"), ("height:150px;width:9px", "aria-orientation=vertical", "bottom")],
)
async def test_a_slider_that_takes_no_keys_is_clicked_where_it_should_be(
    do: User, site: Site, track: str, oriented: str, side: str
) -> None:
    await do.open(site.page(MOUSE_SLIDER.format(track=track, oriented=oriented, side=side)))
    for value in ("75", "31", "0", "100"):
        outcome = await do.ok("type", element="Volume", text=value)
        assert outcome.confirmed, outcome.text


async def test_a_slider_that_nothing_moves_is_told(do: User, site: Site) -> None:
    still = MOUSE_SLIDER.format(track="width:300px;height:9px", oriented="", side="left").replace(
        "t.onpointerdown", "t.idle"
    )
    await do.open(site.page(still))
    assert "but the field holds" in (await do("type", element="Volume", text="75")).text


ACCORDION = """<a href=# id=t aria-expanded=true aria-controls=r onclick="r.hidden = !r.hidden; t.ariaExpanded = String(!r.hidden)"
><style>#t::before { content: '–' }</style>Shipping</a>
<div role=region id=r aria-labelledby=t>Two days</div>
<div role=progressbar aria-label=Disk aria-valuenow=25 aria-valuetext="25 percent" style="width:99px;height:9px;background:red"></div>"""


async def test_what_is_folded_is_closed_by_what_opens_it(do: User, site: Site) -> None:
    await do.open(site.page(ACCORDION))
    for call in (*parse_action('Collapse "Shipping"'), *parse_expectation('The text "Two days" is not visible')):
        await do.ok(call.tool, **call.arguments)
    for call in parse_expectation('The "Disk" progress bar shows 25%'):
        await do.ok(call.tool, **call.arguments)
