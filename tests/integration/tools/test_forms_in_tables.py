"""Forms that a table lays out, with the names of fields in head cells; fields that only what stands beside them names."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArgumentValue

ISSUE = """<form><table>
<tr><th>Title</th><td colspan=3><input required></td></tr>
<tr><th>Priority</th><td><select id=p><option>- none -<option>bug<option>urgent</select></td>
<th>Status</th><td><select><option>unread<option>open</select> <a href=#>(list)</a></td></tr>
<tr><th>Owner</th><td><select><option value=-1>nobody<option>Ada</select></td><th>Note</th><td><textarea></textarea></td></tr>
<tr><td></td><td colspan=3><input type=submit value=Save></td></tr></table></form>
<form><table><tr><th>Sort on</th><td><select><option>Date</select></td><th>Descending</th><td><input type=checkbox></td></tr>
<tr><td colspan=4><input type=submit value=Redisplay></td></tr></table></form>
<table><tr><th colspan=3>History</th></tr><tr><th>Date</th><th>Who</th><th>What</th></tr>
<tr><td>1 May</td><td>Ada</td><td>created</td></tr><tr><td>2 May</td><td>Bob</td><td>closed</td></tr></table>
<table><tr><th colspan=3>Files</th></tr><tr><th>Date</th><th>Who</th><th>Name</th></tr>
<tr><td>3 May</td><td>Eve</td><td>a.txt</td></tr></table>"""
LOGIN = """<p><b>Login</b><br><input size=10><br><input type=password><br><input type=checkbox id=r>
<label for=r>Remember me</label><br><input type=submit value=Login></p>"""


async def fails(look: User, tool: str, **arguments: ArgumentValue) -> bool:
    return (await look.bad(tool, **arguments)).failure == Failure.EXPECTATION_FALSE


async def test_a_head_cell_names_the_field_beside_it(look: User, site: Site) -> None:
    await look.open(site.page(ISSUE))
    await look.ok("check_state", element="Title", state="required")
    assert await fails(look, "check_state", element="Priority", state="required")
    await look.ok("check_options", element="Priority", options=["urgent"])
    assert await fails(look, "check_options", element="Priority", options=["open"])
    await look.ok("select", element="Priority", options=["bug"])
    await look.ok("check_value", element="Priority", value="bug")
    assert await fails(look, "check_value", element="Priority", value="unread")
    await look.ok("check_value", element="Status", value="unread")
    await look.ok("type", element="Status", text="open")
    await look.ok("check_value", element="Status", value="open", match="includes")
    assert await fails(look, "check_value", element="Status", value="unread", match="includes")
    await look.ok("check_state", element="Note", state="empty")
    await look.ok("check_state", element="Title", state="enabled")


async def test_a_form_is_no_table_and_a_row_across_one_is_its_title(look: User, site: Site) -> None:
    await look.open(site.page(ISSUE))
    await look.ok("check_count", element="", role="table", count=2)
    await look.ok("check_count", element="", role="row", within="History", count=2)
    assert await fails(look, "check_count", element="", role="row", within="Files", count=2)
    await look.ok("check_text", text="closed", within="History")
    assert await fails(look, "check_text", text="closed", within="Files")
    await look.ok("check_visible", element="History", role="table")
    assert await fails(look, "check_visible", element="Bills", role="table")


async def test_a_row_of_data_is_no_form_whatever_is_typed_into_it(look: User, site: Site) -> None:
    rows = "".join(
        f"<tr><th>{name}</th><td>{cost}</td><td><input value=2></td></tr>" for name, cost in (("Tea", 3), ("Cup", 5))
    )
    await look.open(site.page(f"<table><tr><th>Name</th><th>Cost</th><th>Pieces</th></tr>{rows}</table>"))
    await look.ok("check_count", element="", role="table", count=1)
    await look.ok("check_value", element="Cost", within="Tea", value="3")
    assert await fails(look, "check_value", element="Cost", within="Tea", value="2")
    await look.bad("check_value", element="Tea", value="5")


@pytest.mark.parametrize("name", ["Username", "User name", "Login", "E-mail"])
async def test_the_fields_of_a_login_are_known_by_what_they_are_for(look: User, site: Site, name: str) -> None:
    await look.open(site.page(f"<input>{LOGIN}"))
    await look.ok("type", element=name, role="field", text="ada")
    await look.ok("type", element="Password", text="x")
    assert await look.script("[...document.querySelectorAll('input')].map(i => i.value).slice(0, 3)") == [
        "",
        "ada",
        "x",
    ]
    if name != "Login":
        await look.ok("check_value", element=name, value="ada")
        assert await fails(look, "check_visible", element=name, role="field")


async def test_a_field_that_may_be_for_anything_is_no_user_name(look: User, site: Site) -> None:
    two = "<form><input type=password><input type=password></form>"
    for form in (
        "<form><input></form>",
        f"<form><input>{two}",
        "<form><input aria-label=Code><input type=password></form>",
    ):
        await look.open(site.page(form))
        await look.bad("type", element="Username", text="ada")


async def test_a_button_is_never_empty_the_field_beside_it_may_be(look: User, site: Site) -> None:
    await look.open(site.page("<form><input size=9><button>Search</button></form>"))
    await look.ok("check_state", element="Search", state="empty")
    await look.ok("type", element="Search", text="ada")
    assert await fails(look, "check_state", element="Search", state="empty")


async def test_a_column_is_sorted_whatever_else_is_called_like_it(look: User, site: Site) -> None:
    rows = "".join(f"<tr><td>{name}</td><td>1</td></tr>" for name in ("Ann", "Bob", "Eve"))
    await look.open(
        site.page(f"<button title=Name>+</button><table><tr><th><a href=#>Name</a></th><th>No.</th></tr>{rows}</table>")
    )
    await look.ok("check_sorted", element="Name")
    assert await fails(look, "check_sorted", element="Name", descending=True)


LIST = """<label for=f>Genre</label><div id=box style="position:relative;width:200px"><a href="javascript:void(0)" id=shown
onmousedown="list.style.display='block'" style="display:block;background:#eee">Novel</a>
<input id=f type=text role=button aria-haspopup=true style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);top:5px;left:9px">
</div><ul id=list role=listbox style="display:none"><li role=option onclick="shown.textContent='Poem';list.style.display='none'">Poem</li>
<li role=option>Drama</li></ul>"""


async def test_a_link_drawn_in_the_place_of_a_list_opens_it(do: User, site: Site) -> None:
    await do.open(site.page(LIST))
    await do.ok("check_value", element="Genre", value="Novel")
    await do.ok("select", element="Genre", options=["Poem"])
    await do.ok("check_value", element="Genre", value="Poem")
    assert await fails(do, "check_value", element="Genre", value="Novel")


INLINE = """<label>Heading colour <input value=red></label><h2>Chapters</h2>
<table><thead><tr><th></th><th>Heading\n</th><th>Length</th><th>Delete?</th></tr></thead><tbody>
<tr><td><input type=hidden></td><td><input></td><td><input type=number value=1></td><td><a href=#>Remove</a></td></tr>
<tr><td><input type=hidden></td><td><input></td><td><input type=number value=2></td><td><a href=#>Remove</a></td></tr>
</tbody></table>"""
FILTERED = """<table><thead><tr><th>Name</th><th>Age</th><th>Team</th></tr>
<tr><th><input placeholder=filter...></th><th><input placeholder=filter...><input type=button value=Aa></th><th></th></tr></thead>
<tr><td>Ada</td><td>36</td><td>Red</td></tr><tr><td>Bob</td><td>41</td><td>Blue</td></tr></table>"""


async def test_the_head_of_a_column_names_the_fields_in_it(look: User, site: Site) -> None:
    """What only begins with that name is another field, and which row is meant has to be said."""
    await look.open(site.page(INLINE))
    assert "1) textbox" in (await look.bad("type", element="Heading", text="x")).text
    await look.ok("type", element="Heading", role="field", within=["in 2nd row"], text="B")
    await look.ok("type", element="Length", role="field", within=["1st"], text="12")
    await look.ok("check_value", element="Length", within=["in 1st row"], value="12")
    await look.ok("check_value", element="Heading colour", value="red")
    await look.ok("check_count", element="", role="columnheader", count=3)


async def test_a_filter_below_the_head_of_a_column_is_a_field_and_heads_nothing(look: User, site: Site) -> None:
    await look.open(site.page(FILTERED))
    await look.ok("type", element="Age", role="field", text="4")
    await look.ok("check_value", element="", role="field", within=["2nd"], value="4")
    await look.ok("check_count", element="", role="columnheader", count=3)
    await look.ok("check_count", element="", role="row", count=2)


TIMES = """<p>Date: <input size=10> <span><a href=#>Today</a> | <a href=#>Pick</a></span><br>
Time: <input size=8 value=15:15> <span><a href=#>Now</a></span></p>
<div>From <input value=10> to <input value=20> EUR</div>"""


async def test_the_text_right_before_a_field_names_it(look: User, site: Site) -> None:
    """What stands behind the field is no value of it."""
    await look.open(site.page(TIMES))
    await look.ok("check_value", element="Time", role="field", value="15:15")
    assert await fails(look, "check_value", element="Time", role="field", value="Now")
    await look.ok("check_state", element="Date", role="field", state="empty")
    await look.ok("type", element="Date", role="field", text="1 May")
    await look.ok("check_value", element="Date", value="1 May")
    await look.ok("check_value", element="From", value="10")
    await look.ok("type", element="to", role="field", text="30")
    assert await fails(look, "check_value", element="to", value="20")
