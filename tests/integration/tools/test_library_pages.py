"""Mechanisms by which component libraries draw trees, pickers, grids and toggles, each on a small page of its own."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure


async def carry_out(look: User, sentence: str) -> None:
    for call in parse_action(sentence):
        await look.ok(call.tool, **call.arguments)


async def hold(look: User, sentence: str) -> None:
    for call in parse_expectation(sentence):
        await look.ok(call.tool, **call.arguments)


SIGN = "<i style='display:inline-block;width:14px;height:14px;background:#888;cursor:pointer' onclick='fold(this)'></i>"
TREE = f"""<ul role=tree><li role=none>{SIGN}<a role=treeitem href=# aria-expanded=false id=one>Photos</a><ul role=group hidden>
<li role=none><a role=treeitem href=#>Beach</a></ul><li role=none>{SIGN}<a role=treeitem href=# aria-expanded=false>Music</a></ul><script>
function fold(sign) {{ const item = sign.nextElementSibling, is = item.ariaExpanded === "true"; item.ariaExpanded = String(!is); item.nextElementSibling.hidden = is }}
</script>"""


async def test_an_item_is_opened_by_the_sign_that_is_drawn_before_it(look: User, site: Site) -> None:
    await look.open(site.page(TREE))
    await carry_out(look, 'Expand the "Photos" tree item')
    await hold(look, '"Beach" is visible and the "Photos" tree item is expanded')
    await carry_out(look, 'Collapse the "Photos" tree item')
    await hold(look, '"Beach" is not visible and the "Photos" tree item is collapsed')
    other = "<div role=tree><b style=cursor:pointer onclick=\"document.title = 'Menu'\">⋮</b><a role=treeitem href=# aria-expanded=false"
    await look.open(site.page(f"{other} onclick=\"this.ariaExpanded = 'true'\">Photos</a></div>"))
    await carry_out(look, 'Expand the "Photos" tree item')
    await hold(look, 'The "Photos" tree item is expanded')


TITLES = """<header><h1>Shop</h1><p>Welcome</p></header><main><h1>Stock</h1><p>Lamp</p><h1>Members</h1><div><p>Ada</p></div></main>"""


async def test_of_several_titles_each_has_what_follows_up_to_the_next(look: User, site: Site) -> None:
    await look.open(site.page(TITLES))
    for name, text in (("Shop", "Welcome"), ("Stock", "Lamp"), ("Members", "Ada")):
        await hold(look, f'"{text}" is visible in the "{name}" section')
        for other in {"Welcome", "Lamp", "Ada"} - {text}:
            [call] = parse_expectation(f'"{other}" is visible in the "{name}" section')
            assert (await look.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE
    await look.open(site.page("<div><h1>Stock</h1></div><div><p>Lamp</p></div>"))
    await hold(look, '"Lamp" is visible in the "Stock" section')


BOX = "<input type=checkbox{}>"
ROWS = {
    "boxes before texts of their own": f"<p>{BOX.format(' checked')} Terms {BOX.format('')} News</p>",
    "boxes before elements": f"<div>{BOX.format(' checked')}<span>Terms</span>{BOX.format('')}<span>News</span></div>",
    "a line for each": f"<div>Choose<br>{BOX.format(' checked')}<b>Terms</b><br>{BOX.format('')}<b>News</b><br></div>",
    "boxes behind texts": f"<div><b>Terms</b>{BOX.format(' checked')}<b>News</b>{BOX.format('')}</div>",
    "drawn boxes": f"<div><i>{BOX.format(' checked')}</i><label>Terms</label><i>{BOX.format('')}</i><label>News</label></div>",
}


@pytest.mark.parametrize("page", ROWS.values(), ids=ROWS)
async def test_what_a_row_of_boxes_begins_with_tells_which_text_is_that_of_which(
    look: User, site: Site, page: str
) -> None:
    await look.open(site.page(page))
    for name, state in (("Terms", "checked"), ("News", "unchecked")):
        await look.ok("check_state", element=name, role="checkbox", state=state)
        other = {"checked": "unchecked", "unchecked": "checked"}[state]
        wrong = await look.bad("check_state", element=name, role="checkbox", state=other)
        assert wrong.failure == Failure.EXPECTATION_FALSE
        await look.bad("check_state", element=name, state=other)
    await look.ok("check", element="News")
    await look.ok("check_state", element="News", role="checkbox", state="checked")


async def test_a_label_that_stands_for_nothing_tells_of_the_box_before_it(look: User, site: Site) -> None:
    box = "<i><input type=checkbox{}></i><label>{}</label>"
    await look.open(site.page(f"<div>{box.format(' checked', 'Terms')}{box.format(' disabled', 'Frozen')}</div>"))
    await hold(look, '"Terms" is checked and "Frozen" is disabled and "Terms" is enabled')
    await look.bad("check_state", element="Frozen", state="enabled")
    await look.open(site.page("<div><label>Frozen</label><i><input type=checkbox disabled></i><b>Help</b></div>"))
    await look.bad("check_state", element="Frozen", state="enabled")


async def test_a_text_between_two_boxes_may_be_that_of_either(look: User, site: Site) -> None:
    await look.open(site.page(f"<div><b>Terms</b>{BOX.format(' checked')}<b>News</b>{BOX.format('')}<b>Help</b></div>"))
    for state in ("checked", "unchecked"):
        wrong = await look.bad("check_state", element="News", role="checkbox", state=state)
        assert wrong.failure != Failure.EXPECTATION_FALSE


SLIDES = """<style>.s{width:300px;height:60px;overflow:hidden;display:flex}.s div{flex:none;width:300px}</style><div class=s id=s>
<div>Paris <button>Book Paris</button></div><div>Rome <button>Book Rome</button></div></div><p id=p>Choose</p>"""


async def test_looking_scrolls_nothing_that_a_person_cannot_scroll(look: User, site: Site) -> None:
    await look.open(site.page(SLIDES))
    for _ in range(2):
        assert (
            await look.bad("check_visible", element="Book Rome", role="button")
        ).failure == Failure.EXPECTATION_FALSE
        await look.bad("check_text", text="Rome")
        await look.bad("click", element="Book Rome")
        await hold(look, 'The "Book Paris" button is visible')
    assert await look.script("s.scrollLeft") == 0


CALENDAR = """<label for=d>Due</label> <input id=d role=combobox aria-haspopup=dialog aria-expanded=true aria-controls=c onkeydown="if (event.key === 'Escape')
{ c.hidden = true; d.ariaExpanded = 'false' }"><div id=c role=dialog aria-label="Choose a date" hidden style="position:absolute;background:#fff;width:300px;height:90px">
<button>14</button> <button>15</button></div><p><button onclick="document.title = 'Saved'">Save</button></p>"""


async def test_a_calendar_that_calls_itself_a_dialog_is_closed_as_any_other(look: User, site: Site) -> None:
    await look.open(site.page(CALENDAR))
    await look.ok("click", element="Due")
    await look.script("c.hidden = false")
    await look.ok("click", element="Save")
    await look.ok("check_title", title="Saved")
    await look.script("d.removeAttribute('aria-controls'); c.hidden = false; document.title = ''; d.focus()")
    await look.bad("click", element="Save")


LAYERS = """<button>Buy</button><button style="position:absolute;left:45%;top:48%">Help</button><div style="position:absolute;inset:0;background:rgba(0,0,0,.4)"></div>
<div style="position:absolute;left:35%;top:40%;width:30%"><div style="background:#fff;height:60px">Really?</div><div style="background:#eee">
<button onclick="document.title = 'Sure'">OK</button></div></div>"""


async def test_a_dialog_that_only_its_parts_draw_is_one(look: User, site: Site) -> None:
    await look.open(site.page(f"<style>html,body{{height:100%}}</style>{LAYERS}"))
    await look.ok("check_text", text="Really?", within=["in dialog"])
    await look.bad("check_text", text="Buy", within=["in dialog"])
    await look.ok("click", element="OK", within=["in dialog"])
    await look.ok("check_title", title="Sure")


SWITCHES = """<style>.s{display:inline-block;width:40px;height:20px;background:#ccc}.s i{display:block;width:16px;height:16px;background:#fff}
.on{background:#06c}.on i{margin-left:22px}</style>""" + "".join(
    f'<p><span class="s{drawn}" role=switch tabindex=0 aria-checked={told} aria-label={name}><i></i></span> {name}</p>'
    for name, told, drawn in (("Alarm", "true", ""), ("Light", "true", " on"), ("Heat", "false", ""))
)


async def test_a_switch_that_looks_like_one_in_the_other_state_is_in_none(look: User, site: Site) -> None:
    await look.open(site.page(SWITCHES))
    await hold(look, 'The "Light" switch is on')
    for state in ("checked", "unchecked"):
        wrong = await look.bad("check_state", element="Alarm", role="switch", state=state)
        assert wrong.failure == Failure.TARGET_UNCLEAR
    await look.script("document.querySelector('[aria-label=Alarm]').classList.add('on')")
    await hold(look, 'The "Alarm" switch is on and the "Heat" switch is off')


TABS = """<style>.t{{display:inline-block;padding:6px;color:#333}}.now{{color:#06c;border-bottom:3px solid}}</style><div role=tablist>
<a class="t {first}" role=tab tabindex=0 aria-selected=true>Posts</a><a class="t {second}" role=tab tabindex=0 aria-selected=false>Photos</a>
<a class=t role=tab tabindex=0 aria-selected=false>Films</a></div><nav><a class="t {first}" href=#1 aria-current=page>Home</a>
<a class="t {second}" href=#2>Shop</a><a class=t href=#3>Help</a></nav>"""


async def test_a_tab_or_link_that_another_one_outdraws_is_not_surely_the_chosen_one(look: User, site: Site) -> None:
    await look.open(site.page(TABS.format(first="now", second="")))
    for name, role, state in (
        ("Posts", "tab", "selected"),
        ("Photos", "tab", "unselected"),
        ("Home", "link", "selected"),
    ):
        await look.ok("check_state", element=name, role=role, state=state)
    await look.open(site.page(TABS.format(first="", second="now")))
    for name, role in (("Posts", "tab"), ("Photos", "tab"), ("Home", "link"), ("Shop", "link")):
        for state in ("selected", "unselected"):
            wrong = await look.bad("check_state", element=name, role=role, state=state)
            assert wrong.failure == Failure.TARGET_UNCLEAR


CELL = (
    "<div role={role} style='display:inline-block;width:90px;box-sizing:border-box;border-right:1px solid'>{text}</div>"
)
GRID = "<div role=grid>" + "".join(
    f"<div role=row>{''.join(CELL.format(role=role, text=text) for text in texts)}</div>"
    for role, texts in (
        ("columnheader", ("Name", "Qty")),
        ("gridcell", ("Item 2", "8")),
        ("gridcell", ("Item 20", "12")),
    )
)


async def test_what_stands_in_boxes_beside_each_other_is_not_one_number(look: User, site: Site) -> None:
    await look.open(site.page(f"{GRID}</div><p><b>1</b><b>5</b></p>"))
    for text in ("Item 2", "8", "Item 20", "12", "15"):
        await look.ok("check_text", text=text)
    for text in ("Item 28", "28", "2012"):
        assert (await look.bad("check_text", text=text)).failure == Failure.EXPECTATION_FALSE
        await look.ok("check_text", text=text, absent=True)
    await look.ok("check_text", text="8", within=['in "Item 2"'])
    await look.ok("check_visible", element="Item 2", role="row")
    await look.bad("check_visible", element="Item 28", role="row")


async def test_an_option_that_a_style_leaves_out_is_not_offered(look: User, site: Site) -> None:
    hidden = "<option hidden>XL<optgroup label=Rare style='display:none'><option>XXL</optgroup>"
    await look.open(
        site.page(f"<label>Size <select><option hidden selected>Choose<option>S<option>M{hidden}</select></label>")
    )
    await hold(look, 'The options of the "Size" dropdown are "S" and "M"')
    await hold(look, 'The "Size" dropdown shows "Choose"')
    for option in ("XL", "XXL", "Choose"):
        await look.bad("select", element="Size", options=[option])
    await look.ok("select", element="Size", options=["M"])


async def test_what_says_that_it_is_open_while_nothing_is_seen_of_it_is_in_no_state(look: User, site: Site) -> None:
    fold = "<h3><button aria-expanded=true aria-controls=p>Returns</button></h3><div id=p {}>Within 30 days</div>"
    await look.open(site.page(fold.format("")))
    await hold(look, 'The "Returns" button is expanded')
    for style in ("hidden", "style='height:0;overflow:hidden'"):
        await look.open(site.page(fold.format(style)))
        for state in ("expanded", "collapsed"):
            wrong = await look.bad("check_state", element="Returns", role="button", state=state)
            assert wrong.failure == Failure.TARGET_UNCLEAR


async def test_a_bar_that_is_filled_otherwise_than_it_says_tells_nothing(look: User, site: Site) -> None:
    bar = "<div role=progressbar aria-label=Upload aria-valuenow=40 style='width:200px;height:9px;background:#eee'><div style='{}'></div></div>"
    fill = "height:9px;background:#06c;"
    for style in ("width:40%", "width:100%;transform:scaleX(.4);transform-origin:left", "width:100%"):
        await look.open(site.page(bar.format(fill + style)))
        await hold(look, 'The "Upload" progress bar is 40%')
    await look.open(site.page(bar.format(f"{fill}width:80%")))
    for value in ("40%", "80%"):
        await look.bad("check_value", element="Upload", role="progressbar", value=value)


NESTED = """<div role=tree><div role=treeitem aria-expanded=true id=t><div style="cursor:pointer" onclick="const is = g.hidden; g.hidden = !is; t.ariaExpanded = String(is);
g.ariaExpanded = String(is)">Root</div><div role=group aria-expanded=true id=g><div role=treeitem><div style="cursor:pointer" onclick="document.title = 'Leaf'">
Leaf A</div></div><div role=treeitem>Leaf B</div></div></div></div>"""
SORTED = """<table><thead><tr><th style="cursor:pointer" onclick="document.title = 'Up'">Age <button aria-label="Sort by Age" onclick="event.stopPropagation();
document.title = 'Down'">↕</button></thead><tr><td>36</table>"""


async def test_an_item_is_clicked_on_its_own_line_and_not_on_those_below(look: User, site: Site) -> None:
    await look.open(site.page(NESTED))
    await carry_out(look, 'Collapse the "Root" tree item')
    await hold(look, '"Leaf A" is not visible and the "Root" tree item is collapsed')
    await carry_out(look, 'Click the "Root" tree item')
    await hold(look, '"Leaf A" is visible and the "Root" tree item is expanded')
    assert await look.script("document.title") != "Leaf"


async def test_a_column_is_sorted_by_its_heading_if_that_is_used_as_a_whole(look: User, site: Site) -> None:
    await look.open(site.page(SORTED))
    await carry_out(look, 'Sort the table by "Age"')
    await look.ok("check_title", title="Up")


WORDED = """<style>.s{position:relative;display:inline-flex}.s input{position:absolute;opacity:0;width:0;height:0;margin:0}.s b{width:40px;height:20px;background:#ccc}
.on b{background:#06c}</style><label for=m>Mode</label> <div class=s id=d onclick="event.preventDefault(); const is = d.classList.toggle('on');
m.setAttribute('aria-checked', is); setTimeout(() => { if (event.target === document.querySelector('b')) m.checked = is })"><input type=checkbox role=switch
aria-checked=false id=m><span>Light</span><b></b><span>Dark</span></div>"""


async def test_a_switch_between_the_words_for_its_states_is_used_by_its_shape(look: User, site: Site) -> None:
    await look.open(site.page(WORDED))
    await look.ok("check", element="Mode", role="switch")
    await hold(look, 'The "Mode" switch is on')


LIVE = """<style>.s{width:300px;height:40px;overflow:hidden}.w{display:flex;transition:transform .1s}.w div{flex:none;width:300px}</style>
<div class=s><div class=w id=w aria-live=polite><div>Paris</div><div>Rome</div></div></div><p role=status id=m></p>
<button onclick="w.style.transform = 'translateX(-300px)'; m.textContent = 'Moved'; setTimeout(() => m.textContent = '', 150)">Next</button>"""


async def test_what_a_live_region_showed_before_has_not_come_with_an_action(look: User, site: Site) -> None:
    await look.open(site.page(LIVE))
    await hold(look, '"Paris" is visible')
    await look.ok("click", element="Next")
    for text in ("Rome", "Moved"):
        await look.ok("check_text", text=text)
    assert (await look.bad("check_text", text="Paris")).failure == Failure.EXPECTATION_FALSE
