"""Lists and grids as component libraries draw them: rows out of order, lists that show an invitation, choices that stay open."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

GRID = """<div role=grid style="position:relative;height:90px">
<div role=row><span role=columnheader style="width:60px">Qty</span></div>
<div role=row style="position:absolute;top:60px;width:200px"><span role=gridcell>9</span></div>
<div role=row style="position:absolute;top:30px;width:200px"><span role=gridcell>4</span></div></div>"""
COUNTRIES = """<label for=c>Country</label><input id=c role=combobox aria-expanded=false autocomplete=off>
<ul id=l role=listbox hidden></ul><p id=r></p><script>
c.oninput = () => { l.innerHTML = ""; l.hidden = false;
for (const name of ["Germany", "Greece"].filter((one) => one.startsWith(c.value))) {
const option = document.createElement("li"); option.role = "option"; option.textContent = name;
option.onclick = () => { c.value = name; l.hidden = true; r.textContent = `Chosen: ${name}` }; l.append(option) } }</script>"""
TAGS = """<div><label>Tags</label><div><button aria-haspopup=listbox aria-expanded=false id=b><span>red</span></button>
<div id=l role=listbox hidden style="position:absolute;top:0;left:0;width:400px;height:200px;background:#fff">
<div role=option onclick="b.firstChild.textContent+=', blue'">blue</div></div></div></div>
<button onclick="this.after('Saved')">Save</button><script>
const show = (open) => { l.hidden = !open; b.ariaExpanded = String(open) };
b.onclick = () => show(true); addEventListener("keydown", (e) => { if (e.key === "Escape") show(false) })</script>"""


async def test_rows_have_the_order_in_which_they_are_drawn(look: User, site: Site) -> None:
    await look.open(site.page(GRID))
    await look.ok("check_text", text="4", within=["in 1st row"])
    await look.ok("check_sorted", element="Qty")
    assert (await look.bad("check_sorted", element="Qty", descending=True)).failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_text", text="9", within=["in 1st row"])).failure == Failure.EXPECTATION_FALSE


async def test_a_row_is_that_whose_cell_says_just_its_name(look: User, site: Site) -> None:
    rows = "".join(f"<tr><td><input type=checkbox aria-label=Select><td>{name}" for name in ("Emma 2", "Emma"))
    await look.open(site.page(f"<table><tr><th><th>Title{rows}</table>"))
    await look.ok("check", element="Emma", role="row")
    assert await look.script("[...document.querySelectorAll('input')].map((one) => one.checked)") == [False, True]


@pytest.mark.parametrize(
    ("option", "attribute"),
    [("Choose…", ""), ("Country", "required"), ("---------", ""), ("Please choose", "disabled")],
)
async def test_an_invitation_to_choose_is_no_choice(look: User, site: Site, option: str, attribute: str) -> None:
    field, own = ("required", "") if attribute == "required" else ("", attribute)
    page = (
        f"<label>Country <select {field}><option value='' {own} selected>{option}</option><option>Peru</select></label>"
    )
    await look.open(site.page(page))
    await look.ok("check_state", element="Country", state="empty")
    assert (
        await look.bad("check_value", element="Country", value="", negate=True)
    ).failure == Failure.EXPECTATION_FALSE
    await look.ok("select", element="Country", options=["Peru"])
    assert (await look.bad("check_state", element="Country", state="empty")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_value", element="Country", value="", negate=True)


DRAWN_LIST = """<label for=c>Country</label><div style="border:1px solid;width:200px"><div><div {mark}>{text}</div>
<input id=c role=combobox aria-expanded=false aria-haspopup=true style="border:0;width:2px"></div></div>"""


@pytest.mark.parametrize(
    ("text", "mark", "told"),
    [
        ("Select...", "", None),
        ("Any land", "class=a-placeholder data-placeholder", None),
        ("Choose a country", "id=c-placeholder", None),
        ("Choose a country", "", Failure.NO_EVIDENCE),
        ("Any land", "class=a-placeholder", Failure.NO_EVIDENCE),
        ("Peru", "", Failure.EXPECTATION_FALSE),
    ],
)
async def test_an_invitation_that_a_list_of_other_elements_draws_is_no_choice(
    look: User, site: Site, text: str, mark: str, told: Failure | None
) -> None:
    """One sign that a text is an invitation leaves it open, two of them tell it."""
    await look.open(site.page(DRAWN_LIST.format(text=text, mark=mark)))
    empty = await look("check_state", element="Country", role="combobox", state="empty")
    assert empty.failure is told, empty.text
    await look.ok("check_value", element="Country", role="combobox", value=text)
    hint = await look("check_attribute", element="Country", role="combobox", attribute="placeholder", value=text)
    assert (hint.status == "ok") is (told is not Failure.EXPECTATION_FALSE), hint.text


async def test_whether_all_is_a_choice_nobody_can_tell(look: User, site: Site) -> None:
    await look.open(site.page("<label>Status <select><option value=''>All</option><option>Open</select></label>"))
    await look.ok("check_value", element="Status", value="All")
    assert (await look.bad("check_state", element="Status", state="empty")).failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_value", element="Status", value="", negate=True)).failure == Failure.NO_EVIDENCE


async def test_a_list_is_typed_into_and_then_chosen_from(look: User, site: Site) -> None:
    await look.open(site.page(COUNTRIES))
    await look.ok("type", element="Country", text="Ger")
    await look.ok("click", element="Germany")
    await look.ok("check_text", text="Chosen: Germany")


async def test_a_list_of_which_several_are_chosen_is_closed_again(look: User, site: Site) -> None:
    """Its label is no more than a text before it."""
    await look.open(site.page(TAGS))
    await look.ok("select", element="Tags", options=["blue"])
    await look.ok("click", element="Save")
    await look.ok("check_text", text="Saved")
    await look.ok("check_value", element="Tags", value="red, blue")


async def test_what_a_list_shows_is_no_name_of_it(look: User, site: Site) -> None:
    shown = "<p id=n>Status</p><div role=combobox aria-labelledby='n v'><span id=v>Published</span></div>"
    await look.open(site.page(f"<label>Published <input value=1958></label>{shown}"))
    await look.ok("check_value", element="Published", value="1958")


DATES = "<table><tr><th>Date</tr><tr><td>{}</tr><tr><td>{}</tr><tr><td>{}</tr></table>"


async def test_a_column_of_dates_is_sorted_by_the_convention_that_reads_all_of_it(look: User, site: Site) -> None:
    await look.open(site.page(DATES.format("31/01/2026", "01/02/2026", "15/03/2026")))
    await look.ok("check_sorted", element="Date")
    await look.open(site.page(DATES.format("01/02/2026", "15/03/2026", "31/01/2026")))
    assert (await look.bad("check_sorted", element="Date")).failure == Failure.EXPECTATION_FALSE


async def test_an_order_that_depends_on_how_dates_are_read_is_undecided(look: User, site: Site) -> None:
    await look.open(site.page(DATES.format("01/02/2026", "02/01/2026", "03/03/2026")))
    for descending in (False, True):
        outcome = await look("check_sorted", element="Date", descending=descending)
        assert outcome.failure == (Failure.EXPECTATION_FALSE if descending else Failure.NO_EVIDENCE), outcome.text


LINE = (
    "<div role=row><div role=presentation></div><div role=presentation style='display:flex'>"
    "<div role={role} aria-colindex=2>{one}</div><div role={role} aria-colindex=3>{other}</div></div></div>"
)
STAYING = "".join(
    LINE.format(role=role, one=one, other=other)
    for role, one, other in (("columnheader", "Make", "Price"), ("gridcell", "Ford", "$3"), ("gridcell", "Kia", "$2"))
)


async def test_a_head_whose_cells_stand_in_wrappers_is_no_row(look: User, site: Site) -> None:
    await look.open(site.page(f"<div role=grid><div role=rowgroup>{STAYING}</div></div>"))
    await look.ok("check_count", element="", role="row", count=2)
    await look.bad("check_count", element="", role="row", count=3)
    await look.ok("check_text", text="Ford", within=["in 1st row"])
    await look.bad("check_text", text="Make", within=["in 1st row"])
    await look.ok("check_sorted", element="Make")
    await look.bad("check_sorted", element="Price")
    await look.ok("check_value", element="Price", role="cell", within="Ford", value="$3")
    await look.bad("check_value", element="Price", role="cell", within="Ford", value="$2")


SALES = "<tr><td></td><th>Q1<th>Q2<tr><th>North<td>5<td>7<tr><th>South<td>6<td></td>"
BOX = "<span role=gridcell><input type=checkbox></span>"
CHOSEN_BY_BOXES = "".join(
    f"<div role=row>{BOX}<span role={role}>{one}</span><span role={role}>{other}</span></div>"
    for role, one, other in (("columnheader", "Q1", "Q2"), ("gridcell", "5", "7"), ("gridcell", "6", ""))
)


@pytest.mark.parametrize("body", [f"<table>{SALES}</table>", f"<div role=grid>{CHOSEN_BY_BOXES}</div>"])
async def test_a_head_behind_an_empty_corner_or_a_box_that_chooses_all_is_no_row(
    look: User, site: Site, body: str
) -> None:
    await look.open(site.page(body))
    await look.ok("check_count", element="", role="row", count=2)
    await look.ok("check_sorted", element="Q1")
    await look.bad("check_sorted", element="Q1", descending=True)
    await look.ok("check_value", element="Q2", role="cell", within=["in 1st row"], value="7")
    await look.bad("check_value", element="Q1", role="cell", within=["in 1st row"], value="6")


async def test_a_row_of_a_name_and_a_value_heads_nothing(look: User, site: Site) -> None:
    rows = "".join(f"<tr><td></td><th>{name}<td>{value}" for name, value in (("North", 5), ("South", 6)))
    await look.open(site.page(f"<table>{rows}</table>"))
    await look.ok("check_count", element="", role="row", count=2)
    await look.ok("check_value", element="South", value="6")


MOVERS = """<fieldset><legend>Tags</legend><div class=row><div>
<div><div id=ft><label for=f>Available tags</label><p>Choose tags.</p></div><input placeholder=Filter>
<select id=f multiple aria-labelledby=ft><option>classic<option>space<option>utopia</select><button>Choose all</button></div>
<div><div id=tt><label for=t>Chosen tags</label><p>Remove tags.</p></div>
<select id=t multiple aria-labelledby=tt></select><button>Remove all</button></div></div></div></fieldset>"""


async def test_the_label_of_a_list_names_the_list_alone(look: User, site: Site) -> None:
    """What is around the two holds other lists, too; the options of a list that stands open are its items."""
    await look.open(site.page(MOVERS))
    within = ['in list "Chosen tags"']
    told = await look.bad("check_text", text="utopia", within=within)
    assert told.failure is Failure.EXPECTATION_FALSE
    await look.ok("check_text", text="utopia", within=within, absent=True)
    await look.ok("check_count", element="", role="listitem", within=within, count=0)
    await look.ok("check_text", text="utopia", within=['in list "Available tags"'])
    await look.ok("check_count", element="", role="listitem", within=['in list "Available tags"'], count=3)
    await look.ok("check_text", text="utopia", within="Tags")


async def test_items_that_are_buttons_are_the_items_of_their_list(look: User, site: Site) -> None:
    tasks = "".join(f"<li role=button tabindex=0>{name}" for name in ("Write", "Review", "Ship"))
    await look.open(site.page(f"<h3>Tasks</h3><ul aria-label=Tasks>{tasks}</ul><div role=option>Open</div>"))
    await look.ok("check_count", element="", role="listitem", within="Tasks", count=3)
    await look.ok("check_visible", element="Ship", role="listitem", within="Tasks")
