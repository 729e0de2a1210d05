"""What lies in front, what is scrolled out from under something, and what an unnamed field may be."""

from driving import User
from served import Site

VIEWS = """<div style="position:relative;height:60px"><div id=old style="position:absolute;inset:0;{old}">
<button onclick="document.title='old'">Next</button></div>
<div id=new style="position:absolute;inset:0;{new}"><button onclick="document.title='new'">Next</button></div></div>"""
SCROLLED = """<div style="position:relative;width:300px">
<div id=list style="overflow-y:scroll;height:100px"><p>One</p><input placeholder=Name><p style="height:{rest}px">Rest</p></div>
<div style="position:absolute;left:0;top:{top}px;width:300px;height:{height}px;background:#ccc"></div></div>
<script>const field = document.querySelector("input");
field.addEventListener("input", () => {{ const box = field.getBoundingClientRect();
if (document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) !== field) field.value = ""; }});</script>"""


async def test_the_view_in_front_is_used_and_the_one_behind_it_is_put_away(do: User, site: Site) -> None:
    await do.open(site.page(VIEWS.format(old="z-index:1", new="z-index:2")))
    await do.ok("click", element="Next", role="button")
    assert await do.script("document.title") == "new"

    await do.open(site.page(VIEWS.format(old="z-index:1", new="z-index:2;background:#fff;padding-left:90px")))
    await do.ok("click", element="Next", role="button")
    assert await do.script("document.title") == "new"


async def test_two_views_side_by_side_are_two(do: User, site: Site) -> None:
    await do.open(site.page(VIEWS.format(old="", new="padding-left:90px")))
    assert "2" in (await do.bad("click", element="Next", role="button")).text


async def test_what_covers_one_of_two_for_a_while_does_not_choose_between_them(do: User, site: Site) -> None:
    toast = '<div style="position:absolute;left:0;top:0;width:200px;height:100px;background:#fff">Saved</div>'
    await do.open(site.page(VIEWS.format(old="", new="padding-left:290px") + toast))
    assert "2" in (await do.bad("click", element="Next", role="button")).text


async def test_a_field_is_scrolled_out_from_under_what_lies_over_it(do: User, site: Site) -> None:
    await do.open(site.page(SCROLLED.format(rest=300, top=60, height=50)))
    await do.ok("type", element="Name", text="Ada")
    assert await do.script("document.querySelector('input').value") == "Ada"
    await do.ok("check_visible", element="Name")


async def test_what_no_scrolling_brings_out_stays_hidden(do: User, site: Site) -> None:
    await do.open(site.page(SCROLLED.format(rest=300, top=0, height=110)))
    assert "hidden" in (await do.bad("check_visible", element="Name")).text


async def test_a_text_field_that_is_still_hidden_is_waited_for_and_a_list_is_none(do: User, site: Site) -> None:
    page = """<label>Kind <select><option>Button<option>Input</select></label><input id=text style="display:none">
<script>setTimeout(() => { document.getElementById("text").style.display = "inline"; }, 700)</script>"""
    await do.open(site.page(page))
    await do.ok("type", element="", role="textbox", text="Ada")
    assert await do.script("document.getElementById('text').value") == "Ada"


async def test_a_list_alone_takes_a_choice_as_a_field_that_is_named(do: User, site: Site) -> None:
    await do.open(site.page("<label>Kind <select><option>Button<option>Input</select></label>"))
    assert "there is no" in (await do.bad("type", element="", role="textbox", text="Input")).text
    await do.ok("type", element="Kind", role="textbox", text="Input")


async def test_an_editor_that_keeps_an_empty_line_is_cleared(do: User, site: Site) -> None:
    await do.open(site.page("<div contenteditable aria-label=Note><p>Hello</p></div>"))
    assert "still holds" not in (await do.ok("clear", element="Note")).text
