"""Selecting a row: by the box that it has for this, or else by a click; and where something is dropped."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

TICKED = (
    "<table><tr><th>Pick<th>Name{head}</tr>"
    "<tr onclick=\"document.title='clicked'\"><td><input type=checkbox{label}><td>Webcam{more}</tr>"
    "<tr><td><input type=checkbox><td>Mouse{more}</tr></table>"
)
CLICKED = (
    "<style>.on{background:#cde}</style><table>"
    "<tr onclick=\"this.setAttribute('aria-selected', 'true')\" aria-selected=false><td>Webcam</tr>"
    "<tr aria-selected=false><td>Mouse</tr></table>"
)
SWITCHED = "<table><tr><th>Name<th>Live</tr><tr onclick=\"document.title='clicked'\"><td>Webcam<td><input type=checkbox></tr></table>"


@pytest.mark.parametrize(("head", "more"), [("", ""), ("<th>Live", "<td><input type=checkbox>")])
async def test_a_row_with_a_box_is_ticked(do: User, site: Site, head: str, more: str) -> None:
    await do.open(site.page(TICKED.format(head=head, more=more, label=" aria-label='Select Webcam'")))
    for _ in range(2):  # it stays so
        await do.ok("check", element="Webcam", role="row")
        await do.ok("check_state", element="Webcam", role="row", state="selected")
    await do.ok("check_state", element="Mouse", role="row", state="unselected")
    others = "[...document.querySelectorAll('input')].slice(1).some(one => one.checked)"
    assert await do.script(f"[document.querySelector('input').checked, {others}]") == [True, False]


async def test_a_row_without_a_box_is_clicked(do: User, site: Site) -> None:
    await do.open(site.page(CLICKED))
    await do.ok("check", element="Webcam", role="row")
    await do.ok("check_state", element="Webcam", role="row", state="selected")
    await do.ok("check_state", element="Mouse", role="row", state="unselected")


async def test_a_box_that_is_for_something_else_is_left_alone(do: User, site: Site) -> None:
    await do.open(site.page(SWITCHED))
    await do.ok("check", element="Webcam", role="row")
    assert await do.script("[document.title, document.querySelector('input').checked]") == ["clicked", False]


async def test_a_row_that_takes_no_notice_is_not_selected(do: User, site: Site) -> None:
    await do.open(site.page("<table><tr><td>Webcam<tr><td>Mouse</table>"))
    outcome = await do("check", element="Webcam", role="row")
    assert not outcome.confirmed


LANES = (
    "<style>.lane{{display:inline-block;vertical-align:top;width:150px;min-height:200px}}</style>"
    "<label><input type=checkbox> Hide done</label><p>3 points done</p>"
    "<div class=lane id=todo><h2>To do <span>1</span></h2><div class=card draggable=true>Login</div></div>"
    "<div class=lane id=done><h2>{title}</h2><div class=card>Tour</div></div><script>"
    "for (const lane of document.querySelectorAll('.lane')) {{ lane.ondragover = event => event.preventDefault();"
    "lane.ondrop = () => lane.append(document.querySelector('.card')) }}</script>"
)


@pytest.mark.parametrize("title", ["Done <span>1</span>", "Done", "DONE (1)"])
async def test_a_card_is_dropped_into_the_lane_of_that_name(do: User, site: Site, title: str) -> None:
    await do.open(site.page(LANES.format(title=title)))
    await do.ok("drag", element="Login", to="Done")
    assert await do.script("document.querySelector('#done .card:last-child').textContent") == "Login"


@pytest.mark.parametrize(("role", "title"), [("list", "Done"), ("list", "Done <span>1</span>")])
async def test_a_lane_that_is_called_a_list_is_one(do: User, site: Site, role: str, title: str) -> None:
    await do.open(site.page(LANES.format(title=title)))
    await do.ok("drag", element="Login", to="Done", to_role=role)
    assert await do.script("document.querySelector('#done .card:last-child').textContent") == "Login"


async def test_a_list_that_finds_the_place_by_the_way_of_the_mouse_gets_what_is_dragged(do: User, site: Site) -> None:
    follow = "<script>let over = 0; done.ondragover = event => { if (++over > 2) event.preventDefault(); }</script>"
    await do.open(site.page(LANES.format(title="Done") + follow))
    await do.ok("drag", element="Login", to="Done")
    assert await do.script("document.querySelector('#done .card:last-child').textContent") == "Login"


async def test_two_lanes_of_a_name_are_one_too_many(do: User, site: Site) -> None:
    page = LANES.format(title="Done <span>1</span>")
    await do.open(
        site.page(page.replace("<script>", "<div class=lane><h2>Done <span>7</span></h2><p>x</p></div><script>"))
    )
    assert (await do.bad("drag", element="Login", to="Done")).failure == Failure.TARGET_UNCLEAR
    assert await do.script("document.querySelector('#todo .card').textContent") == "Login"


async def test_an_item_that_is_being_edited_is_not_gone(look: User, site: Site) -> None:
    await look.open(site.page("<ul><li><input value='Buy milk'><li>Eggs</ul>"))
    gone = await look.bad("check_visible", element="Buy milk", role="listitem", absent=True)
    assert gone.failure == Failure.NO_EVIDENCE
    await look.ok("check_visible", element="Bread", role="listitem", absent=True)


async def test_an_entry_of_a_log_has_to_stay(do: User, site: Site) -> None:
    add = "const p = document.createElement('p'); p.textContent = 'Hello'; document.querySelector('#m').append(p);"
    page = f'<div id=m role={{role}}></div><button onclick="{add}setTimeout(() => p.remove(), 200)">Send</button>'
    await do.open(site.page(page.format(role="status")))
    await do.ok("click", element="Send")
    await do.ok("check_text", text="Hello")
    await do.open(site.page(page.format(role="log")))
    await do.ok("click", element="Send")
    assert (await do.bad("check_text", text="Hello")).failure == Failure.EXPECTATION_FALSE


async def test_what_was_only_typed_has_no_place(do: User, site: Site) -> None:
    await do.open(
        site.page(
            "<p>Ticket</p><div contenteditable role=textbox aria-label=Message onkeydown=\"event.key === 'Enter' && event.preventDefault()\"></div>"
        )
    )
    await do.ok("type", element="Message", text="On it")
    await do.ok("press", key="Enter")
    for way in ("above", "before"):
        assert (await do.bad("check_order", texts=["Ticket", "On it"], way=way)).failure == Failure.EXPECTATION_FALSE


BOX = """<label class=box><input type=checkbox aria-label="Select this row" onclick="this.nextSibling.style.background = this.checked ? '#06c' : '#fff'"
style="position:absolute;width:0;height:0;margin:0;opacity:0"><i style="display:inline-block;width:14px;height:14px;border:1px solid"></i></label>"""
DRAWN_BOXES = "<table><tr><th><th>Name<th>Role" + "".join(
    f"<tr><td>{BOX}<td>{name}<td>Guest" for name in ("Ada", "Bob")
)
TREE = f"""<div role=tree><div role=treeitem aria-expanded=false><div onclick="kids.hidden = false; this.parentElement.ariaExpanded = 'true'"
style="cursor:pointer"><i style="display:inline-block;width:9px;height:9px;background:#888"></i>{BOX}<span>Fruit</span></div>
<div role=group id=kids hidden><div role=treeitem aria-checked=false><div style="cursor:pointer">{BOX.replace("this.next", "this.closest('[role=treeitem]').ariaChecked = this.checked; this.next")}<span>Apple</span></div></div></div></div></div>
<style>.box {{ cursor: pointer }}</style>"""


async def test_a_box_of_no_size_below_its_drawing_is_what_a_row_or_an_item_is_chosen_by(look: User, site: Site) -> None:
    await look.open(site.page(DRAWN_BOXES + "</table>"))
    await look.ok("check", element="Ada", role="row")
    await look.ok("check_state", element="Ada", role="row", state="selected")
    await look.bad("check_state", element="Bob", role="row", state="selected")
    await look.open(site.page(TREE))
    await look.ok("click", element="Fruit", within=["of type foldable"])
    await look.ok("check_text", text="Apple")
    await look.ok("check", element="Apple")
    await look.ok("check_state", element="Apple", state="checked")
